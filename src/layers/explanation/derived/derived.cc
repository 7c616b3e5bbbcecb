#include "layers/explanation/derived/derived.h"

#include "base/hash.h"
#include "base/json.h"
#include "base/words.h"
#include "layers/explanation/derived/events.h"
#include "layers/explanation/derived/run_database.h"
#include "layers/explanation/derived/state.h"
#include "layers/explanation/derived/witness.h"
#include "layers/explanation/telling/outcome.h"
#include "layers/explanation/telling/stages.h"
#include "sqlite/database.h"
#include "store/run_reader.h"
#include "store/run_writer.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

namespace parley::explanation {
namespace {

/// Where the derived files of a run are, and where they are written first.
struct Paths {
    explicit Paths(const std::string& folder)
        : run(folder),
          database(join(folder, "run.db")),
          events(join(folder, "events.jsonl")),
          state(join(folder, "state.json")),
          lock(join(folder, "derived.lock")) {}

    static std::string made(const std::string& path) { return path + ".new"; }

    std::string run, database, events, state, lock;
};

/// A file that grows line by line, with its checksum.
class Lines {
public:
    static Result<Lines> create(Disk& disk, const std::string& path) {
        if (auto gone = clear_file(disk, path); !gone) return tl::unexpected(gone.error());
        auto file = disk.open(path, OpenMode::create_new);
        if (!file) return tl::unexpected(file.error());
        return Lines(*std::move(file));
    }

    Result<void> add(const std::string& line) {
        buffer_ += line;
        buffer_ += '\n';
        return buffer_.size() < kBuffer ? Result<void>() : flush();
    }

    Result<void> finish() {
        if (auto flushed = flush(); !flushed) return flushed;
        return file_->sync();
    }

    std::uint64_t bytes() const { return bytes_; }
    std::uint32_t crc() const { return crc_; }

private:
    static constexpr std::size_t kBuffer = 65536;

    explicit Lines(std::unique_ptr<File> file) : file_(std::move(file)) {}

    Result<void> flush() {
        auto written = file_->write(bytes_, buffer_);
        if (!written) return written;
        crc_ = crc32c(buffer_, crc_);
        bytes_ += buffer_.size();
        buffer_.clear();
        return {};
    }

