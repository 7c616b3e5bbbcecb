#include "apps/runs/cluster_log.h"

#include "base/hash.h"
#include "model/coded.h"

#include <algorithm>
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

constexpr std::string_view kBondBegins = "cluster.log 1\n";

/// One line per item, in the order of kBondSays.
std::string text_of(const ClusterBond& bond) {
    return std::string(kBondBegins) + std::to_string(bond.seed) + "\n" + bond.scenario + "\n" +
           bond.policy + "\n" + bond.born + "\n";
}
constexpr const char* kBondSays[] = {"is of another kind", "has another seed",
                                     "has another scenario", "has another configuration",
                                     "was begun by another run"};

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        lines.push_back(text.substr(at, end - at));
        at = end + 1;
    }
    return lines;
}

struct Parsed {
    std::optional<std::string> bond;  ///< As text.
    std::vector<sim::Remembered> remembered;
    model::Ledger ledger;   ///< The last one.
    std::uint64_t end = 0;  ///< Up to here everything is complete.
    bool damaged = false;   ///< What follows was complete once, and is damaged now.
};

/// A request as it is; a ledger as the difference to the one before, since it changes a little with
/// every step.
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

/// The reverse; false if the bytes cannot have been written this way.
bool take_body(std::string_view body, Parsed& parsed) {
    ByteReader in(body);
    sim::Remembered remembered;
    read_value(in, remembered.at, false);
    if (in.byte() == 1) {
        const std::uint64_t before = parsed.ledger.version;
        read_value(in, parsed.ledger, true);
        // Each is the difference to the one before: if one is missing, all that follow are wrong.
        if (parsed.ledger.version != before + 1) return false;
        remembered.what = parsed.ledger;
    } else {
        model::Request request;
        read_value(in, request, false);
        remembered.what = std::move(request);
    }
    if (in.failed() || !in.at_end()) return false;
    // Times never go back, in this log either.
    if (!parsed.remembered.empty() && remembered.at < parsed.remembered.back().at) return false;
    parsed.remembered.push_back(std::move(remembered));
    return true;
}

/// Whether complete entries up to the end begin anywhere in here: then the part before them is
/// damaged, not unfinished.
bool holds_entries(std::string_view bytes) {
    for (std::size_t at = 1; at < bytes.size(); ++at) {
        ByteReader in(bytes.substr(at));
        bool whole = true;
        while (whole && !in.at_end()) {
            const std::string_view body = in.text();
            const std::uint64_t crc = in.varint();
            whole = !in.failed() && !body.empty() && crc == crc32c(body);
        }
        if (whole) return true;
    }
    return false;
}

/// Entries are length, bytes, CRC-32C.
Parsed parse(std::string_view bytes) {
    Parsed parsed;
    ByteReader in(bytes);
    while (!in.at_end()) {
        const std::string_view body = in.text();
        const std::uint64_t crc = in.varint();
        if (in.failed()) {
            parsed.damaged = holds_entries(bytes.substr(static_cast<std::size_t>(parsed.end)));
            break;
        }
        const bool is_bond = parsed.end == 0 && body.starts_with(kBondBegins);
        if (is_bond) parsed.bond = body;
        parsed.damaged = crc != crc32c(body) || !(is_bond || take_body(body, parsed));
        if (parsed.damaged) break;
        parsed.end = bytes.size() - in.left();
    }
    return parsed;
}

}  // namespace

ClusterBond bond_of(const store::RunHeader& header, const std::string& born) {
    return {header.seed, hex(sha256(header.scenario_bytes)), header.policy_digest, born};
}

namespace {

/// Empty if there is none. Refuses anything that is not a file of ours.
Result<std::string> bytes_in(Disk& disk, const std::string& path) {
    const auto kind = disk.kind(path);
    if (!kind) return tl::unexpected(kind.error());
    if (*kind == PathKind::nothing) return std::string();
    return read_own_file(disk, path);
}

/// How the log differs from that of this run; empty: it is the same.
std::string differs(const std::string& was, ClusterBond bond) {
    const auto theirs = lines_of(was);
    if (bond.born.empty() && !theirs.empty()) bond.born = theirs.back();
    const auto ours = lines_of(text_of(bond));
    for (std::size_t i = 0; i < ours.size(); ++i) {
        if (i >= theirs.size() || ours[i] != theirs[i]) return kBondSays[i];
    }
    return {};
}

}  // namespace

