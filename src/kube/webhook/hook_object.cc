#include "kube/webhook/hook_object.h"

#include "base/base64.h"
#include "base/json_read.h"
#include "kube/webhook/hook_server.h"
#include "kube/write/json_parts.h"

namespace parley::kube {
namespace {

/// What the API server waits for us; then it goes on without us.
constexpr const char* kTimeout = "2";

/// Our one webhook; null: there is another number of them.
const Json* only_hook(const Json& object) {
    const Json* list = object.find("webhooks");
    const JsonItems* items = list != nullptr ? list->items() : nullptr;
    return items != nullptr && items->size() == 1 ? &items->front() : nullptr;
}

HookWish wish_of(const Json* client) {
    const Json* service = part_at(client, "service");
    HookPlace place{std::string(text_or_none(client, "url")),
                    std::string(text_or_none(service, "namespace")),
                    std::string(text_or_none(service, "name"))};
    if (service != nullptr && text_or_none(service, "path") != kHookPath) place = {};
    return {std::move(place),
            decode_base64(text_or_none(client, "caBundle")).value_or(std::string())};
}

std::string client_json(const HookWish& wish) {
    const HookPlace& place = wish.place;
    const std::string where = place.url.empty()
                                  ? R"("service":{"namespace":)" + quoted(place.space) +
                                        R"(,"name":)" + quoted(place.service) + R"(,"path":)" +
                                        quoted(kHookPath) + R"(,"port":443})"
                                  : R"("url":)" + quoted(place.url);
    return "{" + where + R"(,"caBundle":")" + encode_base64(wish.bundle_pem) + R"("})";
}

}  // namespace

Result<HookSeen> read_hook(std::string_view body) {
    const auto json = parse_json(body);
    if (!json) return tl::unexpected(json.error());
    const Json* meta = json->find("metadata");
    if (text_or_none(part_at(meta, "labels"), "app.kubernetes.io/managed-by") != "parley") {
        return fail(
            ErrorCode::denied,
            "it is not labelled as Parley's, so it is somebody else's: rename or delete it");
    }
    HookSeen seen{.object = {std::string(text_or_none(meta, "uid")),
                             std::string(text_or_none(meta, "resourceVersion"))}};
    const Json* hook = only_hook(*json);
    const Json* timeout = part_at(hook, "timeoutSeconds");
    seen.says = wish_of(part_at(hook, "clientConfig"));
    seen.harmless = text_or_none(hook, "failurePolicy") == "Ignore" && timeout != nullptr &&
                    timeout->raw == kTimeout;
    return seen;
}

std::string hook_body(std::string_view home, const HookWish& wish, const HookSeen* seen) {
    std::string meta = R"("metadata":{"name":)" + quoted(kHookName);
    if (seen != nullptr) {
        meta += R"(,"uid":)" + quoted(seen->object.uid) + R"(,"resourceVersion":)" +
                quoted(seen->object.version);
    }
    meta += R"(,"labels":{"app.kubernetes.io/managed-by":"parley"}})";
    // The same namespaces and Jobs as in deploy/admission/queue.yaml.
    const std::string selectors =
        R"("namespaceSelector":{"matchLabels":{"parley.dev/admission":"allowed"},)"
        R"("matchExpressions":[{"key":"kubernetes.io/metadata.name","operator":"NotIn",)"
        R"("values":["kube-system",)" +
        quoted(home) +
        R"(]}]},"objectSelector":{"matchExpressions":[)"
        R"({"key":"kueue.x-k8s.io/queue-name","operator":"DoesNotExist"}]})";
    return R"({"apiVersion":"admissionregistration.k8s.io/v1",)"
           R"("kind":"MutatingWebhookConfiguration",)" +
           meta + R"(,"webhooks":[{"name":"queue.parley.dev","clientConfig":)" + client_json(wish) +
           R"(,"rules":[{"apiGroups":["batch"],"apiVersions":["v1"],"operations":["CREATE"],)"
           R"("resources":["jobs"],"scope":"Namespaced"}],"failurePolicy":"Ignore",)"
           R"("matchPolicy":"Equivalent","reinvocationPolicy":"IfNeeded","sideEffects":"None",)"
           R"("timeoutSeconds":)" +
           kTimeout + R"(,"admissionReviewVersions":["v1"],)" + selectors + "}]}";
}

}  // namespace parley::kube
