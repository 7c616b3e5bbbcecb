#include "kube/write/ledger_object.h"

#include "base/base64.h"
#include "base/json_read.h"
#include "kube/write/json_parts.h"
#include "model/coded.h"

#include <utility>

namespace parley::kube {

namespace asio = boost::asio;

namespace {

constexpr http::Limits kLimits{.connect = seconds(3), .head = seconds(10), .whole = seconds(15)};
constexpr std::string_view kFormat = "parley-ledger-1";
/// The model promises to stay below this; the API server takes up to 1 MiB.
constexpr std::size_t kBytesMax = std::size_t{256} << 10;

/// "migrate node-1 of round 12; throttle node-2 of round 30".
std::string open_text(const model::Ledger& ledger) {
    std::string text;
    for (const model::OpenAction& each : ledger.open) {
        text += (text.empty() ? "" : "; ") + text_of(each.action) + " " + text_of(each.target) +
                " of round " + std::to_string(each.round);
    }
    return text;
}

tl::unexpected<Error> foreign(const std::string& why) {
    return fail(ErrorCode::malformed,
                why +
                    "; nothing is sent until it is mended: 'parley release --all' gives back what"
                    " marks say, then delete the ConfigMap");
}

}  // namespace

std::string ledger_body(const LedgerPlace& place, const model::Ledger& ledger,
                        const std::string& resource_version) {
    std::string out = R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":)" +
                      quoted(place.name) + R"(,"namespace":)" + quoted(place.space);
    if (!resource_version.empty()) out += R"(,"resourceVersion":)" + quoted(resource_version);
    out += R"(,"labels":{"app.kubernetes.io/managed-by":"parley"}},"data":{"format":)" +
           quoted(kFormat) + R"(,"version":")" + std::to_string(ledger.version) + R"(","epoch":")" +
           std::to_string(ledger.epoch) + R"(","stopped":")" + (ledger.stopped ? "true" : "false") +
           R"(","open":)" + quoted(open_text(ledger)) + R"(},"binaryData":{"ledger":")" +
           encode_base64(encode(ledger)) + R"("}})";
    return out;
}

Result<StoredLedger> read_ledger_body(std::string_view body) {
    const auto json = parse_json(body);
    if (!json) return tl::unexpected(json.error());
    const std::string* version = text_at(json->find("metadata"), "resourceVersion");
    const std::string* format = text_at(json->find("data"), "format");
    const std::string* coded = text_at(json->find("binaryData"), "ledger");
    if (version == nullptr || version->empty()) return foreign("it has no resourceVersion");
    if (format == nullptr || coded == nullptr) return foreign("it holds no ledger of Parley's");
    if (*format != kFormat) return foreign("its format is of another release of Parley");
    const auto bytes = decode_base64(*coded);
    if (!bytes || bytes->size() > kBytesMax) return foreign("its bytes are no ledger");
    auto ledger = decode<model::Ledger>(*bytes);
    if (!ledger) return foreign("its bytes are no ledger");
    return StoredLedger{*std::move(ledger), *version};
}

std::string LedgerObject::path() const {
    return "/api/v1/namespaces/" + place_.space + "/configmaps";
}

asio::awaitable<Result<void>> LedgerObject::look() {
    known_ = false;
    auto answer = co_await api_->get(path() + "/" + place_.name, "reading " + said(), kLimits);
    if (!answer && answer.error().code != ErrorCode::gone) co_return tl::unexpected(answer.error());
    StoredLedger stored;
    if (answer) {
        auto read = read_ledger_body(answer->body);
        if (!read) co_return within(said(), read.error());
        stored = *std::move(read);
    }
    stored_ = std::move(stored.ledger);
    resource_version_ = std::move(stored.resource_version);
    known_ = true;
    co_return Result<void>{};
}

asio::awaitable<Result<model::Ledger>> LedgerObject::read_ledger() {
    auto read = co_await look();
    if (!read) co_return tl::unexpected(read.error());
    co_return stored_;
}

asio::awaitable<Result<void>> LedgerObject::swap_ledger(std::uint64_t expected,
                                                        model::Ledger next) {
    if (!known_ || stored_.version != expected) {
        co_return fail(ErrorCode::conflict, said() + " is not at version " +
                                                std::to_string(expected) + "; it is read again");
    }
    const bool there = !resource_version_.empty();
    std::string body = ledger_body(place_, next, resource_version_);
    http::Request request{
        .method = there ? "PUT" : "POST",
        .target = path() + (there ? "/" + place_.name : "") + "?fieldManager=parley",
        .body = std::move(body)};
    const auto limits = within_term(kLimits, term_());
    if (!limits) co_return fail(ErrorCode::unavailable, "writing " + said() + ": " + kNoTerm);
    auto answer = co_await api_->change(std::move(request), "writing " + said(), *limits);
    if (answer) {
        auto read = read_ledger_body(answer->body);
        known_ = read.has_value();
        if (!read) co_return within("writing " + said(), read.error());
        stored_ = std::move(next);
        resource_version_ = std::move(read->resource_version);
        co_return Result<void>{};
    }
    known_ = false;  // Whatever happened, it is read before the next one.
    if (answer.error().code != ErrorCode::unknown_outcome) co_return tl::unexpected(answer.error());
    auto read = co_await look();
    if (!read) co_return tl::unexpected(read.error());
    if (stored_ == next) co_return Result<void>{};
    known_ = false;  // Our write may still come: only a fresh read knows.
    co_return tl::unexpected(answer.error());
}

}  // namespace parley::kube
