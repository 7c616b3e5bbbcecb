#include "layers/execution/window_notes.h"

#include "layers/execution/kit_test.h"

#include <gtest/gtest.h>

namespace parley::execution {
namespace {

using namespace model;

/// node-1 with two pods of web, one of which is to be evicted.
struct Watched : Kit {
    Slot node = add_node("node-1");
    Slot web = add_workload(workload_id("web"), 4);
    std::vector<Window> windows;
    std::vector<OpenAction> ended;

    Watched() {
        add_pod(web, node);
        add_pod(web, node);
        Kit::node(node).pods = 2;
        workload(web).ready = 4;
        Window window;
        window.id = {0, 1};
        window.role = Role::safety;
        window.action = Migrate{};
        window.target = node_id("node-1");
        window.leaves = {node_id("node-1"), workload_id("web")};
        window.seen = look_at(window, {{EvictPod{{3, 1}, "web-1"}, {}}}, input.snapshot);
        windows.push_back(window);
    }

    NodeRow& row() { return Kit::node(node); }

    /// What was noted in this round, as "leaf text".
    std::vector<std::string> next() {
        ++input.round;
        note_changes(input, memory.ledger, ended, windows);
        std::vector<std::string> out;
        for (const WindowNote& note : windows[0].notes) {
            if (note.round == input.round) out.push_back(text_of(note.leaf) + " " + note.text);
        }
        return out;
    }
};

using Texts = std::vector<std::string>;

TEST(WindowNotes, what_befalls_a_node_is_told_once) {
    Watched world;
    EXPECT_EQ(world.next(), Texts{});
    world.row().pods = 1;
    EXPECT_EQ(world.next(), Texts{"node-1 emptied"}) << "what cannot be moved stays";
    EXPECT_EQ(world.next(), Texts{});
    world.row().ready = Readiness::unknown;
    EXPECT_EQ(world.next(), Texts{"node-1 failed"});
    EXPECT_EQ(world.next(), Texts{});
    world.row().ready = Readiness::yes;
    EXPECT_EQ(world.next(), Texts{"node-1 recovered"});
    world.row().ready = Readiness::no;
    world.row().power = Power::off;
    EXPECT_EQ(world.next(), Texts{}) << "off on purpose is no failure";
    world.row().uid = {7, 7};
    EXPECT_EQ(world.next(), Texts{"node-1 gone"}) << "another has its name";
    EXPECT_EQ(world.next(), Texts{});
}

TEST(WindowNotes, who_scaled_a_workload_is_told_unless_it_was_the_action_itself) {
    Watched world;
    world.workload(world.web).wanted = 2;
    EXPECT_EQ(world.next(), Texts{"shop/web scaled from 4 to 2 by others"});
    OpenAction own;
    own.id = {0, 1};
    own.plan = {{SetReplicas{workload_id("web"), 5}, {}}};
    world.memory.ledger.open = {own};
    world.workload(world.web).wanted = 5;
    EXPECT_EQ(world.next(), Texts{});
    OpenAction other = own;
    other.id = {0, 2};
    other.round = 40;
    other.role = Role::safety;
    other.action = Replicate{};
    other.plan.clear();
    other.undo = {SetReplicas{workload_id("web"), 4}};
    world.ended = {other};
    world.workload(world.web).wanted = 4;
    EXPECT_EQ(world.next(), Texts{"shop/web scaled from 5 to 4 by A replicate of round 40"});
    world.workload(world.web).ready = 0;
    EXPECT_EQ(world.next(), Texts{"shop/web has no ready pod"});
    world.workload(world.web).ready = 1;
    EXPECT_EQ(world.next(), Texts{"shop/web has a ready pod again"});
}

TEST(WindowNotes, are_few_and_those_of_the_target_have_their_own_room) {
    Watched world;
    for (int i = 0; i < 100; ++i) {
        world.workload(world.web).wanted = i % 2 == 0 ? 3 : 4;
        world.next();
    }
    EXPECT_EQ(world.windows[0].notes.size(), kOtherNotesMax);
    world.row().ready = Readiness::no;
    EXPECT_EQ(world.next(), Texts{"node-1 failed"});
    for (int i = 0; i < 100; ++i) {
        world.row().ready = i % 2 == 0 ? Readiness::yes : Readiness::no;
        world.next();
    }
    EXPECT_EQ(world.windows[0].notes.size(), kOtherNotesMax + kTargetNotesMax);
}

TEST(WindowNotes, a_leaf_that_was_taken_is_watched_no_more_but_the_target_is) {
    Watched world;
    Window later;
    later.round = 9;
    later.role = Role::safety;
    later.action = Replicate{};
    later.target = node_id("node-1");
    later.leaves = {node_id("node-1"), workload_id("web")};
    world.windows[0].leaves.clear();
    note_taken(later, 9, world.windows[0]);
    ASSERT_EQ(world.windows[0].notes.size(), 2U);
    for (const WindowNote& note : world.windows[0].notes) {
        EXPECT_EQ(note.text, "taken over by A replicate of round 9 on node-1");
    }
    EXPECT_EQ(world.windows[0].notes[1].leaf, Target(workload_id("web")));
    world.workload(world.web).wanted = 1;
    world.row().ready = Readiness::no;
    EXPECT_EQ(world.next(), Texts{"node-1 failed"});
}

}  // namespace
}  // namespace parley::execution
