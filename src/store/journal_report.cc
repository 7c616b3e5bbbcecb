#include "store/journal_report.h"

#include <charconv>

namespace parley::store {
namespace {

constexpr std::size_t kDigits = 6;
constexpr std::string_view kSuffix = ".log";

std::string padded(std::uint32_t segment) {
    std::string digits = std::to_string(segment);
    if (digits.size() < kDigits) digits.insert(0, kDigits - digits.size(), '0');
    return digits;
}

}  // namespace

std::string text_of(const Damage& damage) {
    std::string text = "segment " + padded(damage.segment) + ", ";
    if (damage.length == 0) {
        text += "before byte " + std::to_string(damage.offset);
    } else {
        text += "bytes " + std::to_string(damage.offset) + " to " +
                std::to_string(damage.offset + damage.length - 1);
    }
    if (damage.last_lost < damage.first_lost) {
        text += ": no frame is lost";
    } else if (damage.last_lost == damage.first_lost) {
        text += ": frame " + std::to_string(damage.first_lost) + " is lost";
    } else {
        text += ": frames " + std::to_string(damage.first_lost) + " to " +
                std::to_string(damage.last_lost) + " are lost";
    }
    return text + ": " + damage.why;
}

std::string segment_name(std::uint32_t segment) { return padded(segment).append(kSuffix); }

std::optional<std::uint32_t> segment_number(const std::string& name) {
    if (!name.ends_with(kSuffix)) return std::nullopt;
    std::uint32_t segment = 0;
    const char* end = name.data() + name.size() - kSuffix.size();
    const auto [stop, error] = std::from_chars(name.data(), end, segment);
    if (error != std::errc() || stop != end || segment_name(segment) != name) return std::nullopt;
    return segment == 0 ? std::nullopt : std::optional(segment);
}

}  // namespace parley::store
