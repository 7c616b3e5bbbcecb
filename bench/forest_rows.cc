// How long does a margin take, alone and in a batch, and how long its contributions? Ours beside
// XGBoost's C API; forest_peer.py asks XGBoost's Python, forest_figures.py runs them in turn.
//
// forest_rows FOLDER make LIBRARY       trains 200 trees of depth 6 over 20 features, writes files
// forest_rows FOLDER margins            writes our margins of all rows, for the Python side
// forest_rows FOLDER check LIBRARY      compares answers, prints JSON
// forest_rows FOLDER time SIDE          times SIDE (ours, or a library), prints JSON

#include "base/file.h"
#include "base/random.h"
#include "bench/xgboost_library.h"
#include "brain/contributions.h"
#include "brain/xgboost_file.h"

#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <limits>

namespace {

using namespace parley;
using bench::XgboostLibrary;

constexpr std::size_t kColumns = 20;
constexpr std::size_t kRows = 100'000;
constexpr std::size_t kTrainRows = 50'000;
constexpr std::size_t kBatch = 1'000;
constexpr std::size_t kExplained = 500;
constexpr int kBatches = 100;
constexpr int kTrees = 200;

template <class T>
T expect(Result<T> result) {
    if (!result) {
        std::fprintf(stderr, "forest_rows: %s\n", result.error().message.c_str());
        std::exit(1);
    }
    if constexpr (!std::is_void_v<T>) return std::move(*result);
}

/// Sums of four uniform numbers, one in twenty missing; the same in every run.
std::vector<float> drawn_rows() {
    std::vector<float> rows(kRows * kColumns);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const std::uint64_t bits = draw(7, Stream::payload, i, 0);
        float sum = -2;
        for (unsigned part = 0; part < 4; ++part) {
            sum += static_cast<float>((bits >> (16 * part)) & 0xffffU) / 65536.0F;
        }
        rows[i] = draw(7, Stream::payload, i, 1) % 20 == 0 ? std::numeric_limits<float>::quiet_NaN()
                                                           : sum;
    }
    return rows;
}

std::vector<float> labels_of(std::span<const float> rows) {
    std::vector<float> labels(rows.size() / kColumns);
    for (std::size_t i = 0; i < labels.size(); ++i) {
        float sum = 0;
        for (std::size_t k = 0; k < kColumns; ++k) {
            const float value = rows[i * kColumns + k];
            const float weight = k % 3 == 0 ? 1.0F : -0.6F;
            if (!std::isnan(value)) sum += weight * value * (k % 4 == 1 ? value : 1.0F);
        }
        const bool flipped = draw(7, Stream::noise, i, 0) % 10 == 0;
        labels[i] = (sum > 0.2F) != flipped ? 1.0F : 0.0F;
    }
    return labels;
}

template <class T>
void write(const std::string& path, std::span<const T> values) {
    std::string bytes(values.size_bytes(), '\0');
    std::memcpy(bytes.data(), values.data(), bytes.size());
    expect(write_file_atomically(real_disk(), path, bytes));
}

int make(const std::string& folder, const std::string& library) {
    const auto rows = drawn_rows();
    const std::span<const float> train(rows.data(), kTrainRows * kColumns);
    constexpr std::pair<const char*, const char*> kParameters[] = {
        {"objective", "binary:logistic"}, {"max_depth", "6"}, {"eta", "0.1"},
        {"tree_method", "hist"},          {"nthread", "1"},   {"seed", "1"}};
    XgboostLibrary xgboost(library);
    xgboost.train(train, labels_of(train), kParameters, kTrees);
    xgboost.save(join(folder, "model.json"));
    write<float>(join(folder, "rows.f32"), rows);
    return 0;
}

brain::Forest forest_in(const std::string& folder) {
    const std::string bytes = expect(read_file(real_disk(), join(folder, "model.json")));
    return std::move(expect(brain::read_xgboost(bytes)).forest);
}

std::vector<float> all_margins(const brain::Forest& forest, std::span<const float> rows) {
    std::vector<float> out(rows.size() / kColumns);
    brain::margins(forest, rows, kColumns, out);
    return out;
}

int check(const std::string& folder, const std::string& library) {
    const auto forest = forest_in(folder);
    const auto rows = drawn_rows();
    XgboostLibrary xgboost(library);
    xgboost.load(join(folder, "model.json"));
    const auto theirs = xgboost.margins(XgboostLibrary::interface_of(rows, kColumns));
    const auto ours = all_margins(forest, rows);
    std::size_t equal = 0;
    double margin = 0;
    for (std::size_t i = 0; i < ours.size(); ++i) {
        equal += std::bit_cast<std::uint32_t>(ours[i]) == std::bit_cast<std::uint32_t>(theirs[i]);
        const double scale = std::max(1.0, std::fabs(static_cast<double>(theirs[i])));
        margin = std::max(margin, std::fabs(static_cast<double>(ours[i]) - theirs[i]) / scale);
    }
    const auto some = std::span(rows).first(kExplained * kColumns);
    const auto parts = xgboost.contributions(some, kColumns);
    const brain::Paths paths = brain::paths_of(forest);
    std::vector<double> mine(kColumns + 1);
    double part = 0;
    for (std::size_t i = 0; i < kExplained; ++i) {
        brain::contributions(forest, paths, some.subspan(i * kColumns, kColumns), mine);
        const double scale = std::max(1.0, std::fabs(static_cast<double>(ours[i])));
        for (std::size_t k = 0; k < mine.size(); ++k) {
            const double other = parts[i * mine.size() + k];
            part = std::max(part, std::fabs(mine[k] - other) / scale);
        }
    }
    std::printf("{\"version\":\"%s\",\"rows\":%zu,\"equal\":%zu,\"margin\":%.3g,\"parts\":%.3g}\n",
                xgboost.version().c_str(), ours.size(), equal, margin, part);
    return 0;
}

