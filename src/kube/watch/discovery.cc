#include "kube/watch/discovery.h"

#include "kube/decode/decode.h"
#include "kube/decode/decode_json.h"

namespace parley::kube {

Result<std::string> server_version(std::string_view body) {
    const auto marks = mark_json(body, kObjectBytesMax);
    if (!marks) return tl::unexpected(marks.error());
    JsonWalk walk(*marks);
    std::string version;
    walk.fields([&](std::string_view key) {
        if (key != "gitVersion") return;
        if (const auto text = walk.text()) version = *text;
    });
    if (version.starts_with('v')) version.erase(0, 1);
    if (walk.broken() || version.empty()) {
        return fail(ErrorCode::malformed, "the answer names no version of Kubernetes");
    }
    return version;
}

Result<std::set<std::string>> served_versions(std::string_view body) {
    const auto marks = mark_json(body, kObjectBytesMax);
    if (!marks) return tl::unexpected(marks.error());
    JsonWalk walk(*marks);
    std::set<std::string> served;
    bool is_list = false;
    const auto version = [&](std::string_view key) {
        if (key != "groupVersion") return;
        if (const auto text = walk.text()) served.emplace(*text);
    };
    const auto group = [&](std::string_view key) {
        if (key == "versions") walk.items([&] { walk.fields(version); });
    };
    walk.fields([&](std::string_view key) {
        if (key != "groups") return;
        is_list = true;
        walk.items([&] { walk.fields(group); });
    });
    if (walk.broken() || !is_list) {
        return fail(ErrorCode::malformed, "the answer lists no API groups");
    }
    return served;
}

}  // namespace parley::kube
