// Kube, one change on its way to the API server: a request and what is said of it in, the answer
// out.

#pragma once

#include "base/clock_wait.h"
#include "kube/watch/api.h"
#include "kube/write/term.h"

#include <boost/asio/awaitable.hpp>

#include <memory>
#include <set>
#include <string>

namespace parley::kube {

/// When a change is tried by a dry run before it is sent.
enum class Trial {
    first_time,  ///< As long as no dry run of its verb and kind has passed.
    each_time,
    never
};

/// What is said of a change besides its request.
struct Sending {
    std::string doing;  ///< "writing", of the message of an error.
    std::string about;  ///< "a quota", likewise.
    std::string kind;   ///< "deployment/scale": with the verb, what a dry run is passed for.
    std::string audit;  ///< Its id in the API server's own log.
    Deadline fresh{hours(24)};  ///< Not sent after it: what it was decided on is too old by then.
    Trial trial = Trial::first_time;
};

/// How changes that were decided are sent, and the webhook's registration: only within our term,
/// tried before, under our name, with an id for the audit log. The version that a change rests on
/// is in its body. Never retries. Used on one executor.
class Pen {
public:
    Pen(std::shared_ptr<Api> api, Term term, http::Limits limits);

    /// `request` is without a query. What a dry run refuses was surely not done, and neither was
    /// what is not sent since it is too old.
    boost::asio::awaitable<Result<http::Response>> write(http::Request request, Sending how);

private:
    boost::asio::awaitable<Result<void>> try_out(http::Request request, Sending how);
    boost::asio::awaitable<Result<http::Response>> send(http::Request request, std::string what);

    std::shared_ptr<Api> api_;
    Term term_;
    http::Limits limits_;
    std::set<std::string> tried_;  ///< Verbs and kinds that a dry run has passed.
};

/// Nobody knows whether what was sent was applied.
bool is_open(const Error& error);

/// What a conflict comes to. Whoever stands between the API server and us may send a request of
/// ours twice: the first is carried out, and we hear that the second met a conflict. `ours` says
/// whether what we want is there now and was put there by us; then it is done. While that cannot
/// be read the outcome is unknown. Otherwise a conflict it is.
[[nodiscard]] Result<void> after_conflict(Error conflict, const Result<bool>& ours);

}  // namespace parley::kube
