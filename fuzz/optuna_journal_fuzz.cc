// Optuna's journals: lines of operations, some hostile. The result is consistent and the same when
// read again, and a refused line changes nothing.

#include "base/check.h"
#include "fuzz/input.h"
#include "tuner/importance.h"
#include "tuner/journal_fold.h"
#include "tuner/journal_lines.h"
#include "tuner/json.h"
#include "tuner/sampler.h"

#include <string>
#include <vector>

namespace {

using namespace parley;
using namespace parley::tuner;

constexpr std::size_t kLinesMax = 200;
constexpr std::int64_t kStudiesLooked = 8;

std::vector<std::string_view> lines_of(std::string_view text) {
    std::vector<std::string_view> lines;
    while (!text.empty() && lines.size() < kLinesMax) {
        const std::size_t end = text.find('\n');
        lines.push_back(text.substr(0, end));
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    }
    return lines;
}

/// Everything that is seen of the studies, as text.
std::string told(const JournalFold& fold) {
    std::string out;
    for (std::int64_t id = 0; id < kStudiesLooked; ++id) {
        const Study* study = fold.find(id);
        if (study == nullptr) continue;
        PARLEY_CHECK(study->id == id);
        const Study* named = fold.find(study->name);
        PARLEY_CHECK(named != nullptr);
        out += study->name + ":" + std::to_string(study->trials.size());
        for (std::size_t i = 0; i < study->trials.size(); ++i) {
            const Trial& trial = study->trials[i];
            PARLEY_CHECK(trial.number == static_cast<std::int64_t>(i));
            out += " " + std::to_string(static_cast<int>(trial.state));
            for (const double value : trial.values) out += "," + print_float(value);
            for (const Param& param : trial.params) {
                PARLEY_CHECK(param.distribution != nullptr);
                out += "/" + param.name + "=" + print_float(param.value);
            }
        }
        out += "\n";
    }
    return out;
}

}  // namespace

void parley::fuzz::try_input(Input input) {
    JournalFold fold;
    JournalFold only_good;
    for (const std::string_view line : lines_of(input.rest())) {
        const auto applied = fold.apply(line);
        if (!applied) {
            PARLEY_CHECK(fuzz::readable(applied.error().message));
            continue;
        }
        PARLEY_CHECK(only_good.apply(line).has_value());
    }
    PARLEY_CHECK(told(fold) == told(only_good));
    for (std::int64_t id = 0; id < kStudiesLooked; ++id) {
        if (const Study* study = fold.find(id)) (void)importances(*study);
    }
    // Lines that we write continue whatever was there.
    const JournalLines ours("fuzz");
    PARLEY_CHECK(fold.apply(ours.create_study("by us", Direction::minimize)).has_value());
    PARLEY_CHECK(fold.find("by us") != nullptr);
}
