#include "prometheus/directory.h"

#include <boost/asio/ip/address.hpp>

#include <algorithm>
#include <array>
#include <utility>

namespace parley::prometheus {
namespace {

constexpr std::size_t kNobody = static_cast<std::size_t>(-1);

/// A key that two targets share matches neither.
void put(std::unordered_map<std::string, std::size_t>& places, std::string key, std::size_t place) {
    if (key.empty()) return;
    const auto [at, added] = places.try_emplace(std::move(key), place);
    if (!added && at->second != place) at->second = kNobody;
}

std::optional<std::size_t> get(const std::unordered_map<std::string, std::size_t>& places,
                               const std::string& key) {
    const auto found = places.find(key);
    if (found == places.end() || found->second == kNobody) return std::nullopt;
    return found->second;
}

/// One spelling for an address; a name as it is.
std::string one_spelling(std::string_view host) {
    boost::system::error_code failed;
    const auto address = boost::asio::ip::make_address(std::string(host), failed);
    return failed ? std::string(host) : address.to_string();
}

bool all_digits(std::string_view text) {
    return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

std::string both(std::string_view space, std::string_view name) {
    return std::string(space) + "/" + std::string(name);
}

/// The kind that a label's name implies; empty: any.
std::string kind_named_by(std::string_view label) {
    if (label == "deployment") return "deployment:";
    if (label == "statefulset") return "stateful_set:";
    if (label == "daemonset") return "daemon_set:";
    return "";
}

std::string kind_of(model::WorkloadKind kind) {
    switch (kind) {
        case model::WorkloadKind::deployment:
            return "deployment:";
        case model::WorkloadKind::stateful_set:
            return "stateful_set:";
        case model::WorkloadKind::daemon_set:
            return "daemon_set:";
        case model::WorkloadKind::job:
        case model::WorkloadKind::bare:
            break;
    }
    return "other:";
}

}  // namespace

std::string host_of(std::string_view instance) {
    if (instance.starts_with('[')) {
        const std::size_t end = instance.find(']');
        if (end == std::string_view::npos) return "";
        const std::string_view port = instance.substr(end + 1);
        if (!port.empty() && !(port[0] == ':' && all_digits(port.substr(1)))) return "";
        return one_spelling(instance.substr(1, end - 1));
    }
    const std::size_t colon = instance.find(':');
    if (colon == std::string_view::npos ||
        instance.find(':', colon + 1) != std::string_view::npos) {
        return one_spelling(instance);  // No port, or an IPv6 address without brackets.
    }
    if (!all_digits(instance.substr(colon + 1))) return "";
    return one_spelling(instance.substr(0, colon));
}

Lookup::Lookup(const Directory& directory) {
    for (std::size_t i = 0; i < directory.nodes.size(); ++i) {
        const KnownNode& node = directory.nodes[i];
        put(nodes_, node.name, i);
        for (const std::string& each : node.addresses) put(addresses_, one_spelling(each), i);
    }
    for (std::size_t i = 0; i < directory.workloads.size(); ++i) {
        const model::WorkloadId& id = directory.workloads[i].id;
        const std::string name = both(id.space.view(), id.name.view());
        put(workloads_, name, i);
        put(workloads_, kind_of(id.kind) + name, i);
    }
    for (std::size_t i = 0; i < directory.pods.size(); ++i) {
        put(pods_, both(directory.pods[i].space, directory.pods[i].name), i);
    }
}

std::optional<std::size_t> Lookup::node_called(std::string_view text) const {
    const std::string name(text);
    if (const auto found = get(nodes_, name)) return found;
    return get(addresses_, one_spelling(name));
}

void Lookup::learn(const Answer& names) {
    for (const Series& each : names.series) {
        const std::string* instance = each.label("instance");
        const std::string* name = each.label("nodename");
        if (instance == nullptr || name == nullptr) continue;
        put(instances_, *instance, node_called(*name).value_or(kNobody));
    }
}

std::optional<std::size_t> Lookup::find(const Series& series, const Query& query) const {
    if (query.target == Target::node) return node(series, query);
    if (query.target == Target::workload) return workload(series, query);
    const std::string* space = series.label(query.space);
    if (space == nullptr) return std::nullopt;
    for (const std::string& label : naming_labels(query)) {
        if (const std::string* name = series.label(label)) return get(pods_, both(*space, *name));
    }
    return std::nullopt;
}

std::optional<std::size_t> Lookup::by_instance(const Series& series) const {
    const std::string* instance = series.label("instance");
    if (instance == nullptr) return std::nullopt;
    const std::string host = host_of(*instance);
    if (!host.empty()) {
        if (const auto found = get(addresses_, host)) return found;
        if (const auto found = get(nodes_, host)) return found;
    }
    return get(instances_, *instance);
}

std::optional<std::size_t> Lookup::node(const Series& series, const Query& query) const {
    for (const std::string& label : naming_labels(query)) {
        if (const std::string* name = series.label(label)) return get(nodes_, *name);
    }
    if (const auto found = by_instance(series)) return found;
    static constexpr std::array kRest = {"kubernetes_node", "kubernetes_io_hostname", "host",
                                         "hostname", "nodename"};
    for (const char* label : kRest) {
        const std::string* name = series.label(label);
        if (name == nullptr) continue;
        if (const auto found = node_called(*name)) return found;
    }
    return std::nullopt;
}

std::optional<std::size_t> Lookup::workload(const Series& series, const Query& query) const {
    const std::string* space = series.label(query.space);
    if (space == nullptr) return std::nullopt;
    for (const std::string& label : naming_labels(query)) {
        const std::string* name = series.label(label);
        if (name == nullptr) continue;
        return get(workloads_, kind_named_by(label) + both(*space, *name));
    }
    return std::nullopt;
}

}  // namespace parley::prometheus
