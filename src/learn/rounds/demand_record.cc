#include "learn/rounds/demand_record.h"

#include "layers/prediction/demand_features.h"
#include "layers/prediction/demand_trail.h"
#include "learn/rows/baselines.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <utility>

namespace parley::learn {
namespace {

using model::DemandOf;
using model::kDemandHorizons;

constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();
constexpr std::int64_t kDay = 48;  // Half-hours.
constexpr double kWeightMost = 20;
constexpr std::int64_t kKnownMin = 15;   // Of a series, before can_forecast().
constexpr std::int64_t kPartialMin = 3;  // Before the first sample, and minutes that are not whole.

/// A row whose outcome is not known yet.
struct Open {
    std::int64_t made = 0;
    std::vector<float> features;
    double now = 0;
    double scale = 0;
    double daily = kNothing;
    double holt = kNothing;
};

/// A complete row.
struct Whole {
    Open row;
    double truth = 0;
};

/// A series while it lives.
struct Life {
    model::Uid uid;
    std::int32_t entity = 0;
    double level = kNothing;  ///< Holt's, over minutes.
    double trend = 0;
    std::array<std::vector<Open>, kDemandHorizons> open;
    std::array<std::vector<Whole>, kDemandHorizons> rows;
};

std::int64_t reach_of(std::size_t horizon) {
    return prediction::kDemandLeadMin + model::kDemandHorizonsMin[horizon];
}

/// The greatest half-hour a day before the time to be forecast.
double yesterday(const model::DemandPast& past, std::size_t horizon) {
    double peak = kNothing;
    const std::int64_t length = (model::kDemandHorizonsMin[horizon] + 29) / 30;
    for (std::int64_t i = 0; i <= length; ++i) {
        const auto mean = prediction::half_hour_mean(past, kDay - i);
        if (!mean) return kNothing;
        peak = std::isfinite(peak) ? std::max(peak, *mean) : *mean;
    }
    return peak;
}

void follow_holt(std::optional<double> mean, Life& life) {
    constexpr HoltRates kRates;
    if (!mean) {
        life.level += life.trend;
        return;
    }
    if (!std::isfinite(life.level)) {
        life.level = *mean;
        return;
    }
    const double before = life.level;
    life.level = kRates.level * *mean + (1 - kRates.level) * (life.level + life.trend);
    life.trend = kRates.trend * (life.level - before) + (1 - kRates.trend) * life.trend;
}

/// The weight of a row: errors are judged relative to those of persistence in the same series, so
/// that in a series that hardly moves a small error counts as large.
double weight_of(const Open& row, double usual_error) {
    return row.scale / (usual_error + row.scale / kWeightMost);
}

}  // namespace

struct DemandRecord::Inside {
    DemandRules rules;
    DemandData data;
    std::string run;
    std::int32_t group = 0;
    model::DemandMemory memory;
    std::optional<TimePoint> begun;  ///< The first round of the run.
    std::array<std::map<Slot, Life>, model::kDemandKinds> lives;

