#include "model/ids.h"

#include "base/hash.h"

#include <algorithm>

namespace parley::model {
namespace {

std::string hex(std::uint64_t value) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string out(16, '0');
    for (std::size_t i = 16; i-- > 0; value >>= 4) out[i] = kDigits[value & 15];
    return out;
}

}  // namespace

std::string WorkloadId::text() const {
    std::string out = space.str() + "/";
    if (kind != WorkloadKind::deployment) out += std::string(enum_name(kind)) + "/";
    return out + name.str();
}

std::string text_of(const Target& target) {
    return std::visit([](const auto& id) { return id.text(); }, target);
}

std::string Uid::text() const {
    const std::string digits = hex(high) + hex(low);
    return digits.substr(0, 8) + "-" + digits.substr(8, 4) + "-" + digits.substr(12, 4) + "-" +
           digits.substr(16, 4) + "-" + digits.substr(20);
}

std::string DecisionId::text() const { return hex(high) + hex(low); }

std::uint64_t run_id_of(std::uint64_t seed, std::string_view of) {
    const Digest digest = Sha256().update(hex(seed)).update(of).finish();
    std::uint64_t id = 0;
    for (std::size_t i = 0; i < sizeof id; ++i) id = (id << 8U) | digest[i];
    return std::max<std::uint64_t>(id, 1);
}

}  // namespace parley::model
