#include "model/pod.h"

#include <algorithm>

namespace parley::model {

PodName PodName::of(std::string_view stem, std::string_view tail) {
    PodName name;
    if (tail.size() > name.tail.size()) {
        name.stem = Name::of(std::string(stem) + std::string(tail));
        return name;
    }
    name.stem = Name::of(stem);
    std::ranges::copy(tail, name.tail.begin());
    return name;
}

std::string PodName::text() const {
    const auto end = std::ranges::find(tail, '\0');
    return stem.str() + std::string(tail.begin(), end);
}

}  // namespace parley::model
