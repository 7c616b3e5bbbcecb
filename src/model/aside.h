// Model: figures in, what a sentence says about them in brackets out. The record keeps sentences
// with their brackets. Where there is little room, the same text is made again from the fields
// beside the sentence and exactly that is left out, not just anything in brackets.

#pragma once

#include "base/time.h"

#include <cstdint>
#include <string>
#include <vector>

namespace parley::model {

/// " (0.86 x 48.0)": what waiting costs, as a product.
std::string product_aside(double risk, double loss);
/// "risk 0.86, acts above 0.25"; a small risk is never 0.00.
std::string risk_text(double risk, double limit);
/// " (risk 0.86, acts above 0.25)", for a node that is over its limit.
std::string over_aside(double risk, double limit);
/// " (limit 15s)": how old a source may be.
std::string limit_aside(Duration limit);
/// " (acts from 8)".
std::string from_aside(std::int64_t from);
/// " (3 pods wait for CPU, lifts below half of 8)".
std::string eased_aside(const std::string& waiting, std::int64_t from);
/// " (estimated by built-in constants)".
std::string estimated_aside(const std::string& source);
/// " (3 of 4 nodes are bad)": why the breaker is tripped.
std::string breaker_aside(const std::string& because);
/// " (2 CPU, 512Mi)": what a pod needs.
std::string need_aside(std::int64_t cpu_m, std::int64_t memory);
/// " (policy.risk.holdout)".
std::string holdout_aside();

/// What pods are short of.
struct ShortOf {
    bool cpu = false;
    bool memory = false;
    bool places = false;  ///< Nodes have reached their maximum number of pods.
};
/// "CPU", "CPU and memory"; "room" if it is none of them.
std::string text_of(ShortOf what);
/// The name of the figure that admission acts on: "pods short of CPU".
std::string short_name(ShortOf what);
/// "1 pod waits for CPU", "0 pods wait for room".
std::string waiting_text(std::int64_t pods, ShortOf what);
/// Every combination there is.
std::vector<ShortOf> all_short_of();

}  // namespace parley::model
