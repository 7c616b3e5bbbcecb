// Series from CSV: what is accepted rises in time, is finite, and reads back the same.

#include "base/check.h"
#include "base/number.h"
#include "base/same.h"
#include "config/csv.h"
#include "fuzz/input.h"

#include <cmath>
#include <string>

namespace {

using namespace parley;

void check(const std::vector<config::CsvPoint>& points) {
    PARLEY_CHECK(!points.empty() && points.size() <= config::kCsvPointsMax);
    std::string text;
    for (std::size_t i = 0; i < points.size(); ++i) {
        PARLEY_CHECK(points[i].at.us >= 0 && std::isfinite(points[i].value));
        PARLEY_CHECK(i == 0 || points[i - 1].at < points[i].at);
        text += print_double(in_seconds(points[i].at)) + "," + print_double(points[i].value) + "\n";
    }
    const auto again = config::parse_csv({"again.csv", text});
    PARLEY_CHECK(again && again->size() == points.size());
    for (std::size_t i = 0; i < points.size(); ++i) {
        PARLEY_CHECK((*again)[i].at == points[i].at);
        PARLEY_CHECK(same((*again)[i].value, points[i].value));
    }
}

}  // namespace

void parley::fuzz::try_input(Input input) {
    const auto source = config::text_source("input.csv", std::string(input.rest()));
    if (!source) {
        PARLEY_CHECK(fuzz::readable(source.error().message));
        return;
    }
    const auto points = config::parse_csv(*source);
    if (points) {
        check(*points);
    } else {
        PARLEY_CHECK(fuzz::readable(points.error().message));
    }
}