    std::unique_ptr<File> file_;
    std::string buffer_;
    std::uint64_t bytes_ = 0;
    std::uint32_t crc_ = 0;
};

/// Everything that is written in one pass over the run.
struct Making {
    Lines events;
    RunDatabase database;
    Teller teller{EventSource::record};
    StateKeeper keeper;
    std::uint64_t rounds = 0;
    std::vector<model::OpenScore> open;  ///< Of the last round.
    std::uint64_t last = 0;
    TimePoint now;
};

Result<Making> begin(Disk& disk, const Paths& paths, const store::RunHeader& header) {
    auto events = Lines::create(disk, Paths::made(paths.events));
    if (!events) return tl::unexpected(events.error());
    const std::string made = Paths::made(paths.database);
    if (auto gone = clear_file(disk, made); !gone) return tl::unexpected(gone.error());
    // Created here, empty, so that it is as private as the rest of the run: SQLite would let others
    // read it.
    if (auto empty = disk.open(made, OpenMode::create_new); !empty) {
        return tl::unexpected(empty.error());
    }
    auto database = RunDatabase::create(made);
    if (!database) return tl::unexpected(database.error());
    Making making{.events = *std::move(events),
                  .database = *std::move(database),
                  .keeper = StateKeeper(header)};
    making.teller.lifted = [&disk, folder = paths.run](std::optional<TimePoint> before) {
        return lifted_text(disk, folder, before);
    };
    return making;
}

Result<void> take(Making& making, const store::RunReader& reader,
                  const store::RoundRecord& record) {
    const store::RunHeader& header = reader.header();
    making.teller.stages(stages_of(header, reader.facts().stages));
    const Told told{record.input, record.decision, header.policy, record.events};
    const std::vector<Event> events = making.teller.tell(told);
    for (const Event& event : events) {
        if (auto kept = making.events.add(json_line(event, header.simulated)); !kept) return kept;
    }
    making.keeper.take(told, events);
    ++making.rounds;
    making.open = record.decision.open_scores;
    making.last = record.decision.round;
    making.now = record.input.now;
    return making.database.take(told, events);
}

/// Moves the new files into place. run.db comes last, because it vouches for the others.
Result<void> put_in_place(Disk& disk, const std::string& run, const Paths& paths) {
    if (auto sealed = seal(disk, Paths::made(paths.database)); !sealed) return sealed;
    // Leftovers of an interrupted writer beside the old file must not be taken for part of the new
    // one.
    for (const char* ending : {"-journal", "-wal", "-shm"}) {
        if (auto gone = clear_file(disk, paths.database + ending); !gone) return gone;
    }
    for (const std::string* path : {&paths.events, &paths.state, &paths.database}) {
        if (auto moved = replace_file(disk, Paths::made(*path), *path); !moved) return moved;
    }
    return disk.sync_directory(run);
}

/// Scores that the record ends before are censored.
Result<void> close_scores(Making& making, const store::RunReader& reader) {
    std::vector<model::ClosedScore> scores;
    std::vector<Event> told;
    for (const model::OpenScore& open : making.open) {
        scores.push_back(censored(open, making.last, making.now, reader.facts().status));
        told.push_back(score_event(scores.back(), making.now, making.last));
        const std::string line = json_line(told.back(), reader.header().simulated);
        if (auto kept = making.events.add(line); !kept) return kept;
    }
    making.keeper.end(scores, told);
    return making.database.take_end(scores, told);
}

Result<void> finish(Disk& disk, Making& making, const Paths& paths, store::RunReader& reader) {
    if (auto closed = close_scores(making, reader); !closed) return closed;
    auto& events = making.events;
    if (auto finished = events.finish(); !finished) return finished;
    const std::string state = to_json(making.keeper.state(reader.facts(), reader.gaps())) + "\n";
    if (auto kept = write_file_atomically(disk, Paths::made(paths.state), state); !kept) {
        return kept;
    }
    return making.database.finish({.rounds = making.rounds,
                                   .chain_head = reader.report().chain_head,
                                   .events_bytes = events.bytes(),
                                   .events_crc = events.crc(),
                                   .state_bytes = state.size(),
                                   .state_crc = crc32c(state),
                                   .born = reader.facts().born});
}

/// The chain of the journal's last frame, without reading all of it.
Result<std::string> chain_head(Disk& disk, const std::string& run) {
    const std::string folder = store::journal_folder(run);
    const auto from = store::find_last_keyframe(disk, folder, store::kFormatVersion);
    if (!from) return tl::unexpected(from.error());
    store::ReaderOptions options{.version_max = store::kFormatVersion};
    if (*from) options.from = **from;
    auto reader = store::JournalReader::open(disk, folder, options);
    if (!reader) return tl::unexpected(reader.error());
    while (true) {
        const auto frame = reader->next_view();
        if (!frame) return tl::unexpected(frame.error());
        if (!*frame) return reader->report().chain_head;
    }
}

/// Why a file is not the one that run.db vouches for; empty: it is.
std::string spoilt(Disk& disk, const std::string& path, std::uint64_t bytes, std::uint32_t crc) {
    const auto there = disk.exists(path);
    if (there && !*there) return path + " is missing";
    const auto size = disk.size(path);
    if (!size || *size != bytes) return path + " is not as it was made";
    const auto text = read_own_file(disk, path);
    if (!text || crc32c(*text) != crc) return path + " is not as it was made";
    return {};
}

/// Why the files must be rebuilt; empty: they need not be.
Result<std::string> outdated(Disk& disk, const std::string& run, const Paths& paths) {
    // SQLite itself would wait at a pipe and follow a link.
    if (auto ours = check_replaceable(disk, paths.database); !ours) {
        return tl::unexpected(ours.error());
    }
    if (auto ours = sqlite::check_beside(paths.database); !ours) {
        return tl::unexpected(ours.error());
    }
    const auto there = disk.exists(paths.database);
    if (!there) return tl::unexpected(there.error());
    if (!*there) return paths.database + " is missing";
    const auto meta = read_meta(paths.database);
    if (!meta) return meta.error().message;
    const auto size = disk.size(paths.database);
    if (!size || *size != meta->database_bytes) return paths.database + " is not as it was made";
    if (meta->format != kDerivedFormat) return paths.database + " is of another format";
    if (!is_sealed(disk, paths.database)) return paths.database + " was edited";
    const auto head = chain_head(disk, run);
    if (!head) return tl::unexpected(head.error());
    if (*head != meta->chain_head) {
        const auto born = store::born_of(disk, run);
        if (!born) return tl::unexpected(born.error());
        if (is_of_another_run(meta->born, *born)) return paths.database + " is of another run";
        return paths.database + " is behind the journal: it ends with round " +
               std::to_string(meta->rounds);
    }
    std::string why = spoilt(disk, paths.events, meta->events_bytes, meta->events_crc);
    if (why.empty()) why = spoilt(disk, paths.state, meta->state_bytes, meta->state_crc);
    return why;
}

void clear_made(Disk& disk, const Paths& paths) {
    for (const std::string* path : {&paths.events, &paths.state, &paths.database}) {
        const auto there = disk.kind(Paths::made(*path));
        if (there && *there == PathKind::file) (void)disk.remove(Paths::made(*path));
    }
}

struct Made {
    DerivedFacts facts;
    std::uint64_t last = 0;  ///< The number of the last round.
};

/// Makes the files under their temporary names.
Result<Made> make(Disk& disk, const Paths& paths, store::RunReader& reader) {
    auto making = begin(disk, paths, reader.header());
    if (!making) return tl::unexpected(making.error());
    std::uint64_t last = 0;
    while (true) {
        auto record = reader.next();
        if (!record) return tl::unexpected(record.error());
        if (!*record) break;
        last = (*record)->decision.round;
        if (auto kept = take(*making, reader, **record); !kept) {
            return tl::unexpected(kept.error());
        }
    }
    if (auto ok = finish(disk, *making, paths, reader); !ok) return tl::unexpected(ok.error());
    const auto damage = undeclared(reader.missing());
    return Made{{.rebuilt = true,
                 .because = "asked for",
                 .rounds = making->rounds,
                 .gaps = reader.gaps(),
                 .lost = damage.empty() ? "" : text_of(damage.front())},
                last};
}

}  // namespace

Result<void> check_derived(Disk& disk, const std::string& run) {
    const Paths paths(run);
    for (const std::string& path : {paths.database, paths.events, paths.state}) {
        for (const std::string& each : {path, Paths::made(path)}) {
            if (auto ours = check_replaceable(disk, each); !ours) return ours;
        }
    }
    if (auto ours = check_replaceable(disk, paths.lock); !ours) return ours;
    if (auto ours = sqlite::check_beside(paths.database); !ours) return ours;
    return sqlite::check_beside(Paths::made(paths.database));
}

Result<DerivedFacts> rebuild(Disk& disk, const std::string& run) {
    auto reader = store::RunReader::open(disk, run);
    if (!reader) return tl::unexpected(reader.error());
    const Paths paths(run);
    const auto lock = disk.lock(paths.lock);
    if (!lock) return within("deriving files of " + run, lock.error());
    auto made = make(disk, paths, *reader);
    if (made) {
        const JournalHolds holds{reader->facts().born, made->facts.rounds, made->last};
        made->facts.beyond = ask_witnesses(disk, run, holds).beyond;
    }
    const bool fits = made && made->facts.beyond.empty();
    const auto placed = fits ? put_in_place(disk, run, paths) : Result<void>{};
    clear_made(disk, paths);
    if (!made) return tl::unexpected(made.error());
    if (!placed) return tl::unexpected(placed.error());
    made->facts.rebuilt = fits;
    return std::move(made->facts);
}

std::optional<std::vector<std::string>> nodes_known(Disk& disk, const std::string& run) {
    const Paths paths(run);
    const auto meta = sealed_meta(disk, paths.database);
    if (!meta || meta->format != kDerivedFormat) return std::nullopt;
    const auto head = chain_head(disk, run);
    if (!head || *head != meta->chain_head) return std::nullopt;
    auto database = sqlite::Database::open_to_read(paths.database);
    if (!database) return std::nullopt;
    const auto names = database->first(
        "SELECT group_concat(node, char(10)) FROM (SELECT DISTINCT node FROM nodes)");
    if (!names || !*names) return std::nullopt;
    auto known = parts_between(**names, '\n');
    std::ranges::sort(known);
    return known;
}

Result<DerivedFacts> ensure(Disk& disk, const std::string& run) {
    const Paths paths(run);
    const auto why = outdated(disk, run, paths);
    if (!why) return tl::unexpected(why.error());
    if (why->empty()) {
        if (const auto lock = disk.lock(paths.lock)) clear_made(disk, paths);
        const auto meta = read_meta(paths.database);
        return DerivedFacts{.rounds = meta ? meta->rounds : 0};
    }
    auto facts = rebuild(disk, run);
    if (facts) facts->because = *why;
    return facts;
}

}  // namespace parley::explanation
