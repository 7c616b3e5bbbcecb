#include "web/serve/openapi.h"

#include "base/json.h"
#include "web/views/view_schema.h"
#include "web/views/views_round.h"
#include "web/views/views_run.h"
#include "web/views/views_things.h"

#include <string_view>
#include <vector>

namespace parley::web {
namespace {

struct Parameter {
    const char* name;
    const char* type;
    const char* text;
};

struct Operation {
    const char* path;
    const char* method;
    const char* id;
    const char* summary;
    std::vector<Parameter> query;
    std::string schema;  ///< Of the answer; empty: it has no JSON body.
    std::string body;    ///< Of the request; empty: none.
    const char* type = "application/json";
    const char* status = "200";
};

std::string quoted(std::string_view text) {
    std::string out;
    append_json_text(out, text);
    return out;
}

std::string parameter(std::string_view name, const char* place, const char* type,
                      std::string_view text) {
    const bool in_path = std::string_view(place) == "path";
    return "{\"name\":" + quoted(name) + ",\"in\":" + quoted(place) +
           ",\"required\":" + (in_path ? "true" : "false") + ",\"description\":" + quoted(text) +
           ",\"schema\":{\"type\":" + quoted(type) + "}}";
}

std::string parameters_of(const Operation& operation) {
    std::string list;
    const auto add = [&](const std::string& each) { list += (list.empty() ? "" : ",") + each; };
    const std::string_view path = operation.path;
    if (path.find("{run}") != path.npos) {
        add(parameter("run", "path", "string", "A run, as /api/runs names it."));
    }
    if (path.find("{round}") != path.npos) {
        add(parameter("round", "path", "string", "The number of a round, or `live`: the newest."));
    }
    if (path.find("{name}") != path.npos) {
        add(parameter("name", "path", "string",
                      "A node, or a workload as `shop/web`; its slashes are part of the path."));
    }
    for (const Parameter& each : operation.query) {
        add(parameter(each.name, "query", each.type, each.text));
    }
    return list;
}

std::string text_of(const Operation& operation) {
    std::string out = quoted(operation.method) + ":{\"operationId\":" + quoted(operation.id) +
                      ",\"summary\":" + quoted(operation.summary) + ",\"parameters\":[" +
                      parameters_of(operation) + "]";
    if (!operation.body.empty()) {
        out +=
            ",\"requestBody\":{\"required\":true,\"content\":{\"application/json\":{\"schema\":" +
            operation.body + "}}}";
    }
    out += ",\"responses\":{" + quoted(operation.status) + ":{\"description\":\"The answer.\"";
    if (!operation.schema.empty()) {
        out +=
            ",\"content\":{" + quoted(operation.type) + ":{\"schema\":" + operation.schema + "}}";
    }
    return out +
           "},\"default\":{\"description\":\"Why not, and what to do.\",\"content\":{"
           "\"application/json\":{\"schema\":{\"$ref\":\"#/components/schemas/ErrorAnswer\"}}}}}}";
}

const std::vector<Parameter> kPage = {{"offset", "integer", "Rows to pass over."},
                                      {"limit", "integer", "Rows, at most 1,000."},
                                      {"find", "string", "A part of the name or text."}};

std::vector<Operation> of_rounds(ViewSchemas& s) {
    const char* round = "/api/runs/{run}/rounds/{round}";
    return {
        {round,
         "get",
         "round",
         "A round as it was known, and what was measured later.",
         {},
         s.of<RoundView>(),
         ""},
        {"/api/runs/{run}/rounds/{round}/difference",
         "get",
         "difference",
         "What changed since another round.",
         {{"from", "integer", "That round; the one before if it is left out."}},
         s.of<DifferenceView>(),
         ""},
        {"/api/runs/{run}/rounds/{round}/map",
         "get",
         "map",
         "Every node at its place.",
         {},
         s.of<MapView>(),
         ""},
        {"/api/runs/{run}/rounds/{round}/nodes", "get", "nodes", "Nodes by zone and name.", kPage,
         s.of<NodesView>(), ""},
        {"/api/runs/{run}/rounds/{round}/nodes/{name}",
         "get",
         "node",
         "One node in detail.",
         {},
         s.of<NodeDetail>(),
         ""},
        {"/api/runs/{run}/rounds/{round}/workloads", "get", "workloads", "Workloads by name.",
         kPage, s.of<WorkloadsView>(), ""},
        {"/api/runs/{run}/rounds/{round}/workloads/{name}",
         "get",
         "workload",
         "One workload in detail.",
         {},
         s.of<WorkloadDetail>(),
         ""},
    };
}

std::vector<Operation> of_runs(ViewSchemas& s) {
    const Parameter from{"from", "integer", "The first round."};
    const Parameter to{"to", "integer", "The last round; the newest if it is left out."};
    std::vector<Parameter> page_to = kPage;
    page_to.push_back(to);
    return {
        {"/api/runs", "get", "runs", "The runs that are served.", {}, s.of<RunList>(), ""},
        {"/api/runs/{run}",
         "get",
         "run",
         "A run: how it was started and how it stands.",
         {},
         s.of<RunDetail>(),
         ""},
        {"/api/runs/{run}/strip",
         "get",
         "strip",
         "A cell a round, at most 2,000.",
         {from, to},
         s.of<StripView>(),
         ""},
        {"/api/runs/{run}/ribbon",
         "get",
         "ribbon",
         "The whole run; the worst round of a pixel.",
         {{"pixels", "integer", "How wide it is."}},
         s.of<RibbonView>(),
         ""},
        {"/api/runs/{run}/scores",
         "get",
         "scores",
         "Scores of rounds and of actions.",
         {from, to, {"points", "integer", "At most so many; minimum and maximum stay."}},
         s.of<ScoresView>(),
         ""},
        {"/api/runs/{run}/decisions", "get", "decisions", "Every change of decision.", page_to,
         s.of<DecisionsView>(), ""},
    };
}

std::vector<Operation> of_questions(ViewSchemas& s) {
    return {
        {"/api/runs/{run}/events",
         "get",
         "events",
         "Events, newest first.",
         {{"before", "integer", "Only with a lower seq."},
          {"after", "integer", "Only with a higher seq."},
          {"kinds", "string", "Of these kinds, with commas between."},
          {"find", "string", "A part of the message."},
          {"limit", "integer", "At most 1,000."},
          {"until_round", "integer", "Only up to this round."}},
         s.of<EventsView>(),
         ""},
        {"/api/runs/{run}/learning",
         "get",
         "learning",
         "Brains, studies and stages.",
         {},
         s.of<LearningView>(),
         ""},
        {"/api/runs/{run}/ask",
         "get",
         "ask",
         "why and why-not, as the terminal answers.",
         {{"q", "string", "why node-07, why-not migrate:node-03."},
          {"round", "integer", "Of this round."}},
         s.of<AskView>(),
         ""},
        {"/api/runs/{run}/names",
         "get",
         "names",
         "Names that begin so, at most 20.",
         {{"prefix", "string", "How they begin."}, {"round", "integer", "Of this round."}},
         s.of<NamesView>(),
         ""},
        {"/api/runs/{run}/export",
         "get",
         "export",
         "A file: JSON or CSV.",
         {{"what", "string", "round, events, scores or nodes."},
          {"round", "integer", "Of this round."},
          {"format", "string", "json or csv."}},
         "",
         ""},
        {"/api/runs/{run}/stream",
         "get",
         "stream",
         "Server-Sent Events: `round` with a RoundSummary (id: its round), `status` with a "
         "StatusNote. Resumes after Last-Event-ID.",
         {},
         R"({"type":"string"})",
         "",
         "text/event-stream"},
        {"/api/runs/{run}/stop",
         "post",
         "stop",
         "Stops the run from acting; needs the header X-Parley: 1. Only `parley stop --clear` "
         "lifts "
         "it.",
         {},
         s.of<StopView>(),
         R"({"type":"object"})"},
    };
}

std::vector<Operation> of_sessions(ViewSchemas& s) {
    return {
        {"/api/session", "get", "session", "Who is logged in.", {}, s.of<SessionView>(), ""},
        {"/api/session",
         "post",
         "login",
         "A link's token for a cookie.",
         {},
         "",
         s.of<LoginBody>(),
         "application/json",
         "204"},
        {"/api/openapi.json", "get", "openapi", "This document.", {}, R"({"type":"object"})", ""},
    };
}

}  // namespace

std::string openapi_document() {
    ViewSchemas schemas;
    (void)schemas.of<ErrorAnswer>();
    (void)schemas.of<RoundSummary>();
    (void)schemas.of<StatusNote>();
    std::vector<Operation> all = of_sessions(schemas);
    for (const auto& more : {of_runs(schemas), of_questions(schemas), of_rounds(schemas)}) {
        all.insert(all.end(), more.begin(), more.end());
    }
    std::string out =
        "{\n\"openapi\":\"3.1.0\",\n\"info\":{\"title\":\"Parley\",\"version\":\"1\","
        "\"description\":\"What the dashboard reads. Every answer needs a session; errors have "
        "one form.\"},\n\"paths\":{\n";
    std::string_view last;
    for (const Operation& each : all) {
        const bool again = last == each.path;
        if (!last.empty()) out += again ? ",\n" : "},\n";
        if (!again) out += quoted(each.path) + ":{";
        out += text_of(each);
        last = each.path;
    }
    out += "}\n},\n\"components\":{\"schemas\":{\n";
    bool first = true;
    for (const auto& [name, definition] : schemas.definitions()) {
        out += (first ? "" : ",\n") + quoted(name) + ":" + definition;
        first = false;
    }
    return out + "\n}}\n}\n";
}

}  // namespace parley::web
