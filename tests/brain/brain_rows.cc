// For tests: an XGBoost file and rows in, margins and contributions out, as raw bytes.
//
// Usage: brain_rows MODEL ROWS OUT. ROWS are floats, one per feature; OUT gets per row the margin
// computed alone, the margin from a batch (floats) and the contributions (doubles, the bias last).
// Exits with 3 and prints the reason if the model is refused.

#include "base/file.h"
#include "brain/contributions.h"
#include "brain/xgboost_file.h"

#include <cstdio>
#include <cstring>

namespace {

using namespace parley;

template <class T>
void put(std::string& out, const T& value) {
    char bytes[sizeof value];
    std::memcpy(bytes, &value, sizeof value);
    out.append(bytes, sizeof value);
}

std::string answers(const brain::Forest& forest, std::string_view bytes) {
    const std::size_t columns = forest.features();
    std::vector<float> rows(bytes.size() / sizeof(float));
    std::memcpy(rows.data(), bytes.data(), rows.size() * sizeof(float));
    std::vector<float> batch(rows.size() / columns);
    rows.resize(batch.size() * columns);
    brain::margins(forest, rows, columns, batch);
    const brain::Paths paths = brain::paths_of(forest);
    std::vector<double> parts(columns + 1);
    std::string out;
    for (std::size_t i = 0; i < batch.size(); ++i) {
        const std::span<const float> row(&rows[i * columns], columns);
        put(out, brain::margin(forest, row));
        put(out, batch[i]);
        brain::contributions(forest, paths, row, parts);
        for (const double part : parts) put(out, part);
    }
    return out;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 4) return 2;
    const auto file = read_file(real_disk(), argv[1]);
    const auto rows = read_file(real_disk(), argv[2]);
    if (!file || !rows) return 2;
    const auto model = brain::read_xgboost(*file);
    if (!model) {
        std::printf("%s\n", model.error().message.c_str());
        return 3;
    }
    const auto written = write_file_atomically(real_disk(), argv[3], answers(model->forest, *rows));
    std::printf("%s\n", model->version.c_str());
    return written ? 0 : 2;
}
