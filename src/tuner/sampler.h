// Tuner: a study in, parameters for its next trial out: the tree-structured Parzen estimator with
// the defaults of Optuna 5.

#pragma once

#include "tuner/parzen.h"
#include "tuner/split.h"
#include "tuner/trial.h"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace parley::tuner {

struct SamplerConfig {
    std::uint64_t seed = 0;  ///< The same seed and history give the same suggestions.
    /// The first trials, up to this many finished ones, are drawn uniformly.
    std::size_t startup_trials = 10;
    std::size_t candidates = 24;  ///< Drawn from the good ones; the best is taken.
    bool constant_liar = true;    ///< Running trials count as bad ones.
};

using Space = std::vector<std::pair<std::string, DistributionPtr>>;

/// Parameters that appear together are drawn jointly; conditional spaces fall into groups. For one
/// study with one objective, which grows between calls; keeps what it computed. Not thread-safe.
class Sampler {
public:
    explicit Sampler(SamplerConfig config);
    ~Sampler();
    Sampler(Sampler&&) noexcept;
    Sampler& operator=(Sampler&&) noexcept;

    /// One value for each parameter of `space`: fixed for the trial, else drawn jointly, else drawn
    /// alone. `trial` may or may not be in the study already.
    std::vector<Param> suggest(const Study& study, const Trial& trial, const Space& space);

    /// Everything that can be drawn jointly for that trial, whatever will be asked for.
    std::vector<Param> joint(const Study& study, std::int64_t number);
    /// One parameter alone.
    double alone(const Study& study, std::int64_t number, const std::string& name,
                 const Distribution& distribution);

    /// Log densities of the good and of the other trials at points of `space`, which a draw
    /// compares. For tests.
    struct Densities {
        std::vector<double> good;
        std::vector<double> other;
    };
    Densities densities(const Study& study, std::int64_t number, const Space& space,
                        const std::vector<std::vector<double>>& points);

private:
    struct Group;
    void follow(const Study& study);
    void place(Group& group, const Trial& trial);
    bool cut_groups(const Trial& trial);
    void mark(std::int64_t number);
    void fit(Group& group);
    std::vector<double> draw_best(Group& group, std::uint64_t entity) const;
    std::unique_ptr<Group> make_group(const Study& study, Space space);

    SamplerConfig config_;
    std::string study_;
    Ranking ranking_;
    std::size_t followed_ = 0;        ///< Trials below this number were taken in.
    std::vector<std::int64_t> open_;  ///< Those of them that were not finished then.
    std::vector<std::int64_t> running_;
    std::vector<std::uint8_t> countable_;  ///< By number: complete or pruned.
    std::vector<std::uint8_t> good_;
    std::vector<std::uint8_t> other_;
    std::vector<std::unique_ptr<Group>> groups_;
};

/// A uniform draw, as for the first trials.
double draw_evenly(const Distribution& distribution, std::uint64_t bits);

}  // namespace parley::tuner
