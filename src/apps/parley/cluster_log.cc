#include "apps/parley/cluster_log.h"

#include "base/codec.h"
#include "base/hash.h"

#include <utility>

namespace parley::app {
namespace {

std::string path_in(const std::string& folder) { return join(folder, "cluster.log"); }

struct Parsed {
    std::vector<sim::Remembered> remembered;
    std::uint64_t end = 0;  ///< Up to here everything is whole.
};

/// Entries are length, CRC-32C, bytes.
Parsed parse(std::string_view bytes) {
    Parsed parsed;
    ByteReader in(bytes);
    while (!in.at_end()) {
        const std::string_view body = in.text();
        const std::uint64_t crc = in.varint();
        if (in.failed() || crc != crc32c(body)) break;
        auto entry = decode<sim::Remembered>(body);
        if (!entry) break;
        parsed.remembered.push_back(*std::move(entry));
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
    auto file = disk.open(path_in(folder), OpenMode::create);
    if (!file) return tl::unexpected(file.error());
    log.file_ = *std::move(file);
    const auto bytes = read_file(disk, path_in(folder));
    if (!bytes) return tl::unexpected(bytes.error());
    Parsed parsed = parse(*bytes);
    log.remembered_ = std::move(parsed.remembered);
    log.end_ = parsed.end;
    if (log.end_ < bytes->size()) {
        if (auto cut = log.file_->truncate(log.end_); !cut) return tl::unexpected(cut.error());
    }
    return log;
}

Result<void> ClusterLog::append(const sim::Remembered& remembered) {
    const std::string body = encode(remembered);
    ByteWriter out;
    out.text(body);
    out.varint(crc32c(body));
    if (auto written = file_->write(end_, out.bytes()); !written) return written;
    end_ += out.bytes().size();
    return {};
}

}  // namespace parley::app
