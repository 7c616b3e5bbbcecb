#include "kube/access/kubeconfig.h"

#include "base/base64.h"
#include "base/file.h"
#include "config/yaml.h"
#include "kube/access/kubeconfig_json.h"
#include "kube/access/kubeconfig_text.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>

namespace parley::kube {
namespace {

using config::Entry;
using config::Node;
using config::Shape;

constexpr std::string_view kExecExtension = "client.authentication.k8s.io/exec";

/// Quoted words of an error that may be shown: keys, and nothing that might be secret.
constexpr std::array<std::string_view, 34> kKeys = {"apiVersion",
                                                    "kind",
                                                    "current-context",
                                                    "contexts",
                                                    "clusters",
                                                    "users",
                                                    "preferences",
                                                    "extensions",
                                                    "name",
                                                    "context",
                                                    "cluster",
                                                    "user",
                                                    "namespace",
                                                    "server",
                                                    "tls-server-name",
                                                    "proxy-url",
                                                    "token",
                                                    "certificate-authority",
                                                    "username",
                                                    "password",
                                                    "certificate-authority-data",
                                                    "exec",
                                                    "command",
                                                    "client-certificate",
                                                    "args",
                                                    "env",
                                                    "client-certificate-data",
                                                    "value",
                                                    "installHint",
                                                    "client-key",
                                                    "interactiveMode",
                                                    "client-key-data",
                                                    "insecure-skip-tls-verify",
                                                    "tokenFile"};

/// Reduces an error that also shows the line, which may hold a token, to "x.yaml:3:5: sentence;
/// hint".
Error without_excerpt(Error error) {
    std::string& message = error.message;
    std::string hint;
    if (const std::size_t end = message.find('\n'); end != std::string::npos) {
        const std::size_t caret = message.rfind('^');
        if (caret != std::string::npos && caret > end) hint = message.substr(caret + 1);
        message.resize(end);
    }
    const std::size_t open = message.find('"');
    const std::size_t close = message.rfind('"');
    if (open != std::string::npos && close > open) {
        const std::string word = message.substr(open + 1, close - open - 1);
        if (std::ranges::find(kKeys, word) == kKeys.end())
            message.replace(open, close - open + 1, "a value");
    }
    if (!hint.empty()) message += ";" + hint;
    return error;
}

/// Whether YAML sees an empty document.
bool is_blank(std::string_view text) {
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        std::string_view line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        const std::size_t first = line.find_first_not_of(" \t\r");
        if (first == std::string_view::npos || line[first] == '#') continue;
        line = line.substr(first);
        if (line != "---" && line != "---\r") return false;
    }
    return true;
}

const Node* find(const Node& map, std::string_view key) {
    const auto found = std::ranges::find(map.entries, key, &Entry::key);
    return found == map.entries.end() || found->value.shape == Shape::nothing ? nullptr
                                                                              : &found->value;
}

/// Reads the tree of one file. Only the first error is kept; what is read after it does not matter.
class FileReader {
public:
    FileReader(std::string name, std::string folder)
        : name_(std::move(name)), folder_(std::move(folder)) {}

    Result<Kubeconfig> read(const Node& root) {
        Kubeconfig out;
        if (root.shape == Shape::nothing) return out;
        if (!is(root, Shape::map, "a kubeconfig")) return tl::unexpected(*error_);
        check_kind(root);
        out.current_context = text(root, "current-context");
        if (const Node* node = find(root, "current-context")) out.current_at = at(*node);
        read_list(root, "contexts", "context", out.contexts,
                  [this](const Node& n, ContextEntry& e) { read_context(n, e); });
        read_list(root, "clusters", "cluster", out.clusters,
                  [this](const Node& n, ClusterEntry& e) { read_cluster(n, e); });
        read_list(root, "users", "user", out.users,
                  [this](const Node& n, UserEntry& e) { read_user(n, e); });
        if (error_) return tl::unexpected(*error_);
        return out;
    }

private:
    Standing at(const Node& node) const { return {name_, node.place}; }

