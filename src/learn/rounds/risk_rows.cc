#include "learn/rounds/risk_rows.h"

#include "layers/prediction/features.h"
#include "layers/prediction/node_features.h"
#include "layers/prediction/node_trail.h"
#include "layers/prediction/trained.h"
#include "model/sources.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

namespace parley::learn {
namespace {

using model::NodeRow;

/// A node from its first round to its failure, removal or the end of the record.
struct Life {
    model::Uid uid;
    std::int32_t entity = 0;
    bool orderly = false;                ///< Set aside, or marked by us, when last seen.
    std::optional<TimePoint> renewed;    ///< Its last lease renewal while it was Ready.
    std::optional<TimePoint> down_from;  ///< Not Ready since then, but not long enough to count.
    bool failed = false;                 ///< Counts as failed until it is Ready again.
    std::optional<TimePoint> last_row;
    std::vector<std::size_t> open;   ///< Rows whose outcome is not known yet.
    std::vector<std::size_t> deeds;  ///< Deeds whose outcome is not known yet.
    /// The last deed that was an action, while that may be in progress.
    std::optional<std::size_t> act;
    TimePoint act_until;
    std::optional<std::size_t> withheld;  ///< The last deed that was withheld, ...
    TimePoint withheld_until;             ///< ... until then.
};

bool taken_away(const NodeRow& node) { return model::set_aside(node) || node.quarantined; }

bool treated_by_us(const NodeRow& node) { return node.quarantined || node.avoided; }

/// The verdict on a safety action that was carried out or withheld.
struct Answer {
    Treatment treatment = Treatment::none;
    bool by_load = false;
    double probability = 1;
};

Answer answer_on(const model::Decision& decided, model::Mode mode, Slot slot,
                 const model::NodeId& id) {
    Answer answer;
    for (const model::Judged& judged : decided.verdict.judged) {
        const model::Proposal& wanted = judged.proposal;
        const bool acts = wanted.role == model::Role::safety &&
                          wanted.target == model::Target(id) &&
                          !model::changes_nothing(wanted.action);
        if (!acts || mode != model::Mode::act) continue;
        const auto* refused = std::get_if<model::Refused>(&judged.fate);
        if (refused != nullptr && refused->rule == model::kHoldoutRule) {
            answer = {Treatment::withheld, false, judged.probability};
        } else if (std::holds_alternative<model::Accepted>(judged.fate)) {
            answer = {Treatment::acted, false, 1 - judged.probability};
        }
    }
    const auto& reasons = decided.forecast.reasons;
    const auto why = std::ranges::find(reasons, slot, &model::RiskReasons::node);
    answer.by_load = why != reasons.end() && prediction::by_load(*why);
    return answer;
}

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
    std::vector<TimePoint> deed_at;

    Life& life_of(Slot slot, const NodeRow& node);
    void follow(Slot slot, const NodeRow& node, const model::RoundInput& input,
                const model::Policy& policy, const prediction::Neighbours& neighbours,
                double shown);
    void note_answer(Life& life, const Answer& answer);
    void treat(Life& life);
    bool hidden(const Life& life) const;
    void add_row(Slot slot, const NodeRow& node, const model::RoundInput& input,
                 const model::Policy& policy, const prediction::Neighbours& neighbours,
                 double shown, Life& life);
    void fail_at(Life& life, TimePoint onset);
    void settle(Life& life);
    void censor_at(Life& life, TimePoint when);
    void end_of(Life& life);
    void close_deeds(Life& life, TimePoint when, Ending within);
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
            kept[row] = false;  // Too late to act, or already failing but not noticed yet.
            ++data.too_late;
        }
    }
    life.open.clear();
    seen ? ++data.events : ++data.failures_unseen;
    close_deeds(life, onset, Ending::failed);
}

/// Deeds within their horizon get this ending; older ones have survived.
void RiskRows::Inside::close_deeds(Life& life, TimePoint when, Ending within) {
    for (const std::size_t each : life.deeds) {
        const bool over = when - deed_at[each] > rules.horizon;
        data.deeds[each].ending = over ? Ending::survived : within;
    }
    life.deeds.clear();
}

/// A deed is noted once, however many rounds repeat it.
void RiskRows::Inside::note_answer(Life& life, const Answer& answer) {
    const bool again = answer.treatment == Treatment::acted
                           ? life.act && now < life.act_until
                           : life.withheld && now < life.withheld_until;
    if (answer.treatment == Treatment::none || again) return;
    const std::size_t deed = data.deeds.size();
    data.deeds.push_back({answer.treatment, answer.by_load, answer.probability});
    deed_at.push_back(now);
    life.deeds.push_back(deed);
    if (answer.treatment == Treatment::acted) {
        life.act = deed;
        life.act_until = now + rules.horizon + prediction::kActingTakes;
        return;
    }
    life.withheld = deed;
    life.withheld_until = now + rules.horizon;
    for (const std::size_t row : life.open) {
        data.watched[row].treatment = Treatment::withheld;
        if (answer.by_load) data.watched[row].probability = answer.probability;
    }
}

