// How long do 200 trees over 50,000 rows of 20 features take, from rows in memory to a model? The
// same rows go to xgboost_training_peer.py, which trains them with Python's xgboost in turn.
//
// One thread is timed by the CPU, which other programs on the machine disturb least; several by the
// clock.
//
// Usage: xgboost_training --rows=FILE writes the rows; xgboost_training --threads=N trains once and
// prints one line of JSON.

#include "base/math.h"
#include "base/number.h"
#include "base/random.h"
#include "learn/fit/booster.h"
#include "learn/fit/metrics.h"
#include "learn/rows/rows_dump.h"

#include <cstdio>
#include <ctime>
#include <fstream>
#include <numeric>
#include <string>
#include <string_view>

namespace {

using namespace parley;
using namespace parley::learn;

constexpr std::size_t kFeatures = 20;
constexpr std::size_t kTrain = 50'000;
constexpr std::size_t kStop = 5'000;
constexpr std::size_t kTest = 20'000;

/// A failure's logit is a sum of steps, products and a line over the first eight features.
Rows made_up() {
    Rows rows;
    for (std::size_t j = 0; j < kFeatures; ++j)
        rows.columns.push_back({"f" + std::to_string(j), "share"});
    for (std::size_t i = 0; i < kTrain + kStop + kTest; ++i) {
        double x[kFeatures];
        for (std::size_t j = 0; j < kFeatures; ++j) {
            x[j] = random::normal(draw(1, Stream::noise, i, j));
            rows.values.push_back(static_cast<float>(x[j]));
        }
        const double logit = -2 + x[0] + (x[1] > 0.5 ? 1.5 : 0) + x[2] * x[3] -
                             (x[4] < -1 ? 2 : 0) + 0.5 * x[5] * (x[6] > 0 ? 1 : -1) +
                             0.3 * x[7] * x[7];
        const bool fails = random::bernoulli(draw(1, Stream::fault, i, 0), math::logistic(logit));
        rows.label.push_back(fails ? 1.0F : 0.0F);
        rows.weight.push_back(1);
        rows.time.push_back({static_cast<std::int64_t>(i)});
        rows.entity.push_back(static_cast<std::int32_t>(i % 1'000));
        rows.group.push_back(0);
        rows.event.push_back(kNoEvent);
    }
    return rows;
}

std::vector<std::uint32_t> numbers(std::size_t from, std::size_t count) {
    std::vector<std::uint32_t> all(count);
    std::iota(all.begin(), all.end(), static_cast<std::uint32_t>(from));
    return all;
}

int write_rows(const Rows& rows, const std::string& path) {
    Split split{.part = std::vector<Part>(rows.size(), Part::test)};
    std::fill_n(split.part.begin(), kTrain, Part::train);
    std::fill_n(split.part.begin() + kTrain, kStop, Part::stop);
    std::ofstream file(path, std::ios::binary);
    file << dump_rows(rows, split);
    return file.good() ? 0 : 1;
}

double seconds_now(int threads) {
    timespec now{};
    clock_gettime(threads == 1 ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

int train(const Rows& rows, int threads) {
    const BoosterParameters parameters{
        .base_score = 0.2, .depth = 6, .rounds_max = 200, .patience = 0, .threads = threads};
    const double begin = seconds_now(threads);
    const auto matrix = Matrix::of(rows, numbers(0, kTrain), threads);
    const auto stop = Matrix::of(rows, numbers(kTrain, kStop), threads);
    if (!matrix || !stop) return 1;
    const auto booster = Booster::train(*matrix, *stop, parameters);
    const double took = seconds_now(threads) - begin;
    if (!booster) {
        std::fprintf(stderr, "%s\n", booster.error().message.c_str());
        return 1;
    }
    const auto test = Matrix::of(rows, numbers(kTrain + kStop, kTest), threads);
    const auto margins = booster->margins(*test);
    if (!margins) return 1;
    const std::vector<double> score(margins->begin(), margins->end());
    const std::vector<float> label(rows.label.end() - kTest, rows.label.end());
    const std::vector<float> weight(kTest, 1);
    std::printf("{\"seconds\":%s,\"auc\":%s,\"trees\":%d,\"xgboost\":\"%s\"}\n",
                print_double(took).c_str(), print_double(auc({score, label, weight})).c_str(),
                booster->trees(), xgboost_version().c_str());
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    const std::string_view option = argc == 2 ? argv[1] : "";
    if (option.starts_with("--rows=")) return write_rows(made_up(), std::string(option.substr(7)));
    if (option.starts_with("--threads=")) {
        const auto threads = parse_int64(option.substr(10), 1, 64);
        if (threads) return train(made_up(), static_cast<int>(*threads));
    }
    std::fprintf(stderr, "usage: xgboost_training --rows=FILE | --threads=N\n");
    return 2;
}
