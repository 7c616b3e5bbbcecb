#include "web/run/run_card.h"

#include "base/json.h"
#include "layers/explanation/wording/wording.h"

#include <utility>

namespace parley::web {
namespace {

std::string title_of(const store::RunHeader& header) {
    return header.simulated ? header.scenario + ", seed " + std::to_string(header.seed)
                            : header.scenario;
}

/// Values with their YAML names, leaf by leaf.
template <class T>
void add_settings(const T& value, const std::string& path, std::vector<SettingView>& out) {
    if constexpr (DescribedStruct<T> && !TimeLike<T> && !HasText<T>) {
        for_each_member(value, [&](std::string_view name, const auto& member) {
            add_settings(member, path + "." + std::string(name), out);
        });
    } else {
        std::string text = to_json(value);
        if (text.size() > 1 && text.front() == '"') text = text.substr(1, text.size() - 2);
        out.push_back({path, std::move(text), "record"});
    }
}

/// The stages as the program reports them; if it reports none, as the record shows them.
std::vector<StageView> stages_now(const RunKnown& known, const RunAbout& about) {
    if (!about.stages.empty()) return about.stages;
    return stages_of(*known.header, known.state, known.index ? known.index->last() : 0,
                     known.reason);
}

}  // namespace

RunCard card_of(const RunKnown& known) {
    RunCard card{.name = known.place.name,
                 .title = known.place.name,
                 .status = known.state,
                 .reason = known.reason};
    card.problem = known.problem;
    card.stopped = known.stop_word();
    card.leading = known.leading;
    if (!known.header) {
        card.status = RunState::failed;
        return card;
    }
    card.title = title_of(*known.header);
    card.mode = known.header->mode;
    card.simulated = known.header->simulated;
    card.reading = known.reading_text();
    card.rounds = known.index->rounds();
    card.first_round = known.index->first();
    card.newest_round = known.index->newest();
    card.last_round = known.index->last();
    card.damaged = known.index->damage_text();
    if (!known.index->empty()) {
        card.newest_at = explanation::when(known.index->newest_time(), known.header->simulated);
    }
    card.can_stop = known.hooks.stop != nullptr && known.header->mode == model::Mode::act &&
                    known.state == RunState::running && !card.stopped;
    return card;
}

RunDetail detail_of(Disk& disk, const RunKnown& known, const RunAbout& about) {
    RunDetail out{.card = card_of(known), .command = about.command, .settings = about.settings};
    if (!known.header) {
        out.errors.push_back(known.problem);
        return out;
    }
    if (out.settings.empty()) add_settings(known.header->policy, "policy", out.settings);
    out.seed = known.header->seed;
    out.profile = enum_name(known.header->policy.profile);
    out.rules_version = known.header->rules_version;
    out.program = known.header->program;
    if (!known.index->empty())
        out.began = explanation::when(known.index->first_time(), known.header->simulated);
    out.cluster_kind = about.cluster_kind.empty()
                           ? (known.header->simulated ? "simulated" : "Kubernetes")
                           : about.cluster_kind;
    out.cannot = about.cannot;
    out.data_source = known.header->simulated
                          ? "simulated cluster, scenario " + known.header->scenario
                          : "Kubernetes, " + known.header->scenario;
    out.rows = known.index->rows();
    for (const char* each : {"journal/", "run.db", "events.jsonl", "state.json", "model/"}) {
        const std::string path = join(known.place.folder, each);
        const auto there = known.place.folder.empty() ? Result<bool>(false) : disk.exists(path);
        if (there && *there) out.artifacts.push_back({each, path, ""});
    }
    if (!out.card.damaged.empty()) out.gaps.push_back(out.card.damaged);
    out.gaps.insert(out.gaps.end(), known.gaps.begin(), known.gaps.end());
    if (known.state == RunState::failed && !known.reason.empty())
        out.errors.push_back(known.reason);
    out.summary = known.index->summary();
    out.stages = stages_now(known, about);
    out.interval_s = in_seconds(known.header->interval);
    return out;
}

RunContext context_of(const RunKnown& known) {
    const RunAbout about = known.hooks.about ? known.hooks.about() : RunAbout{};
    return {known.place.name,
            *known.header,
            known.state,
            known.place.folder,
            stages_now(known, about),
            known.reason,
            known.index ? known.index->damaged() : 0};
}

}  // namespace parley::web
