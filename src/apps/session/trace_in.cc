#include "apps/session/trace_in.h"

#include "base/base64.h"
#include "base/described_json.h"
#include "base/json.h"
#include "base/json_read.h"
#include "model/coded.h"

#include <utility>

namespace parley::app {
namespace {

constexpr std::size_t kPiece = std::size_t{1} << 20U;
constexpr std::size_t kLineMax = std::size_t{1} << 30U;
/// Begins the exact part. No text inside a JSON string can look like it.
constexpr std::string_view kExact = ",\"exact\":";

template <class T>
std::optional<T> decoded(const std::string& text) {
    const auto bytes = decode_base64(text);
    return bytes ? decode<T>(*bytes) : std::nullopt;
}

}  // namespace

tl::unexpected<Error> TraceIn::wrong(const std::string& what) const {
    return fail(ErrorCode::malformed, path_ + ":" + std::to_string(number_) + ": " + what);
}

Result<std::optional<std::string>> TraceIn::line() {
    std::size_t searched = 0;
    while (true) {
        const std::size_t end = buffer_.find('\n', searched);
        if (end != std::string::npos) {
            ++number_;
            std::string line = buffer_.substr(0, end);
            buffer_.erase(0, end + 1);
            return std::optional(std::move(line));
        }
        searched = buffer_.size();
        if (searched > kLineMax) return wrong("a line of over a gigabyte is no round");
        const auto piece = file_->read(offset_, kPiece);
        if (!piece) return tl::unexpected(piece.error());
        if (piece->empty()) break;
        offset_ += piece->size();
        buffer_ += *piece;
    }
    if (buffer_.empty()) return std::optional<std::string>();
    ++number_;
    return wrong("this line ends in its middle");
}

Result<std::optional<TracedRound>> TraceIn::read() {
    auto text = line();
    if (!text) return tl::unexpected(text.error());
    if (!*text) return std::optional<TracedRound>();
    // prose: a key of JSON; what stands before it can be megabytes, and is not parsed.
    const std::size_t at = (*text)->find(kExact);
    if (at == std::string::npos) {
        return wrong(
            "this line holds no exact round; only what --trace-out wrote without --anonymise can "
            "be decided again");
    }
    const std::string rest = "{" + (*text)->substr(at + 1);
    const auto value = parse_json(rest);
    TraceExact exact;
    if (!value || !read_json(*value, exact, "")) return wrong("this line is damaged");
    if (number_ == 1 && exact.run.empty()) {
        return wrong("this is not the first line of a trace; give all of it");
    }
    chain_ = next_link(chain_, exact);
    if (exact.chain != std::to_string(chain_)) {
        return wrong("this line does not follow the one before it");
    }
    const auto bytes = decode_base64(exact.exact);
    if (!bytes || !apply_difference(*bytes, before_)) return wrong("this line is damaged");
    TracedRound round{.input = before_};
    (*text)->resize(at);
    if (**text + "}" != to_json(trace_of(round.input.snapshot))) {
        return wrong("what this line shows is not what it holds exactly: it was edited");
    }
    if (!exact.run.empty()) {
        auto header = decoded<store::RunHeader>(exact.run);
        if (!header) return wrong("the run that it is of cannot be read");
        header_ = *std::move(header);
    }
    if (!exact.memory.empty()) {
        round.start = decoded<model::Memory>(exact.memory);
        if (!round.start) return wrong("what the round began with cannot be read");
    }
    if (!exact.came.empty()) {
        auto came = decoded<TraceCame>(exact.came);
        if (!came) return wrong("what came back within the round cannot be read");
        round.came = std::move(came->events);
    }
    return std::optional(std::move(round));
}

Result<TraceIn> TraceIn::open(Disk& disk, const std::string& path) {
    auto file = disk.open(path, OpenMode::read);
    if (!file) return within("--from-trace", file.error());
    TraceIn trace(*std::move(file), path);
    auto first = trace.read();
    if (!first) return tl::unexpected(first.error());
    if (!*first) return fail(ErrorCode::malformed, path + " holds no round");
    trace.first_ = **std::move(first);
    return trace;
}

Result<std::optional<TracedRound>> TraceIn::next() {
    if (first_) return std::exchange(first_, std::nullopt);
    return read();
}

}  // namespace parley::app
