#include "kube/access/in_cluster.h"

#include "kube/access/kubeconfig_kit_test.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

namespace parley::kube {
namespace {

class InPod : public testing::Test {
protected:
    void SetUp() override {
        scratch_.write("token", kCanary);
        scratch_.write("ca.crt", kCertificate);
        scratch_.write("namespace", "shop\n");
    }

    Result<Access> load() const { return pod_access(environment_, scratch_.folder()); }
    bool here() const { return in_pod(environment_, scratch_.folder()); }

    Scratch scratch_;
    Environment environment_ = {{"KUBERNETES_SERVICE_HOST", "10.96.0.1"},
                                {"KUBERNETES_SERVICE_PORT", "443"}};
};

TEST_F(InPod, finds_server_ca_token_and_namespace) {
    ASSERT_TRUE(here());
    const auto access = load();
    ASSERT_TRUE(access) << access.error().message;
    EXPECT_EQ(access->server.text(), "https://10.96.0.1");
    EXPECT_EQ(access->ca_pem, kCertificate);
    EXPECT_EQ(access->identity.token_file, scratch_.path("token"));
    EXPECT_TRUE(access->identity.token.empty());  // It rotates: only the file counts.
    EXPECT_EQ(access->default_namespace, "shop");
    EXPECT_EQ(access->from, "the service account of this pod");
    EXPECT_FALSE(access->insecure);
}

TEST_F(InPod, puts_brackets_around_an_ipv6_address) {
    environment_["KUBERNETES_SERVICE_HOST"] = "fd00::1";
    environment_["KUBERNETES_SERVICE_PORT"] = "6443";
    EXPECT_EQ(load()->server.text(), "https://[fd00::1]:6443");
}

TEST_F(InPod, needs_both_variables_and_a_token) {
    for (const auto* name : {"KUBERNETES_SERVICE_HOST", "KUBERNETES_SERVICE_PORT"}) {
        Environment less = environment_;
        less[name] = "";
        EXPECT_FALSE(in_pod(less, scratch_.folder()));
        less.erase(name);
        EXPECT_FALSE(in_pod(less, scratch_.folder()));
    }
    std::filesystem::remove(scratch_.path("token"));
    EXPECT_FALSE(here());
    std::filesystem::create_directory(scratch_.path("token"));
    EXPECT_FALSE(here());
}

TEST_F(InPod, lives_without_a_namespace_but_not_without_a_ca) {
    std::filesystem::remove(scratch_.path("namespace"));
    EXPECT_EQ(load()->default_namespace, "default");
    scratch_.write("namespace", "../x");
    EXPECT_EQ(scratch_.shown(message_of(load())),
              "DIR/namespace: this is no name of a namespace; what mounted it?");
    scratch_.write("namespace", "a");
    scratch_.write("ca.crt", kCanary);
    EXPECT_EQ(scratch_.shown(message_of(load())),
              "DIR/ca.crt holds no certificate; it must be PEM, with a line -----BEGIN "
              "CERTIFICATE-----");
    std::filesystem::remove(scratch_.path("ca.crt"));
    EXPECT_EQ(scratch_.shown(message_of(load())),
              "in a pod, whom to trust: DIR/ca.crt: there is no such file; check the path");
}

TEST_F(InPod, refuses_variables_that_name_no_server) {
    for (const auto* port : {"0", "tcp://10.0.0.1:443", "443/x"}) {
        environment_["KUBERNETES_SERVICE_PORT"] = port;
        EXPECT_EQ(
            message_of(load()),
            "KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT are no host and port; outside "
            "a pod unset them, or give --kubeconfig");
    }
}

}  // namespace
}  // namespace parley::kube
