// Kube, changes of our own that the watch has not shown yet: what was written in; about which
// object nothing may be decided yet out.

#pragma once

#include "kube/picture/picture.h"

#include <cstdint>
#include <functional>
#include <map>
#include <string>

namespace parley::kube {

/// After a change of ours an object is as it was before, as far as the picture knows, until the
/// watch has shown the version that the change made. Used on one executor. docs/decisions/0035.
class OwnWrites {
public:
    /// For so long an object is held; a watch that shows nothing for longer is no longer late but
    /// broken, which is noticed otherwise.
    static constexpr Duration kHeld = seconds(15);

    /// `since_boot` is the clock.
    explicit OwnWrites(std::function<Duration()> since_boot) : since_boot_(std::move(since_boot)) {}

    /// We changed this object, and the change made this version or a later one. `said` is how
    /// people call it.
    void wrote(Kind kind, const model::Uid& uid, std::uint64_t version, std::string said);

    /// An object that the picture shows in an older version than we made; empty: there is none.
    /// What the picture does not have was deleted since, or is decided about by nobody.
    std::string unshown(const Picture& picture);

private:
    struct Write {
        Kind kind = Kind::node;
        std::uint64_t version = 0;
        std::string said;
        Duration until;
    };
    std::function<Duration()> since_boot_;
    std::map<model::Uid, Write> writes_;
};

}  // namespace parley::kube
