#include "layers/explanation/telling/brief.h"

#include "layers/explanation/wording/wording.h"
#include "model/aside.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

namespace parley::explanation {

using namespace model;

namespace {

using Asides = std::vector<std::string>;

/// Asides of sentences about the risk of a node.
void add_risk(const Told& told, Slot slot, const Evidence& evidence, Asides& out) {
    if (measure_of(evidence) != Measure::risk) return;
    out.push_back(over_aside(evidence.value, evidence.limit));
    const NodeForecast* node = forecast_of(told.decision.forecast, slot);
    if (node != nullptr) out.push_back(product_aside(evidence.value, node->loss));
}

/// Asides of sentences about waiting pods: the number from which Jobs are held back, or below which
/// no longer.
void add_shortage(const Told& told, const Evidence& evidence, Asides& out) {
    for (const ShortOf& what : all_short_of()) {
        if (evidence.what != short_name(what)) continue;
        out.push_back(from_aside(static_cast<std::int64_t>(evidence.limit)));
        const auto pods = static_cast<std::int64_t>(evidence.value);
        const AdmissionRules& rules = told.policy.admission;
        for (const std::int64_t from :
             {rules.queue_from, rules.deprioritize_from, rules.cap_from}) {
            out.push_back(eased_aside(waiting_text(pods, what), from));
        }
    }
}

/// Asides of the guard's sentence about a pod that fits nowhere else: what each workload there
/// needs.
void add_needs(const Told& told, Slot slot, Asides& out) {
    std::map<Slot, std::pair<std::int64_t, std::int64_t>> needs;
    told.input.snapshot.pods.for_each([&](Slot, const PodRow& pod) {
        const bool over = pod.phase == PodPhase::succeeded || pod.phase == PodPhase::failed;
        if (pod.node != slot || over || pod.terminating) return;
        auto& [cpu_m, memory] = needs[pod.workload];
        cpu_m = std::max<std::int64_t>(cpu_m, pod.cpu_request_m);
        memory = std::max(memory, pod.memory_request);
    });
    for (const auto& [workload, need] : needs) out.push_back(need_aside(need.first, need.second));
}

Asides asides_of(const Told& told, const Judged& judged) {
    const Proposal& proposal = judged.proposal;
    Asides out = {limit_aside(told.policy.guard.api_age_max),
                  limit_aside(told.policy.guard.metrics_age_max),
                  estimated_aside(told.policy.power.source), holdout_aside()};
    if (told.memory != nullptr && told.memory->ledger.breaker.tripped) {
        out.push_back(breaker_aside(told.memory->ledger.breaker.because));
    }
    add_shortage(told, proposal.evidence, out);
    const auto* node = std::get_if<NodeId>(&proposal.target);
    if (node == nullptr) return out;
    const Slot slot = slot_of(told.input.snapshot, *node);
    add_risk(told, slot, proposal.evidence, out);
    const auto* refused = std::get_if<Refused>(&judged.fate);
    if (refused != nullptr && refused->rule == "fits-elsewhere") add_needs(told, slot, out);
    return out;
}

}  // namespace

std::string brief(std::string sentence, const Told& told, const Judged& judged) {
    for (const std::string& aside : asides_of(told, judged)) {
        // prose: what is taken out was made here, from fields; nothing is learned by it.
        const std::size_t at = sentence.find(aside);
        if (at != std::string::npos) sentence.erase(at, aside.size());
    }
    return sentence;
}

}  // namespace parley::explanation