    Life& life_of(std::size_t kind, Slot slot, const model::Snapshot& snapshot);
    void follow(std::size_t kind, Slot slot, const model::Snapshot& snapshot);
    void resolve(const model::DemandPast& past, Life& life);
    void end_of(Life& life);
};

Life& DemandRecord::Inside::life_of(std::size_t kind, Slot slot, const model::Snapshot& snapshot) {
    const model::Uid uid = memory.pasts[kind].at(slot).uid;
    const auto found = lives[kind].find(slot);
    if (found != lives[kind].end() && found->second.uid == uid) return found->second;
    if (found != lives[kind].end()) end_of(found->second);
    Life life{.uid = uid, .entity = static_cast<std::int32_t>(data.entities.size())};
    const auto of = static_cast<DemandOf>(kind);
    const std::string name = of == DemandOf::node ? snapshot.nodes.at(slot).id.text()
                                                  : snapshot.workloads.at(slot).id.text();
    data.entities.push_back(run + "/" + std::string(enum_name(of)) + "/" + name);
    return lives[kind][slot] = std::move(life);
}

void DemandRecord::Inside::resolve(const model::DemandPast& past, Life& life) {
    for (std::size_t h = 0; h < kDemandHorizons; ++h) {
        std::erase_if(life.open[h], [&](Open& open) {
            if (open.made + reach_of(h) > past.newest) return false;
            bool bounded = false;
            const auto truth = prediction::peak_after(past, open.made, prediction::kDemandLeadMin,
                                                      model::kDemandHorizonsMin[h], &bounded);
            if (truth && !bounded) {
                life.rows[h].push_back({std::move(open), *truth});
            } else {
                ++(truth ? data.bounded : data.unknown);
            }
            return true;
        });
    }
}

void DemandRecord::Inside::follow(std::size_t kind, Slot slot, const model::Snapshot& snapshot) {
    const model::DemandPast& past = memory.pasts[kind].at(slot);
    Life& life = life_of(kind, slot, snapshot);
    resolve(past, life);
    follow_holt(prediction::minute_mean(past, 0), life);
    if (past.newest % rules.every_min != 0 || !prediction::can_forecast(past)) return;
    const auto of = static_cast<DemandOf>(kind);
    for (std::size_t h = 0; h < kDemandHorizons; ++h) {
        Open open{.made = past.newest,
                  .features = std::vector<float>(prediction::demand_feature_count()),
                  .now = *prediction::minute_mean(past, 0),
                  .scale = prediction::demand_scale(past, h),
                  .daily = yesterday(past, h)};
        open.holt = life.level + life.trend * static_cast<double>(reach_of(h));
        prediction::demand_features(past, of, h, open.scale, open.features);
        life.open[h].push_back(std::move(open));
    }
}

void DemandRecord::Inside::end_of(Life& life) {
    for (std::size_t h = 0; h < kDemandHorizons; ++h) {
        data.unknown += life.open[h].size();
        DemandRows& out = data.horizons[h];
        double usual_error = 0;  // Of persistence.
        for (const Whole& whole : life.rows[h]) {
            usual_error +=
                std::fabs(whole.truth - whole.row.now) / static_cast<double>(life.rows[h].size());
        }
        for (const Whole& whole : life.rows[h]) {
            const Open& row = whole.row;
            out.rows.values.insert(out.rows.values.end(), row.features.begin(), row.features.end());
            const double label =
                std::clamp((whole.truth - row.now) / row.scale, -kLabelMost, kLabelMost);
            out.rows.label.push_back(static_cast<float>(label));
            out.rows.weight.push_back(static_cast<float>(weight_of(row, usual_error)));
            out.rows.time.push_back(TimePoint{} + minutes(row.made + 1));
            out.rows.entity.push_back(life.entity);
            out.rows.group.push_back(group);
            out.rows.event.push_back(kNoEvent);
            out.now.push_back(row.now);
            out.truth.push_back(whole.truth);
            out.scale.push_back(row.scale);
            out.daily.push_back(row.daily);
            out.weekly.push_back(kNothing);  // Runs are shorter than a week.
            out.holt.push_back(row.holt);
        }
    }
}

DemandRecord::DemandRecord(DemandRules rules) : inside_(std::make_unique<Inside>()) {
    inside_->rules = rules;
    inside_->data.rules = rules;
    inside_->data.feature_version = prediction::kDemandFeatureVersion;
    for (std::size_t h = 0; h < kDemandHorizons; ++h) {
        DemandRows& rows = inside_->data.horizons[h];
        rows.step = minutes(rules.every_min);
        rows.steps =
            static_cast<std::size_t>((reach_of(h) + rules.every_min - 1) / rules.every_min);
        rows.horizon = minutes(model::kDemandHorizonsMin[h]);
        rows.share_level = true;
        for (const brain::Feature& feature : prediction::wanted_demand_features().features) {
            rows.rows.columns.push_back({feature.name, feature.unit});
        }
    }
}

DemandRecord::~DemandRecord() = default;
DemandRecord::DemandRecord(DemandRecord&&) noexcept = default;
DemandRecord& DemandRecord::operator=(DemandRecord&&) noexcept = default;

void DemandRecord::begin_run(const std::string& name, std::int32_t group) {
    end_run();
    inside_->run = name;
    inside_->group = group;
    inside_->memory = {};
    inside_->begun.reset();
}

Result<void> DemandRecord::see(const model::RoundInput& input, const model::Policy& policy) {
    const model::Snapshot& snapshot = input.snapshot;
    if (!inside_->begun) inside_->begun = input.now;
    inside_->data.longest = std::max(inside_->data.longest, input.now - *inside_->begun);
    std::string nameless;
    const auto look = [&](Slot, const auto& row) {
        if (row.uid.none()) nameless = row.id.text();
    };
    snapshot.nodes.for_each(look);
    snapshot.workloads.for_each(look);
    if (!nameless.empty()) {
        return fail(ErrorCode::malformed, inside_->run + ": round " + std::to_string(input.round) +
                                              " shows " + nameless +
                                              " without a uid, so that its series cannot be told "
                                              "from another's; nothing can be learned from it");
    }
    const prediction::Closed closed = prediction::fold_demand(input, policy, inside_->memory);
    for (std::size_t kind = 0; kind < model::kDemandKinds; ++kind) {
        for (const Slot slot : closed[kind]) inside_->follow(kind, slot, snapshot);
        auto& lives = inside_->lives[kind];
        for (auto life = lives.begin(); life != lives.end();) {
            if (inside_->memory.pasts[kind].has(life->first)) {
                ++life;
                continue;
            }
            inside_->end_of(life->second);
            life = lives.erase(life);
        }
    }
    return {};
}

void DemandRecord::end_run() {
    for (auto& lives : inside_->lives) {
        for (auto& [slot, life] : lives) inside_->end_of(life);
        lives.clear();
    }
}

Duration demand_needs(std::size_t horizon, const DemandRules& rules) {
    return minutes(kKnownMin + rules.every_min + reach_of(horizon) + kPartialMin);
}

DemandData DemandRecord::finish() {
    end_run();
    return std::exchange(inside_->data, {});
}

Result<Split> split_demand(const DemandData& data, std::size_t horizon) {
    const Rows& rows = data.horizons[horizon].rows;
    const Duration embargo = minutes(reach_of(horizon));
    const std::set<std::int32_t> groups(rows.group.begin(), rows.group.end());
    if (groups.size() >= kGroupsMin) return split_rows(rows, embargo);
    // Never by series: those of one run rise and fall together.
    return split_by_time(rows, embargo);
}

}  // namespace parley::learn