/// We act on it because of load, so it may survive because of us.
bool RiskRows::Inside::hidden(const Life& life) const {
    return life.act && now < life.act_until && data.deeds[*life.act].by_load;
}

/// It carries our mark: its rows stay under watch, unless load was the cause.
void RiskRows::Inside::treat(Life& life) {
    const Deed* act = life.act && now < life.act_until ? &data.deeds[*life.act] : nullptr;
    for (const std::size_t row : life.open) {
        Watched& watched = data.watched[row];
        watched.treatment = Treatment::acted;
        // Without a draw, similar rows that were not acted on stand for it, as for any other
        // censored row.
        watched.probability = act != nullptr && act->by_load && act->probability > 0
                                  ? std::min(act->probability, 1.0)
                                  : 1;
    }
    if (act == nullptr || !act->by_load) return;
    censor_at(life, now);
}

/// Rows whose horizon has passed are closed: later actions do not concern them. A node counts as
/// lost at its last good lease, so a renewal after the horizon proves that it survived.
void RiskRows::Inside::settle(Life& life) {
    const TimePoint alive = life.renewed ? *life.renewed : life.down_from.value_or(now);
    std::erase_if(life.open, [&](std::size_t row) {
        const Duration until = alive - data.rows.time[row];
        if (until <= rules.horizon) return false;
        close(row, Ending::survived, until);
        return true;
    });
}

void RiskRows::Inside::censor_at(Life& life, TimePoint when) {
    for (const std::size_t row : life.open) {
        const Duration until = when - data.rows.time[row];
        close(row, until >= rules.horizon ? Ending::survived : Ending::censored, until);
    }
    life.open.clear();
    close_deeds(life, when, Ending::censored);
}

/// It is gone: lost, unless it was removed in order.
void RiskRows::Inside::end_of(Life& life) {
    if (!life.orderly && !life.failed && life.renewed) fail_at(life, *life.renewed);
    censor_at(life, now);
}

Life& RiskRows::Inside::life_of(Slot slot, const NodeRow& node) {
    const auto found = lives.find(slot);
    if (found != lives.end() && found->second.uid == node.uid) return found->second;
    if (found != lives.end()) {  // Another node took its slot.
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
    Watched watched{.ending = Ending::censored, .shown_risk = shown};
    if (life.withheld && now < life.withheld_until) {
        const Deed& deed = data.deeds[*life.withheld];
        watched.treatment = Treatment::withheld;
        if (deed.by_load) watched.probability = deed.probability;
    }
    if (treated_by_us(node)) watched.treatment = Treatment::acted;
    data.watched.push_back(watched);
    kept.push_back(true);
    life.open.push_back(row);
    life.last_row = input.now;
}

void RiskRows::Inside::follow(Slot slot, const NodeRow& node, const model::RoundInput& input,
                              const model::Policy& policy, const prediction::Neighbours& neighbours,
                              double shown) {
    Life& life = life_of(slot, node);
    life.orderly = taken_away(node);
    settle(life);
    if (model::set_aside(node)) {
        censor_at(life, input.now);
        life.down_from.reset();
        return;
    }
    if (treated_by_us(node)) treat(life);
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
    if (treated_by_us(node) && hidden(life)) return;
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
                   const model::Decision* decided) {
    Inside& in = *inside_;
    in.now = input.now;
    prediction::fold(input, policy, in.derived);
    prediction::fold_trails(input, policy, in.derived);
    const model::Snapshot& snapshot = input.snapshot;
    if (!model::delivers(snapshot, model::Source::api, input.now, policy.guard.api_age_max)) return;
    std::vector<double> risks(snapshot.nodes.end_slot());
    if (decided != nullptr) {
        for (const model::NodeForecast& node : decided->forecast.nodes) {
            if (node.risk && node.node < risks.size()) risks[node.node] = *node.risk;
        }
    }
    const prediction::Neighbours neighbours(input, policy, in.derived.fleet);
    snapshot.nodes.for_each([&](Slot slot, const NodeRow& node) {
        in.follow(slot, node, input, policy, neighbours, risks[slot]);
        if (decided == nullptr || decided->verdict.judged.empty()) return;
        in.note_answer(in.lives.at(slot), answer_on(*decided, input.controls.mode, slot, node.id));
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
    in.deed_at.clear();
    return out;
}

}  // namespace parley::learn
