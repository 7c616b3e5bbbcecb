#include "layers/execution/held_jobs.h"

#include "layers/execution/action_machine.h"
#include "layers/execution/kit_test.h"

#include <gtest/gtest.h>

namespace parley::execution {
namespace {

using namespace model;
using Texts = std::vector<std::string>;

const DecisionId kOrder{5, 6};

struct Held {
    Kit kit;

    Held() { kit.input.controls.simulated = false; }

    /// A Job that was made `age` before now and is held by the order.
    Slot add(std::string_view name, Duration age) {
        const Slot slot = kit.add_workload(job_id(name), 0);
        WorkloadRow& row = kit.workload(slot);
        row.rolled_out = kNow - age;
        row.mark = Mark{
            kOrder, kNow + minutes(5), ActionKind::admission, {{MarkedField::suspend, {}, 0, 1}}};
        return slot;
    }
    void order_stands() {
        kit.memory.ledger.orders.push_back(
            {kOrder, 90, AdmissionWish::queue, kNow + minutes(5), "", {}});
    }
    std::vector<Step> freed() {
        std::vector<Step> steps;
        free_held(kit.input, kit.memory, steps);
        return steps;
    }
};

Texts texts(const std::vector<Step>& steps) {
    Texts out;
    for (const Step& step : steps) {
        for (const Request& each : step.action.undo) out.push_back(text_of(each));
    }
    return out;
}

TEST(HeldJobs, are_freed_oldest_first_when_no_order_holds_them) {
    Held held;
    held.add("young", minutes(1));
    held.add("old", minutes(9));
    const auto steps = held.freed();
    EXPECT_EQ(texts(steps), (Texts{"resume shop/job/old", "resume shop/job/young"}));
    ASSERT_EQ(held.kit.memory.ledger.open.size(), 1U);
    EXPECT_EQ(steps.at(0).action.note, "no order holds 2 Jobs any more");
    EXPECT_TRUE(std::holds_alternative<Read>(steps.at(0).next));
}

TEST(HeldJobs, stay_while_their_order_stands_and_are_freed_when_its_time_is_over) {
    Held held;
    held.add("a", minutes(1));
    held.order_stands();
    EXPECT_TRUE(held.freed().empty());
    held.kit.input.now = kNow + minutes(5);
    EXPECT_EQ(texts(held.freed()), Texts{"resume shop/job/a"});
}

TEST(HeldJobs, are_only_jobs_with_the_mark_of_an_order_that_suspended_them) {
    for (const auto spoil : std::initializer_list<void (*)(WorkloadRow&)>{
             [](WorkloadRow& row) { row.mark.reset(); },
             [](WorkloadRow& row) { row.mark->kind = ActionKind::migrate; },
             [](WorkloadRow& row) { row.mark->changes.clear(); },  // Only its priority was set.
             [](WorkloadRow& row) { row.id.kind = WorkloadKind::deployment; }}) {
        Held held;
        spoil(held.kit.workload(held.add("a", minutes(1))));
        EXPECT_TRUE(held.freed().empty());
    }
    Held held;
    held.add("a", minutes(1));
    held.kit.input.controls.mode = Mode::dry_run;
    EXPECT_TRUE(held.freed().empty()) << "nothing is sent in this mode";
}

TEST(HeldJobs, of_a_simulated_cluster_are_its_own_to_free) {
    Held held;
    held.add("a", minutes(1));
    held.kit.input.controls.simulated = true;
    EXPECT_TRUE(held.freed().empty());
    held.kit.input.controls.simulated = false;
    EXPECT_EQ(texts(held.freed()), Texts{"resume shop/job/a"});
}

TEST(HeldJobs, are_freed_a_few_at_a_time) {
    Held held;
    for (int i = 0; i < 20; ++i) held.add("job-" + std::to_string(10 + i), minutes(40 - i));
    EXPECT_EQ(texts(held.freed()).size(), 16U);
    EXPECT_TRUE(held.freed().empty()) << "those are on their way";
}

TEST(HeldJobs, are_freed_by_the_action_machine_one_request_each_even_under_the_kill_switch) {
    Held held;
    held.add("a", minutes(2));
    held.add("b", minutes(1));
    Step step = held.freed().at(0);
    Texts sent;
    for (int i = 0; i < 2; ++i) {
        const Live live{
            .exists = true, .uid = {2, static_cast<std::uint64_t>(i) + 1}, .version = 41};
        step = advance(std::move(step.action), {step.action.id, kNow, Seen{live, ""}});
        ASSERT_TRUE(std::holds_alternative<Send>(step.next));
        sent.push_back(text_of(std::get<Send>(step.next).request));
        EXPECT_TRUE(step.action.undoing) << "a stop lets through what gives back";
        step = advance(std::move(step.action), {step.action.id, kNow, Answered{.ok = true}});
    }
    EXPECT_EQ(sent, (Texts{"resume shop/job/a", "resume shop/job/b"}));
    EXPECT_TRUE(finished(step.action));
}

}  // namespace
}  // namespace parley::execution
