// Learn: what is reported about a trained model: plain described values, and so JSON.

#pragma once

#include "learn/fit/booster.h"
#include "learn/fit/metrics.h"
#include "learn/rows/deeds.h"
#include "learn/rows/split.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace parley::learn {

/// One slice of the data, counting rows with weight.
struct SliceFacts {
    Part part = Part::train;
    std::uint64_t rows = 0;
    std::uint64_t positives = 0;
    std::uint64_t events = 0;
    std::uint64_t entities = 0;
};
BOOST_DESCRIBE_STRUCT(SliceFacts, (), (part, rows, positives, events, entities))

/// The data behind a model.
struct DataFacts {
    std::string name;
    std::string what;         ///< What is forecast, as part of a sentence.
    std::string entity;       ///< `node`, `drive`, `series`.
    std::string fingerprint;  ///< SHA-256 of the rows.
    std::string split;        ///< The rule, as a sentence.
    std::uint64_t rows = 0;
    std::uint64_t features = 0;
    std::vector<SliceFacts> slices;
    std::uint64_t censored = 0;  ///< Rows without weight: their outcome was not seen.
};
BOOST_DESCRIBE_STRUCT(DataFacts, (),
                      (name, what, entity, fingerprint, split, rows, features, slices, censored))

struct Importance {
    std::string feature;
    double gain_share = 0;
};
BOOST_DESCRIBE_STRUCT(Importance, (), (feature, gain_share))

/// A line that the model must reach: what is asked and what was measured.
struct Bar {
    std::string what;
    std::string asked;
    std::string measured;
    bool met = false;
    /// How often a perfectly calibrated model meets it on such rows.
    std::optional<double> perfect;
    std::optional<double> chance;  ///< How often such a model is as far off as measured.

    /// Missed, but a perfectly calibrated model would also miss it on these rows more often than
    /// not; false if such a model would practically never be as far off.
    bool untold() const {
        return !met && perfect && *perfect < 0.5 && !(chance && *chance < kImpossible);
    }
    static constexpr double kImpossible = 0.01;
};
BOOST_DESCRIBE_STRUCT(Bar, (), (what, asked, measured, met, perfect, chance))

struct PrecisionAt {
    std::uint64_t k = 0;
    double precision = 0;
};
BOOST_DESCRIBE_STRUCT(PrecisionAt, (), (k, precision))

/// What would happen if an alarm were raised from this risk on.
struct AlarmLevel {
    double risk = 0;
    double row_share = 0;                               ///< Of test rows at or above it.
    double precision = 0;                               ///< Of these rows.
    double event_recall = 0;                            ///< Of failures, those with an alarm.
    std::optional<double> alarms_per_100_entity_weeks;  ///< Where rows are spaced in time.
};
BOOST_DESCRIBE_STRUCT(AlarmLevel, (),
                      (risk, row_share, precision, event_recall, alarms_per_100_entity_weeks))

/// A part of the test rows: low or high values of the most important feature, early or late.
struct RiskSlice {
    std::string name;
    std::uint64_t rows = 0;
    double base_rate = 0;
    double auc = 0;
    double observed_over_expected = 0;
};
BOOST_DESCRIBE_STRUCT(RiskSlice, (), (name, rows, base_rate, auc, observed_over_expected))

/// One of the rows with the largest errors.
struct WorstError {
    std::int32_t entity = 0;
    double at_s = 0;  ///< Time of the row, in seconds.
    double forecast = 0;
    double truth = 0;
    std::string beside;  ///< Its most important features.
};
BOOST_DESCRIBE_STRUCT(WorstError, (), (entity, at_s, forecast, truth, beside))

struct RiskQuality {
    double weight = 0;  ///< Of all rows that were judged.
    double base_rate = 0;
    Interval auc;
    double average_precision = 0;
    std::vector<PrecisionAt> precision_at;
    double log_loss = 0;
    Interval skill;  ///< Of log-loss over the base rate of the test rows; 95 % by entity.
    double brier = 0;
    double calibration_error = 0;  ///< Over bins of equal weight.
    double calibration_slope = 0;
    Interval observed_over_expected;
    Interval observed_over_expected_top;  ///< In the highest 1 %.
    std::vector<Bin> bins;
    std::vector<AlarmLevel> alarms;
    std::vector<CurvePoint> roc;
    std::vector<CurvePoint> precision_recall;
};
BOOST_DESCRIBE_STRUCT(RiskQuality, (),
                      (weight, base_rate, auc, average_precision, precision_at, log_loss, skill,
                       brier, calibration_error, calibration_slope, observed_over_expected,
                       observed_over_expected_top, bins, alarms, roc, precision_recall))

/// A simple rule on the same test rows, as a baseline to beat.
struct RiskBaseline {
    std::string name;
    double auc = 0;
    double average_precision = 0;
};
BOOST_DESCRIBE_STRUCT(RiskBaseline, (), (name, auc, average_precision))

