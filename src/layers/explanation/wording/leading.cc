#include "layers/explanation/wording/leading.h"

namespace parley::explanation {
namespace {

constexpr const char* kOnlySays = "says only what it would do";

/// ", epoch 3, since 2025-03-01T12:03:00Z", as far as it is known.
std::string term_text(const Leading& leading) {
    std::string text;
    if (leading.epoch > 0) text += ", epoch " + std::to_string(leading.epoch);
    if (!leading.since.empty()) text += ", since " + leading.since;
    return text;
}

}  // namespace

bool same_leader(const Leading& a, const Leading& b) {
    return a.leads == b.leads && a.epoch == b.epoch && a.holder == b.holder &&
           a.trouble.empty() == b.trouble.empty();
}

std::string leading_word(const Leading& leading) { return leading.leads ? "leads" : "follows"; }

std::string leading_text(const Leading& leading) {
    if (leading.leads) {
        const std::string text = "leads" + term_text(leading);
        return leading.trouble.empty() ? text : text + "; could not renew it: " + leading.trouble;
    }
    if (!leading.trouble.empty()) {
        return "no leader could be asked: " + leading.trouble + "; " + kOnlySays;
    }
    if (leading.holder.empty()) return std::string("nobody leads; ") + kOnlySays;
    return "follows " + leading.holder + term_text(leading) + "; " + kOnlySays;
}

std::string leading_line(const Leading& leading) {
    const std::string text = leading_text(leading);
    return leading.ends.empty() ? text : text + "; ends " + leading.ends + " unless renewed";
}

}  // namespace parley::explanation