double cpu_now_s() {
    timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

struct Times {
    double p50_us = 0;
    double p99_us = 0;
    double batch_rows_per_s = 0;
    double parts_us = 0;
    double checksum = 0;  ///< So that the work is not optimised away.
};

/// `single(i)`, `batch(first)` and `parts(first, count)` answer for rows by their numbers.
template <class Single, class Batch, class Parts>
Times time_all(const Single& single, const Batch& batch, const Parts& parts) {
    Times out;
    std::vector<double> took(kRows);
    for (std::size_t i = 0; i < kRows; ++i) {
        const auto begin = std::chrono::steady_clock::now();
        out.checksum += single(i);
        const std::chrono::duration<double, std::micro> spent =
            std::chrono::steady_clock::now() - begin;
        took[i] = spent.count();
    }
    std::ranges::sort(took);
    out.p50_us = took[took.size() / 2];
    out.p99_us = took[took.size() * 99 / 100];
    for (int i = 0; i < 5; ++i) out.checksum += batch(0);
    const double begin = cpu_now_s();
    for (int i = 0; i < kBatches; ++i) out.checksum += batch(static_cast<std::size_t>(i) * kBatch);
    out.batch_rows_per_s = kBatches * static_cast<double>(kBatch) / (cpu_now_s() - begin);
    const double start = cpu_now_s();
    out.checksum += parts(kExplained);
    out.parts_us = (cpu_now_s() - start) * 1e6 / static_cast<double>(kExplained);
    return out;
}

Times time_ours(const std::string& folder, std::span<const float> rows) {
    const auto forest = forest_in(folder);
    const brain::Paths paths = brain::paths_of(forest);
    std::vector<float> out(kBatch);
    std::vector<double> parts(kColumns + 1);
    const auto row = [&](std::size_t i) { return rows.subspan(i * kColumns, kColumns); };
    return time_all([&](std::size_t i) { return brain::margin(forest, row(i)); },
                    [&](std::size_t first) {
                        const auto some = rows.subspan(first * kColumns, kBatch * kColumns);
                        brain::margins(forest, some, kColumns, out);
                        return out[0];
                    },
                    [&](std::size_t count) {
                        double sum = 0;
                        for (std::size_t i = 0; i < count; ++i) {
                            brain::contributions(forest, paths, row(i), parts);
                            sum += parts[0];
                        }
                        return sum;
                    });
}

Times time_library(const std::string& folder, XgboostLibrary& xgboost,
                   std::span<const float> rows) {
    xgboost.load(join(folder, "model.json"));
    std::vector<std::string> singles;
    std::vector<std::string> batches;
    for (std::size_t i = 0; i < kRows; ++i) {
        singles.push_back(
            XgboostLibrary::interface_of(rows.subspan(i * kColumns, kColumns), kColumns));
    }
    for (std::size_t i = 0; i < kRows; i += kBatch) {
        batches.push_back(
            XgboostLibrary::interface_of(rows.subspan(i * kColumns, kBatch * kColumns), kColumns));
    }
    return time_all([&](std::size_t i) { return xgboost.margins(singles[i])[0]; },
                    [&](std::size_t first) { return xgboost.margins(batches[first / kBatch])[0]; },
                    [&](std::size_t count) {
                        return xgboost.contributions(rows.first(count * kColumns), kColumns)[0];
                    });
}

int time_side(const std::string& folder, const std::string& side) {
    const auto rows = drawn_rows();
    Times times;
    std::string version = "parley";
    if (side == "ours") {
        times = time_ours(folder, rows);
    } else {
        XgboostLibrary xgboost(side);
        version = xgboost.version();
        times = time_library(folder, xgboost, rows);
    }
    std::printf(
        "{\"version\":\"%s\",\"p50_us\":%.4f,\"p99_us\":%.4f,\"batch_rows_per_s\":%.0f,"
        "\"parts_us\":%.3f,\"checksum\":%.6g}\n",
        version.c_str(), times.p50_us, times.p99_us, times.batch_rows_per_s, times.parts_us,
        times.checksum);
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    const std::vector<std::string> words(argv + 1, argv + argc);
    if (words.size() == 3 && words[1] == "make") return make(words[0], words[2]);
    if (words.size() == 3 && words[1] == "check") return check(words[0], words[2]);
    if (words.size() == 3 && words[1] == "time") return time_side(words[0], words[2]);
    if (words.size() == 2 && words[1] == "margins") {
        const auto forest = forest_in(words[0]);
        write<float>(join(words[0], "margins.f32"), all_margins(forest, drawn_rows()));
        return 0;
    }
    std::fprintf(stderr, "usage: forest_rows FOLDER make|check|time|margins [LIBRARY|ours]\n");
    return 2;
}