    void refuse(const Node& node, const std::string& sentence) {
        if (!error_) error_ = Error{ErrorCode::malformed, at(node).text() + ": " + sentence, {}};
    }

    bool is(const Node& node, Shape shape, const std::string& what) {
        if (node.shape == shape) return true;
        static constexpr std::array<const char*, 4> kNames = {"empty", "one value", "a list",
                                                              "a map"};
        const std::string wanted = kNames[static_cast<std::size_t>(shape)];
        refuse(node, what + " must be " + wanted + ", and this is " +
                         kNames[static_cast<std::size_t>(node.shape)] +
                         "; compare with the output of 'kubectl config view'");
        return false;
    }

    /// One value as text. Refuses NUL, which YAML can express and which would cut paths and
    /// arguments.
    std::string scalar(const Node& node, const std::string& what) {
        if (!is(node, Shape::scalar, what)) return "";
        if (node.text.find('\0') == std::string::npos) return node.text;
        refuse(node, what + " holds a NUL character; remove it");
        return "";
    }

    std::string text(const Node& map, std::string_view key) {
        const Node* node = find(map, key);
        return node == nullptr ? "" : scalar(*node, in_marks(key));
    }

    bool flag(const Node& map, std::string_view key) {
        const Node* node = find(map, key);
        if (node == nullptr || !is(*node, Shape::scalar, in_marks(key))) return false;
        const bool yes = node->text == "true";
        if (node->quoted || (!yes && node->text != "false")) {
            refuse(*node,
                   in_marks(key) + " must be true or false; write one of them, without quotes");
        }
        return yes;
    }

    /// A path relative to the folder of this file.
    std::string path(const Node& map, std::string_view key) {
        std::string value = text(map, key);
        return value.empty() || value.starts_with('/') ? value : join(folder_, value);
    }

    std::string decoded(const Node& map, std::string_view key) {
        const std::string value = text(map, key);
        auto bytes = decode_base64(value);
        if (!bytes) {
            refuse(*find(map, key), in_marks(key) +
                                        " is not base64; copy it whole, or name a file with " +
                                        in_marks(key.substr(0, key.rfind('-'))));
        }
        return bytes.value_or("");
    }

    const std::vector<Node>& items(const Node& map, std::string_view key) {
        static const std::vector<Node> none;
        const Node* node = find(map, key);
        return node != nullptr && is(*node, Shape::list, in_marks(key)) ? node->items : none;
    }

    void check_kind(const Node& root) {
        const std::string kind = text(root, "kind");
        const std::string version = text(root, "apiVersion");
        if (!kind.empty() && kind != "Config") {
            refuse(*find(root, "kind"),
                   "this file holds another kind of thing than a kubeconfig, "
                   "whose kind is Config; is it the right file?");
        } else if (!version.empty() && version != "v1") {
            refuse(*find(root, "apiVersion"),
                   "the apiVersion of a kubeconfig is v1; is it the right file?");
        }
    }

    /// A list of {name: N, `inner`: {...}}; names must be unique.
    template <class E, class Read>
    void read_list(const Node& root, std::string_view key, std::string_view inner,
                   std::vector<E>& out, Read read) {
        for (const Node& item : items(root, key)) {
            if (!is(item, Shape::map, "each of " + in_marks(key))) return;
            E entry{.name = text(item, "name"), .at = at(item)};
            const auto twice = std::ranges::find(out, entry.name, &E::name);
            if (twice != out.end()) {
                refuse(item, "the " + std::string(inner) + " " + in_marks(entry.name) +
                                 " is already in line " + std::to_string(twice->at.place.line) +
                                 "; rename or remove one");
            }
            const Node* content = find(item, inner);
            if (content != nullptr && is(*content, Shape::map, in_marks(inner)))
                read(*content, entry);
            out.push_back(std::move(entry));
        }
    }

    void read_context(const Node& node, ContextEntry& out) {
        out.cluster = text(node, "cluster");
        out.user = text(node, "user");
        out.default_namespace = text(node, "namespace");
    }

