#include "web/run/run_known.h"

#include "base/number.h"

#include <algorithm>
#include <utility>

namespace parley::web {

void RunKnown::begin(store::RunHeader of_it, std::shared_ptr<RoundStore> its_store) {
    header = std::move(of_it);
    index.emplace(*header, hooks.lifted);
    store = std::move(its_store);
}

void RunKnown::announce_newest() {
    if (ring.empty()) return;
    const SeenRound& round = *ring.newest();
    stream.announce({place.name, *header, state, place.folder, {}, reason}, round,
                    index->around(round.decision->round));
}

void RunKnown::take(SeenRoundPtr round) {
    if (!index->empty() && round->decision->round <= index->newest()) return;
    const auto before = std::exchange(leading, round->leading);
    index->take(*round);
    ring.add(std::move(round));
    if (!read) return;
    const bool same = before && leading ? explanation::same_leader(*before, *leading)
                                        : before.has_value() == leading.has_value();
    if (!same) stream.tell_status(status_message());
    announce_newest();
}

void RunKnown::know(const RecordWalk& walk, bool whole) {
    const store::RunFacts& facts = walk.reader().facts();
    add_gaps(walk.reader().gaps());
    know_last(walk.reader());
    if (whole) index->know_dropped(facts.last_dropped());
    index->know_end(state);
}

void RunKnown::know_last(const store::RunReader& reader) {
    const std::uint64_t seen = reader.facts().last_round;
    index->know_last(seen);
    if (told > seen) {
        index->know_last(told, Sure::at_least);
        add_gaps({"run.db or events.jsonl tells of round " + std::to_string(told) +
                  ", and the journal ends with round " + std::to_string(seen)});
    }
    if (!reader.at_end() || !reader.end_is_lost()) return;
    const auto [last, exact] = reader.acknowledged();
    if (exact) index->know_last(last);
    if (!exact && told <= seen) index->know_last(last, Sure::at_most);
}

void RunKnown::add_gaps(const std::vector<std::string>& found) {
    for (const std::string& each : found) {
        if (std::ranges::count(gaps, each) == 0) gaps.push_back(each);
    }
}

void RunKnown::newest_are_read() {
    if (!std::exchange(read, true)) announce_newest();
}

void RunKnown::all_are_read(RunIndex& all, const RecordWalk& from_beginning,
                            const RecordWalk& at_end, SeenRoundPtr last) {
    std::swap(*index, all);
    for (const Note& each : std::exchange(notes_, {})) {
        index->note(index->newest_time(), each.kind, each.message);
    }
    earlier_rounds.reset();
    know(from_beginning, true);
    know(at_end, false);
    if (ring.empty() && last) {  // Nothing came after the last keyframe.
        ring.add(std::move(last));
        announce_newest();
    }
    stream.tell_status(status_message());
}

void RunKnown::finish(RunState how, const std::string& why) {
    if (state == how && reason == why) return;
    state = how;
    reason = why;
    if (state != RunState::running) leading.reset();
    if (index) index->know_end(state);
    stream.tell_status(status_message());
}

void RunKnown::note(explanation::EventKind kind, const std::string& message) {
    if (index) index->note(index->newest_time(), kind, message);
    if (earlier_rounds) notes_.push_back({kind, message});
    stream.tell_status(status_message());
}

std::optional<StopWord> RunKnown::stop_word() const {
    auto word = hooks.stopped ? hooks.stopped() : std::nullopt;
    // Somebody who pressed it at a terminal saw no round: the record tells when it took effect.
    if (word && !word->after_round && index) word->after_round = index->acted_until();
    return word;
}

Shared RunKnown::status_message() const {
    return std::make_shared<const std::string>(
        frame_event("status", 0, view_json(StatusNote{state, reason, stop_word(), leading})));
}

std::string RunKnown::reading_text() const {
    if (!earlier_rounds) return {};
    const auto count = [](std::uint64_t n) { return thousands(static_cast<std::int64_t>(n)); };
    return "Rounds before " + count(index->first()) + " are being read: " + count(*earlier_rounds) +
           " so far.";
}

}  // namespace parley::web
