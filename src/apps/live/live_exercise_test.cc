#include "apps/live/live_exercise.h"

#include <gtest/gtest.h>

namespace parley::app {
namespace {

kube::Access at(const std::string& host) {
    kube::Access access;
    access.server = {.tls = true, .host = host, .port = 6443};
    return access;
}

Mirror mirror(const std::string& host, const std::string& space) {
    return {.cluster = {.access = at(host), .name = host}, .space = space};
}

TEST(LiveExercise, a_mirror_in_the_same_namespace_would_delete_the_phase_itself) {
    struct Case {
        const char* what;
        std::vector<Mirror> mirrors;
        bool fine;
    };
    const Case cases[] = {
        {"none", {}, true},
        {"another cluster", {mirror("b", "ex")}, true},
        {"another namespace", {mirror("a", "other")}, true},
        {"the same", {mirror("a", "ex")}, false},
        {"the same mirror twice", {mirror("b", "ex"), mirror("b", "ex")}, false},
    };
    for (const Case& c : cases) {
        ExerciseOptions options{.plan = {.space = "ex"}, .mirrors = c.mirrors};
        const auto checked = check_places(at("a"), options);
        EXPECT_EQ(checked.has_value(), c.fine) << c.what;
        if (!checked) EXPECT_EQ(checked.error().code, ErrorCode::denied);
    }
}

}  // namespace
}  // namespace parley::app
