#include "apps/dashboard/run_hooks.h"

#include "apps/dashboard/learning.h"
#include "apps/dashboard/run_about.h"
#include "apps/dashboard/which_run.h"
#include "apps/running/kill_switch.h"
#include "apps/shelf/brains.h"
#include "base/json.h"
#include "base/number.h"
#include "layers/explanation/answers/why_text.h"
#include "layers/explanation/telling/stages.h"
#include "replay/why_not.h"
#include "web/views/round_view.h"

#include <algorithm>
#include <set>
#include <utility>

namespace parley::app {
namespace {

/// What somebody typed, split into words.
std::vector<std::string> words_of(const std::string& text) {
    std::vector<std::string> words;
    std::string word;
    for (const char c : text + " ") {
        if (c != ' ' && c != '\t') {
            word += c;
        } else if (!word.empty()) {
            words.push_back(std::exchange(word, {}));
        }
    }
    return words;
}

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::size_t begin = 0;
    while (begin < text.size()) {
        const auto end = std::min(text.find('\n', begin), text.size());
        lines.push_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    return lines;
}

/// The rounds that an answer is about; 0: it has none there.
std::vector<std::uint64_t> rounds_of(const explanation::WhyAnswer& answer) {
    std::vector<std::uint64_t> rounds = {answer.round, answer.highest_round};
    for (const explanation::WhyMoment& moment : answer.history) rounds.push_back(moment.round);
    for (const explanation::WhyWinner& winner : answer.winners) {
        if (!winner.score) continue;
        for (const model::WindowNote& note : winner.score->notes) rounds.push_back(note.round);
        rounds.push_back(winner.score->closed);
    }
    return rounds;
}

std::vector<std::uint64_t> rounds_of(const replay::WhyNotAnswer& answer) {
    return {answer.round, answer.nearest_round};
}

void add_links(const std::vector<std::uint64_t>& rounds, web::AskView& view) {
    constexpr std::size_t kLinksMax = 50;
    std::set<std::uint64_t> seen = {0};
    for (const std::uint64_t round : rounds) {
        if (view.links.size() >= kLinksMax || !seen.insert(round).second) continue;
        view.links.push_back({.text = "round " + std::to_string(round), .round = round});
    }
}

template <class T>
void fill(const Result<T>& answer, web::AskView& view) {
    if (!answer) {
        view.error = answer.error().message;
        return;
    }
    view.text = lines_of(text_of(*answer));
    view.answer.text = to_json(*answer);
    add_links(rounds_of(*answer), view);
}

/// A number is a round, a name with a slash a workload, everything else a node.
explanation::WhyQuery query_of(const std::vector<std::string>& words,
                               std::optional<std::uint64_t> round) {
    explanation::WhyQuery query;
    const std::string about = words.size() > 1 ? words.back() : "";
    if (about.empty()) {
        query.round = round;
    } else if (const auto number = parse_uint64(about, 1)) {
        query.round = *number;
    } else if (about.find('/') != std::string::npos) {
        query.workload = about;
    } else {
        query.node = about;
    }
    return query;
}

}  // namespace

web::AskView ask_record(Disk& disk, const std::string& folder, const std::string& question,
                        std::optional<std::uint64_t> round) {
    web::AskView view{.question = question};
    auto words = words_of(question);
    if (!words.empty() && words.front() == "parley") words.erase(words.begin());
    const bool why = !words.empty() && words.front() == "why";
    const bool why_not = words.size() == 2 && words.front() == "why-not";
    if (!why && !why_not) {
        view.error =
            "ask as the terminal does: why, why node-07, why shop/web, why 142, why-not "
            "migrate:node-03";
        return view;
    }
    if (why) {
        explanation::WhyQuery query = query_of(words, round);
        query.run = folder;
        fill(explanation::why(disk, folder, query), view);
        return view;
    }
    const auto reader = store::RunReader::open(disk, folder);
    if (!reader) {
        view.error = reader.error().message;
        return view;
    }
    const auto brains = recorded_brains(disk, folder, reader->header().policy);
    if (!brains) {
        view.error = brains.error().message;
        return view;
    }
    fill(replay::why_not(disk, folder, *brains, words[1], round), view);
    return view;
}

std::optional<web::StopWord> stop_word(Disk& disk, const std::string& folder) {
    auto press = kill_switch_press(disk, folder);
    if (!press) return std::nullopt;
    return web::StopWord{std::move(press->who), std::move(press->at), press->after_round,
                         lift_command(folder)};
}

std::string dashboard_person(const std::string& session) { return session + " of the dashboard"; }

web::RunHooks record_hooks(Disk& disk, const std::string& folder, const std::string& models) {
    web::RunHooks hooks;
    if (folder.empty()) return hooks;
    hooks.about = [about = read_about(disk, folder)] { return about; };
    hooks.stopped = [&disk, folder] { return stop_word(disk, folder); };
    hooks.lifted = [&disk, folder](std::optional<TimePoint> before) {
        return explanation::lifted_text(disk, folder, before);
    };
    // Only through the file: whichever process makes the run, it looks for it.
    hooks.stop = [&disk, folder](const std::string& who, std::uint64_t after_round) {
        return press_kill_switch(disk, folder,
                                 {.who = dashboard_person(who), .after_round = after_round});
    };
    hooks.ask = [&disk, folder](const std::string& question, std::optional<std::uint64_t> round) {
        return ask_record(disk, folder, question, round);
    };
    hooks.learning = [&disk, folder, models, stages = read_about(disk, folder).stages] {
        const auto reader = store::RunReader::open(disk, folder);
        const store::RunHeader header = reader ? reader->header() : store::RunHeader{};
        const auto told = explanation::stages_of(header, {});
        return learning_of(disk, {folder, models}, header,
                           stages.empty() ? web::stage_views(told) : stages);
    };
    return hooks;
}

}  // namespace parley::app
