#include "tuner/sampler.h"

#include "base/check.h"
#include "base/math.h"
#include "base/random.h"
#include "tuner/study.h"
#include "tuner/truncated_normal.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace parley::tuner {
namespace {

constexpr int kRejectionsMax = 16;  // After that by the quantile, which never fails but costs more.

std::uint64_t entity(std::string_view name, std::int64_t number) {
    return entity_of(name) ^ (static_cast<std::uint64_t>(number) * 0x9E3779B97F4A7C15);
}

/// Bits for one purpose, one after the other.
class Dice {
public:
    Dice(std::uint64_t seed, std::uint64_t of) : seed_(seed), entity_(of) {}

    std::uint64_t next() {
        if (!second_) {
            const random::Bits128 bits = draw128(seed_, Stream::policy, entity_, index_++);
            second_ = bits.second;
            return bits.first;
        }
        return *std::exchange(second_, std::nullopt);
    }

private:
    std::uint64_t seed_;
    std::uint64_t entity_;
    std::uint64_t index_ = 0;
    std::optional<std::uint64_t> second_;
};

/// Where a kernel of that center and width puts a point of the axis.
double draw_around(double center, double width, const Axis& axis, Dice& dice) {
    const double a = (axis.from - center) / width;
    const double b = (axis.to - center) / width;
    if (b > 0 && a < 0) {
        for (int i = 0; i < kRejectionsMax; ++i) {
            const double z = random::normal(dice.next());
            if (z >= a && z <= b) return center + width * z;
        }
    }
    return center + width * truncated_quantile(random::uniform_open(dice.next()), a, b);
}

/// The observed choice, weighted by one plus a share of all; a uniform draw for the prior.
double draw_choice(double observed, bool prior, std::size_t choices, std::size_t kernels,
                   Dice& dice) {
    const auto count = static_cast<double>(choices);
    const double u = random::uniform01(dice.next()) * (1 + count / static_cast<double>(kernels));
    if (!prior && u < 1) return observed;
    return static_cast<double>(random::below(dice.next(), choices));
}

}  // namespace

double draw_evenly(const Distribution& distribution, std::uint64_t bits) {
    const Axis axis(distribution);
    if (axis.choices > 0) return static_cast<double>(random::below(bits, axis.choices));
    return axis.suggestion(random::uniform(bits, axis.from, axis.to));
}

/// Parameters that always appear together.
struct Sampler::Group {
    explicit Group(Space of) : space(std::move(of)), observations(axes_of(space)) {}

    static std::vector<Axis> axes_of(const Space& space) {
        std::vector<Axis> axes;
        for (const auto& [name, distribution] : space) axes.emplace_back(*distribution);
        return axes;
    }

    Space space;  ///< By name, without those that have only one value.
    Observations observations;
    ParzenEstimator good;
    ParzenEstimator other;
};

Sampler::Sampler(SamplerConfig config) : config_(config) {}
Sampler::~Sampler() = default;
Sampler::Sampler(Sampler&&) noexcept = default;
Sampler& Sampler::operator=(Sampler&&) noexcept = default;

/// Takes in what changed since the last call.
void Sampler::follow(const Study& study) {
    if (study_ != study.name || followed_ > study.trials.size()) {
        const SamplerConfig config = config_;
        *this = Sampler(config);
        study_ = study.name;
        ranking_ = Ranking(study.maximizes());
    }
    countable_.resize(study.trials.size());
    std::vector<std::int64_t> looked_at = std::move(open_);
    for (; followed_ < study.trials.size(); ++followed_) {
        looked_at.push_back(static_cast<std::int64_t>(followed_));
    }
    open_.clear();
    running_.clear();
    std::vector<const Trial*> moved;
    bool cut = false;
    for (const std::int64_t number : looked_at) {
        const Trial& trial = study.trials[static_cast<std::size_t>(number)];
        moved.push_back(&trial);
        if (!is_finished(trial.state)) open_.push_back(number);
        if (trial.state == TrialState::running) running_.push_back(number);
        if (trial.state == TrialState::complete || trial.state == TrialState::pruned) {
            countable_[static_cast<std::size_t>(number)] = 1;
            ranking_.add(trial);
            cut = cut_groups(trial) || cut;
        }
    }
    for (auto& group : groups_) {
        if (cut) {
            group = make_group(study, group->space);
            continue;
        }
        for (const Trial* trial : moved) place(*group, *trial);
    }
}

/// Splits groups by what the trial shares with them; true if anything changed.
bool Sampler::cut_groups(const Trial& trial) {
    std::size_t covered = 0;
    bool cut = false;
    Space rest;
    for (const Param& param : trial.params) {
        if (!single(*param.distribution)) rest.emplace_back(param.name, param.distribution);
    }
    const std::size_t wanted = rest.size();
    std::vector<std::unique_ptr<Group>> next;
    for (auto& group : groups_) {
        Space shared;
        Space apart;
        for (const auto& entry : group->space) {
            const auto same = [&entry](const auto& other) { return other.first == entry.first; };
            const bool has = std::erase_if(rest, same) > 0;
            (has ? shared : apart).push_back(entry);
        }
        covered += shared.size();
        if (shared.empty() || apart.empty()) {
            next.push_back(std::move(group));
            continue;
        }
        cut = true;
        next.push_back(std::make_unique<Group>(std::move(shared)));
        next.push_back(std::make_unique<Group>(std::move(apart)));
    }
    if (covered < wanted && !rest.empty()) {
        cut = true;
        std::ranges::sort(rest, {}, &Space::value_type::first);
        next.push_back(std::make_unique<Group>(std::move(rest)));
    }
    groups_ = std::move(next);
    return cut;
}

