#include "kube/exercise/exercise_objects.h"

#include "base/json.h"
#include "base/quantity.h"
#include "kube/decode/decode.h"
#include "kube/decode/decode_json.h"

namespace parley::kube {
namespace {

std::string member(std::string_view key, std::string_view value) {
    return to_json(std::string(key)) + ":" + to_json(std::string(value));
}

/// Arguments of the pod's program: the image has its own entry point, and pause needs none.
std::string arguments_of(const cluster::Filler& filler) {
    if (!filler.burns_cpu && !filler.holds_memory) return "";
    std::string words = R"(,"args":["load")";
    if (filler.burns_cpu) words += R"(,"--cpu",)" + to_json(print_millicores(filler.cpu_m));
    if (filler.holds_memory) words += R"(,"--memory",)" + to_json(print_bytes(filler.memory));
    return words + "]";
}

/// By the node's name, which is a field; the label of that name may differ.
std::string place_of(const cluster::Filler& filler) {
    if (filler.nowhere) return R"(,"nodeSelector":{)" + member(kNoSuchSlot, "unavailable") + "}";
    if (filler.node.empty()) return "";
    return R"(,"affinity":{"nodeAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":)"
           R"({"nodeSelectorTerms":[{"matchFields":[{"key":"metadata.name","operator":"In",)"
           R"("values":[)" +
           to_json(filler.node) + "]}]}]}}}";
}

/// Goes into one field of an object; each(key) is called with the walk at the value.
template <class Each>
void in_object(JsonWalk& walk, std::string_view name, Each&& each) {
    walk.fields([&](std::string_view key) {
        if (key == name) walk.fields(each);
    });
}

}  // namespace

std::string namespace_body(std::string_view name) {
    return R"({"apiVersion":"v1","kind":"Namespace","metadata":{)" + member("name", name) +
           R"(,"labels":{)" + member(kExerciserLabel, kExerciserValue) + R"(},"annotations":{)" +
           member(kMadeByAnnotation, kMadeByValue) + "}}}";
}

std::string deployment_body(const cluster::Filler& filler, std::string_view image) {
    const std::string labels = "{" + member(kExerciserLabel, kExerciserValue) + "," +
                               member("app.kubernetes.io/managed-by", "parley") + "," +
                               member("app.kubernetes.io/name", filler.phase) + "," +
                               member("app.kubernetes.io/instance", filler.name) + "}";
    const std::string amounts = "{" + member("cpu", print_millicores(filler.cpu_m)) + "," +
                                member("memory", print_bytes(filler.memory)) + "}";
    std::string body = R"({"apiVersion":"apps/v1","kind":"Deployment","metadata":{)" +
                       member("name", filler.name) + R"(,"labels":)" + labels + "}";
    body += R"(,"spec":{"replicas":)" + std::to_string(filler.pods) +
            R"(,"revisionHistoryLimit":0,"selector":{"matchLabels":)" + labels +
            R"(},"template":{"metadata":{"labels":)" + labels + "}";
    // The strictest level of Pod Security Admission lets this in.
    body += R"(,"spec":{"terminationGracePeriodSeconds":0,"automountServiceAccountToken":false,)"
            R"("enableServiceLinks":false,"securityContext":{"runAsNonRoot":true,)"
            R"("runAsUser":65532,"runAsGroup":65532,"seccompProfile":{"type":"RuntimeDefault"}})" +
            place_of(filler);
    body += R"(,"containers":[{"name":"filler","image":)" + to_json(std::string(image)) +
            R"(,"imagePullPolicy":"IfNotPresent")" + arguments_of(filler) +
            R"(,"resources":{"requests":)" + amounts + R"(,"limits":)" + amounts +
            R"(},"securityContext":{"allowPrivilegeEscalation":false,)"
            R"("readOnlyRootFilesystem":true,"capabilities":{"drop":["ALL"]}}}]}}}})";
    return body;
}

Result<NamespaceSeen> read_namespace(std::string_view body) {
    const auto marks = mark_json(body, kObjectBytesMax);
    if (!marks) return tl::unexpected(marks.error());
    JsonWalk walk(*marks);
    NamespaceSeen seen;
    in_object(walk, "metadata", [&](std::string_view key) {
        if (key == "uid") seen.uid = walk.text().value_or("");
        if (key == "deletionTimestamp") seen.leaving = walk.text().has_value();
        if (key == "annotations") {
            walk.fields([&](std::string_view name) {
                if (name == kMadeByAnnotation) seen.made_here = walk.text() == kMadeByValue;
            });
        }
    });
    if (walk.broken() || walk.at_fault() || seen.uid.empty()) {
        return fail(ErrorCode::malformed, "the answer is no namespace");
    }
    return seen;
}

Result<std::vector<std::string>> read_names(std::string_view body, std::size_t max) {
    const auto marks = mark_json(body, kPageBytesMax);
    if (!marks) return tl::unexpected(marks.error());
    JsonWalk walk(*marks);
    std::vector<std::string> names;
    bool is_list = false;
    walk.fields([&](std::string_view key) {
        if (key != "items") return;
        is_list = true;
        walk.items([&] {
            in_object(walk, "metadata", [&](std::string_view inner) {
                if (inner == "name" && names.size() < max) {
                    names.emplace_back(walk.text().value_or(""));
                }
            });
        });
    });
    if (walk.broken() || !is_list) return fail(ErrorCode::malformed, "the answer is no list");
    return names;
}

}  // namespace parley::kube
