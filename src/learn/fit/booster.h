// Learn: boosted trees by XGBoost's C API: rows and parameters in, margins and a model file out.

#pragma once

#include "base/result.h"
#include "learn/rows/rows.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace parley::learn {

struct BoosterParameters {
    std::string objective = "binary:logistic";
    std::string metric = "logloss";  ///< By which the stop slice is judged.
    double base_score = 0.5;         ///< The training prevalence, for a risk.
    int depth = 5;
    double eta = 0.06;
    double min_child_weight = 5;
    double max_delta_step = 1;  ///< 0: no limit.
    double subsample = 1;       ///< Share of rows of each tree.
    double column_share = 1;    ///< Share of features of each tree.
    double lambda = 1;
    int rounds_max = 1'000;
    int patience = 50;  ///< Rounds without gain before it stops; 0: never.
    int threads = 1;    ///< More than one spins in OpenMP; see train_command.
    std::uint32_t seed = 0;
};
BOOST_DESCRIBE_STRUCT(BoosterParameters, (),
                      (objective, metric, base_score, depth, eta, min_child_weight, max_delta_step,
                       subsample, column_share, lambda, rounds_max, patience, threads, seed))

/// Rows in XGBoost's own form.
class Matrix {
public:
    /// The rows with these numbers; NaN is missing. Boosting starts from `margin` (one per number,
    /// or empty).
    [[nodiscard]] static Result<Matrix> of(const Rows& rows, std::span<const std::uint32_t> numbers,
                                           int threads, std::span<const float> margin = {});

    void* handle() const { return handle_.get(); }
    std::size_t size() const { return size_; }

private:
    struct Free {
        void operator()(void* handle) const;
    };
    std::unique_ptr<void, Free> handle_;
    std::size_t size_ = 0;
};

/// Called after each round with the number done; returning false ends the training with an error.
using Watch = std::function<bool(int done)>;

struct Gain {
    std::string feature;
    double share = 0;  ///< Of the gain of all splits.
};
BOOST_DESCRIBE_STRUCT(Gain, (), (feature, share))

/// A trained booster. One thread at a time.
class Booster {
public:
    /// Adds trees until the metric on `stop` has not gained for `patience` rounds, and keeps the
    /// trees of the best round. The same rows, parameters and threads give the same trees.
    [[nodiscard]] static Result<Booster> train(const Matrix& train, const Matrix& stop,
                                               const BoosterParameters& parameters,
                                               const Watch& watch = {});

    /// Exactly `rounds_max` trees, without a stop slice.
    [[nodiscard]] static Result<Booster> grow(const Matrix& train,
                                              const BoosterParameters& parameters,
                                              const Watch& watch = {});

    /// Before the link function, in the order of the matrix.
    [[nodiscard]] Result<std::vector<float>> margins(const Matrix& matrix) const;

    /// `format` is `json` or `ubj`.
    [[nodiscard]] Result<std::string> save(const std::string& format) const;
    [[nodiscard]] static Result<Booster> load(const std::string& bytes);

    /// Features by their share of the total gain, largest first; without those that are never
    /// split.
    [[nodiscard]] Result<std::vector<Gain>> gains(std::span<const Column> columns) const;

    int trees() const { return trees_; }
    double best_score() const { return best_score_; }  ///< Of the metric on the stop slice.

private:
    struct Free {
        void operator()(void* handle) const;
    };
    [[nodiscard]] static Result<Booster> begin(std::span<void*> matrices,
                                               const BoosterParameters& parameters);

    std::unique_ptr<void, Free> handle_;
    int trees_ = 0;
    double best_score_ = 0;
};

/// The version of XGBoost's library, such as "1.7.4".
std::string xgboost_version();

}  // namespace parley::learn
