#include "web/run/served_run.h"

#include "base/clock.h"
#include "base/number.h"
#include "layers/explanation/wording/wording.h"
#include "store/run_writer.h"
#include "web/views/node_view.h"

#include <algorithm>
#include <utility>

namespace parley::web {
namespace {

RunState state_of(store::RunStatus status) {
    switch (status) {
        case store::RunStatus::running:
            return RunState::running;
        case store::RunStatus::complete:
            return RunState::complete;
        case store::RunStatus::stopped:
            return RunState::stopped;
        case store::RunStatus::failed:
            break;
    }
    return RunState::failed;
}

/// Whether a process holds the journal: it does for as long as it writes.
bool is_written(Disk& disk, const std::string& folder) {
    const auto lock = disk.lock(join(store::journal_folder(folder), "lock"));
    return !lock && disk_fault(lock.error()) == DiskFault::taken;
}

std::string title_of(const store::RunHeader& header) {
    return header.simulated ? header.scenario + ", seed " + std::to_string(header.seed)
                            : header.scenario;
}

/// As YAML names them, leaf by leaf.
template <class T>
void add_settings(const T& value, const std::string& path, std::vector<SettingView>& out) {
    if constexpr (DescribedStruct<T> && !TimeLike<T> && !HasText<T>) {
        for_each_member(value, [&](std::string_view name, const auto& member) {
            add_settings(member, path + "." + std::string(name), out);
        });
    } else {
        std::string text = to_json(value);
        if (text.size() > 1 && text.front() == '"') text = text.substr(1, text.size() - 2);
        out.push_back({path, std::move(text), "record"});
    }
}

}  // namespace

ServedRun::ServedRun(Disk& disk, RunPlace place, store::RunHeader header, RunHooks hooks)
    : disk_(disk), place_(std::move(place)), hooks_(std::move(hooks)), live_(true), read_(true) {
    begin(std::move(header));
}

void ServedRun::begin(store::RunHeader header) {
    const std::lock_guard lock(mutex_);
    header_ = std::move(header);
    index_.emplace(*header_);
    if (!place_.folder.empty() && header_->record != store::RecordLevel::none) {
        store_ = std::make_shared<RoundStore>(disk_, place_.folder, *header_);
    }
}

ServedRun::ServedRun(Disk& disk, RunPlace place, RunHooks hooks)
    : disk_(disk), place_(std::move(place)), hooks_(std::move(hooks)), live_(false) {}

void ServedRun::listen(Listener listener) {
    const std::lock_guard lock(mutex_);
    listener_ = std::move(listener);
}

RunContext ServedRun::context() const {
    const std::uint64_t rounds = index_ ? index_->last() : 0;
    auto stages = hooks_.about ? hooks_.about().stages : std::vector<StageView>();
    if (stages.empty()) stages = stages_of(*header_, state_, rounds);
    return {place_.name,       *header_, state_,          place_.folder,
            std::move(stages), reason_,  damaged_locked()};
}

void ServedRun::tell(std::uint64_t id, Shared message) {
    if (id != 0) recent_.add(id, message);
    if (listener_) listener_(id, std::move(message));
}

/// Tells viewers of the newest round.
void ServedRun::announce(const SeenRound& round) {
    const std::uint64_t number = round.decision->round;
    const RunContext run{place_.name, *header_, state_, place_.folder, {}};
    MapView map = map_view(round);
    const Around around = index_->around(number);
    const auto framed = [&](const MapView* before) {
        const RoundSummary summary = round_summary(run, round, before, map, around);
        return std::make_shared<const std::string>(
            frame_event("round", number, view_json(summary)));
    };
    const bool moved = !map_ || map_->names != map.names;
    Shared message = framed(map_ ? &*map_ : nullptr);
    newest_whole_ = moved ? message : framed(nullptr);
    map_ = std::move(map);
    tell(number, std::move(message));
}

void ServedRun::take(SeenRoundPtr round) {
    const std::lock_guard lock(mutex_);
    if (!index_->empty() && round->decision->round <= index_->newest()) return;
    index_->take(*round);
    if (read_) announce(*round);  // Of a record that is still being read only the last counts.
    ring_.add(std::move(round));
}

Result<void> ServedRun::take_record() {
    auto reader = store::RunReader::open(disk_, place_.folder);
    if (!reader) return tl::unexpected(reader.error());
    RecordWalk walk(*std::move(reader));
    read_ = false;
    while (true) {
        auto next = walk.next();
        if (!next) return tl::unexpected(next.error());
        if (!*next) break;
        take(*std::move(next));
    }
    read_ = true;
    const std::lock_guard lock(mutex_);
    know(walk, true);
    if (!ring_.empty()) announce(*ring_.newest());
    return {};
}

void ServedRun::finish(RunState state, const std::string& reason) {
    const std::lock_guard lock(mutex_);
    if (state_ == state && reason_ == reason) return;
    state_ = state;
    reason_ = reason;
    if (index_) index_->know_end(state_);
    tell(0, status_message());
}

void ServedRun::note(explanation::EventKind kind, const std::string& message) {
    const std::lock_guard lock(mutex_);
    if (index_) index_->note(index_->newest_time(), kind, message);
    if (earlier_rounds_) notes_.push_back({kind, message});
    tell(0, status_message());
}

std::vector<Shared> ServedRun::greeting(std::optional<std::uint64_t> last) const {
    const std::lock_guard lock(mutex_);
    std::vector<Shared> out{status_message()};
    if (!newest_whole_) return out;
    auto missed = last ? recent_.after(*last) : std::nullopt;
    if (!missed) {
        out.push_back(newest_whole_);
    } else {
        out.insert(out.end(), missed->begin(), missed->end());
    }
    return out;
}

void ServedRun::open_record() {
    auto reader = store::RunReader::open(disk_, place_.folder);
    const std::lock_guard lock(mutex_);
    if (!reader) {
        problem_ = reader.error().message;
        return;
    }
    problem_.clear();
    header_ = reader->header();
    index_.emplace(*header_);
    store_ = std::make_shared<RoundStore>(disk_, place_.folder, *header_);
    auto last = store::RunReader::open_at_last(disk_, place_.folder, *header_);
    if (last && *last) {  // The newest first: somebody waits for them.
        walk_.emplace(**std::move(last));
        earlier_.emplace(Earlier{RecordWalk(*std::move(reader)), RunIndex(*header_)});
        earlier_rounds_ = 0;
    } else {
        walk_.emplace(*std::move(reader));
    }
}

bool ServedRun::read_more(Duration budget) {
    if (live_) return false;
    const std::lock_guard reading(reading_);
    if (!walk_) open_record();
    if (!walk_) {
        read_ = true;
        return false;
    }
    return read_newest(budget) || (earlier_ && read_earlier(budget));
}

/// What a walk tells of rounds that it could not give; `whole`: it began at the beginning.
void ServedRun::know(const RecordWalk& walk, bool whole) {
    const store::RunFacts& facts = walk.reader().facts();
    add_gaps(walk.reader().gaps());
    index_->know_last(facts.last_round);
    if (whole) index_->know_dropped(facts.last_dropped);
    index_->know_end(state_);
}

void ServedRun::add_gaps(const std::vector<std::string>& gaps) {
    for (const std::string& each : gaps) {
        if (std::ranges::count(gaps_, each) == 0) gaps_.push_back(each);
    }
}

/// From the beginning on, until it has met what is known of the end.
bool ServedRun::read_earlier(Duration budget) {
    if (earlier_->index.empty()) (void)store_->prepare();  // What fails will be said of the round.
    const TimePoint begun = wall_now();
    SeenRoundPtr last;
    bool in_vain = false;  // It looked for what was written since, and found nothing.
    while (wall_now() - begun < budget) {
        // What the other walk has given is whole, and so is what comes before it.
        const bool met = !earlier_->index.empty() && earlier_->index.newest() >= newest();
        auto next = met ? Result<SeenRoundPtr>(nullptr) : earlier_->walk.next(in_vain);
        if (next && !*next && !met && !std::exchange(in_vain, true)) {
            if (earlier_->walk.look_again()) continue;
        }
        if (!next) {
            const std::lock_guard lock(mutex_);
            add_gaps({next.error().message});
            earlier_rounds_.reset();
            earlier_.reset();
            return false;
        }
        if (!*next) {
            all_is_read(std::move(last));
            return false;
        }
        earlier_->index.take(**next);
        store_->mark(earlier_->walk);
        last = *std::move(next);
        in_vain = false;
    }
    const std::lock_guard lock(mutex_);
    earlier_rounds_ = earlier_->index.rounds();
    return true;
}

void ServedRun::all_is_read(SeenRoundPtr last) {
    const std::lock_guard lock(mutex_);
    std::swap(*index_, earlier_->index);
    for (const Note& note : std::exchange(notes_, {})) {
        index_->note(index_->newest_time(), note.kind, note.message);
    }
    earlier_rounds_.reset();
    know(earlier_->walk, true);
    know(*walk_, false);
    earlier_.reset();
    if (ring_.empty() && last) {  // Nothing came after the last keyframe.
        ring_.add(std::move(last));
        announce(*ring_.newest());
    }
    tell(0, status_message());
}

bool ServedRun::read_newest(Duration budget) {
    // Time may have been up between the last round and the end behind it: then that is still to do.
    if (read_ && walk_->reader().at_end()) {
        if (walk_->reader().facts().status != store::RunStatus::running) return false;
        const bool killed = card().status == RunState::killed;
        if (killed && !is_written(disk_, place_.folder)) return false;
        // Between two looks lies a second, as the last round counts as whole after one in vain.
        if (earlier_ && wall_now() - looked_ < seconds(1)) return false;
        looked_ = wall_now();
        if (const auto again = walk_->look_again(); !again) return false;
    }
    const TimePoint begun = wall_now();
    bool found = false;
    while (wall_now() - begun < budget) {
        // The last round is whole when another began, or when nothing more came for a while.
        auto next = walk_->next(quiet_);
        if (!next) {
            const std::lock_guard lock(mutex_);
            know(*walk_, !earlier_);
            add_gaps({next.error().message});
            read_ = true;
            return false;
        }
        if (*next) {
            found = true;
            take(*std::move(next));
            if (!earlier_) store_->mark(*walk_);
            continue;
        }
        quiet_ = !found;
        const store::RunFacts facts = walk_->reader().facts();
        RunState state = state_of(facts.status);
        std::string reason = facts.reason;
        if (state == RunState::running && !is_written(disk_, place_.folder)) {
            state = RunState::killed;
            reason = "ended without closing";
            if (!quiet_) {  // Nobody writes: what is there is all there is.
                quiet_ = true;
                continue;
            }
        }
        if (!read_ && !earlier_) (void)store_->prepare();  // What fails will be said of the round.
        finish(state, reason);
        const std::lock_guard lock(mutex_);
        know(*walk_, !earlier_);
        if (!read_.exchange(true) && !ring_.empty()) announce(*ring_.newest());
        return false;
    }
    return true;
}

std::string ServedRun::problem() const {
    const std::lock_guard lock(mutex_);
    return problem_;
}

store::RunHeader ServedRun::header() const {
    const std::lock_guard lock(mutex_);
    return header_ ? *header_ : store::RunHeader{};
}

std::uint64_t ServedRun::newest() const {
    const std::lock_guard lock(mutex_);
    return index_ ? index_->newest() : 0;
}

std::string ServedRun::reading_locked() const {
    if (!earlier_rounds_) return {};
    const auto count = [](std::uint64_t n) { return thousands(static_cast<std::int64_t>(n)); };
    return "Rounds before " + count(index_->first()) +
           " are being read: " + count(*earlier_rounds_) + " so far.";
}

std::uint64_t ServedRun::damaged_locked() const { return index_ ? index_->damaged() : 0; }

Result<void> ServedRun::all_read() const {
    const std::lock_guard lock(mutex_);
    if (!earlier_rounds_) return {};
    return fail(ErrorCode::unavailable, reading_locked());
}

std::optional<StopWord> ServedRun::stop_word() const {
    auto word = hooks_.stopped ? hooks_.stopped() : std::nullopt;
    // Whoever pressed it at a terminal saw no round: the record tells when it was heeded.
    if (word && !word->after_round && index_) word->after_round = index_->acted_until();
    return word;
}

Shared ServedRun::status_message() const {
    return std::make_shared<const std::string>(
        frame_event("status", 0, view_json(StatusNote{state_, reason_, stop_word()})));
}

RunCard ServedRun::card_locked() const {
    RunCard card{.name = place_.name, .title = place_.name, .status = state_, .reason = reason_};
    card.problem = problem_;
    card.stopped = stop_word();
    if (!header_) {
        card.status = RunState::failed;
        return card;
    }
    card.title = title_of(*header_);
    card.mode = header_->mode;
    card.simulated = header_->simulated;
    card.reading = reading_locked();
    card.rounds = index_->rounds();
    card.first_round = index_->first();
    card.newest_round = index_->newest();
    card.last_round = index_->last();
    card.damaged = index_->damage_text();
    if (!index_->empty()) {
        card.newest_at = explanation::when(index_->newest_time(), header_->simulated);
    }
    card.can_stop = hooks_.stop != nullptr && header_->mode == model::Mode::act &&
                    state_ == RunState::running && !card.stopped;
    return card;
}

RunCard ServedRun::card() const {
    const std::lock_guard lock(mutex_);
    return card_locked();
}

RunDetail ServedRun::detail() const {
    const RunAbout about = hooks_.about ? hooks_.about() : RunAbout{};
    const std::lock_guard lock(mutex_);
    RunDetail out{.card = card_locked(), .command = about.command, .settings = about.settings};
    if (!header_) {
        out.errors.push_back(problem_);
        return out;
    }
    if (out.settings.empty()) add_settings(header_->policy, "policy", out.settings);
    out.seed = header_->seed;
    out.profile = enum_name(header_->policy.profile);
    out.rules_version = header_->rules_version;
    out.program = header_->program;
    if (!index_->empty()) out.began = explanation::when(index_->first_time(), header_->simulated);
    out.cluster_kind = about.cluster_kind.empty()
                           ? (header_->simulated ? "simulated" : "Kubernetes")
                           : about.cluster_kind;
    out.cannot = about.cannot;
    out.data_source = header_->simulated ? "simulated cluster, scenario " + header_->scenario
                                         : "Kubernetes, " + header_->scenario;
    out.rows = index_->rows();
    for (const char* each : {"journal/", "run.db", "events.jsonl", "state.json", "model/"}) {
        const std::string path = join(place_.folder, each);
        const auto there = place_.folder.empty() ? Result<bool>(false) : disk_.exists(path);
        if (there && *there) out.artifacts.push_back({each, path, ""});
    }
    if (!out.card.damaged.empty()) out.gaps.push_back(out.card.damaged);
    out.gaps.insert(out.gaps.end(), gaps_.begin(), gaps_.end());
    if (state_ == RunState::failed && !reason_.empty()) out.errors.push_back(reason_);
    out.summary = index_->summary();
    out.stages = about.stages.empty() ? stages_of(*header_, state_, index_->last()) : about.stages;
    out.interval_s = in_seconds(header_->interval);
    return out;
}

SeenRoundPtr ServedRun::round_if_near(std::uint64_t number) const {
    const std::lock_guard lock(mutex_);
    return ring_.find(number);
}

Result<SeenRoundPtr> ServedRun::round(std::optional<std::uint64_t> number) const {
    std::shared_ptr<RoundStore> store;
    {
        const std::lock_guard lock(mutex_);
        if (!problem_.empty()) return fail(ErrorCode::denied, problem_);
        const std::uint64_t newest = index_ ? index_->newest() : 0;
        if (newest == 0 || (number && *number > index_->last())) {
            if (!read_ || (newest == 0 && earlier_rounds_)) {
                return fail(ErrorCode::unavailable,
                            "The record is being read: " +
                                explanation::counted(static_cast<std::int64_t>(newest), "round") +
                                " so far.");
            }
            if (newest == 0) return fail(ErrorCode::gone, "No round yet.");
            return fail(ErrorCode::gone, "There is no round " + std::to_string(*number) +
                                             " yet; the newest is " +
                                             std::to_string(index_->last()) + ".");
        }
        const std::uint64_t wanted = number.value_or(newest);
        if (SeenRoundPtr near = ring_.find(wanted)) return near;
        const bool unknown = earlier_rounds_ && wanted < index_->first();
        if (!unknown && !index_->has(wanted)) {
            return fail(ErrorCode::gone, index_->missing_text(wanted));
        }
        if (!store_) {
            return fail(ErrorCode::gone, "Round " + std::to_string(wanted) +
                                             " is no longer kept: this run is not recorded.");
        }
        store = store_;
        number = wanted;
    }
    return store->open(*number);
}

RoundView ServedRun::view(const SeenRound& round) const {
    const std::uint64_t number = round.decision->round;
    const SeenRoundPtr before = number > 1 ? round_if_near(number - 1) : nullptr;
    SeenRoundPtr opened;
    if (!before && number > 1) {
        if (auto read = this->round(number - 1)) opened = *std::move(read);
    }
    // Only what is shared is taken under the lock: a view of a large cluster takes a while.
    const auto [run, around] = [&] {
        const std::lock_guard lock(mutex_);
        return std::pair(context(), index_->around(number));
    }();
    return round_view(run, round, before ? before.get() : opened.get(), around);
}

Result<void> ServedRun::each(std::uint64_t first, std::uint64_t last,
                             const std::function<void(const SeenRoundPtr&)>& take) const {
    std::shared_ptr<RoundStore> store;
    std::vector<SeenRoundPtr> near;
    {
        const std::lock_guard lock(mutex_);
        const bool all_near = !ring_.empty() && ring_.oldest()->decision->round <= first;
        if (all_near || !store_) {
            ring_.for_each([&](const SeenRoundPtr& each) {
                const std::uint64_t number = each->decision->round;
                if (number >= first && number <= last) near.push_back(each);
            });
        } else {
            store = store_;
        }
    }
    if (store) return store->each(first, last, take);
    for (const SeenRoundPtr& each : near) take(each);
    return {};
}

}  // namespace parley::web
