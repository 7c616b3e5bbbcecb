#include "layers/explanation/derived/run_database.h"

#include "base/hash.h"
#include "base/number.h"
#include "layers/explanation/telling/outcome.h"
#include "layers/explanation/wording/wording.h"

#include <utility>

namespace parley::explanation {

using namespace model;
using sqlite::Cell;

namespace {

constexpr const char* kSchema = R"sql(
CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE rounds(round INTEGER PRIMARY KEY, at_us INTEGER, rule TEXT, rationale TEXT,
  winner TEXT, label TEXT, target TEXT, contest TEXT, rivals INTEGER, score REAL, cost REAL,
  danger INTEGER, danger_because TEXT, headline TEXT, leaves INTEGER, missing INTEGER,
  settled INTEGER);
CREATE TABLE proposals(round INTEGER, role TEXT, kind TEXT, target TEXT, score REAL, evidence REAL,
  bound REAL, fate TEXT, rule TEXT, because TEXT);
CREATE TABLE nodes(round INTEGER, node TEXT, ready INTEGER, risk REAL, own_limit REAL, loss REAL,
  demand REAL);
CREATE TABLE events(round INTEGER, at_us INTEGER, kind TEXT, message TEXT, data TEXT);
CREATE TABLE scores(round INTEGER, closed INTEGER, label TEXT, target TEXT, state TEXT,
  advantage REAL, twin_error REAL, regret REAL, loser TEXT, cut INTEGER, because TEXT,
  observed REAL, samples INTEGER, gaps INTEGER, notes TEXT);
CREATE TABLE alarms(round INTEGER, kind TEXT, about TEXT, since_us INTEGER, rounds INTEGER,
  layer INTEGER, sentence TEXT);
)sql";

constexpr const char* kIndexes = R"sql(
CREATE INDEX proposals_by_round ON proposals(round);
CREATE INDEX nodes_by_node ON nodes(node, round);
CREATE INDEX events_by_round ON events(round);
)sql";

std::int64_t number(std::uint64_t value) { return static_cast<std::int64_t>(value); }

Cell maybe(const std::optional<double>& value) { return value ? Cell(*value) : Cell(nullptr); }

Cell minutes_of(const std::optional<Cost>& cost) {
    if (!cost) return nullptr;
    return static_cast<double>(cost->total()) / kCostUnit;
}

struct FateWords {
    std::string_view fate;
    std::string_view rule;
    std::string_view because;
};

FateWords words_of(const Judged& judged) {
    if (const auto* lost = std::get_if<Overridden>(&judged.fate)) {
        return {fate_name(judged.fate), lost->rule, lost->because};
    }
    if (const auto* refused = std::get_if<Refused>(&judged.fate)) {
        return {fate_name(judged.fate), refused->rule, refused->because};
    }
    return {fate_name(judged.fate), "", judged.proposal.because};
}

/// The value of a key of meta, as a number.
template <class T>
Result<T> number_of(sqlite::Database& database, const std::string& key) {
    const auto text = database.first("SELECT value FROM meta WHERE key = '" + key + "'");
    if (!text) return tl::unexpected(text.error());
    if (!*text) return fail(ErrorCode::malformed, "run.db does not say its " + key);
    const auto value = parse_uint64(**text);
    if (!value) return tl::unexpected(value.error());
    return static_cast<T>(*value);
}

/// The checksum of a database is stored in SQLite's user_version and covers all other bytes, so
/// that any edit, by SQL or by hand, is noticed.
constexpr std::uint64_t kSealAt = 60;

std::string seal_of(std::string bytes) {
    if (bytes.size() < kSealAt + 4) return {};
    bytes.replace(kSealAt, 4, 4, '\0');
    const std::uint32_t sum = crc32c(bytes);
    std::string out;
    for (const int shift : {24, 16, 8, 0}) out += static_cast<char>((sum >> shift) & 0xff);
    return out;
}

}  // namespace

