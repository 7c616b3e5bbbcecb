// Exactly once, on fakes. Processes are killed, stopped or lose power at every step of every kind
// of action, and others go on; the network loses, delays, doubles and reorders. By the cluster's
// log, its final state and the journals: nothing is done twice, nothing of ours is without its
// mark, everything is given back, and nothing is sent that is not recorded.
//
// 400 kills; in `make check-all` 10,000. A seed alone makes a story: PARLEY_SEED plays that one and
// tells it, PARLEY_KILLS says how many kills there are.

#include "tests/kills/kill_judge.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <map>
#include <string_view>

namespace parley::kills {
namespace {

std::optional<std::uint64_t> number_in(const char* variable) {
    const char* text = std::getenv(variable);
    if (text == nullptr || *text == '\0') return std::nullopt;
    return std::strtoull(text, nullptr, 10);
}

std::uint64_t kills_wanted() {
    const char* all = std::getenv("PARLEY_FAULTS");
    const bool whole = all != nullptr && std::string_view(all) == "all";
    return number_in("PARLEY_KILLS").value_or(whole ? 10'000 : 400);
}

/// What was found in all stories: how often each sort of each kind of action, and the first few
/// stories.
struct Findings {
    static constexpr std::size_t kToldMost = 3;

    std::uint64_t kills = 0;
    std::uint64_t stories = 0;
    std::map<std::string, std::vector<std::uint64_t>> seeds;  ///< By kind and sort.
    std::vector<std::string> told;

    void add(const Script& script, const std::vector<std::string>& found) {
        for (const std::string& each : found) {
            auto& of =
                seeds[std::string(enum_name(script.kind)) + ", " + each.substr(0, each.find(':'))];
            if (of.empty() || of.back() != script.seed) of.push_back(script.seed);
        }
        if (!found.empty() && told.size() < kToldMost) told.push_back(story_of(script, found));
    }

    /// It is played once more, and told.
    static std::string story_of(const Script& script, const std::vector<std::string>& found) {
        std::string text = text_of(script);
        const auto again = play(script, true);
        for (const std::string& line : again->network.story) text += "\n    " + line;
        for (const std::string& each : found) text += "\n  " + each;
        return text + "\n  again: PARLEY_SEED=" + std::to_string(script.seed);
    }

    std::string text() const {
        std::string out;
        for (const auto& [sort, of] : seeds) {
            out += sort + ": " + std::to_string(of.size()) + " stories, seeds";
            for (std::size_t i = 0; i < of.size() && i < 5; ++i) out += " " + std::to_string(of[i]);
            out += "\n";
        }
        for (const std::string& each : told) out += each + "\n";
        return out;
    }
};

TEST(Kills, leave_everything_done_once_marked_recorded_and_given_back) {
    if (const auto seed = number_in("PARLEY_SEED")) {
        const Script script = script_of(*seed);
        const std::vector<std::string> found = judge(*play(script, false));
        EXPECT_TRUE(found.empty());
        std::puts(Findings::story_of(script, found).c_str());
        return;
    }
    Findings findings;
    while (findings.kills < kills_wanted()) {
        const Script script = script_of(findings.stories++);
        const auto played = play(script, false);
        findings.kills += played->deaths.size();
        findings.add(script, judge(*played));
    }
    EXPECT_TRUE(findings.seeds.empty()) << findings.text();
    std::printf("%llu kills in %llu stories\n", static_cast<unsigned long long>(findings.kills),
                static_cast<unsigned long long>(findings.stories));
}

TEST(Kills, find_every_guard_that_is_left_out) {
    for (const Missing missing : enumerators<Missing>) {
        if (missing == Missing::nothing) continue;
        bool found = false;
        for (std::uint64_t seed = 0; seed < 1'000 && !found; ++seed) {
            Script script = script_of(seed);
            script.missing = missing;
            // An old leader shows where there are two at once and an action goes there and back.
            if (missing == Missing::epoch) {
                script.kind = Kind::replicate;
                for (Fate& fate : script.fates) fate.death = Death::stop;
            }
            // A predecessor's request shows where nobody goes on with its action.
            if (missing == Missing::takeover) {
                script.kind = seed % 2 == 0 ? Kind::throttle : Kind::migrate;
                script.fates.resize(1);
                script.fates[0] = {.at = 1 + static_cast<int>(seed / 2 % 40), .down = minutes(11)};
                script.late_most = 8;
            }
            found = !judge(*play(script, false)).empty();
        }
        EXPECT_TRUE(found) << enum_name(missing);
    }
}

}  // namespace
}  // namespace parley::kills
