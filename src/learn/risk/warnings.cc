#include "learn/risk/warnings.h"

#include "base/number.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <limits>
#include <optional>
#include <set>
#include <string_view>
#include <unordered_map>

namespace parley::learn {
namespace {

/// With fewer failures a perfect separation may be luck.
constexpr std::size_t kFailuresLeast = 20;
/// Of a column put in order: where labels were given by chance, there were two changes for each.
constexpr std::size_t kFailuresPerChange = 10;
/// Rows per value, on average, before equal outcomes mean something.
constexpr std::size_t kRowsPerValue = 20;
/// A row that occurs more often is the usual case, such as a healthy node, not a copy.
constexpr std::uint32_t kCopiesMost = 100;
/// Failures of the test that are copies; fewer may be chance.
constexpr double kCopiesLeast = 5;

std::string share_text(double share) { return fixed(share * 100, share < 0.1 ? 1 : 0) + " %"; }

/// Whether each value of a column occurs with one label only.
bool tells_label(const RiskTest& test, std::size_t column) {
    std::unordered_map<std::uint32_t, float> label_of;
    std::size_t failures = 0;
    for (const std::uint32_t i : test.numbers) {
        const float value = test.rows.row(i)[column];
        const float label = test.rows.label[i];
        if (label == 1) ++failures;
        // Missing counts as a value, and both zeros are equal.
        const std::uint32_t bits =
            value != value ? 0x7fc00000U : std::bit_cast<std::uint32_t>(value + 0.0F);
        if (label_of.try_emplace(bits, label).first->second != label) return false;
    }
    return failures >= kFailuresLeast && label_of.size() > 1 &&
           label_of.size() * kRowsPerValue <= test.numbers.size();
}

/// Whether a column put in order changes its label a few times only, such as where the failures are
/// all in a middle range: few beside the failures, which must be many and of their own.
bool tells_label_by_ranges(const RiskTest& test, std::size_t column) {
    struct At {
        float value = 0;
        bool fails = false;
    };
    std::vector<At> in_order;
    std::set<std::int32_t> events;
    std::size_t failures = 0;  // Those that no event joins count one by one.
    for (const std::uint32_t i : test.numbers) {
        const float value = test.rows.row(i)[column];
        const bool fails = test.rows.label[i] == 1;
        in_order.push_back(
            {value != value ? -std::numeric_limits<float>::infinity() : value, fails});
        if (!fails) continue;
        if (test.rows.event[i] == kNoEvent) {
            ++failures;
        } else {
            events.insert(test.rows.event[i]);
        }
    }
    failures += events.size();
    if (failures < kFailuresLeast) return false;
    std::ranges::sort(in_order, {}, &At::value);
    std::size_t changes = 0;
    std::optional<bool> last;  // Of the value before; nothing: it had both labels.
    for (std::size_t i = 0; i < in_order.size();) {
        std::size_t end = i;
        std::size_t failing = 0;
        for (; end < in_order.size() && in_order[end].value == in_order[i].value; ++end) {
            failing += in_order[end].fails ? 1 : 0;
        }
        const std::size_t fine = end - i - failing;
        const bool mixed = failing > 0 && fine > 0;
        if (mixed) changes += 2 * std::min(failing, fine);  // Any order of them would do.
        const std::optional<bool> label = mixed ? std::nullopt : std::optional(failing > 0);
        if (i > 0 && last && label && *last != *label) ++changes;
        last = label;
        i = end;
    }
    return changes > 0 && changes <= failures / kFailuresPerChange;
}

void warn_of_labels(const RiskTest& test, const RiskReport& report,
                    std::vector<std::string>& warnings) {
    for (std::size_t column = 0; column < test.rows.columns.size(); ++column) {
        const std::string& name = test.rows.columns[column].name;
        bool is_label = tells_label(test, column) || tells_label_by_ranges(test, column);
        for (const RiskBaseline& each : report.baselines) {
            const bool this_one = each.name == "high " + name || each.name == "low " + name;
            is_label = is_label || (this_one && each.auc >= kIsLabelAuc);
        }
        if (!is_label) continue;
        warnings.push_back("feature " + name +
                           " alone tells which rows fail: it is the label, or was made from it; "
                           "leave it out unless it is known before the failure");
    }
}

void warn_of_beaten(const RiskReport& report, std::vector<std::string>& warnings) {
    if (report.baselines.empty()) return;
    const RiskBaseline& best = report.baselines.front();
    if (!(best.auc > report.quality.auc.value + kBeatenBy)) return;
    warnings.push_back("one feature alone, " + best.name + ", ranks better (AUC " +
                       fixed(best.auc, 4) + ") than the model (" +
                       fixed(report.quality.auc.value, 4) +
                       "): use that rule, or give more data to learn from");
}

std::uint64_t hash_of(const Rows& rows, std::size_t i) {
    // FNV-1a over the bits of features and label.
    std::uint64_t hash = 14'695'981'039'346'656'037ULL;
    const auto take = [&](float value) {
        hash = (hash ^ std::bit_cast<std::uint32_t>(value)) * 1'099'511'628'211ULL;
        hash ^= hash >> 29;
    };
    for (const float value : rows.row(i)) take(value);
    take(rows.label[i]);
    return hash;
}

void warn_of_copies(const RiskTest& test, const Split& split, std::vector<std::string>& warnings) {
    std::unordered_map<std::uint64_t, std::uint32_t> before;
    for (std::size_t i = 0; i < test.rows.size(); ++i) {
        if (split.part[i] < Part::test && test.rows.weight[i] > 0) ++before[hash_of(test.rows, i)];
    }
    std::array<double, 2> copies{};  // By label.
    std::array<double, 2> all{};
    for (const std::uint32_t i : test.numbers) {
        const std::size_t failed = test.rows.label[i] == 1 ? 1 : 0;
        const auto found = before.find(hash_of(test.rows, i));
        ++all[failed];
        if (found != before.end() && found->second <= kCopiesMost) ++copies[failed];
    }
    const bool many = copies[0] >= kCopiesShare * all[0] && copies[1] >= kCopiesShare * all[1];
    if (!many || copies[1] < kCopiesLeast) return;
    const double share = (copies[0] + copies[1]) / (all[0] + all[1]);
    warnings.push_back(share_text(share) +
                       " of the test rows stand among those before the test, too, value for value "
                       "and with the same end: if they are copies, the figures below are those of "
                       "learning by heart; give each row once");
}

void warn_of_censored(const RiskReport& report, std::vector<std::string>& warnings) {
    const double share = static_cast<double>(report.data.censored) /
                         static_cast<double>(std::max<std::uint64_t>(1, report.data.rows));
    if (share <= 0.5) return;
    warnings.push_back(share_text(share) +
                       " of the rows are censored: what takes longer than the record is not in it; "
                       "a longer record would tell more");
}

}  // namespace

std::vector<std::string> risk_warnings(const RiskTest& test, const Split& split,
                                       const RiskReport& report) {
    std::vector<std::string> warnings;
    warn_of_labels(test, report, warnings);
    warn_of_beaten(report, warnings);
    warn_of_copies(test, split, warnings);
    warn_of_censored(report, warnings);
    return warnings;
}

}  // namespace parley::learn