Result<DerivedMeta> read_meta(const std::string& path) {
    auto database = sqlite::Database::open_to_read(path);
    if (!database) return tl::unexpected(database.error());
    const auto check = database->first("PRAGMA quick_check(1)");
    if (!check) return tl::unexpected(check.error());
    if (*check != "ok") return fail(ErrorCode::malformed, path + " is damaged");
    const auto format = number_of<std::int64_t>(*database, "format");
    const auto rounds = number_of<std::uint64_t>(*database, "rounds");
    const auto events_bytes = number_of<std::uint64_t>(*database, "events_bytes");
    const auto events_crc = number_of<std::uint32_t>(*database, "events_crc");
    const auto state_bytes = number_of<std::uint64_t>(*database, "state_bytes");
    const auto state_crc = number_of<std::uint32_t>(*database, "state_crc");
    const auto pages = database->first(
        "SELECT page_count * page_size FROM pragma_page_count, "
        "pragma_page_size");
    const auto head = database->first("SELECT value FROM meta WHERE key = 'chain_head'");
    if (!format || !rounds || !events_bytes || !events_crc || !state_bytes || !state_crc || !head ||
        !*head || !pages || !*pages) {
        return fail(ErrorCode::malformed, path + " does not say what it was made from");
    }
    const auto bytes = parse_uint64(**pages);
    if (!bytes) return tl::unexpected(bytes.error());
    const auto born = database->first("SELECT value FROM meta WHERE key = 'born'");
    if (!born) return tl::unexpected(born.error());
    return DerivedMeta{*format,      *rounds,    **head, *events_bytes,     *events_crc,
                       *state_bytes, *state_crc, *bytes, born->value_or("")};
}

Result<void> seal(Disk& disk, const std::string& path) {
    auto file = disk.open(path, OpenMode::write);
    if (!file) return tl::unexpected(file.error());
    const auto bytes = read_own_file(disk, path);
    if (!bytes) return tl::unexpected(bytes.error());
    if (auto kept = (*file)->write(kSealAt, seal_of(*bytes)); !kept) return kept;
    return (*file)->sync();
}

bool is_sealed(Disk& disk, const std::string& path) {
    const auto bytes = read_own_file(disk, path);
    return bytes && bytes->size() > kSealAt + 4 && seal_of(*bytes) == bytes->substr(kSealAt, 4);
}

Result<RunDatabase> RunDatabase::create(const std::string& path) {
    auto database = sqlite::Database::create(path);
    if (!database) return tl::unexpected(database.error());
    RunDatabase run(*std::move(database));
    if (auto ok = run.database_.run(kSchema); !ok) return tl::unexpected(ok.error());
    if (auto ok = run.prepare_all(); !ok) return tl::unexpected(ok.error());
    if (auto ok = run.database_.run("BEGIN"); !ok) return tl::unexpected(ok.error());
    return run;
}

Result<void> RunDatabase::prepare_all() {
    const std::pair<sqlite::Statement*, const char*> all[] = {
        {&rounds_, "INSERT INTO rounds VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)"},
        {&proposals_, "INSERT INTO proposals VALUES(?,?,?,?,?,?,?,?,?,?)"},
        {&nodes_, "INSERT INTO nodes VALUES(?,?,?,?,?,?,?)"},
        {&events_, "INSERT INTO events VALUES(?,?,?,?,?)"},
        {&scores_, "INSERT INTO scores VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)"},
        {&alarms_, "INSERT INTO alarms VALUES(?,?,?,?,?,?,?)"}};
    for (const auto& [statement, sql] : all) {
        auto prepared = database_.prepare(sql);
        if (!prepared) return tl::unexpected(prepared.error());
        *statement = *std::move(prepared);
    }
    return {};
}

Result<void> RunDatabase::take_round(const Told& told) {
    const Decision& d = told.decision;
    const Proposal* winner = chosen(d.verdict);
    const std::string label = winner ? label_of(winner->role, winner->action) : "";
    const std::string target = winner ? text_of(winner->target) : "";
    const std::string head = headline(d);
    const bool known = too_little_read(d.score.leaves, d.score.missing).empty();
    account_.take(d.score);
    return rounds_.run({number(d.round), told.input.now.us, d.verdict.rule, d.verdict.rationale,
                        winner ? enum_name(winner->role) : std::string_view(), label, target,
                        enum_name(d.verdict.contest), std::int64_t{d.verdict.rivals},
                        known ? Cell(d.score.score) : Cell(nullptr),
                        known ? minutes_of(d.score.cost) : Cell(nullptr),
                        std::int64_t{d.forecast.danger ? 1 : 0}, d.forecast.danger_because, head,
                        std::int64_t{d.score.leaves}, std::int64_t{d.score.missing},
                        std::int64_t{d.score.settled}});
}

Result<void> RunDatabase::take_proposals(const Decision& decision) {
    for (const Judged& judged : decision.verdict.judged) {
        const Proposal& p = judged.proposal;
        const FateWords words = words_of(judged);
        const std::string kind = text_of(p.action);
        const std::string target = text_of(p.target);
        const bool figure = !p.evidence.what.empty();
        const bool bound = !p.evidence.bound.empty();
        auto kept = proposals_.run({number(decision.round), enum_name(p.role), kind, target,
                                    p.score, figure ? Cell(p.evidence.value) : Cell(nullptr),
                                    bound ? Cell(p.evidence.limit) : Cell(nullptr), words.fate,
                                    words.rule, words.because});
        if (!kept) return kept;
    }
    return {};
}

