#include "web/serve/api.h"

#include "base/number.h"
#include "layers/explanation/wording/wording.h"
#include "web/serve/export.h"
#include "web/serve/openapi.h"
#include "web/views/difference.h"
#include "web/views/node_view.h"
#include "web/views/thing_view.h"
#include "web/views/verdict_view.h"

#include <algorithm>

namespace parley::web {
namespace {

constexpr std::uint64_t kMost = std::uint64_t{1} << 53U;

Result<SeenRoundPtr> round_of(const ServedRun& run, const Route& route) {
    return run.round(route.round);
}

Refusal bad_query(const Error& error) {
    return {400, error.message + ".", "See /api/openapi.json.", {}};
}

/// Offset, limit and find of a list.
struct Page {
    std::size_t offset = 0;
    std::size_t limit = 100;
    std::string find;
};

Result<Page> page_of(const Route& route) {
    const auto offset = number_in(route, "offset", 0, kMost);
    if (!offset) return tl::unexpected(offset.error());
    const auto limit = number_in(route, "limit", 100, 1'000);
    if (!limit) return tl::unexpected(limit.error());
    return Page{*offset, *limit, route.text("find").value_or("")};
}

Answer list_of_runs(const Runs& runs) {
    RunList list;
    for (const auto& run : runs) {
        list.runs.push_back(run->card());
        if (run->is_live()) list.current = run->name();
    }
    if (!list.current && runs.size() == 1) list.current = runs.front()->name();
    list.agents = agent_views();
    return answer_with(list);
}

Answer difference(const ServedRun& run, const Route& route) {
    const auto to = round_of(run, route);
    if (!to) return answer_with(to.error());
    const std::uint64_t number = (*to)->decision->round;
    const auto base = number_in(route, "from", number > 1 ? number - 1 : number, kMost);
    if (!base) return answer_with(bad_query(base.error()));
    const auto from = run.round(*base);
    if (!from) return answer_with(from.error());
    return answer_with(difference_of(run.view(**from), run.view(**to)));
}

Answer nodes(const ServedRun& run, const Route& route) {
    const auto page = page_of(route);
    if (!page) return answer_with(bad_query(page.error()));
    const auto round = round_of(run, route);
    if (!round) return answer_with(round.error());
    const auto header = run.header();
    const std::uint64_t number = (*round)->decision->round;
    const SeenRoundPtr before = number > 1 ? run.round_if_near(number - 1) : nullptr;
    return answer_with(
        nodes_view({**round, before.get(), header.policy}, page->offset, page->limit, page->find));
}

Answer workloads(const ServedRun& run, const Route& route) {
    const auto page = page_of(route);
    if (!page) return answer_with(bad_query(page.error()));
    const auto round = round_of(run, route);
    if (!round) return answer_with(round.error());
    const auto header = run.header();
    return answer_with(
        workloads_view(**round, header.policy, page->offset, page->limit, page->find));
}

Answer thing(const ServedRun& run, const Route& route) {
    using About = ThingStory::About;
    const auto round = round_of(run, route);
    if (!round) return answer_with(round.error());
    const auto header = run.header();
    const About about = route.wanted == Wanted::node ? About::node : About::workload;
    ThingStory story(about, route.name, header.policy);
    const std::uint64_t last = (*round)->decision->round;
    const std::uint64_t first = last > kHistoryRounds ? last - kHistoryRounds : 1;
    const auto read = run.each(first, last, [&](const SeenRoundPtr& each) { story.take(each); });
    if (!read) return answer_with(read.error());
    if (about == About::node) {
        if (const auto detail = story.node()) return answer_with(*detail);
    } else if (const auto detail = story.workload()) {
        return answer_with(*detail);
    }
    const auto names = story.names();
    const std::string near = explanation::nearest_name(route.name, names);
    return answer_with(
        Refusal{404,
                "Nothing of that name is in round " + std::to_string(last) + ".",
                near.empty() ? "The list of that round has all names." : "Is it " + near + "?",
                {}});
}

Answer events(const ServedRun& run, const Route& route) {
    EventFilter filter;
    const std::pair<const char*, std::uint64_t*> numbers[] = {
        {"before", &filter.before}, {"after", &filter.after}, {"until_round", &filter.until_round}};
    for (const auto& [key, into] : numbers) {
        const auto number = number_in(route, key, 0, kMost);
        if (!number) return answer_with(bad_query(number.error()));
        *into = *number;
    }
    const auto limit = number_in(route, "limit", 100, 1'000);
    if (!limit) return answer_with(bad_query(limit.error()));
    filter.limit = *limit;
    filter.find = route.text("find").value_or("");
    std::string kinds = route.text("kinds").value_or("");
    while (!kinds.empty()) {
        const auto comma = kinds.find(',');
        const auto kind = enum_from_name<explanation::EventKind>(kinds.substr(0, comma));
        if (!kind) {
            return answer_with(
                Refusal{400,
                        "There is no kind " + in_quotes(kinds.substr(0, comma)) + ".",
                        "See /api/openapi.json.",
                        {}});
        }
        filter.kinds.push_back(*kind);
        kinds = comma == std::string::npos ? "" : kinds.substr(comma + 1);
    }
    const auto view = run.ask_index([&](const RunIndex& index) { return index.events(filter); });
    return answer_with(view.value_or(EventsView{}));
}

Answer from_index(const ServedRun& run, const Route& route) {
    const auto from = number_in(route, "from", 0, kMost);
    const auto to = number_in(route, "to", 0, kMost);
    const auto pixels = number_in(route, "pixels", 1'200, 8'000);
    const auto points = number_in(route, "points", 400, 5'000);
    const auto page = page_of(route);
    for (const auto* each : {&from, &to, &pixels, &points}) {
        if (!*each) return answer_with(bad_query(each->error()));
    }
    if (!page) return answer_with(bad_query(page.error()));
    const auto out = run.ask_index([&](const RunIndex& index) -> Answer {
        switch (route.wanted) {
            case Wanted::strip:
                return answer_with(index.strip(*from, *to));
            case Wanted::ribbon:
                return answer_with(index.ribbon(*pixels));
            case Wanted::scores:
                return answer_with(index.scores(*from, *to, *points));
            default:
                return answer_with(index.decisions(*to, page->offset, page->limit, page->find));
        }
    });
    if (out) return *out;
    return answer_with(Error{ErrorCode::unavailable, "The record was not opened yet.", {}});
}

Answer ask(const ServedRun& run, const Route& route) {
    const auto question = route.text("q");
    if (!question || question->empty() || question->size() > 500) {
        return answer_with(
            Refusal{400,
                    "q holds no question, or a very long one.",
                    "Ask as the terminal does: why node-07, why-not migrate:node-03.",
                    {}});
    }
    const auto round = number_in(route, "round", 0, kMost);
    if (!round) return answer_with(bad_query(round.error()));
    if (!run.hooks().ask) {
        return answer_with(AskView{.question = *question,
                                   .error = "Nothing is recorded, so nothing can be asked."});
    }
    return answer_with(run.hooks().ask(
        *question, *round == 0 ? std::nullopt : std::optional<std::uint64_t>(*round)));
}

Answer names(const ServedRun& run, const Route& route) {
    const auto number = number_in(route, "round", 0, kMost);
    if (!number) return answer_with(bad_query(number.error()));
    const auto round =
        run.round(*number == 0 ? std::nullopt : std::optional<std::uint64_t>(*number));
    if (!round) return answer_with(round.error());
    return answer_with(NamesView{names_with(**round, route.text("prefix").value_or(""))});
}

Answer in_run(const ServedRun& run, const Route& route) {
    switch (route.wanted) {
        case Wanted::run:
            return answer_with(run.detail());
        case Wanted::difference:
            return difference(run, route);
        case Wanted::nodes:
            return nodes(run, route);
        case Wanted::workloads:
            return workloads(run, route);
        case Wanted::node:
        case Wanted::workload:
            return thing(run, route);
        case Wanted::events:
            return events(run, route);
        case Wanted::strip:
        case Wanted::ribbon:
        case Wanted::scores:
        case Wanted::decisions:
            return from_index(run, route);
        case Wanted::ask:
            return ask(run, route);
        case Wanted::names:
            return names(run, route);
        case Wanted::export_file:
            return export_answer(run, route);
        case Wanted::learning:
            return answer_with(run.hooks().learning ? run.hooks().learning() : LearningView{});
        default:
            break;
    }
    const auto round = round_of(run, route);
    if (!round) return answer_with(round.error());
    if (route.wanted == Wanted::map) return answer_with(map_view(**round));
    return answer_with(run.view(**round));
}

}  // namespace

Answer answer_with(const Refusal& refusal) {
    Answer out = answer_with(ErrorAnswer{{refusal.sentence, refusal.remedy}}, refusal.status);
    if (!refusal.allow.empty()) out.headers.emplace_back("Allow", refusal.allow);
    return out;
}

Answer answer_with(const Error& error) {
    const auto as = [&](int status, const char* remedy) {
        return answer_with(Refusal{status, error.message, remedy, {}});
    };
    switch (error.code) {
        case ErrorCode::gone:
            return as(404, "Choose another round.");
        case ErrorCode::unavailable: {
            Answer out = as(503, "Ask again in a second.");
            out.headers.emplace_back("Retry-After", "1");
            return out;
        }
        case ErrorCode::conflict:
            return as(409, "Look at the run again.");
        default:
            break;
    }
    return as(409, "The run cannot be read; parley digest RUN says more.");
}

bool is_slow(Wanted wanted) {
    return wanted == Wanted::ask || wanted == Wanted::export_file || wanted == Wanted::node ||
           wanted == Wanted::workload || wanted == Wanted::learning;
}

std::shared_ptr<ServedRun> run_named(const Runs& runs, const std::string& name) {
    const auto found =
        std::ranges::find_if(runs, [&](const auto& run) { return run->name() == name; });
    return found != runs.end() ? *found : nullptr;
}

Refusal no_such_run(const Runs& runs, const std::string& name) {
    std::vector<std::string> names;
    for (const auto& run : runs) names.push_back(run->name());
    const std::string near = explanation::nearest_name(name, names);
    return {404,
            "No run here is called " + in_quotes(name) + ".",
            near.empty() ? "All runs: /api/runs." : "Is it " + near + "?",
            {}};
}

Answer answer(const Runs& runs, const Route& route) {
    if (route.wanted == Wanted::openapi) return {.body = openapi_document(), .headers = {}};
    if (route.wanted == Wanted::runs) return list_of_runs(runs);
    const auto run = run_named(runs, route.run);
    if (!run) return answer_with(no_such_run(runs, route.run));
    return in_run(*run, route);
}

}  // namespace parley::web
