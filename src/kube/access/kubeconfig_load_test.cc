#include "kube/access/kubeconfig_load.h"

#include "kube/access/kubeconfig_kit_test.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

namespace parley::kube {
namespace {

/// A kubeconfig whose server is `name`.
std::string config_of(const std::string& name, const std::string& more = "") {
    return "current-context: x\ncontexts: [{name: x, context: {cluster: c, user: u}}]\nclusters: "
           "[{name: c, cluster: {server: 'https://" +
           name + "'" + more + "}}]\nusers: [{name: u}]\n";
}

class Loading : public testing::Test {
protected:
    void SetUp() override {
        home_ = scratch_.path("home");
        environment_["HOME"] = home_;
        options_.service_account = scratch_.path("mount");
    }

    void become_pod() {
        scratch_.write("mount/token", kCanary);
        scratch_.write("mount/ca.crt", kCertificate);
        environment_["KUBERNETES_SERVICE_HOST"] = "pod";
        environment_["KUBERNETES_SERVICE_PORT"] = "443";
    }

    /// The host that was chosen, or the error.
    std::string chosen() const {
        const auto access = load_access(environment_, options_);
        return access ? access->server.host : scratch_.shown(message_of(access));
    }

    Scratch scratch_;
    std::string home_;
    Environment environment_;
    AccessOptions options_;
};

TEST_F(Loading, follows_the_precedence_of_controllers) {
    EXPECT_EQ(chosen(),
              "no cluster is named: KUBECONFIG is not set, there is no DIR/home/.kube/config, "
              "and this is no pod with a service account; give --kubeconfig FILE");
    scratch_.write("home/.kube/config", config_of("home"));
    EXPECT_EQ(chosen(), "home");
    become_pod();
    EXPECT_EQ(chosen(), "pod");
    environment_["KUBECONFIG"] = scratch_.write("env", config_of("env"));
    EXPECT_EQ(chosen(), "env");
    options_.kubeconfig = scratch_.write("flag", config_of("flag"));
    EXPECT_EQ(chosen(), "flag");
}

TEST_F(Loading, takes_the_pod_only_when_it_may) {
    scratch_.write("home/.kube/config", config_of("home"));
    become_pod();
    options_.pod_first = false;
    EXPECT_EQ(chosen(), "home");
    options_.pod_first = true;
    options_.overrides.context = "x";  // Only a file can have one.
    EXPECT_EQ(chosen(), "home");
    options_.overrides.context = "";
    environment_["KUBECONFIG"] = "";  // As if it were not set.
    EXPECT_EQ(chosen(), "pod");
    std::filesystem::remove(scratch_.path("mount/token"));
    EXPECT_EQ(chosen(), "home");
}

TEST_F(Loading, applies_flags_to_a_pod_too) {
    become_pod();
    options_.overrides = {.token = Secret(kCanary), .default_namespace = "web"};
    const auto access = load_access(environment_, options_);
    ASSERT_TRUE(access) << access.error().message;
    EXPECT_EQ(kind_of(access->identity), "token");
    EXPECT_EQ(access->default_namespace, "web");
    EXPECT_EQ(access->ca_pem, kCertificate);
    options_.overrides.insecure_skip_tls_verify = true;
    EXPECT_NE(chosen().find("would not be verified"), std::string::npos);
}

TEST_F(Loading, merges_the_list_and_skips_what_is_not_there) {
    const std::string first = scratch_.write("a/first",
                                             "current-context: x\nusers: [{name: u, user: "
                                             "{tokenFile: t}}]\n");
    const std::string second =
        scratch_.write("b/second", config_of("second", ", certificate-authority: ca"));
    scratch_.write("b/ca", kCertificate);
    const std::string third = scratch_.write("third", config_of("third"));
    environment_["KUBECONFIG"] =
        ":" + scratch_.path("none") + "::" + first + ":" + second + ":" + third + ":";
    const auto access = load_access(environment_, options_);
    ASSERT_TRUE(access) << access.error().message;
    EXPECT_EQ(access->server.host, "second");
    EXPECT_EQ(access->identity.token_file, scratch_.path("a/t"));  // From the folder of its file.
    EXPECT_EQ(access->ca_file, scratch_.path("b/ca"));
    EXPECT_EQ(access->ca_pem, kCertificate);
    EXPECT_EQ(access->from, "context x of " + second);
}

TEST_F(Loading, does_not_fall_back_from_a_list_without_files) {
    scratch_.write("home/.kube/config", config_of("home"));
    become_pod();
    environment_["KUBECONFIG"] = ":" + scratch_.path("none");
    EXPECT_EQ(chosen(),
              "no file of KUBECONFIG exists (:DIR/none); correct it, unset it, or give "
              "--kubeconfig FILE");
}

TEST_F(Loading, does_not_skip_a_file_that_cannot_be_understood_or_read) {
    const std::string good = scratch_.write("good", config_of("good"));
    environment_["KUBECONFIG"] = good + ":" + scratch_.write("bad", "users: [" + kCanary);
    EXPECT_EQ(chosen(),
              "KUBECONFIG: DIR/bad:1:1: this is no YAML: end of sequence flow not found; "
              "check indentation, quotes and brackets up to here");
    environment_["KUBECONFIG"] = good + ":" + scratch_.folder();
    EXPECT_EQ(chosen(), "KUBECONFIG: DIR: this is a folder; name a file in it");
    environment_["KUBECONFIG"] = "/dev/null:" + good;
    EXPECT_EQ(chosen(), "KUBECONFIG: /dev/null: this is not a regular file; write the text to one");
    scratch_.write("home/.kube/config", "a: b: c");
    environment_.erase("KUBECONFIG");
    EXPECT_TRUE(chosen().starts_with("kubeconfig: DIR/home/.kube/config:1:5: this is no YAML"));
}

TEST_F(Loading, reads_exactly_the_file_of_the_flag) {
    environment_["KUBECONFIG"] = scratch_.write("env", config_of("env"));
    options_.kubeconfig = scratch_.path("none");
    EXPECT_EQ(chosen(), "--kubeconfig: DIR/none: there is no such file; check the path");
    // A context without its cluster: no other file is merged.
    options_.kubeconfig = scratch_.write(
        "flag", "current-context: x\ncontexts: [{name: x, context: {cluster: c, user: u}}]\n");
    EXPECT_EQ(chosen(),
              "DIR/flag:2:12: there is no cluster \"c\"; there is none at all: is it the "
              "right file?");
    options_.kubeconfig = scratch_.path("a") + ":" + scratch_.path("b");  // Not a list of files.
    EXPECT_EQ(chosen(), "--kubeconfig: DIR/a:DIR/b: there is no such file; check the path");
    options_.kubeconfig = scratch_.write("big", std::string(2 << 20, '#'));
    EXPECT_EQ(chosen(),
              "--kubeconfig: DIR/big: it has 2097152 bytes, and 1048576 are allowed; is it "
              "the right file?");
}

TEST_F(Loading, finds_files_beside_a_kubeconfig_that_is_named_relatively) {
    scratch_.write("sub/config", config_of("a", ", certificate-authority: ca"));
    scratch_.write("sub/ca", kCertificate);
    options_.kubeconfig = std::filesystem::proximate(scratch_.path("sub/config")).string();
    const auto access = load_access(environment_, options_);
    ASSERT_TRUE(access) << access.error().message;
    EXPECT_TRUE(access->ca_file.starts_with('/')) << access->ca_file;
    EXPECT_EQ(access->ca_pem, kCertificate);
}

TEST_F(Loading, says_what_is_wrong_with_a_ca_file) {
    options_.kubeconfig = scratch_.write("config", config_of("a", ", certificate-authority: ca"));
    EXPECT_EQ(chosen(), "certificate-authority: DIR/ca: there is no such file; check the path");
    scratch_.write("ca", kKey);
    EXPECT_EQ(chosen(),
              "certificate-authority: DIR/ca holds a key and no certificate; are the two "
              "swapped?");
    options_.overrides.certificate_authority = "/dev/zero";
    EXPECT_EQ(chosen(),
              "certificate-authority: /dev/zero: this is not a regular file; write the text "
              "to one");
}

TEST_F(Loading, needs_no_file_when_flags_say_all) {
    options_.overrides.server = "https://only";
    EXPECT_EQ(chosen(), "only");
    environment_.clear();
    options_.overrides.server = "";
    EXPECT_EQ(chosen(),
              "no cluster is named: KUBECONFIG is not set, HOME is not set, and this is no "
              "pod with a service account; give --kubeconfig FILE");
}

TEST(ProcessEnvironment, has_what_the_process_has) {
    ::setenv("PARLEY_TEST_VARIABLE", "a=b", 1);
    EXPECT_EQ(process_environment().at("PARLEY_TEST_VARIABLE"), "a=b");
}

}  // namespace
}  // namespace parley::kube