Result<std::vector<sim::Remembered>> read_cluster_log(Disk& disk, const std::string& folder) {
    const auto bytes = bytes_in(disk, path_in(folder));
    if (!bytes) return tl::unexpected(bytes.error());
    return parse(*bytes).remembered;
}

std::uint64_t last_round_asked(Disk& disk, const std::string& folder, Duration interval) {
    const auto remembered = read_cluster_log(disk, folder);
    if (!remembered || remembered->empty() || interval.us <= 0) return 0;
    const Duration at = remembered->back().at - TimePoint{};
    return at.us < 0 ? 0 : static_cast<std::uint64_t>(at.us / interval.us);
}

Result<ClusterLog> ClusterLog::read(Disk& disk, const std::string& folder,
                                    const ClusterBond& bond) {
    ClusterLog log;
    log.path_ = path_in(folder);
    const auto bytes = bytes_in(disk, log.path_);
    if (!bytes) return tl::unexpected(bytes.error());
    Parsed parsed = parse(*bytes);
    if (parsed.damaged) {
        return cannot_rebuild(log.path_, "damaged at byte " + std::to_string(parsed.end));
    }
    if (parsed.bond) {
        const std::string how = differs(*parsed.bond, bond);
        if (!how.empty()) return cannot_rebuild(log.path_, "it " + how);
    } else if (!parsed.remembered.empty()) {
        return cannot_rebuild(log.path_, "it does not say which run it belongs to");
    }
    log.bound_ = parsed.bond.has_value();
    log.remembered_ = std::move(parsed.remembered);
    log.ledger_ = std::move(parsed.ledger);
    log.end_ = parsed.end;
    return log;
}

Result<void> ClusterLog::begin(Disk& disk, const ClusterBond& bond) {
    auto file = disk.open(path_, OpenMode::create);
    if (!file) return tl::unexpected(file.error());
    file_ = *std::move(file);
    if (auto cut = file_->truncate(end_); !cut) return cut;
    return std::exchange(bound_, true) ? Result<void>{} : write(text_of(bond));
}

/// Null if the log does not hold it.
const model::Ledger* ClusterLog::ledger_at(std::uint64_t version) const {
    for (const sim::Remembered& each : remembered_) {
        const auto* ledger = std::get_if<model::Ledger>(&each.what);
        if (ledger != nullptr && ledger->version == version) return ledger;
    }
    return nullptr;
}

Result<void> ClusterLog::reaches(const ClusterOwed& owed) const {
    if (owed.rounds() == 0) return {};
    if (!bound_) return cannot_rebuild(path_, "its beginning is missing");
    if (const auto missing = owed.first_missing(remembered_)) {
        const std::string what =
            missing->request ? "\"" + text_of(*missing->request) + "\"" : std::string("a request");
        return cannot_rebuild(path_, "does not know " + what + " of round " +
                                         std::to_string(missing->round) +
                                         ", which the record says was carried out");
    }
    const std::uint64_t began = owed.ledger_at_last();
    const model::Ledger none;
    const model::Ledger* stored = began == 0 ? &none : ledger_at(began);
    const std::uint64_t last = stored == nullptr ? began : owed.ledger_behind(*stored);
    if (ledger_.version >= last) return {};
    return cannot_rebuild(path_, "ends at ledger " + std::to_string(ledger_.version) +
                                     " and the record at " + std::to_string(last));
}

Result<void> ClusterLog::write(const std::string& body) {
    ByteWriter out;
    out.text(body);
    out.varint(crc32c(body));
    // Writing would make up for what was cut off.
    if (auto ours = in_place(); !ours) return ours;
    if (auto written = file_->write(end_, out.bytes()); !written) return written;
    end_ += out.bytes().size();
    return {};
}

Result<void> ClusterLog::append(const sim::Remembered& remembered) {
    if (auto written = write(body_of(remembered, ledger_)); !written) return written;
    if (const auto* ledger = std::get_if<model::Ledger>(&remembered.what)) ledger_ = *ledger;
    return {};
}

}  // namespace parley::app
