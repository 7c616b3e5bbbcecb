#include "kube/watch/own_writes.h"

#include <algorithm>
#include <utility>

namespace parley::kube {

void OwnWrites::wrote(Kind kind, const model::Uid& uid, std::uint64_t version, std::string said) {
    Write& write = writes_[uid];
    version = std::max(version, write.version);
    write = {kind, version, std::move(said), since_boot_() + kHeld};
}

std::string OwnWrites::unshown(const Picture& picture) {
    const Duration now = since_boot_();
    std::string held;
    std::erase_if(writes_, [&](const auto& entry) {
        const Write& write = entry.second;
        const auto shown = picture.version_of(write.kind, entry.first);
        const bool over = now >= write.until || (shown && *shown >= write.version);
        if (!over && shown && held.empty()) held = write.said;
        return over;
    });
    return held;
}

}  // namespace parley::kube
