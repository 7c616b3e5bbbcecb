#include "apps/parley/cluster_log.h"

#include "base/hash.h"
#include "model/coded.h"

#include <utility>

namespace parley::app {
namespace {

std::string path_in(const std::string& folder) { return join(folder, "cluster.log"); }

tl::unexpected<Error> cannot_rebuild(const std::string& path, const std::string& why) {
    return fail(ErrorCode::malformed,
                path + ": " + why +
                    ", so that the simulated cluster cannot be rebuilt; the record itself can be "
                    "read, but not gone on with");
}

struct Parsed {
    std::vector<sim::Remembered> remembered;
    model::Ledger ledger;   ///< The last one.
    std::uint64_t end = 0;  ///< Up to here everything is whole.
    bool damaged = false;   ///< What follows was written whole, and is not any more.
};

/// A request as it is, a ledger as the difference to the one before: it changes with every step,
/// and little of it.
std::string body_of(const sim::Remembered& remembered, const model::Ledger& before) {
    ByteWriter out;
    write_value(out, remembered.at, static_cast<const TimePoint*>(nullptr));
    const auto* ledger = std::get_if<model::Ledger>(&remembered.what);
    out.byte(ledger == nullptr ? 0 : 1);
    if (ledger != nullptr) {
        write_value(out, *ledger, &before);
    } else {
        const auto& request = std::get<model::Request>(remembered.what);
        write_value(out, request, static_cast<const model::Request*>(nullptr));
    }
    return out.take();
}

/// The reverse; false if the bytes cannot have been written so.
bool take_body(std::string_view body, Parsed& parsed) {
    ByteReader in(body);
    sim::Remembered remembered;
    read_value(in, remembered.at, false);
    if (in.byte() == 1) {
        read_value(in, parsed.ledger, true);
        remembered.what = parsed.ledger;
    } else {
        model::Request request;
        read_value(in, request, false);
        remembered.what = std::move(request);
    }
    if (in.failed() || !in.at_end()) return false;
    parsed.remembered.push_back(std::move(remembered));
    return true;
}

/// Entries are length, bytes, CRC-32C.
Parsed parse(std::string_view bytes) {
    Parsed parsed;
    ByteReader in(bytes);
    while (!in.at_end()) {
        const std::string_view body = in.text();
        const std::uint64_t crc = in.varint();
        if (in.failed()) break;
        parsed.damaged = crc != crc32c(body) || !take_body(body, parsed);
        if (parsed.damaged) break;
        parsed.end = bytes.size() - in.left();
    }
    return parsed;
}

}  // namespace

Result<std::vector<sim::Remembered>> read_cluster_log(Disk& disk, const std::string& folder) {
    const auto there = disk.exists(path_in(folder));
    if (!there) return tl::unexpected(there.error());
    if (!*there) return std::vector<sim::Remembered>();
    const auto bytes = read_file(disk, path_in(folder));
    if (!bytes) return tl::unexpected(bytes.error());
    return parse(*bytes).remembered;
}

Result<ClusterLog> ClusterLog::open(Disk& disk, const std::string& folder) {
    ClusterLog log;
    log.path_ = path_in(folder);
    auto file = disk.open(log.path_, OpenMode::create);
    if (!file) return tl::unexpected(file.error());
    log.file_ = *std::move(file);
    const auto bytes = read_file(disk, log.path_);
    if (!bytes) return tl::unexpected(bytes.error());
    Parsed parsed = parse(*bytes);
    if (parsed.damaged) {
        return cannot_rebuild(log.path_, "damaged at byte " + std::to_string(parsed.end));
    }
    log.remembered_ = std::move(parsed.remembered);
    log.ledger_ = std::move(parsed.ledger);
    log.end_ = parsed.end;
    if (log.end_ < bytes->size()) {
        if (auto cut = log.file_->truncate(log.end_); !cut) return tl::unexpected(cut.error());
    }
    return log;
}

Result<void> ClusterLog::reaches(const model::Ledger& recorded) const {
    if (ledger_.version >= recorded.version) return {};
    return cannot_rebuild(path_, "ends at ledger " + std::to_string(ledger_.version) +
                                     " and the record at " + std::to_string(recorded.version));
}

Result<void> ClusterLog::append(const sim::Remembered& remembered) {
    const std::string body = body_of(remembered, ledger_);
    ByteWriter out;
    out.text(body);
    out.varint(crc32c(body));
    if (auto written = file_->write(end_, out.bytes()); !written) return written;
    end_ += out.bytes().size();
    if (const auto* ledger = std::get_if<model::Ledger>(&remembered.what)) ledger_ = *ledger;
    return {};
}

}  // namespace parley::app
