// Learn: what a model knows of a kind of fault that it was never shown: rows with the family of
// each failure in, one training per family without it, how well each is seen out.

#pragma once

#include "learn/report/report.h"
#include "learn/risk/risk_trainer.h"

#include <span>
#include <string>
#include <vector>

namespace parley::learn {

/// Told after each round of each training, with how many trainings are done.
using FamilyWatch = std::function<bool(std::size_t trained, int round)>;

/// The families of `families`, which has one entry per event, in order of name.
std::vector<std::string> names_of(std::span<const std::string> families);

/// For each family trains again as `options` say, without its failures in any slice but the test,
/// and compares with `whole`, which knew them: on the family's test failures against all healthy
/// test rows. A family without failures in the test is left out.
[[nodiscard]] Result<std::vector<FamilyFacts>> leave_families_out(
    const Rows& rows, const Split& split, std::span<const std::string> families,
    const RiskModel& whole, const RiskOptions& options, const FamilyWatch& watch);

}  // namespace parley::learn
