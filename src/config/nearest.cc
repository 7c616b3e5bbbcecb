#include "config/nearest.h"

#include "base/number.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace parley::config {
namespace {

constexpr std::size_t kLettersMax = 64;

char folded(char letter) {
    if (letter == '-') return '_';
    return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
}

}  // namespace

int edit_distance(std::string_view a, std::string_view b) {
    a = a.substr(0, kLettersMax);
    b = b.substr(0, kLettersMax);
    std::array<std::array<int, kLettersMax + 1>, kLettersMax + 1> cost{};
    for (std::size_t i = 0; i <= a.size(); ++i) cost[i][0] = static_cast<int>(i);
    for (std::size_t j = 0; j <= b.size(); ++j) cost[0][j] = static_cast<int>(j);
    for (std::size_t i = 1; i <= a.size(); ++i) {
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const char x = folded(a[i - 1]);
            const char y = folded(b[j - 1]);
            cost[i][j] = std::min(
                {cost[i - 1][j] + 1, cost[i][j - 1] + 1, cost[i - 1][j - 1] + (x == y ? 0 : 1)});
            const bool swapped = i > 1 && j > 1 && x == folded(b[j - 2]) && y == folded(a[i - 2]);
            if (swapped) cost[i][j] = std::min(cost[i][j], cost[i - 2][j - 2] + 1);
        }
    }
    return cost[a.size()][b.size()];
}

std::string nearest(std::string_view word, std::span<const std::string> known) {
    std::string best;
    int least = static_cast<int>(kLettersMax) + 1;
    for (const std::string& candidate : known) {
        if (candidate.empty()) continue;
        const int letters = static_cast<int>(std::max(word.size(), candidate.size()));
        int distance = edit_distance(word, candidate);
        // `cpu` means `cpu_m`, and `memory` `memory_mib`.
        const bool begins = word.size() >= 2 && candidate.starts_with(word) &&
                            (candidate[word.size()] == '_' || candidate[word.size()] == '-');
        if (begins) distance = 1;
        if (distance <= std::max(1, letters / 3) && distance < least) {
            best = candidate;
            least = distance;
        }
    }
    return best;
}

std::string listed(std::span<const std::string> words, std::string_view last) {
    std::string text;
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (i > 0) text += i + 1 == words.size() ? " " + std::string(last) + " " : ", ";
        text += words[i];
    }
    return text;
}

std::string none_called(std::string_view what, const std::string& word,
                        std::span<const std::string> known) {
    const std::string near = nearest(word, known);
    return "no " + std::string(what) + " is called " + in_quotes(word) +
           (near.empty() ? "; there are " + listed(known) : "; did you mean " + near + "?");
}

}  // namespace parley::config
