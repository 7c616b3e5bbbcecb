// Learn: how well a model sees a kind of fault that it was never shown: trains once per family of
// faults, without it.

#pragma once

#include "learn/report/report.h"
#include "learn/risk/risk_trainer.h"

#include <span>
#include <string>
#include <vector>

namespace parley::learn {

/// Called after each round of each training, with how many trainings are done.
using FamilyWatch = std::function<bool(std::size_t trained, int round)>;

/// The distinct names in `families`, which has one entry per event, sorted.
std::vector<std::string> names_of(std::span<const std::string> families);

/// For each family, trains again as `options` say, without its failures outside the test, and
/// compares with `whole`, which knew them: the family's test failures against all healthy test
/// rows. A family without failures in the test is left out.
[[nodiscard]] Result<std::vector<FamilyFacts>> leave_families_out(
    const Rows& rows, const Split& split, std::span<const std::string> families,
    const RiskModel& whole, const RiskOptions& options, const FamilyWatch& watch);

}  // namespace parley::learn
