#include "learn/fit/booster.h"

#include "base/number.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <string_view>
#include <utility>
#include <xgboost/c_api.h>

namespace parley::learn {
namespace {

Result<void> checked(int code, const std::string& what) {
    if (code == 0) return {};
    std::string_view text = XGBGetLastError();
    text = text.substr(0, std::min<std::size_t>(text.find("Stack trace"), 300));
    while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.remove_suffix(1);
    return fail(ErrorCode::malformed, "xgboost: " + what + ": " + std::string(text));
}

using Setting = std::pair<const char*, std::string>;

std::vector<Setting> settings_of(const BoosterParameters& p) {
    return {{"objective", p.objective},
            {"eval_metric", p.metric},
            {"base_score", print_double(p.base_score)},
            {"booster", "gbtree"},
            {"tree_method", "hist"},
            {"max_depth", std::to_string(p.depth)},
            {"eta", print_double(p.eta)},
            {"min_child_weight", print_double(p.min_child_weight)},
            {"max_delta_step", print_double(p.max_delta_step)},
            {"subsample", print_double(p.subsample)},
            {"colsample_bytree", print_double(p.column_share)},
            {"lambda", print_double(p.lambda)},
            {"nthread", std::to_string(p.threads)},
            {"seed", std::to_string(p.seed)},
            {"verbosity", "0"}};
}

/// The number after the last colon of `[12]\tstop-logloss:0.25`.
Result<double> score_in(std::string_view text) {
    const std::size_t colon = text.rfind(':');
    double value = 0;
    if (colon != std::string_view::npos) {
        const char* const first = text.data() + colon + 1;
        const char* const last = text.data() + text.size();
        const auto [end, error] = std::from_chars(first, last, value);
        if (error == std::errc() && end == last && std::isfinite(value)) return value;
    }
    return fail(ErrorCode::malformed,
                "xgboost: the stop slice has no finite score, but " + in_quotes(text));
}

Result<void> check_parameters(const BoosterParameters& p) {
    const bool good = p.depth >= 1 && p.depth <= 16 && p.eta > 0 && p.eta <= 1 &&
                      p.rounds_max >= 1 && p.rounds_max <= 10'000 && p.patience >= 0 &&
                      p.threads >= 1 && p.threads <= 1'024 && std::isfinite(p.base_score);
    if (good) return {};
    return fail(ErrorCode::denied,
                "xgboost: depth is 1 to 16, eta above 0 and at most 1, rounds 1 to 10,000, threads "
                "1 to 1,024; change what is outside");
}

}  // namespace

void Matrix::Free::operator()(void* handle) const { XGDMatrixFree(handle); }
void Booster::Free::operator()(void* handle) const { XGBoosterFree(handle); }

Result<Matrix> Matrix::of(const Rows& rows, std::span<const std::uint32_t> numbers, int threads,
                          std::span<const float> margin) {
    if (numbers.empty()) return fail(ErrorCode::malformed, "xgboost: a slice has no rows");
    const std::size_t width = rows.columns.size();
    std::vector<float> values;
    std::vector<float> label;
    std::vector<float> weight;
    values.reserve(numbers.size() * width);
    for (const std::uint32_t i : numbers) {
        const auto row = rows.row(i);
        values.insert(values.end(), row.begin(), row.end());
        label.push_back(rows.label[i]);
        weight.push_back(rows.weight[i]);
    }
    DMatrixHandle handle = nullptr;
    auto done = checked(
        XGDMatrixCreateFromMat_omp(values.data(), numbers.size(), width,
                                   std::numeric_limits<float>::quiet_NaN(), &handle, threads),
        "rows");
    if (!done) return tl::unexpected(done.error());
    Matrix matrix;
    matrix.handle_.reset(handle);
    matrix.size_ = numbers.size();
    const std::pair<const char*, std::span<const float>> fields[] = {
        {"label", label}, {"weight", weight}, {"base_margin", margin}};
    for (const auto& [name, field] : fields) {
        if (field.empty()) continue;
        done = checked(XGDMatrixSetFloatInfo(handle, name, field.data(), field.size()), name);
        if (!done) return tl::unexpected(done.error());
    }
    return matrix;
}

Result<Booster> Booster::begin(std::span<void*> matrices, const BoosterParameters& parameters) {
    if (auto good = check_parameters(parameters); !good) return tl::unexpected(good.error());
    BoosterHandle handle = nullptr;
    auto done =
        checked(XGBoosterCreate(matrices.data(), matrices.size(), &handle), "a new booster");
    if (!done) return tl::unexpected(done.error());
    Booster booster;
    booster.handle_.reset(handle);
    for (const auto& [name, value] : settings_of(parameters)) {
        done = checked(XGBoosterSetParam(handle, name, value.c_str()), name);
        if (!done) return tl::unexpected(done.error());
    }
    return booster;
}

Result<Booster> Booster::grow(const Matrix& train, const BoosterParameters& parameters,
                              const Watch& watch) {
    DMatrixHandle matrices[] = {train.handle()};
    auto booster = begin(matrices, parameters);
    if (!booster) return booster;
    for (int round = 0; round < parameters.rounds_max; ++round) {
        const auto done = checked(
            XGBoosterUpdateOneIter(booster->handle_.get(), round, train.handle()), "a round");
        if (!done) return tl::unexpected(done.error());
        booster->trees_ = round + 1;
        if (watch && !watch(round + 1)) return fail(ErrorCode::gone, "training was interrupted");
    }
    return booster;
}

Result<Booster> Booster::train(const Matrix& train, const Matrix& stop,
                               const BoosterParameters& parameters, const Watch& watch) {
    DMatrixHandle matrices[] = {train.handle(), stop.handle()};
    auto begun = begin(matrices, parameters);
    if (!begun) return tl::unexpected(begun.error());
    Booster booster = *std::move(begun);
    BoosterHandle handle = booster.handle_.get();
    Result<void> done;
    booster.best_score_ = std::numeric_limits<double>::infinity();
    int rounds = 0;
    for (int round = 0; round < parameters.rounds_max; ++round) {
        done = checked(XGBoosterUpdateOneIter(handle, round, train.handle()), "a round");
        if (!done) return tl::unexpected(done.error());
        DMatrixHandle judged[] = {stop.handle()};
        const char* names[] = {"stop"};
        const char* text = nullptr;
        done = checked(XGBoosterEvalOneIter(handle, round, judged, names, 1, &text), "a score");
        if (!done) return tl::unexpected(done.error());
        const auto score = score_in(text);
        if (!score) return tl::unexpected(score.error());
        rounds = round + 1;
        if (*score < booster.best_score_) {
            booster.best_score_ = *score;
            booster.trees_ = rounds;
        }
        if (watch && !watch(rounds)) return fail(ErrorCode::gone, "training was interrupted");
        if (parameters.patience > 0 && rounds - booster.trees_ >= parameters.patience) break;
    }
    if (booster.trees_ == rounds) return booster;
    BoosterHandle best = nullptr;
    done = checked(XGBoosterSlice(handle, 0, booster.trees_, 1, &best), "the best round");
    if (!done) return tl::unexpected(done.error());
    booster.handle_.reset(best);
    // A sliced booster forgets its thread limit and would use all.
    done = checked(XGBoosterSetParam(best, "nthread", std::to_string(parameters.threads).c_str()),
                   "threads");
    if (!done) return tl::unexpected(done.error());
    return booster;
}

Result<std::vector<float>> Booster::margins(const Matrix& matrix) const {
    constexpr const char* kMargin =
        R"({"type":1,"training":false,"iteration_begin":0,"iteration_end":0,"strict_shape":false})";
    const bst_ulong* shape = nullptr;
    bst_ulong dimensions = 0;
    const float* values = nullptr;
    const auto done = checked(XGBoosterPredictFromDMatrix(handle_.get(), matrix.handle(), kMargin,
                                                          &shape, &dimensions, &values),
                              "prediction");
    if (!done) return tl::unexpected(done.error());
    bst_ulong count = dimensions == 0 ? 0 : 1;
    for (bst_ulong i = 0; i < dimensions; ++i) count *= shape[i];
    if (count != matrix.size()) {
        return fail(ErrorCode::malformed,
                    "xgboost: it predicts several values for a row; only one "
                    "is understood");
    }
    return std::vector<float>(values, values + count);
}

Result<std::string> Booster::save(const std::string& format) const {
    const std::string config = R"({"format":")" + format + R"("})";
    bst_ulong length = 0;
    const char* bytes = nullptr;
    const auto done = checked(
        XGBoosterSaveModelToBuffer(handle_.get(), config.c_str(), &length, &bytes), "saving");
    if (!done) return tl::unexpected(done.error());
    return std::string(bytes, length);
}

Result<Booster> Booster::load(const std::string& bytes) {
    BoosterHandle handle = nullptr;
    auto done = checked(XGBoosterCreate(nullptr, 0, &handle), "a new booster");
    if (!done) return tl::unexpected(done.error());
    Booster booster;
    booster.handle_.reset(handle);
    done = checked(XGBoosterLoadModelFromBuffer(handle, bytes.data(), bytes.size()), "loading");
    if (!done) return tl::unexpected(done.error());
    done = checked(XGBoosterBoostedRounds(handle, &booster.trees_), "counting trees");
    if (!done) return tl::unexpected(done.error());
    return booster;
}

Result<std::vector<Gain>> Booster::gains(std::span<const Column> columns) const {
    bst_ulong features = 0;
    const char** names = nullptr;
    bst_ulong dimensions = 0;
    const bst_ulong* shape = nullptr;
    const float* scores = nullptr;
    const auto done =
        checked(XGBoosterFeatureScore(handle_.get(), R"({"importance_type":"total_gain"})",
                                      &features, &names, &dimensions, &shape, &scores),
                "importance");
    if (!done) return tl::unexpected(done.error());
    std::vector<Gain> gains;
    double total = 0;
    for (bst_ulong i = 0; i < features; ++i) {
        std::string name = names[i];
        // Without names they are f0, f1 and so on.
        const auto number = parse_uint64(std::string_view(name).substr(1));
        if (number && *number < columns.size()) name = columns[*number].name;
        gains.push_back({std::move(name), scores[i]});
        total += scores[i];
    }
    for (Gain& gain : gains) gain.share = total > 0 ? gain.share / total : 0;
    std::ranges::sort(gains, [](const Gain& a, const Gain& b) {
        return a.share != b.share ? a.share > b.share : a.feature < b.feature;
    });
    return gains;
}

std::string xgboost_version() {
    int major = 0;
    int minor = 0;
    int patch = 0;
    XGBoostVersion(&major, &minor, &patch);
    return std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(patch);
}

}  // namespace parley::learn
