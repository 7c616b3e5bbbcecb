#include "kube/exercise/exercise_trouble.h"

#include <gtest/gtest.h>

namespace parley::kube {
namespace {

using cluster::Trouble;

std::string list(const std::string& items) { return R"({"items":[)" + items + "]}"; }

/// A pod on a node with that status.
std::string pod(const std::string& status, const std::string& meta = R"("uid":"a-1")") {
    return R"({"metadata":{)" + meta + R"(},"spec":{"nodeName":"node-a"},"status":{)" + status +
           "}}";
}

std::string container(const std::string& state) {
    return R"("containerStatuses":[{"name":"filler","state":)" + state + "}]";
}

TEST(ExerciseTrouble, a_pod_says_why_it_does_not_run) {
    struct Case {
        const char* what;
        std::string pods;
        Trouble expected;
        const char* silent = "";
    };
    const Case cases[] = {
        {"image",
         pod(container(R"({"waiting":{"reason":"ErrImagePull","message":"no such host"}})")),
         {"ErrImagePull", "no such host"}},
        {"back-off",
         pod(container(R"({"waiting":{"reason":"ImagePullBackOff","message":"Back-off"}})")),
         {"ImagePullBackOff", "Back-off"}},
        {"cannot be created",
         pod(container(R"({"waiting":{"reason":"CreateContainerError","message":"no entry"}})")),
         {"CreateContainerError", "no entry"}},
        {"crashes, with what it said before",
         pod(R"("containerStatuses":[{"state":{"waiting":{"reason":"CrashLoopBackOff",)"
             R"("message":"back-off 10s"}},"lastState":{"terminated":{"reason":"StartError",)"
             R"("message":"exec: not found"}}}])"),
         {"CrashLoopBackOff", "exec: not found"}},
        {"has ended",
         pod(container(R"({"terminated":{"reason":"Error","exitCode":1}})")),
         {"Error", ""}},
        {"an init container that somebody put in",
         pod(R"("initContainerStatuses":[{"state":{"terminated":{"reason":"Completed"}}},)"
             R"({"state":{"waiting":{"reason":"ImagePullBackOff","message":"proxy"}}}],)" +
             container(R"({"waiting":{"reason":"PodInitializing"}})")),
         {"ImagePullBackOff", "proxy"}},
        {"refused by its node",
         pod(R"("phase":"Failed","reason":"OutOfcpu","message":"not enough cpu")"),
         {"OutOfcpu", "not enough cpu"}},
        {"finds no place",
         R"({"metadata":{"uid":"a-1"},"spec":{},"status":{"phase":"Pending","conditions":[)"
         R"({"type":"PodScheduled","status":"False","reason":"Unschedulable",)"
         R"("message":"0/3 nodes are available"}]}})",
         {"Unschedulable", "0/3 nodes are available"}},
        {"on its way", pod(container(R"({"waiting":{"reason":"ContainerCreating"}})")), {}, "a-1"},
        {"no word yet", pod(R"("phase":"Pending")"), {}, "a-1"},
        {"not looked at by a scheduler", R"({"metadata":{"uid":"a-1"},"spec":{},"status":{}})", {}},
        {"runs",
         pod(R"("conditions":[{"type":"Ready","status":"True"}],)" +
             container(R"({"running":{}})")),
         {}},
        {"its reason is of no failure", pod(R"("phase":"Running","reason":"Odd")"), {}, "a-1"},
        {"the phase before is going",
         pod(container(R"({"waiting":{"reason":"ErrImagePull","message":"of before"}})"),
             R"("uid":"a-1","deletionTimestamp":"2026-01-01T00:00:00Z")"),
         {}},
        {"the second has a reason",
         pod(R"("phase":"Pending")") + "," +
             pod(container(R"({"waiting":{"reason":"ErrImagePull"}})"), R"("uid":"a-2")"),
         {"ErrImagePull", ""},
         "a-1"},
        {"a uid that is none", pod("", R"("uid":"a&b=1")"), {}},
        {"hostile words",
         pod(container(
             "{\"waiting\":{\"reason\":\"Err\\u001b[31m\",\"message\":\"a\\nb\\u0007\"}}")),
         {"Err?[31m", "a b?"}},
    };
    for (const Case& c : cases) {
        const PodsTold told = read_pods_told(list(c.pods));
        EXPECT_EQ(told.trouble.reason, c.expected.reason) << c.what;
        EXPECT_EQ(told.trouble.message, c.expected.message) << c.what;
        EXPECT_EQ(told.silent, c.silent) << c.what;
    }
    for (const char* none : {"", "{}", "<html>", R"({"items":7})", R"({"items":[7]})"}) {
        EXPECT_FALSE(read_pods_told(none).trouble.known()) << none;
    }
}

TEST(ExerciseTrouble, a_long_message_keeps_its_beginning_and_its_end) {
    struct Case {
        std::string message, expected;
    };
    const auto x = [](std::size_t count) { return std::string(count, 'x'); };
    const Case cases[] = {
        {x(240), x(240)},
        {"pull: " + x(2'000) + ": no such host",
         "pull: " + x(104) + "..." + x(116) + ": no such host"},
        {x(200) + "\u00fc" + x(129), x(110) + "..." + x(129)},  // Cut in the middle of it.
    };
    for (const Case& c : cases) {
        const auto told = read_pods_told(list(
            pod(container(R"({"waiting":{"reason":"Failed","message":")" + c.message + R"("}})"))));
        EXPECT_EQ(told.trouble.message, c.expected);
    }
}

TEST(ExerciseTrouble, a_controller_says_why_it_creates_no_pods) {
    const auto failure = [](const std::string& status, const std::string& message) {
        return R"({"status":{"conditions":[{"type":"Progressing","status":"True"},)"
               R"({"type":"ReplicaFailure","status":")" +
               status + R"(","reason":"FailedCreate","message":")" + message + R"("}]}})";
    };
    for (const char* message :
         {"exceeded quota: none", "violates PodSecurity", "admission webhook denied the request",
          "pod rejected: RuntimeClass not found", "maximum cpu usage per Container is 100m"}) {
        EXPECT_EQ(read_create_trouble(list(R"({"status":{}},)" + failure("True", message) + "," +
                                           failure("True", "other"))),
                  (Trouble{"FailedCreate", message}));
    }
    for (const std::string& none :
         {std::string(), std::string("{}"), std::string("<html>"), list(failure("False", "old"))}) {
        EXPECT_FALSE(read_create_trouble(none).known()) << none;
    }
}

