#include "web/serve/export.h"

#include "base/number.h"
#include "web/views/node_view.h"

#include <utility>

namespace parley::web {
namespace {

constexpr std::uint64_t kMost = std::uint64_t{1} << 53U;
constexpr std::size_t kEventsAtOnce = 1'000;

std::string number(const std::optional<double>& value) {
    return value ? print_double(*value) : std::string();
}

std::string reading(const ReadingView& view) { return number(view.value); }

std::string events_csv(const std::vector<EventLine>& events) {
    std::string out = csv_line({"seq", "at", "t", "round", "kind", "message"});
    for (const EventLine& each : events) {
        out +=
            csv_line({std::to_string(each.seq), each.at, print_double(each.t),
                      std::to_string(each.round), std::string(enum_name(each.kind)), each.message});
    }
    return out;
}

std::string scores_csv(const ScoresView& scores) {
    std::vector<std::string> cells = {"round", "total"};
    for (const model::Role role : model::kRoles) cells.emplace_back(enum_name(role));
    cells.emplace_back("ours");
    std::string out = csv_line(cells);
    for (const ScorePoint& each : scores.series) {
        cells = {std::to_string(each.round), number(each.total)};
        for (const model::Role role : model::kRoles) cells.push_back(number(each.by[role]));
        cells.emplace_back(each.ours ? "yes" : "no");
        out += csv_line(cells);
    }
    return out;
}

std::string nodes_csv(const std::vector<NodeLine>& nodes) {
    std::string out = csv_line({"name", "zone", "ready", "lease_s", "cpu", "memory", "disk",
                                "restarts", "pods", "risk", "limit", "over", "waiting", "acting"});
    for (const NodeLine& each : nodes) {
        out += csv_line({each.name, each.zone, std::string(enum_name(each.ready)),
                         reading(each.lease), reading(each.cpu), reading(each.memory),
                         reading(each.disk), reading(each.restarts), std::to_string(each.pods),
                         reading(each.risk), number(each.limit), each.over ? "yes" : "no",
                         number(each.waiting), number(each.acting)});
    }
    return out;
}

std::string proposals_csv(const RoundView& view) {
    std::string out = csv_line({"round", "agent", "wanted", "score", "outcome", "rule", "result"});
    for (const ProposalView& each : view.proposals) {
        out += csv_line({std::to_string(view.round), each.agent, each.wanted, number(each.score),
                         std::string(enum_name(each.outcome)), each.rule, each.result});
    }
    return out;
}

std::vector<EventLine> all_events(const ServedRun& run) {
    std::vector<EventLine> all;
    EventFilter filter{.limit = kEventsAtOnce};
    while (true) {
        const auto view =
            run.ask_index([&](const RunIndex& index) { return index.events(filter); });
        if (!view || view->events.empty()) return all;
        all.insert(all.end(), view->events.begin(), view->events.end());
        filter.before = view->events.back().seq;
    }
}

Answer file(const std::string& name, bool csv, std::string body) {
    Answer out{.body = std::move(body), .headers = {}};
    if (csv) out.type = "text/csv; charset=utf-8";
    out.headers.emplace_back("Content-Disposition",
                             "attachment; filename=\"" + name + (csv ? ".csv" : ".json") + "\"");
    return out;
}

}  // namespace

std::string csv_line(const std::vector<std::string>& cells) {
    std::string out;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        std::string cell = cells[i];
        const bool number_like = parse_double(cell).has_value();
        const bool formula =
            !cell.empty() && !number_like &&
            std::string_view("=+-@\t\r").find(cell.front()) != std::string_view::npos;
        if (formula) cell.insert(0, 1, '\'');
        if (cell.find_first_of(",\"\r\n'") != std::string::npos) {
            std::string quoted = "\"";
            for (const char c : cell) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
            cell = quoted + "\"";
        }
        out += (i > 0 ? "," : "") + cell;
    }
    return out + "\r\n";
}

Answer export_answer(const ServedRun& run, const Route& route) {
    const std::string what = route.text("what").value_or("round");
    const std::string format = route.text("format").value_or("json");
    if (format != "json" && format != "csv") {
        return answer_with(Refusal{400, "format is json or csv.", "Choose one of them.", {}});
    }
    const bool csv = format == "csv";
    if (what == "events" || what == "scores") {  // These need the whole run.
        if (const auto read = run.all_read(); !read) return answer_with(read.error());
    }
    if (what == "events") {
        const auto events = all_events(run);
        return file("events", csv, csv ? events_csv(events) : view_json(events));
    }
    if (what == "scores") {
        const auto scores = run.ask_index(
            [&](const RunIndex& index) { return index.scores(0, 0, index.rounds() + 2); });
        const ScoresView view = scores.value_or(ScoresView{});
        return file("scores", csv, csv ? scores_csv(view) : view_json(view));
    }
    if (what != "round" && what != "nodes") {
        return answer_with(
            Refusal{400, "what is round, events, scores or nodes.", "Choose one of them.", {}});
    }
    const auto wanted = number_in(route, "round", 0, kMost);
    if (!wanted) return answer_with(Refusal{400, wanted.error().message + ".", "", {}});
    const auto round =
        run.round(*wanted == 0 ? std::nullopt : std::optional<std::uint64_t>(*wanted));
    if (!round) return answer_with(round.error());
    const std::string name = what + "-" + std::to_string((*round)->decision->round);
    if (what == "round") {
        const RoundView view = run.view(**round);
        return file(name, csv, csv ? proposals_csv(view) : view_json(view));
    }
    const auto header = run.header();
    const NodeContext context{**round, nullptr, header.policy};
    std::vector<NodeLine> lines;
    for (const Slot slot : map_order((*round)->input->snapshot)) {
        lines.push_back(node_line(context, slot));
    }
    return file(name, csv, csv ? nodes_csv(lines) : view_json(lines));
}

}  // namespace parley::web