Result<void> RunDatabase::take_nodes(const Told& told) {
    for (const NodeForecast& node : told.decision.forecast.nodes) {
        const NodeRow* row = told.input.snapshot.nodes.find(node.node);
        if (row == nullptr) continue;
        const NodeSeen now{node.risk, node.limit, row->ready == Readiness::yes};
        const std::string name = row->id.text();
        const auto [place, fresh] = seen_.try_emplace(name, now);
        if (!fresh && place->second == now) continue;
        place->second = now;
        auto kept = nodes_.run({number(told.decision.round), name, std::int64_t{now.ready ? 1 : 0},
                                maybe(node.risk), node.limit, node.loss, maybe(node.demand)});
        if (!kept) return kept;
    }
    return {};
}

Result<void> RunDatabase::take_events(const std::vector<Event>& events) {
    for (const Event& event : events) {
        auto kept = events_.run(
            {number(event.round), event.time.us, enum_name(event.kind), event.message, event.data});
        if (!kept) return kept;
    }
    return {};
}

Result<void> RunDatabase::take_scores(const std::vector<ClosedScore>& scores) {
    for (const ClosedScore& score : scores) {
        const bool known = score.state != ScoreState::missing && score.state != ScoreState::open &&
                           score.state != ScoreState::censored;
        const std::string label = label_of(score.role, score.action);
        const std::string target = text_of(score.target);
        const std::string notes = notes_text(score.notes, score.target);
        const bool read = too_little_read(score.samples, score.gaps).empty();
        auto kept = scores_.run(
            {number(score.round), number(score.closed), label, target, enum_name(score.state),
             known ? minutes_of(score.advantage) : Cell(nullptr), minutes_of(score.twin_error),
             minutes_of(score.regret), score.loser, std::int64_t{score.cut ? 1 : 0}, score.because,
             read ? minutes_of(score.observed) : Cell(nullptr), score.samples, score.gaps, notes});
        if (!kept) return kept;
    }
    return {};
}

Result<void> RunDatabase::take_end(const std::vector<ClosedScore>& scores,
                                   const std::vector<Event>& events) {
    if (auto kept = take_events(events); !kept) return kept;
    return take_scores(scores);
}

Result<void> RunDatabase::take_alarms(const Told& told) {
    for (const Alarm& alarm : told.decision.alarms) {
        const std::string about = text_of(alarm.about);
        auto kept =
            alarms_.run({number(told.decision.round), enum_name(alarm.kind), about, alarm.since.us,
                         number(alarm.rounds), std::int64_t{alarm.layer}, alarm.sentence});
        if (!kept) return kept;
    }
    return {};
}

Result<void> RunDatabase::take(const Told& told, const std::vector<Event>& events) {
    if (auto kept = take_round(told); !kept) return kept;
    if (auto kept = take_proposals(told.decision); !kept) return kept;
    if (auto kept = take_nodes(told); !kept) return kept;
    if (auto kept = take_events(events); !kept) return kept;
    if (auto kept = take_scores(told.decision.closed); !kept) return kept;
    return take_alarms(told);
}

Result<void> RunDatabase::finish(const DerivedMeta& meta) {
    {
        auto insert = database_.prepare("INSERT INTO meta VALUES(?,?)");
        if (!insert) return tl::unexpected(insert.error());
        const std::pair<const char*, std::string> all[] = {
            {"format", std::to_string(meta.format)},
            {"rounds", std::to_string(meta.rounds)},
            {"chain_head", meta.chain_head},
            {"born", meta.born},
            {"events_bytes", std::to_string(meta.events_bytes)},
            {"events_crc", std::to_string(meta.events_crc)},
            {"state_bytes", std::to_string(meta.state_bytes)},
            {"state_crc", std::to_string(meta.state_crc)},
            {"not_known_because", account_.not_known_because()}};
        for (const auto& [key, value] : all) {
            if (auto kept = insert->run({std::string_view(key), value}); !kept) return kept;
        }
        const std::pair<const char*, std::optional<double>> totals[] = {
            {"cost_pod_minutes", account_.cost()},
            {"score", account_.score()},
            {"coverage", account_.coverage()}};
        for (const auto& [key, value] : totals) {
            if (!value) continue;
            const std::string text = print_double(*value);
            if (auto kept = insert->run({std::string_view(key), text}); !kept) return kept;
        }
    }
    if (auto ok = database_.run(kIndexes); !ok) return ok;
    if (auto ok = database_.run("COMMIT"); !ok) return ok;
    for (sqlite::Statement* each : {&rounds_, &proposals_, &nodes_, &events_, &scores_, &alarms_}) {
        *each = sqlite::Statement();
    }
    database_ = sqlite::Database();
    return {};
}

}  // namespace parley::explanation
