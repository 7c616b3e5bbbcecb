#include "web/run/served_run.h"

#include "web/run/round_lookup.h"
#include "web/run/run_card.h"

#include <utility>

namespace parley::web {

ServedRun::ServedRun(Disk& disk, RunPlace place, store::RunHeader header, RunHooks hooks)
    : disk_(disk), place_(std::move(place)), hooks_(std::move(hooks)) {
    known_.with([](RunKnown& known) { known.read = true; });
    begin(std::move(header));
}

ServedRun::ServedRun(Disk& disk, RunPlace place, RunHooks hooks)
    : disk_(disk), place_(std::move(place)), hooks_(std::move(hooks)) {
    follower_.emplace(disk_, place_.folder, known_);
}

void ServedRun::listen(RunStream::Listener listener) {
    known_.with([&](RunKnown& known) { known.stream.listen(std::move(listener)); });
}

std::vector<Shared> ServedRun::greeting(std::optional<std::uint64_t> last) const {
    return known_.with(
        [&](const RunKnown& known) { return known.stream.greeting(known.status_message(), last); });
}

void ServedRun::begin(store::RunHeader header) {
    std::shared_ptr<RoundStore> store;
    if (!place_.folder.empty() && header.record != store::RecordLevel::none) {
        store = std::make_shared<RoundStore>(disk_, place_.folder, header);
    }
    known_.with([&](RunKnown& known) { known.begin(std::move(header), std::move(store)); });
}

void ServedRun::take(SeenRoundPtr round) {
    known_.with([&](RunKnown& known) { known.take(std::move(round)); });
}

Result<void> ServedRun::take_record() {
    auto reader = store::RunReader::open(disk_, place_.folder);
    if (!reader) return tl::unexpected(reader.error());
    RecordWalk walk(*std::move(reader));
    known_.with([](RunKnown& known) { known.read = false; });
    while (true) {
        auto next = walk.next();
        if (!next) return tl::unexpected(next.error());
        if (!*next) break;
        take(*std::move(next));
    }
    known_.with([&](RunKnown& known) {
        known.know(walk, true);
        known.newest_are_read();
    });
    return {};
}

void ServedRun::finish(RunState state, const std::string& reason) {
    known_.with([&](RunKnown& known) { known.finish(state, reason); });
}

void ServedRun::note(explanation::EventKind kind, const std::string& message) {
    known_.with([&](RunKnown& known) { known.note(kind, message); });
}

bool ServedRun::read_more(Duration budget) { return follower_ && follower_->read_more(budget); }

bool ServedRun::was_read() const {
    return known_.with([](const RunKnown& known) { return known.read; });
}

Result<void> ServedRun::all_read() const {
    const std::string reading =
        known_.with([](const RunKnown& known) { return known.reading_text(); });
    return reading.empty() ? Result<void>() : fail(ErrorCode::unavailable, reading);
}

std::string ServedRun::problem() const {
    return known_.with([](const RunKnown& known) { return known.problem; });
}

store::RunHeader ServedRun::header() const {
    return known_.with(
        [](const RunKnown& known) { return known.header ? *known.header : store::RunHeader{}; });
}

std::uint64_t ServedRun::newest() const {
    return known_.with(
        [](const RunKnown& known) { return known.index ? known.index->newest() : 0; });
}

RunCard ServedRun::card() const {
    return known_.with([](const RunKnown& known) { return card_of(known); });
}

RunDetail ServedRun::detail() const {
    const RunAbout about = hooks_.about ? hooks_.about() : RunAbout{};
    return known_.with([&](const RunKnown& known) { return detail_of(disk_, known, about); });
}

SeenRoundPtr ServedRun::round_if_near(std::uint64_t number) const {
    return known_.with([&](const RunKnown& known) { return known.ring.find(number); });
}

Result<SeenRoundPtr> ServedRun::round(std::optional<std::uint64_t> number) const {
    const auto found =
        known_.with([&](const RunKnown& known) { return find_round(known, number); });
    if (!found) return tl::unexpected(found.error());
    return found->near ? found->near : found->store->open(found->number);
}

RoundView ServedRun::view(const SeenRound& round) const {
    const std::uint64_t number = round.decision->round;
    const SeenRoundPtr before = number > 1 ? round_if_near(number - 1) : nullptr;
    SeenRoundPtr opened;
    if (!before && number > 1) {
        if (auto read = this->round(number - 1)) opened = *std::move(read);
    }
    // Only shared values are copied under the lock: making the view of a large cluster takes a
    // while.
    const auto [run, around] = known_.with([&](const RunKnown& known) {
        return std::pair(context_of(known), known.index->around(number));
    });
    return round_view(run, round, before ? before.get() : opened.get(), around);
}

Result<void> ServedRun::each(std::uint64_t first, std::uint64_t last,
                             const std::function<void(const SeenRoundPtr&)>& take) const {
    std::shared_ptr<RoundStore> store;
    const auto near = known_.with([&](const RunKnown& known) {
        store = known.store;
        return near_rounds(known, first, last);
    });
    if (!near) return store->each(first, last, take);
    for (const SeenRoundPtr& each : *near) take(each);
    return {};
}

}  // namespace parley::web
