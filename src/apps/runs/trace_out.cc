#include "apps/runs/trace_out.h"

#include "base/base64.h"
#include "base/hash.h"
#include "base/json.h"
#include "model/coded.h"

#include <optional>
#include <utility>
#include <vector>

namespace parley::app {
namespace {

std::vector<model::Cause> causes_of(model::CauseSet set) {
    std::vector<model::Cause> out;
    boost::mp11::mp_for_each<boost::describe::describe_enumerators<model::Cause>>([&](auto cause) {
        if (set.has(cause.value)) out.push_back(cause.value);
    });
    return out;
}

/// A row of the snapshot, with names instead of slots.
TracePod pod_of(const model::Snapshot& snapshot, const model::PodRow& row) {
    TracePod pod{.uid = row.uid, .name = row.name.text()};
    if (const auto* work = snapshot.workloads.find(row.workload)) {
        pod.space = work->id.space.str();
        pod.workload = work->id.text();
    }
    if (const auto* node = snapshot.nodes.find(row.node)) pod.node = node->id.text();
    pod.phase = row.phase;
    pod.ready = row.ready;
    pod.terminating = row.terminating;
    pod.evictable = row.evictable;
    pod.waits_for = causes_of(row.pending);
    pod.restarts = row.restarts;
    pod.created = row.created;
    pod.cpu_request_m = row.cpu_request_m;
    pod.memory_request = row.memory_request;
    return pod;
}

}  // namespace

TraceRound trace_of(const model::Snapshot& snapshot) {
    TraceRound out{.round = snapshot.round, .taken = snapshot.taken, .sources = snapshot.sources};
    snapshot.nodes.for_each([&](Slot, const auto& row) { out.nodes.push_back(row); });
    snapshot.workloads.for_each([&](Slot, const auto& row) { out.workloads.push_back(row); });
    snapshot.pods.for_each(
        [&](Slot, const model::PodRow& row) { out.pods.push_back(pod_of(snapshot, row)); });
    out.queue = snapshot.queue;
    out.violations = snapshot.violations;
    out.completed = snapshot.completed;
    out.stimulus = snapshot.stimulus;
    return out;
}

std::string Pseudonyms::name_for(const char* kind, const std::string& name) {
    if (name.empty()) return name;
    const auto [place, fresh] = names_.try_emplace(std::string(kind) + "/" + name, 0);
    if (fresh) place->second = ++kinds_[kind];
    return std::string(kind) + "-" + std::to_string(place->second);
}

model::Uid Pseudonyms::uid_for(const model::Uid& uid) {
    if (uid.none()) return uid;
    const auto [place, fresh] = uids_.try_emplace(uid, 0);
    if (fresh) place->second = uids_.size();
    return {0, place->second};
}

void Pseudonyms::apply(TraceRound& round) {
    const auto named = [&](const char* kind, Name name) {
        return Name::of(name_for(kind, name.str()));
    };
    for (model::NodeRow& node : round.nodes) {
        node.id.name = named("node", node.id.name);
        node.uid = uid_for(node.uid);
        node.zone = named("zone", node.zone);
        node.rack = named("rack", node.rack);
        node.pool = named("pool", node.pool);
    }
    std::map<std::string, std::string> works;  // Names before and after, as text.
    for (model::WorkloadRow& work : round.workloads) {
        const std::string before = work.id.text();
        const std::string kind(enum_name(work.id.kind));
        work.id.name = Name::of(name_for(kind.c_str(), before));
        work.id.space = named("space", work.id.space);
        work.uid = uid_for(work.uid);
        works[before] = work.id.text();
    }
    for (TracePod& pod : round.pods) {
        pod.name = name_for("pod", pod.space + "/" + pod.name);
        pod.space = name_for("space", pod.space);
        pod.uid = uid_for(pod.uid);
        const auto work = works.find(pod.workload);
        pod.workload = work != works.end() ? work->second : "";
        if (pod.node) pod.node = name_for("node", *pod.node);
    }
    // Reasons may contain addresses and names of objects.
    for (model::SourceState& source : round.sources) {
        if (!source.reason.empty()) source.reason = "left out";
    }
    if (round.stimulus) round.stimulus->text = "left out";
}

Result<TraceOut> TraceOut::create(Disk& disk, const std::string& path, bool anonymise) {
    auto file = disk.open(path, OpenMode::create_new);
    if (!file) return within("--trace-out", file.error());
    TraceOut out(*std::move(file));
    if (anonymise) out.pseudonyms_.emplace();
    return out;
}

std::uint32_t next_link(std::uint32_t chain, const TraceExact& line) {
    chain = crc32c(line.exact, chain);
    chain = crc32c(line.run, chain);
    chain = crc32c(line.memory, chain);
    return crc32c(line.came, chain);
}

std::string TraceOut::exact_of(const Published& round) {
    TraceExact line{.exact = encode_base64(encode_difference(round.input, before_))};
    if (header_) line.run = encode_base64(encode(*header_));
    if (memory_) line.memory = encode_base64(encode(*memory_));
    if (!round.events.empty()) line.came = encode_base64(encode(TraceCame{round.events}));
    header_.reset();
    memory_.reset();
    before_ = round.input;
    chain_ = next_link(chain_, line);
    line.chain = std::to_string(chain_);
    return to_json(line);
}

Result<void> TraceOut::add(const Published& round) {
    TraceRound shown = trace_of(round.input.snapshot);
    if (pseudonyms_) {
        pseudonyms_->apply(shown);
        return append(*file_, to_json(shown) + "\n");
    }
    std::string line = to_json(shown);
    line.back() = ',';  // Joins both into one object.
    return append(*file_, line + exact_of(round).substr(1) + "\n");
}

}  // namespace parley::app
