// Public traces: a file in the form of one of them, plain or gzip. What is accepted gives rows that
// a trainer may rely on, or series at even steps within their bounds.

#include "base/check.h"
#include "fake/disk.h"
#include "fuzz/input.h"
#include "learn/rows/rows_check.h"
#include "traces/catalogue.h"

#include <cmath>
#include <string>

namespace {

using namespace parley;

void check(const traces::RiskTrace& trace) {
    PARLEY_CHECK(!trace.name.empty() && !trace.what.empty() && !trace.entity.empty());
    PARLEY_CHECK(trace.split.part.size() == trace.rows.size());
    PARLEY_CHECK(trace.step.us >= 0);
    const auto good = learn::check_rows(trace.rows);
    if (!good) PARLEY_CHECK(fuzz::readable(good.error().message));
    PARLEY_CHECK(trace.rows.values.size() == trace.rows.size() * trace.rows.columns.size());
    PARLEY_CHECK(trace.rows.time.size() == trace.rows.size());
}

void check(const traces::LoadTrace& trace) {
    PARLEY_CHECK(!trace.series.empty() && trace.series.size() <= traces::kSeriesMax);
    PARLEY_CHECK(!trace.ahead.empty());
    for (const learn::Series& series : trace.series) {
        PARLEY_CHECK(series.step.us > 0 && series.values.size() <= traces::kSeriesPointsMax);
        for (const double value : series.values) PARLEY_CHECK(!std::isinf(value));
    }
}

}  // namespace

void parley::fuzz::try_input(Input input) {
    const auto risk = traces::risk_traces();
    const auto load = traces::load_traces();
    const std::size_t which = input.byte() % (risk.size() + load.size());
    fake::Disk disk;
    const std::string file = "trace.csv";
    PARLEY_CHECK(write_file_atomically(disk, file, std::string(input.rest())).has_value());
    if (which < risk.size()) {
        const auto trace = traces::read_risk_trace(disk, risk[which].name, {file});
        trace ? check(*trace) : PARLEY_CHECK(fuzz::readable(trace.error().message));
    } else {
        const auto trace = traces::read_load_trace(disk, load[which - risk.size()].name, {file});
        trace ? check(*trace) : PARLEY_CHECK(fuzz::readable(trace.error().message));
    }
}