std::unique_ptr<Sampler::Group> Sampler::make_group(const Study& study, Space space) {
    auto group = std::make_unique<Group>(std::move(space));
    for (const Trial& trial : study.trials) place(*group, trial);
    return group;
}

/// Gives the trial its row if it counts and has every parameter of the group.
void Sampler::place(Group& group, const Trial& trial) {
    const auto row = static_cast<std::size_t>(trial.number);
    const bool counts = trial.state == TrialState::complete || trial.state == TrialState::pruned ||
                        (trial.state == TrialState::running && config_.constant_liar);
    if (!counts) return group.observations.clear(row);
    const KnownParams known(trial);
    std::vector<double> values;
    const auto& axes = group.observations.axes();
    for (std::size_t i = 0; i < axes.size(); ++i) {
        const auto value = known.find(group.space[i].first, *group.space[i].second);
        if (!value || !std::isfinite(axes[i].place(*value))) {
            return group.observations.clear(row);
        }
        values.push_back(*value);
    }
    group.observations.set(row, values);
}

/// Marks good and other trials for the trial of that number, which itself is neither.
void Sampler::mark(std::int64_t number) {
    good_.assign(countable_.size(), 0);
    ranking_.mark_best(good_count(ranking_.size()), good_);
    other_ = countable_;
    for (std::size_t i = 0; i < good_.size(); ++i) other_[i] &= good_[i] == 0;
    for (const std::int64_t running : running_) other_[static_cast<std::size_t>(running)] = 1;
    const auto own = static_cast<std::size_t>(number);
    if (own < good_.size()) good_[own] = other_[own] = 0;
}

void Sampler::fit(Group& group) {
    group.good.fit(group.observations, good_);
    group.other.fit(group.observations, other_);
}

std::vector<double> Sampler::draw_best(Group& group, std::uint64_t of) const {
    Dice dice(config_.seed, of);
    const auto& axes = group.observations.axes();
    const std::vector<double>& weights = group.good.weights();
    std::vector<std::vector<double>> points(axes.size(), std::vector<double>(config_.candidates));
    for (std::size_t i = 0; i < config_.candidates; ++i) {
        double u = random::uniform01(dice.next());
        std::size_t kernel = 0;
        while (kernel + 1 < weights.size() && u >= weights[kernel]) u -= weights[kernel++];
        for (std::size_t axis = 0; axis < axes.size(); ++axis) {
            if (axes[axis].choices > 0) {
                const bool prior = kernel + 1 == weights.size();
                const double observed = prior ? 0 : group.good.observed(axis, kernel);
                points[axis][i] =
                    draw_choice(observed, prior, axes[axis].choices, weights.size(), dice);
            } else {
                points[axis][i] = axes[axis].suggestion(draw_around(group.good.center(axis, kernel),
                                                                    group.good.width(axis, kernel),
                                                                    axes[axis], dice));
            }
        }
    }
    const std::vector<double> good = group.good.log_density(points);
    const std::vector<double> other = group.other.log_density(points);
    std::size_t best = 0;
    double most = -std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < good.size(); ++i) {
        if (good[i] - other[i] > most) {
            most = good[i] - other[i];
            best = i;
        }
    }
    std::vector<double> values;
    for (const auto& column : points) values.push_back(column[best]);
    return values;
}

std::vector<Param> Sampler::joint(const Study& study, std::int64_t number) {
    follow(study);
    std::vector<Param> params;
    if (ranking_.size() < config_.startup_trials) return params;
    mark(number);
    for (const auto& group : groups_) {
        if (group->space.empty()) continue;
        fit(*group);
        const auto values = draw_best(*group, entity("joint/" + group->space[0].first, number));
        for (std::size_t i = 0; i < values.size(); ++i) {
            params.push_back({group->space[i].first, group->space[i].second, values[i]});
        }
    }
    return params;
}

double Sampler::alone(const Study& study, std::int64_t number, const std::string& name,
                      const Distribution& distribution) {
    follow(study);
    const std::uint64_t of = entity(name, number);
    if (single(distribution)) return Axis(distribution).low;
    if (ranking_.size() < config_.startup_trials) {
        return draw_evenly(distribution, draw(config_.seed, Stream::policy, of, 0));
    }
    mark(number);
    const auto group =
        make_group(study, {{name, std::make_shared<const Distribution>(distribution)}});
    fit(*group);
    return draw_best(*group, of)[0];
}

std::vector<Param> Sampler::suggest(const Study& study, const Trial& trial, const Space& space) {
    const std::vector<Param> together = joint(study, trial.number);
    std::vector<Param> params;
    for (const auto& [name, distribution] : space) {
        std::optional<double> value = fixed_param(trial, name, *distribution);
        const auto drawn = std::ranges::find(together, name, &Param::name);
        if (!value && drawn != together.end() &&
            drawn->distribution->index() == distribution->index() &&
            contains(*distribution, drawn->value)) {
            value = drawn->value;
        }
        if (!value) value = alone(study, trial.number, name, *distribution);
        params.push_back({name, distribution, *value});
    }
    return params;
}

Sampler::Densities Sampler::densities(const Study& study, std::int64_t number, const Space& space,
                                      const std::vector<std::vector<double>>& points) {
    follow(study);
    mark(number);
    const auto group = make_group(study, space);
    fit(*group);
    return {group->good.log_density(points), group->other.log_density(points)};
}

}  // namespace parley::tuner
