#include "exercise/hindrance.h"

#include <gtest/gtest.h>

namespace parley::exercise {
namespace {

TEST(Hindrance, every_reason_has_its_advice) {
    struct Case {
        cluster::Trouble trouble;
        Hindrance expected;
        const char* advice;  ///< A part of it.
    };
    const Case cases[] = {
        {{}, Hindrance::unknown, "kubectl describe pods -n ex may say more"},
        {{"Pulling", "Pulling image \"a:1\""}, Hindrance::pulling, "--exercise-image IMAGE"},
        {{"ErrImagePull", "no such host"}, Hindrance::image, "--exercise-image IMAGE"},
        {{"ImagePullBackOff", "Back-off"}, Hindrance::image, "--exercise-image IMAGE"},
        {{"ErrImageNeverPull", ""}, Hindrance::image, "--exercise-image IMAGE"},
        {{"InvalidImageName", ""}, Hindrance::image, "--exercise-image IMAGE"},
        {{"ImageInspectError", ""}, Hindrance::image, "--exercise-image IMAGE"},
        {{"RegistryUnavailable", ""}, Hindrance::image, "--exercise-image IMAGE"},
        {{"SignatureValidationFailed", ""}, Hindrance::image, "--exercise-image IMAGE"},
        {{"Unschedulable", "0/3 nodes are available"}, Hindrance::place, "make room on the nodes"},
        {{"SchedulingGated", ""}, Hindrance::policy, "exempted from that check"},
        {{"FailedCreate", "pods \"x\" is forbidden: exceeded quota: none, requested: pods=1"},
         Hindrance::quota,
         "raise the ResourceQuota of ex, or name another namespace: --exercise-namespace NAME"},
        {{"FailedCreate", "forbidden: failed quota: none: must specify limits.cpu"},
         Hindrance::quota,
         "raise the ResourceQuota of ex"},
        {{"FailedCreate", "insufficient quota to match these scopes"},
         Hindrance::quota,
         "raise the ResourceQuota of ex"},
        {{"FailedCreate", "maximum cpu usage per Container is 100m, but limit is 230m"},
         Hindrance::limits,
         "change the LimitRange of ex"},
        {{"FailedCreate", "cpu max limit to request ratio per Container is 1"},
         Hindrance::limits,
         "change the LimitRange of ex"},
        {{"FailedCreate", "violates PodSecurity \"restricted:latest\""},
         Hindrance::security,
         "lower the Pod Security level of ex"},
        {{"FailedCreate", "admission webhook \"a.b\" denied the request: exceeded quota"},
         Hindrance::policy,
         "have ex exempted from that check"},
        {{"FailedCreate", "Internal error occurred: failed calling webhook \"a.b\""},
         Hindrance::policy,
         "have ex exempted from that check"},
        {{"FailedCreate", "ValidatingAdmissionPolicy 'a' with binding 'b' denied request: no"},
         Hindrance::policy,
         "have ex exempted from that check"},
        {{"FailedCreate", "pod rejected: RuntimeClass \"gvisor\" not found"},
         Hindrance::runtime,
         "install that RuntimeClass"},
        {{"FailedCreatePodSandBox", "no runtime for \"gvisor\" is configured"},
         Hindrance::runtime,
         "install that RuntimeClass"},
        {{"FailedCreatePodSandBox", "plugin type=\"bridge\" failed"},
         Hindrance::sandbox,
         "see to that node: kubectl describe pods -n ex"},
        {{"NetworkNotReady", ""}, Hindrance::sandbox, "see to that node"},
        {{"FailedMount", ""}, Hindrance::sandbox, "see to that node"},
        {{"CreateContainerError", ""}, Hindrance::container, "runs as any user"},
        {{"CreateContainerConfigError", "container has runAsNonRoot"},
         Hindrance::container,
         "runs as any user"},
        {{"RunContainerError", ""}, Hindrance::container, "runs as any user"},
        {{"StartError", "exec: \"load\": not found"}, Hindrance::container, "runs as any user"},
        {{"ContainerCannotRun", ""}, Hindrance::container, "runs as any user"},
        {{"CrashLoopBackOff", "back-off 10s"}, Hindrance::crash, "goes on running"},
        {{"Error", ""}, Hindrance::crash, "goes on running"},
        {{"OOMKilled", ""}, Hindrance::crash, "goes on running"},
        {{"OutOfcpu", "Node didn't have enough resource: cpu"}, Hindrance::node, "to that node"},
        {{"OutOfpods", ""}, Hindrance::node, "to that node"},
        {{"Evicted", ""}, Hindrance::node, "to that node"},
        {{"NodeAffinity", ""}, Hindrance::node, "to that node"},
        {{"NodeLost", ""}, Hindrance::node, "to that node"},
        {{"Preempting", ""}, Hindrance::node, "to that node"},
        {{"Terminated", ""}, Hindrance::node, "to that node"},
        {{"UnexpectedAdmissionError", ""}, Hindrance::node, "to that node"},
        {{"",
          "403, forbidden: unable to create content in namespace ex because it is being "
          "terminated"},
         Hindrance::space,
         "somebody deleted ex"},
        {{"", "putting light-dvfs: 404, namespaces \"ex\" not found"},
         Hindrance::space,
         "somebody deleted ex"},
        {{"FailedCreate", "serviceaccount \"default\" not found"},
         Hindrance::other,
         "kubectl describe pods -n ex says more"},
        {{"ANewOne", ""}, Hindrance::other, "kubectl describe pods -n ex says more"},
    };
    for (const Case& c : cases) {
        const Hindrance hindrance = hindrance_of(c.trouble);
        EXPECT_EQ(hindrance, c.expected) << c.trouble.reason << ", " << c.trouble.message;
        EXPECT_NE(advice_on(hindrance, "ex").find(c.advice), std::string::npos)
            << advice_on(hindrance, "ex");
    }
}

TEST(Hindrance, the_clusters_words_come_first_then_what_to_do) {
    const std::string advice =
        "; name an image that the nodes can pull or have: --exercise-image IMAGE";
    EXPECT_EQ(why_text({"ErrImagePull", "no such host."}, "ex"),
              "ErrImagePull, no such host" + advice);
    EXPECT_EQ(why_text({"ErrImagePull", "cut here..."}, "ex"),
              "ErrImagePull, cut here..." + advice);
    EXPECT_EQ(why_text({"ErrImagePull", ""}, "ex"), "ErrImagePull" + advice);
    EXPECT_EQ(why_text({"", "exceeded quota"}, "ex").find("exceeded quota; raise"), 0U);
    EXPECT_EQ(why_text({"Pulling", "Pulling image"}, "ex").find("Pulling image; if"), 0U);
    EXPECT_EQ(why_text({}, "ex"),
              "the cluster does not say why; kubectl describe pods -n ex may say more");
}

}  // namespace
}  // namespace parley::exercise
