// Test tool: writes run folders through store/, for states of the page that no short run produces.
//
//   make_run hostile FOLDER STRINGS  names and sentences from a file of NUL-separated strings
//   make_run huge FOLDER NODES ROUNDS [PAUSE_MS]  large clusters; with a pause, a run that goes on
//   make_run killed FOLDER ROUNDS    ends without closing, an action is still open
//   make_run compacted FOLDER ROUNDS  retention has taken what the first half held
//   make_run damaged FOLDER ROUNDS   a byte in the middle has changed
//   make_run named FOLDER STRINGS    nodes of these names, in three zones; the seventh is in danger

#include "base/file.h"
#include "layers/explanation/telling/story_kit_test.h"
#include "store/journal_retention.h"
#include "store/run_writer.h"

#include <chrono>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace parley {
namespace {

using explanation::kit::Recording;
using explanation::kit::Round;

constexpr Duration kInterval = seconds(3);

std::vector<std::string> strings_in(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    const std::string all{std::istreambuf_iterator<char>(file), {}};
    std::vector<std::string> out;
    std::size_t begin = 0;
    for (std::size_t end; (end = all.find('\0', begin)) != std::string::npos; begin = end + 1) {
        out.push_back(all.substr(begin, end - begin));
    }
    return out;
}

/// Adds nodes beyond the twelve of the kit.
void add_nodes(Round& round, int upto) {
    for (int n = 13; n <= upto; ++n) round.add_node(n);
}

/// Every field that the cluster or a sentence fills says `text`.
void spoil(Round& round, const std::string& text) {
    const Name name = Name::of(text);
    round.input.snapshot.stimulus =
        model::Stimulus{name, text, text, round.input.now, model::Quantity::queue, 0};
    model::SourceState& late = round.input.snapshot.sources.emplace_back();
    late.source = model::Source::prometheus;
    late.condition = model::SourceCondition::failed;
    late.limit = seconds(60);
    late.reason = text;
    round.forget();
    round.judge(
        explanation::kit::proposal(model::Role::safety, model::Replicate{}, model::NodeId{name},
                                   0.86, {"risk", 0.86, "above", 0.25}, text),
        model::Accepted{}, {12, 12, text, {}});
    round.judge(explanation::kit::queue_pods(), model::Overridden{text, model::Role::safety, text},
                {9, 9, "", {}});
    round.judge(explanation::kit::balloon(), model::Refused{text, text});
    round.judge(explanation::kit::idle(model::Role::scaling, text), model::Idle{text});
    round.decision.verdict.rule = text;
    round.decision.verdict.rationale = text;
    round.decision.verdict.contest = model::Contest::contested;
    round.decision.alarms = {
        {model::AlarmKind::no_samples, model::NodeId{name}, round.input.now, 3, 1, text}};
    round.decision.disagreements = {
        {model::DisagreementKind::ready_but_risky, model::NodeId{name}, text}};
    model::OpenAction action = round.open_action();
    action.target = model::NodeId{name};
    action.plan = {{model::PutMark{model::NodeId{name}, action.id, {}}, {}, false}};
    action.note = text;
    round.decision.first_steps.push_back({action, model::Read{}});
}

/// Each string names a node, its zone, a workload and its namespace; each also fills a round.
void hostile(const std::string& folder, const std::string& path) {
    const std::vector<std::string> strings = strings_in(path);
    const int nodes = static_cast<int>(strings.size());
    Round base(1, {kInterval.us});
    add_nodes(base, nodes);
    for (int n = 1; n <= nodes; ++n) {
        const Name name = Name::of(strings[static_cast<std::size_t>(n - 1)]);
        base.node(n).id = model::NodeId{name};
        base.node(n).zone = name;
        const Slot at = base.add_workload({name, model::WorkloadKind::deployment, name}, 1);
        base.run(at, n);
    }
    base.risk(1).risk = 0.9;
    Recording recording(real_disk(), folder, base.policy);
    for (std::size_t i = 0; i < strings.size(); ++i) {
        Round round = base;
        round.move_to(i + 1, {kInterval.us * static_cast<std::int64_t>(i + 1)});
        spoil(round, strings[i]);
        recording.keep(round, {round.unmarked(), round.failed(ErrorCode::denied, strings[i])});
    }
    recording.finish(strings.size());
}

void huge(const std::string& folder, int nodes, std::uint64_t rounds, int pause_ms) {
    Round round(1, {kInterval.us});
    add_nodes(round, nodes);
    for (int n = 1; n <= nodes; ++n) {
        const char zone[] = {'z', static_cast<char>('a' + n * 5 / (nodes + 1))};
        round.node(n).zone = Name::of({zone, sizeof zone});
        if (n > 12) round.node(n).ready_since = {0};
    }
    Recording recording(real_disk(), folder, round.policy);
    for (std::uint64_t i = 1; i <= rounds; ++i) {
        round.move_to(i, {kInterval.us * static_cast<std::int64_t>(i)});
        round.memory.derived.rounds = i;
        // A twentieth of all nodes moves in every round; most risks are small.
        for (int n = 13 + static_cast<int>(i % 20); n <= nodes; n += 20) {
            const std::uint64_t drawn = (static_cast<std::uint64_t>(n) * 31 + i * 17) % 997;
            round.risk(n).risk = drawn < 12 ? static_cast<double>(drawn) / 12.0 : 0.001;
        }
        round.decide_contested();
        recording.keep(round);
        if (pause_ms > 0) std::this_thread::sleep_for(std::chrono::milliseconds(pause_ms));
    }
    recording.finish(rounds);
}

void named(const std::string& folder, const std::string& path) {
    const std::vector<std::string> names = strings_in(path);
    const int nodes = static_cast<int>(names.size());
    PARLEY_CHECK(nodes >= 12);
    Round round(1, {kInterval.us});
    add_nodes(round, nodes);
    for (int n = 1; n <= nodes; ++n) {
        round.node(n).id = model::NodeId{Name::of(names[static_cast<std::size_t>(n - 1)])};
        const char zone[] = {'z', static_cast<char>('a' + n % 3)};
        round.node(n).zone = Name::of({zone, sizeof zone});
    }
    Recording recording(real_disk(), folder, round.policy);
    for (std::uint64_t i = 1; i <= 3; ++i) {
        round.move_to(i, {kInterval.us * static_cast<std::int64_t>(i)});
        round.memory.derived.rounds = i;
        round.decide_contested();
        recording.keep(round);
    }
    recording.finish(3);
}

void killed(const std::string& folder, std::uint64_t rounds) {
    Round round(1, {kInterval.us});
    Recording recording(real_disk(), folder, round.policy);
    for (std::uint64_t i = 1; i <= rounds; ++i) {
        round.move_to(i, {kInterval.us * static_cast<std::int64_t>(i)});
        round.memory.derived.rounds = i;
        if (i == rounds) {
            round.decide_contested();
            round.memory.ledger.open.push_back(round.open_action());
            recording.keep(round, {round.unmarked()});
        } else {
            round.decide_nothing("Nearest node-07: risk 0.20, acts above 0.25.",
                                 "Nothing to save.");
            recording.keep(round);
        }
    }
}

/// In small segments, so that there are several: the last one is never compacted.
void compacted(const std::string& folder, std::uint64_t rounds) {
    Round round(1, {kInterval.us});
    store::RunHeader header;
    header.scenario = "made-up";
    header.seed = 7;
    header.interval = kInterval;
    header.mode = model::Mode::act;
    header.simulated = true;
    header.policy = round.policy;
    const store::JournalOptions small{.segment_bytes = 8192,
                                      .fill_bytes = 1024,
                                      .reserve_bytes = 4096,
                                      .keyframe_bytes = 4096,
                                      .keyframe_rounds = 20};
    auto writer = store::RunWriter::create(real_disk(), folder, header, {}, small);
    PARLEY_CHECK(writer.has_value());
    for (std::uint64_t i = 1; i <= rounds; ++i) {
        round.move_to(i, {kInterval.us * static_cast<std::int64_t>(i)});
        round.memory.derived.rounds = i;
        round.decide_contested();
        round.decision.forecast = round.forecast;
        PARLEY_CHECK((*writer)->keep_round(round.input, round.decision, round.memory).has_value());
    }
    PARLEY_CHECK((*writer)->finish({store::RunStatus::complete, "", rounds}).has_value());
    using store::RunFrame;
    std::vector<std::uint8_t> kinds;
    for (const RunFrame kind : {RunFrame::keyframe, RunFrame::input, RunFrame::decision}) {
        kinds.push_back(static_cast<std::uint8_t>(kind));
    }
    const auto dropped = store::drop_payloads(real_disk(), store::journal_folder(folder),
                                              {.before_sequence = rounds, .kinds = kinds});
    PARLEY_CHECK(dropped.has_value() && dropped->frames_dropped > 0);
}

void damaged(const std::string& folder, std::uint64_t rounds) {
    huge(folder, 12, rounds, 0);
    const std::string path = join(store::journal_folder(folder), "000001.log");
    auto bytes = read_file(real_disk(), path);
    PARLEY_CHECK(bytes.has_value());
    const std::size_t middle = bytes->find_last_not_of('\0') / 2;
    const auto file = real_disk().open(path, OpenMode::write);
    PARLEY_CHECK(file.has_value());
    PARLEY_CHECK(
        (*file)->write(middle, std::string(1, static_cast<char>(~(*bytes)[middle]))).has_value());
}

int usage() {
    std::fputs(
        "usage: make_run hostile FOLDER STRINGS | huge FOLDER NODES ROUNDS [PAUSE_MS] | "
        "killed FOLDER ROUNDS | compacted FOLDER ROUNDS | damaged FOLDER ROUNDS | "
        "named FOLDER STRINGS\n",
        stderr);
    return 2;
}

int make(const std::vector<std::string>& words) {
    if (words.size() < 3) return usage();
    const std::string& kind = words[0];
    const std::string& folder = words[1];
    if (kind == "hostile") {
        hostile(folder, words[2]);
    } else if (kind == "huge" && words.size() >= 4) {
        huge(folder, std::stoi(words[2]), std::stoull(words[3]),
             words.size() > 4 ? std::stoi(words[4]) : 0);
    } else if (kind == "killed") {
        killed(folder, std::stoull(words[2]));
    } else if (kind == "compacted") {
        compacted(folder, std::stoull(words[2]));
    } else if (kind == "damaged") {
        damaged(folder, std::stoull(words[2]));
    } else if (kind == "named") {
        named(folder, words[2]);
    } else {
        return usage();
    }
    return 0;
}

}  // namespace
}  // namespace parley

int main(int count, char** words) { return parley::make({words + 1, words + count}); }