    void read_cluster(const Node& node, ClusterEntry& out) {
        out.server = text(node, "server");
        out.tls_server_name = text(node, "tls-server-name");
        out.insecure = flag(node, "insecure-skip-tls-verify");
        out.ca_file = path(node, "certificate-authority");
        out.ca_pem = decoded(node, "certificate-authority-data");
        out.proxy_url = Secret(text(node, "proxy-url"));
        out.compressed = !flag(node, "disable-compression");
        for (const Node& item : items(node, "extensions")) {
            if (!is(item, Shape::map, "each of \"extensions\"")) return;
            const Node* extension = find(item, "extension");
            if (text(item, "name") == kExecExtension && extension != nullptr) {
                out.exec_config = to_json_text(*extension);
            }
        }
    }

    void read_user(const Node& node, UserEntry& out) {
        out.token = Secret(text(node, "token"));
        out.token_file = path(node, "tokenFile");
        out.certificate = {.certificate_pem = Secret(decoded(node, "client-certificate-data")),
                           .certificate_file = path(node, "client-certificate"),
                           .key_pem = Secret(decoded(node, "client-key-data")),
                           .key_file = path(node, "client-key")};
        const std::string username = text(node, "username");
        const std::string password = text(node, "password");
        out.basic = !username.empty() || !password.empty();
        out.auth_provider = find(node, "auth-provider") != nullptr;
        for (const auto* key : {"as", "as-uid", "as-groups", "as-user-extra"}) {
            out.impersonates = out.impersonates || find(node, key) != nullptr;
        }
        const Node* exec = find(node, "exec");
        if (exec != nullptr && is(*exec, Shape::map, "\"exec\"")) read_exec(*exec, out);
    }

    void read_exec(const Node& node, UserEntry& out) {
        ExecPlugin plugin{.command = text(node, "command"),
                          .api_version = text(node, "apiVersion"),
                          .install_hint = text(node, "installHint"),
                          .provide_cluster_info = flag(node, "provideClusterInfo")};
        if (plugin.command.find('/') != std::string::npos) plugin.command = path(node, "command");
        out.interactive = text(node, "interactiveMode");
        for (const Node& item : items(node, "args")) {
            plugin.args.emplace_back(scalar(item, "each of \"args\""));
        }
        for (const Node& item : items(node, "env")) {
            if (!is(item, Shape::map, "each of \"env\"")) break;
            Variable variable{text(item, "name"), Secret(text(item, "value"))};
            if (variable.name.empty() || variable.name.find('=') != std::string::npos) {
                refuse(item, "a variable of \"env\" has no name, or one with =; give it a name");
            }
            plugin.env.push_back(std::move(variable));
        }
        out.exec = std::move(plugin);
    }

    std::string name_;
    std::string folder_;
    std::optional<Error> error_;
};

template <class E>
void add_missing(std::vector<E>& first, std::vector<E> later) {
    for (E& entry : later) {
        const bool known = std::ranges::find(first, entry.name, &E::name) != first.end();
        if (!known) first.push_back(std::move(entry));
    }
}

}  // namespace

std::string Standing::text() const {
    const std::string name = config::printable(file);
    if (place.line == 0) return name;
    return name + ":" + std::to_string(place.line) + ":" + std::to_string(place.column);
}

Result<Kubeconfig> parse_kubeconfig(const std::string& name, std::string text,
                                    const std::string& folder) {
    if (is_blank(text)) return Kubeconfig{};
    const auto source = config::text_source(name, std::move(text));
    if (!source) return tl::unexpected(source.error());
    const auto root = config::parse_yaml(*source);
    if (!root) return tl::unexpected(without_excerpt(root.error()));
    return FileReader(name, folder).read(*root);
}

void merge(Kubeconfig& config, Kubeconfig later) {
    if (config.current_context.empty()) {
        config.current_context = std::move(later.current_context);
        config.current_at = std::move(later.current_at);
    }
    add_missing(config.contexts, std::move(later.contexts));
    add_missing(config.clusters, std::move(later.clusters));
    add_missing(config.users, std::move(later.users));
}

}  // namespace parley::kube
