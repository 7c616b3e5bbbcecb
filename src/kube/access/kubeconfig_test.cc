#include "kube/access/kubeconfig.h"

#include "kube/access/kubeconfig_kit_test.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace parley::kube {
namespace {

std::string repeat(const std::string& text, int count) {
    std::string out;
    for (int i = 0; i < count; ++i) out += text;
    return out;
}

Result<Kubeconfig> parse(const std::string& text) {
    return parse_kubeconfig("f.yaml", text, "/etc/parley");
}

TEST(Kubeconfig, is_read_with_all_its_keys) {
    const auto config = parse(R"(apiVersion: v1
kind: Config
preferences: {colors: true}
current-context: prod
contexts:
- {name: prod, context: {cluster: c, user: u, namespace: shop, extensions: [{name: x}]}}
clusters:
- name: c
  cluster:
    server: https://api:6443
    tls-server-name: kubernetes
    insecure-skip-tls-verify: true
    certificate-authority: pki/ca.crt
    certificate-authority-data: Zm9v
    proxy-url: http://proxy:3128
    disable-compression: true
    extensions:
    - {name: other, extension: 1}
    - {name: client.authentication.k8s.io/exec, extension: {audience: "06", deep: [1]}}
users:
- name: u
  user:
    token: tok
    tokenFile: /run/token
    client-certificate: cert.pem
    client-certificate-data: Y2VydA==
    client-key: ../key.pem
    client-key-data: a2V5
    exec:
      apiVersion: client.authentication.k8s.io/v1
      command: ./bin/login
      args: [eks, get-token, 5]
      env: [{name: A, value: b}]
      installHint: install it
      provideClusterInfo: true
      interactiveMode: Never
)");
    ASSERT_TRUE(config) << config.error().message;
    EXPECT_EQ(config->current_context, "prod");
    EXPECT_EQ(config->current_at.text(), "f.yaml:4:18");
    const ContextEntry& context = config->contexts.at(0);
    EXPECT_EQ(context.name + context.cluster + context.user + context.default_namespace,
              "prodcushop");
    EXPECT_EQ(context.at.place.line, 6);
    const ClusterEntry& cluster = config->clusters.at(0);
    EXPECT_EQ(cluster.server, "https://api:6443");
    EXPECT_EQ(cluster.tls_server_name, "kubernetes");
    EXPECT_TRUE(cluster.insecure && !cluster.compressed);
    EXPECT_EQ(cluster.ca_file, "/etc/parley/pki/ca.crt");
    EXPECT_EQ(cluster.ca_pem, "foo");
    EXPECT_EQ(cluster.proxy_url.reveal(), "http://proxy:3128");
    EXPECT_EQ(cluster.exec_config, R"({"audience":"06","deep":[1]})");
    const UserEntry& user = config->users.at(0);
    EXPECT_EQ(user.token.reveal(), "tok");
    EXPECT_EQ(user.token_file, "/run/token");
    EXPECT_EQ(user.certificate.certificate_file, "/etc/parley/cert.pem");
    EXPECT_EQ(user.certificate.certificate_pem.reveal(), "cert");
    EXPECT_EQ(user.certificate.key_file, "/etc/parley/../key.pem");
    EXPECT_EQ(user.certificate.key_pem.reveal(), "key");
    EXPECT_FALSE(user.basic || user.auth_provider || user.impersonates);
    ASSERT_TRUE(user.exec);
    EXPECT_EQ(user.exec->command, "/etc/parley/./bin/login");
    EXPECT_EQ(user.exec->args.at(2).reveal(), "5");
    EXPECT_EQ(user.exec->env.at(0).value.reveal(), "b");
    EXPECT_TRUE(user.exec->provide_cluster_info);
    EXPECT_EQ(user.interactive, "Never");
}

TEST(Kubeconfig, leaves_a_bare_command_to_path_and_an_absolute_one_alone) {
    const auto command = [](const std::string& text) {
        return parse("users: [{name: u, user: {exec: {command: " + text + "}}}]")
            ->users.at(0)
            .exec->command;
    };
    EXPECT_EQ(command("aws"), "aws");
    EXPECT_EQ(command("bin/aws"), "/etc/parley/bin/aws");
    EXPECT_EQ(command("/usr/bin/aws"), "/usr/bin/aws");
}

TEST(Kubeconfig, may_be_blank_or_full_of_nothing) {
    for (const std::string blank :
         {"", "\n", "# none\n\n", "---\n", "apiVersion: v1\nkind: Config\n", "{}", "contexts: null",
          "contexts: []\nclusters: ~\nusers:\n", "users: [{name: u}]", "users: [{name: u, user: }]",
          "users: [{name: u, user: {exec: null, token: ~}}]", "unknown: {anything: [1]}"}) {
        EXPECT_EQ(message_of(parse(blank)), "") << blank;
    }
}

struct Case {
    const char* name;
    std::string text;
    std::string error;
};

class KubeconfigRefuses : public testing::TestWithParam<Case> {};

TEST_P(KubeconfigRefuses, with_one_sentence_a_place_and_a_remedy) {
    EXPECT_EQ(message_of(parse(GetParam().text)), GetParam().error);
}

const std::string kCompare = "; compare with the output of 'kubectl config view'";
const Case kCases[] = {
    {"a_list", "[1]", "f.yaml:1:1: a kubeconfig must be a map, and this is a list" + kCompare},
    {"a_text", kCanary, "f.yaml:1:1: a kubeconfig must be a map, and this is one value" + kCompare},
    {"another_kind", "kind: Secret\nstringData: {token: " + kCanary + "}\n",
     "f.yaml:1:7: this file holds another kind of thing than a kubeconfig, whose kind is Config; "
     "is "
     "it the right file?"},
    {"another_version", "apiVersion: v2\n",
     "f.yaml:1:13: the apiVersion of a kubeconfig is v1; is it the right file?"},
    {"no_yaml", "users:\n- name: u\n  user: {token: " + kCanary + "\n",
     "f.yaml:4:1: this is no YAML: end of map flow not found; check indentation, quotes and "
     "brackets "
     "up to here"},
    {"open_quote", "users:\n- user:\n    token: \"" + kCanary + "\n    name: x",
     "f.yaml:4:12: this is no YAML: illegal EOF in scalar; check indentation, quotes and brackets "
     "up "
     "to here"},
    {"tag", "users: [{user: {token: !" + kCanary + " x}}]",
     "f.yaml:1:24: tags such as a value have no meaning here; remove it"},
    {"alias", "token: *" + kCanary,
     "f.yaml:1:8: this is no YAML: the referenced anchor is not defined; check indentation, quotes "
     "and brackets up to here"},
    {"key_twice", "users: []\nusers: []\n",
     "f.yaml:2:1: \"users\" is set twice; it is also in line 1; remove one"},
    {"secret_twice", "{" + kCanary + ": 1, " + kCanary + ": 2}",
     "f.yaml:1:38: a value is set twice; it is also in line 1; remove one"},
    {"second_document", "users: []\n---\ntoken: " + kCanary,
     "f.yaml:3:1: a second document begins; write one document, without --- in the middle"},
    {"binary", "token: \x01" + kCanary,
     "f.yaml:1:8: this is not UTF-8 text; is it the right file?"},
    {"user_twice", "users:\n- {name: a}\n- {name: a}\n",
     "f.yaml:3:3: the user \"a\" is already in line 2; rename or remove one"},
    {"cluster_twice", "clusters: [{name: a}, {name: a}]",
     "f.yaml:1:23: the cluster \"a\" is already in line 1; rename or remove one"},
    {"not_base64", "users: [{name: u, user: {client-key-data: \"" + kCanary + "!\"}}]",
     "f.yaml:1:43: \"client-key-data\" is not base64; copy it whole, or name a file with "
     "\"client-key\""},
    {"nul_in_path", R"(clusters: [{name: c, cluster: {certificate-authority: "/a\0b"}}])",
     "f.yaml:1:55: \"certificate-authority\" holds a NUL character; remove it"},
    {"nul_in_argument", R"(users: [{name: u, user: {exec: {command: a, args: ["x\0y"]}}}])",
     "f.yaml:1:52: each of \"args\" holds a NUL character; remove it"},
    {"bool_as_text", "clusters: [{name: c, cluster: {insecure-skip-tls-verify: 'true'}}]",
     "f.yaml:1:58: \"insecure-skip-tls-verify\" must be true or false; write one of them, without "
     "quotes"},
    {"bool_as_yes", "clusters: [{name: c, cluster: {insecure-skip-tls-verify: yes}}]",
     "f.yaml:1:58: \"insecure-skip-tls-verify\" must be true or false; write one of them, without "
     "quotes"},
    {"nameless_variable", "users: [{name: u, user: {exec: {env: [{value: " + kCanary + "}]}}}]",
     "f.yaml:1:39: a variable of \"env\" has no name, or one with =; give it a name"},
};
INSTANTIATE_TEST_SUITE_P(Table, KubeconfigRefuses, testing::ValuesIn(kCases),
                         [](const auto& tested) { return tested.param.name; });

/// Each known key with a value of every wrong type; `%` is where the value stands.
TEST(Kubeconfig, refuses_the_wrong_type_of_every_key) {
    const auto in_cluster = [](const std::string& key) {
        return "clusters: [{name: c, cluster: {" + key + ": %}}]";
    };
    const auto in_user = [](const std::string& key) {
        return "users: [{name: u, user: {" + key + ": %}}]";
    };
    const auto in_exec = [](const std::string& key) {
        return "users: [{name: u, user: {exec: {" + key + ": %}}}]";
    };
    std::vector<std::string> texts = {"current-context: %",
                                      "kind: %",
                                      "apiVersion: %",
                                      "contexts: [{name: %}]",
                                      "contexts: [{name: c, context: {cluster: %}}]",
                                      "contexts: [{name: c, context: {user: %}}]",
                                      "contexts: [{name: c, context: {namespace: %}}]"};
    for (const auto* key :
         {"server", "tls-server-name", "certificate-authority", "proxy-url",
          "certificate-authority-data", "insecure-skip-tls-verify", "disable-compression"}) {
        texts.push_back(in_cluster(key));
    }
    for (const auto* key : {"token", "tokenFile", "client-certificate", "client-certificate-data",
                            "client-key", "client-key-data", "username", "password"}) {
        texts.push_back(in_user(key));
    }
    for (const auto* key :
         {"command", "apiVersion", "installHint", "interactiveMode", "provideClusterInfo"}) {
        texts.push_back(in_exec(key));
    }
    texts.push_back("users: [{name: u, user: {exec: {args: [%]}}}]");
    texts.push_back("users: [{name: u, user: {exec: {env: [{name: a, value: %}]}}}]");
    for (const std::string& text : texts) {
        for (const std::string& wrong : {"[" + kCanary + "]", "{a: " + kCanary + "}"}) {
            std::string whole = text;
            whole.replace(whole.find('%'), 1, wrong);
            EXPECT_NE(message_of(parse(whole)).find(" must be one value, and this is a "),
                      std::string::npos)
                << whole << ": " << message_of(parse(whole));
        }
    }
    for (const std::string text :
         {"contexts: %", "clusters: %", "users: %", "contexts: [%]", "clusters: [%]", "users: [%]",
          "contexts: [{name: c, context: %}]", "clusters: [{name: c, cluster: %}]",
          "users: [{name: u, user: %}]", "users: [{name: u, user: {exec: %}}]",
          "users: [{name: u, user: {exec: {args: %}}}]",
          "users: [{name: u, user: {exec: {env: %}}}]",
          "users: [{name: u, user: {exec: {env: [%]}}}]",
          "clusters: [{name: c, cluster: {extensions: %}}]",
          "clusters: [{name: c, cluster: {extensions: [%]}}]"}) {
        std::string whole = text;
        whole.replace(whole.find('%'), 1, kCanary);
        EXPECT_NE(message_of(parse(whole)).find(", and this is one value"), std::string::npos)
            << whole << ": " << message_of(parse(whole));
    }
}

TEST(Kubeconfig, refuses_what_wants_to_exhaust_it) {
    std::string bomb = "a0: &a0 [x,x,x,x,x,x,x,x,x,x]\n";
    for (int i = 1; i < 30; ++i) {
        const std::string before = "*a" + std::to_string(i - 1) + ",";
        bomb += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [" + repeat(before, 10) +
                "]\n";
    }
    EXPECT_EQ(message_of(parse(bomb)),
              "f.yaml:5:34: it has more than 100,000 values with aliases written out; use fewer");
    EXPECT_NE(message_of(parse("a: " + repeat("[", 500'000))), "");
    EXPECT_EQ(message_of(parse("a: &a [*a]")),
              "f.yaml:1:8: an alias stands inside what it repeats; write it out");
    EXPECT_EQ(message_of(parse("a: " + repeat("x", 2 << 20))),
              "f.yaml: it has 2097155 bytes, and 1048576 are allowed; is it the right file?");
    const std::string deep =
        "clusters: [{name: c, cluster: {extensions: [{name: "
        "client.authentication.k8s.io/exec, extension: " +
        repeat("[", 50) + repeat("]", 50) + "}]}}]";
    EXPECT_EQ(message_of(parse(deep)), "");
}

TEST(Kubeconfig, survives_text_cut_off_or_changed_anywhere_without_telling_secrets) {
    const std::string whole =
        "contexts: [{name: a, context: {cluster: c}}]\nusers:\n- name: u\n"
        "  user:\n    token: \"" +
        kCanary + "\"\n    exec: {args: [" + kCanary + "], env: [{name: A, value: '" + kCanary +
        "'}]}\n";
    for (std::size_t i = 0; i < whole.size(); ++i) {
        message_of(parse(whole.substr(0, i)));
        for (const char c : std::string("&*![]{}:?-|>%@`\"'#,\n\t \\~")) {
            std::string text = whole;
            text[i] = c;
            message_of(parse(text));
        }
    }
}

TEST(Merge, keeps_the_first_of_everything_and_entries_whole) {
    Kubeconfig config = *parse("users: [{name: u, user: {token: first}}]\ncontexts: [{name: a}]\n");
    merge(config, *parse_kubeconfig("g.yaml", R"(current-context: b
contexts: [{name: b, context: {cluster: c}}, {name: a, context: {cluster: c}}]
users: [{name: u, user: {token: second, tokenFile: t}}, {name: v}]
clusters: [{name: c, cluster: {certificate-authority: ca}}])",
                                    "/other"));
    merge(config,
          *parse("current-context: a\nclusters: [{name: c, cluster: {server: 'https://x'}}]"));
    EXPECT_EQ(config.current_context, "b");
    EXPECT_EQ(config.current_at.file, "g.yaml");
    ASSERT_EQ(config.users.size(), 2U);
    EXPECT_EQ(config.users[0].token.reveal(), "first");
    EXPECT_EQ(config.users[0].token_file, "");  // Not blended.
    EXPECT_EQ(config.contexts.at(0).cluster, "");
    EXPECT_EQ(config.contexts.at(1).name, "b");
    ASSERT_EQ(config.clusters.size(), 1U);
    EXPECT_EQ(config.clusters[0].ca_file, "/other/ca");
    EXPECT_EQ(config.clusters[0].server, "");
}

}  // namespace
}  // namespace parley::kube
