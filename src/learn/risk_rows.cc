#include "learn/risk_rows.h"

#include "layers/prediction/features.h"
#include "layers/prediction/node_features.h"
#include "layers/prediction/node_trail.h"
#include "model/sources.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

namespace parley::learn {
namespace {

using model::NodeRow;

/// A node while it lives: from its first round to its failure, removal or the end of the record.
struct Life {
    model::Uid uid;
    std::int32_t entity = 0;
    bool orderly = false;                ///< Set aside, or marked by us, when last seen.
    std::optional<TimePoint> renewed;    ///< Its last good lease renewal while Ready.
    std::optional<TimePoint> down_from;  ///< Not Ready since, not yet for long enough.
    bool failed = false;                 ///< Down for good, until it is Ready again.
    std::optional<TimePoint> last_row;
    std::vector<std::size_t> open;  ///< Rows whose end is not known yet.
};

bool taken_away(const NodeRow& node) { return model::set_aside(node) || node.quarantined; }

/// Whoever we or others treated is no untreated row.
bool treated(const NodeRow& node) { return taken_away(node) || node.avoided; }

}  // namespace

struct RiskRows::Inside {
    RiskRules rules;
    RiskData data;
    std::string run;
    std::int32_t group = 0;
    TimePoint now;
    model::Derived derived;
    std::map<Slot, Life> lives;
    std::vector<bool> kept;  ///< Rows that are not dropped; others go in finish().