/// The test slice as it would have been served: probabilities corrected once a day by what had come
/// true until then.
struct ServedQuality {
    std::uint64_t adopted = 0;  ///< How often a correction was adopted.
    double log_loss = 0;
    double skill = 0;
    double calibration_error = 0;
    double calibration_slope = 0;
    Interval observed_over_expected;
    Interval observed_over_expected_top;
    std::vector<Bar> bars;
};
BOOST_DESCRIBE_STRUCT(ServedQuality, (),
                      (adopted, log_loss, skill, calibration_error, calibration_slope,
                       observed_over_expected, observed_over_expected_top, bars))

/// The recall of a family is counted at the limit that this share of healthy rows exceeds.
inline constexpr double kFamilyAlarms = 0.02;

/// A kind of fault, judged by a model that knew it and by one that was never shown it.
struct FamilyFacts {
    std::string family;
    std::uint64_t train_events = 0;  ///< Those that the second model was not shown.
    std::uint64_t test_events = 0;
    double auc_known = 0;     ///< The family's failures against healthy rows.
    double auc_left_out = 0;  ///< The same for the model that was not shown it.
    double recall_known =
        0;  ///< Failures with an alarm, where kFamilyAlarms of healthy rows have one.
    double recall_left_out = 0;
};
BOOST_DESCRIBE_STRUCT(FamilyFacts, (),
                      (family, train_events, test_events, auc_known, auc_left_out, recall_known,
                       recall_left_out))

struct RiskReport {
    DataFacts data;
    BoosterParameters parameters;
    std::string xgboost;
    std::uint64_t trees = 0;
    double negatives_kept = 1;  ///< Share of training rows without a failure that were used.
    std::string calibration;    ///< `none`, `intercept`, `platt` or `isotonic`.
    std::uint64_t calibration_events = 0;  ///< Independent failures among the rows behind it.
    bool may_act = false;  ///< Whether it is calibrated well enough to drive actions.
    RiskQuality quality;
    std::vector<RiskBaseline> baselines;
    std::vector<Importance> importance;
    std::vector<RiskSlice> slices;
    std::vector<WorstError> worst;
    std::vector<Bar> bars;
    std::optional<ServedQuality> served;  ///< If rows are spaced in time.
    std::optional<AboveLimit> above;      ///< If somebody acted on risks.
    std::vector<FamilyFacts> families;    ///< If it was asked for.
    std::vector<std::string> warnings;    ///< Reasons to doubt its figures, in sentences.
    /// By the newest slice only, because older ones did not hold.
    bool calibrated_by_newest = false;
};
BOOST_DESCRIBE_STRUCT(RiskReport, (),
                      (data, parameters, xgboost, trees, negatives_kept, calibration,
                       calibration_events, may_act, quality, baselines, importance, slices, worst,
                       bars, served, above, families, warnings, calibrated_by_newest))

struct DemandError {
    std::string method;  ///< `model`, `persistence`, `daily`, `weekly`, `holt`, `ridge`.
    double mae = 0;
    double over_persistence = 0;  ///< MAE / MAE of persistence on the same rows.
};
BOOST_DESCRIBE_STRUCT(DemandError, (), (method, mae, over_persistence))

/// Intervals that should hold nine of ten values.
struct Coverage {
    double overall = 0;
    double worst_day = 0;  ///< Lowest share over any rolling day, of a series or of a whole run.
    double worst_series = std::numeric_limits<double>::quiet_NaN();  ///< Of 96 rows or more.
    double mean_width = 0;  ///< Over the mean absolute error of persistence.
    double pinball_95 = 0;  ///< Of the upper end, which forecasts the 95 % quantile.
};
BOOST_DESCRIBE_STRUCT(Coverage, (), (overall, worst_day, worst_series, mean_width, pinball_95))

struct DemandHorizon {
    std::uint64_t steps = 0;  ///< Of the trace; 0 if a span of minutes is forecast.
    double minutes = 0;
    std::uint64_t trees = 0;
    std::uint64_t test_rows = 0;
    std::vector<DemandError> errors;
    std::string serves;  ///< The method with the smallest error on the calibration slice.
    Coverage coverage;
    std::vector<Importance> importance;
    std::vector<WorstError> worst;
};
BOOST_DESCRIBE_STRUCT(DemandHorizon, (),
                      (steps, minutes, trees, test_rows, errors, serves, coverage, importance,
                       worst))

struct DemandReport {
    DataFacts data;
    BoosterParameters parameters;
    std::string xgboost;
    std::vector<DemandHorizon> horizons;
    std::vector<Bar> bars;
};
BOOST_DESCRIBE_STRUCT(DemandReport, (), (data, parameters, xgboost, horizons, bars))

}  // namespace parley::learn
