#include "apps/training/dataset_run.h"

#include "base/json.h"
#include "base/number.h"
#include "base/time_text.h"
#include "learn/rounds/demand_sources.h"
#include "learn/rows/rows_check.h"
#include "learn/rows/rows_dump.h"
#include "learn/rows/split.h"

#include <algorithm>

namespace parley::app {
namespace {

std::string count(std::uint64_t n) { return thousands(static_cast<std::int64_t>(n)); }

std::string padded(std::string text, std::size_t width) {
    if (text.size() < width) text.insert(0, width - text.size(), ' ');
    return text;
}

/// Why there is no row at all.
tl::unexpected<Error> no_rows(const learn::DemandData& data) {
    const std::size_t last = model::kDemandHorizons - 1;
    const Duration least = learn::demand_needs(0, data.rules);
    if (data.longest >= least) {
        return fail(ErrorCode::denied,
                    "no series of the runs has a row: what nodes and workloads used was not known "
                    "for a quarter of an hour on end");
    }
    return fail(ErrorCode::denied,
                "the runs are too short for a row: the longest has " + print_age(data.longest) +
                    ", and " + print_duration(least) + " are needed, " +
                    print_duration(learn::demand_needs(last, data.rules)) + " for rows " +
                    std::to_string(model::kDemandHorizonsMin[last]) + " min ahead");
}

}  // namespace

learn::Split split_or_none(const learn::Rows& rows, Result<learn::Split> split) {
    if (split) return *std::move(split);
    return {.part = std::vector<learn::Part>(rows.size(), learn::Part::left_out),
            .rule = "The rows cannot be split for training: " + split.error().message + "."};
}

RiskDataset facts_of(const learn::RiskData& data, const std::string& rule) {
    using learn::Ending;
    const auto ended = [&](Ending ending) {
        return static_cast<std::uint64_t>(
            std::ranges::count(data.watched, ending, &learn::Watched::ending));
    };
    return {.rows = data.rows.size(),
            .positives = ended(Ending::failed),
            .censored = ended(Ending::censored),
            .too_late = static_cast<std::uint64_t>(data.too_late),
            .failures = data.events + data.failures_unseen,
            .failures_without_rows = data.failures_unseen,
            .nodes = data.entities.size(),
            .feature_version = data.feature_version,
            .columns = data.rows.columns,
            .split = rule};
}

std::string text_of(const RiskDataset& facts) {
    const auto whole = [](std::int64_t n) { return thousands(n); };
    return count(facts.rows) + " rows of " + count(facts.nodes) + " nodes, " +
           std::to_string(facts.columns.size()) + " features of version " +
           std::to_string(facts.feature_version) + "\n" + count(facts.positives) +
           " rows before one of " + whole(facts.failures) + " failures (" +
           whole(facts.failures_without_rows) + " without a row), " + count(facts.censored) +
           " censored, " + count(facts.too_late) + " left out as too late to act\n" + facts.split +
           "\n";
}

Result<DemandDataset> facts_of(const learn::DemandData& data) {
    DemandDataset facts{.series = data.entities.size(),
                        .bounded = data.bounded,
                        .unknown = data.unknown,
                        .feature_version = data.feature_version,
                        .columns = data.horizons.front().rows.columns};
    for (std::size_t h = 0; h < data.horizons.size(); ++h) {
        const learn::DemandRows& demand = data.horizons[h];
        const std::string which =
            "rows " + std::to_string(model::kDemandHorizonsMin[h]) + " min ahead";
        // The shortest horizon has the most rows. A record shorter than a horizon has none for it.
        if (h == 0 && demand.rows.size() == 0) return no_rows(data);
        if (demand.rows.size() > 0) {
            if (auto good = learn::check_rows(demand.rows); !good) {
                return within(which, good.error());
            }
        }
        const learn::Split split = split_or_none(demand.rows, learn::split_demand(data, h));
        const auto part = [&](learn::Part wanted) {
            return static_cast<std::uint64_t>(std::ranges::count(split.part, wanted));
        };
        facts.horizons.push_back({.minutes = in_minutes(demand.horizon),
                                  .rows = demand.rows.size(),
                                  .train = part(learn::Part::train),
                                  .stop = part(learn::Part::stop),
                                  .calibrate = part(learn::Part::calibrate),
                                  .test = part(learn::Part::test),
                                  .left_out = part(learn::Part::left_out),
                                  .split = split.rule,
                                  .fingerprint = learn::fingerprint(demand.rows)});
    }
    return facts;
}

std::string text_of(const DemandDataset& facts) {
    std::string out = count(facts.series) + " series of nodes and workloads, " +
                      std::to_string(facts.columns.size()) + " features of version " +
                      std::to_string(facts.feature_version) + "\n" + count(facts.bounded) +
                      " rows left out as use was at its limit, " + count(facts.unknown) +
                      " as what came is not known\n\n" +
                      "  ahead       rows      train       stop  calibrate       test   left out\n";
    for (const DemandSlice& each : facts.horizons) {
        out += padded(print_double(each.minutes) + " min", 7);
        for (const std::uint64_t n :
             {each.rows, each.train, each.stop, each.calibrate, each.test, each.left_out}) {
            out += padded(count(n), 11);
        }
        out += "\n";
    }
    out += "\n";
    for (const DemandSlice& each : facts.horizons) {
        if (each.train == 0) out += print_double(each.minutes) + " min ahead: " + each.split + "\n";
    }
    const DemandSlice& last = facts.horizons.back();
    return last.train == 0 ? out : out + last.split + "\n";
}

Dataset dataset_of(const learn::RiskData& data, bool with_rows) {
    const learn::Split split =
        split_or_none(data.rows, learn::split_rows(data.rows, data.rules.horizon));
    const RiskDataset facts = facts_of(data, split.rule);
    return {.text = text_of(facts),
            .json = to_json(facts) + "\n",
            .rows = with_rows ? learn::dump_rows(data.rows, split) : ""};
}

Result<Dataset> dataset_of(const learn::DemandData& data, bool with_rows) {
    const auto facts = facts_of(data);
    if (!facts) return tl::unexpected(facts.error());
    const std::size_t last = data.horizons.size() - 1;
    const learn::Rows& rows = data.horizons[last].rows;
    Dataset made{.text = text_of(*facts), .json = to_json(*facts) + "\n"};
    if (with_rows) {
        made.rows = learn::dump_rows(rows, split_or_none(rows, learn::split_demand(data, last)));
    }
    return made;
}

}  // namespace parley::app