    Life& life_of(Slot slot, const NodeRow& node);
    void follow(Slot slot, const NodeRow& node, const model::RoundInput& input,
                const model::Policy& policy, const prediction::Neighbours& neighbours,
                double shown);
    void add_row(Slot slot, const NodeRow& node, const model::RoundInput& input,
                 const model::Policy& policy, const prediction::Neighbours& neighbours,
                 double shown, Life& life);
    void fail_at(Life& life, TimePoint onset);
    void censor_at(Life& life, TimePoint when);
    void end_of(Life& life);
    void close(std::size_t row, Ending ending, Duration after);
};

void RiskRows::Inside::close(std::size_t row, Ending ending, Duration after) {
    data.watched[row].ending = ending;
    data.watched[row].after = std::min(after, rules.horizon);
    data.rows.label[row] = ending == Ending::failed ? 1.0F : 0.0F;
    data.rows.weight[row] = ending == Ending::censored ? 0.0F : 1.0F;
}

void RiskRows::Inside::fail_at(Life& life, TimePoint onset) {
    const std::int32_t event = data.events;
    bool seen = false;
    for (const std::size_t row : life.open) {
        const Duration until = onset - data.rows.time[row];
        if (until > rules.horizon) {
            close(row, Ending::survived, until);
        } else if (until > rules.gap) {
            close(row, Ending::failed, until);
            data.rows.event[row] = event;
            seen = true;
        } else {
            kept[row] = false;  // Too late to act, or already failing and not yet noticed.
            ++data.too_late;
        }
    }
    life.open.clear();
    seen ? ++data.events : ++data.failures_unseen;
}

void RiskRows::Inside::censor_at(Life& life, TimePoint when) {
    for (const std::size_t row : life.open) {
        const Duration until = when - data.rows.time[row];
        close(row, until >= rules.horizon ? Ending::survived : Ending::censored, until);
    }
    life.open.clear();
}

/// It is gone: lost, unless it was taken away in order.
void RiskRows::Inside::end_of(Life& life) {
    if (!life.orderly && !life.failed && life.renewed) fail_at(life, *life.renewed);
    censor_at(life, now);
}

Life& RiskRows::Inside::life_of(Slot slot, const NodeRow& node) {
    const auto found = lives.find(slot);
    if (found != lives.end() && found->second.uid == node.uid) return found->second;
    if (found != lives.end()) {  // Another node took its place.
        end_of(found->second);
    }
    Life life{.uid = node.uid, .entity = static_cast<std::int32_t>(data.entities.size())};
    data.entities.push_back(run + "/" + node.id.text());
    return lives[slot] = std::move(life);
}

void RiskRows::Inside::add_row(Slot slot, const NodeRow& node, const model::RoundInput& input,
                               const model::Policy& policy,
                               const prediction::Neighbours& neighbours, double shown, Life& life) {
    const std::size_t columns = prediction::node_feature_list().size();
    const std::size_t row = data.rows.size();
    data.rows.values.resize((row + 1) * columns);
    prediction::node_features({node, derived.nodes.find(slot), input.now, true, policy},
                              derived.trails.find(slot), neighbours,
                              std::span(data.rows.values).subspan(row * columns, columns));
    data.rows.label.push_back(0);
    data.rows.weight.push_back(0);
    data.rows.time.push_back(input.now);
    data.rows.entity.push_back(life.entity);
    data.rows.group.push_back(group);
    data.rows.event.push_back(kNoEvent);
    data.watched.push_back({.ending = Ending::censored, .shown_risk = shown});
    kept.push_back(true);
    life.open.push_back(row);
    life.last_row = input.now;
}

void RiskRows::Inside::follow(Slot slot, const NodeRow& node, const model::RoundInput& input,
                              const model::Policy& policy, const prediction::Neighbours& neighbours,
                              double shown) {
    Life& life = life_of(slot, node);
    life.orderly = taken_away(node);
    if (treated(node)) {
        censor_at(life, input.now);
        life.down_from.reset();
        return;
    }
    if (node.ready != model::Readiness::yes) {
        if (!life.down_from) life.down_from = input.now;
        const bool long_enough = input.now - *life.down_from >= rules.lasts;
        if (long_enough && !std::exchange(life.failed, true)) {
            fail_at(life, life.renewed.value_or(*life.down_from));
        }
        return;
    }
    life.down_from.reset();
    life.failed = false;
    if (const TimePoint* renewed = node.lease.value()) life.renewed = *renewed;
    const bool settled = input.now - node.ready_since >= rules.settled;
    const bool due = !life.last_row || input.now - *life.last_row >= rules.every;
    if (settled && due) add_row(slot, node, input, policy, neighbours, shown, life);
}

RiskRows::RiskRows(RiskRules rules) : inside_(std::make_unique<Inside>()) {
    inside_->rules = rules;
    inside_->data.rules = rules;
    inside_->data.feature_version = prediction::kNodeFeatureVersion;
    for (const prediction::Feature& feature : prediction::node_feature_list()) {
        inside_->data.rows.columns.push_back(
            {std::string(feature.name), std::string(feature.unit)});
    }
}

RiskRows::~RiskRows() = default;
RiskRows::RiskRows(RiskRows&&) noexcept = default;
RiskRows& RiskRows::operator=(RiskRows&&) noexcept = default;

void RiskRows::begin_run(const std::string& name, std::int32_t group) {
    end_run();
    inside_->run = name;
    inside_->group = group;
    inside_->derived = {};
}

void RiskRows::see(const model::RoundInput& input, const model::Policy& policy,
                   const model::Forecast* shown) {
    Inside& in = *inside_;
    in.now = input.now;
    prediction::fold(input, policy, in.derived);
    prediction::fold_trails(input, policy, in.derived);
    const model::Snapshot& snapshot = input.snapshot;
    if (!model::delivers(snapshot, model::Source::api, input.now, policy.guard.api_age_max)) return;
    std::vector<double> risks(snapshot.nodes.end_slot());
    for (const model::NodeForecast& node : shown ? shown->nodes : decltype(shown->nodes){}) {
        if (node.risk && node.node < risks.size()) {
            risks[node.node] = *node.risk;
        }
    }
    const prediction::Neighbours neighbours(input, policy, in.derived.fleet);
    snapshot.nodes.for_each([&](Slot slot, const NodeRow& node) {
        in.follow(slot, node, input, policy, neighbours, risks[slot]);
    });
    for (auto life = in.lives.begin(); life != in.lives.end();) {
        if (snapshot.nodes.has(life->first)) {
            ++life;
            continue;
        }
        in.end_of(life->second);
        life = in.lives.erase(life);
    }
}

void RiskRows::end_run() {
    for (auto& [slot, life] : inside_->lives) inside_->censor_at(life, inside_->now);
    inside_->lives.clear();
}

RiskData RiskRows::finish() {
    end_run();
    Inside& in = *inside_;
    RiskData out = std::exchange(in.data, {});
    const std::size_t columns = out.rows.columns.size();
    std::size_t next = 0;
    for (std::size_t row = 0; row < in.kept.size(); ++row) {
        if (!in.kept[row]) continue;
        const auto move = [&](auto& values) { values[next] = values[row]; };
        std::copy_n(out.rows.values.begin() + static_cast<std::ptrdiff_t>(row * columns), columns,
                    out.rows.values.begin() + static_cast<std::ptrdiff_t>(next * columns));
        move(out.rows.label), move(out.rows.weight), move(out.rows.time), move(out.rows.entity);
        move(out.rows.group), move(out.rows.event), move(out.watched);
        ++next;
    }
    out.rows.values.resize(next * columns);
    out.rows.label.resize(next), out.rows.weight.resize(next), out.rows.time.resize(next);
    out.rows.entity.resize(next), out.rows.group.resize(next), out.rows.event.resize(next);
    out.watched.resize(next);
    in.kept.clear();
    return out;
}

}  // namespace parley::learn
