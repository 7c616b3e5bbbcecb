#include "fake/cluster.h"

#include "base/run.h"

#include <gtest/gtest.h>

namespace parley::fake {
namespace {

using namespace model;

const NodeId kNode{Name::of("node-1")};

TEST(FakeWatcher, gives_its_batches_in_order_then_empty_ones) {
    Watcher watcher;
    cluster::Batch batch;
    batch.energy_price = 0.2;
    watcher.script.emplace_back(batch);
    watcher.script.emplace_back(fail(ErrorCode::unavailable, "no"));
    EXPECT_EQ(run(watcher.poll({1}))->energy_price, 0.2);
    EXPECT_FALSE(run(watcher.poll({2})));
    EXPECT_FALSE(run(watcher.poll({3}))->energy_price);
    EXPECT_EQ(watcher.asked, (std::vector<TimePoint>{{1}, {2}, {3}}));
}

TEST(FakeWriter, answers_from_its_script_and_remembers) {
    Writer writer;
    writer.script.emplace_back(fail(ErrorCode::conflict, "no"));
    const SetTaint taint{kNode, Taint::no_schedule};
    EXPECT_FALSE(run(writer.apply(taint, {}, {})));
    EXPECT_TRUE(run(writer.apply(taint, {}, {})));
    writer.loses_answers = true;
    const SetPower power{kNode, PowerWish::off};
    EXPECT_EQ(run(writer.apply(power, {}, {})).error().code, ErrorCode::unknown_outcome);
    EXPECT_EQ(writer.asked.size(), 3U);
    EXPECT_EQ(writer.applied, (std::vector<Request>{taint, power}));
}

TEST(FakeReader, shows_what_was_applied) {
    Writer writer;
    Reader reader(writer);
    reader.uids["node-1"] = {1, 1};
    const SetTaint taint{kNode, Taint::no_schedule};
    EXPECT_FALSE(run(reader.read(taint))->applied);
    run(writer.apply(PutMark{kNode, {0, 7}, {}}, {}, {}));
    run(writer.apply(taint, {}, {}));
    const Live live = *run(reader.read(taint));
    EXPECT_TRUE(live.applied);
    EXPECT_EQ(live.uid, (Uid{1, 1}));
    EXPECT_EQ(live.mark, (DecisionId{0, 7}));
    EXPECT_EQ(live.version, 3U);
    run(writer.apply(SetTaint{kNode, Taint::none}, {}, {}));
    EXPECT_FALSE(run(reader.read(taint))->applied) << "the last one counts";
    const EvictPod evict{{3, 1}, "web-1"};
    EXPECT_TRUE(run(reader.read(evict))->exists);
    run(writer.apply(evict, {}, {}));
    EXPECT_FALSE(run(reader.read(evict))->exists);
}

TEST(FakeLedgerStore, swaps_only_what_was_read) {
    LedgerStore store;
    Ledger next;
    next.version = 1;
    next.epoch = 9;
    EXPECT_TRUE(run(store.swap_ledger(0, next)));
    EXPECT_EQ(run(store.read_ledger())->epoch, 9U);
    EXPECT_EQ(run(store.swap_ledger(0, next)).error().code, ErrorCode::conflict);
    EXPECT_EQ(store.history.size(), 1U);
}

TEST(FakeTwins, show_two_futures_and_a_third_if_somebody_lost) {
    Twins twins;
    twins.show = [](const Twins::Fork&, Branch, TimePoint) { return std::vector<LeafCounters>{}; };
    OpenAction action;
    action.id = {0, 1};
    twins.fork(action, {}, {}, {});
    EXPECT_EQ(twins.sample({}, {}).size(), 2U);
    twins.drop(action.id);
    EXPECT_TRUE(twins.sample({}, {}).empty());
    twins.fork(action, {}, {PlannedStep{SetTaint{kNode, Taint::none}, {}}}, {});
    EXPECT_EQ(twins.sample({}, {}).size(), 3U);
}

}  // namespace
}  // namespace parley::fake
