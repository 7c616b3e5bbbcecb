#include "kube/write/admission_policy.h"

#include "kube/write/one_object_test.h"

namespace parley::kube {
namespace {

const std::string kGroup = "/apis/admissionregistration.k8s.io/";

/// What is answered about our queue policy, by the status for each version of its kind.
Result<bool> asked(int v1, int v1beta1) {
    http::TestLoop loop;
    http::Imposter server(loop.executor(), [&](const http::Request& request) {
        const bool stable = request.target == kGroup + "v1/" + kQueuePolicy;
        const bool beta = request.target == kGroup + "v1beta1/" + kQueuePolicy;
        return http::Reply{.status = stable ? v1
                                     : beta ? v1beta1
                                            : 400,
                           .headers = kJsonType,
                           .body = "{}"};
    });
    return loop.ask(has_policy(api_of(loop, server), kQueuePolicy, {}));
}

TEST(AdmissionPolicy, is_found_in_any_version_that_is_served) {
    EXPECT_TRUE(asked(200, 404).value());
    EXPECT_TRUE(asked(404, 200).value());
    EXPECT_FALSE(asked(404, 404).value());
}

TEST(AdmissionPolicy, that_cannot_be_asked_for_is_not_taken_for_missing) {
    for (const auto& unread : {asked(403, 404), asked(404, 403)}) {
        ASSERT_FALSE(unread);
        EXPECT_EQ(unread.error().code, ErrorCode::denied);
        EXPECT_TRUE(unread.error().message.starts_with(
            "asking for the policy mutatingadmissionpolicies/parley-queue: 403"))
            << unread.error().message;
    }
}

}  // namespace
}  // namespace parley::kube
