// Web: answers requests to the API. Runs on the server's lanes, never on its loop; knows no
// sockets.

#pragma once

#include "web/run/served_run.h"
#include "web/serve/route.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace parley::web {

struct Answer {
    int status = 200;
    std::string type = "application/json";
    std::string body;
    std::vector<std::pair<std::string, std::string>> headers;
};

/// A described view as an answer.
template <class T>
Answer answer_with(const T& view, int status = 200) {
    return {.status = status, .body = view_json(view) + "\n", .headers = {}};
}
Answer answer_with(const Refusal& refusal);
/// An error of the record as an answer.
Answer answer_with(const Error& error);

using Runs = std::vector<std::shared_ptr<ServedRun>>;

/// Whether it may take long and so goes to the slow lane.
bool is_slow(Wanted wanted);

/// Everything below /api except sessions, the stream and stopping.
Answer answer(const Runs& runs, const Route& route);

/// Null: there is none of that name.
std::shared_ptr<ServedRun> run_named(const Runs& runs, const std::string& name);
Refusal no_such_run(const Runs& runs, const std::string& name);

}  // namespace parley::web