TEST(ExerciseTrouble, events_say_what_the_status_does_not) {
    const auto event = [](const std::string& type, const std::string& reason,
                          const std::string& message) {
        return R"({"type":")" + type + R"(","reason":")" + reason + R"(","message":")" + message +
               R"("})";
    };
    const std::string unplaced = event("Warning", "FailedScheduling", "0/3 nodes");
    const std::string pulling = event("Normal", "Pulling", "Pulling image");
    const std::string sandbox = event("Warning", "FailedCreatePodSandBox", "no runtime for");
    const std::string pulled = event("Normal", "Pulled", "Successfully pulled");
    struct Case {
        std::string events;
        Trouble expected;
    };
    const Case cases[] = {
        {pulling, {"Pulling", "Pulling image"}},
        {pulling + "," + pulled, {}},
        {sandbox + "," + pulling, {"FailedCreatePodSandBox", "no runtime for"}},
        {event("Warning", "Older", "") + "," + sandbox,
         {"FailedCreatePodSandBox", "no runtime for"}},
        {unplaced, {}},  // It found its node since.
        {unplaced + "," + pulling, {"Pulling", "Pulling image"}},
        {"", {}},
    };
    for (const Case& c : cases) EXPECT_EQ(read_event_trouble(list(c.events)), c.expected);
    EXPECT_FALSE(read_event_trouble("<html>").known());
}

}  // namespace
}  // namespace parley::kube
