// Kube, the writing side of the seam on a real cluster: reads targets live, and asks for one change
// at a time.

#pragma once

#include "cluster/writer.h"
#include "kube/watch/api.h"
#include "kube/write/change.h"
#include "kube/write/term.h"

#include <map>
#include <memory>
#include <set>
#include <string>

namespace parley::kube {

/// Reader and writer are one, since what is written rests on what was read last: a change is only
/// sent for the version of its object that `read` showed. Never retries. Used on one executor.
class Hand final : public cluster::Reader, public cluster::Writer {
public:
    explicit Hand(std::shared_ptr<Api> api, Term term = always())
        : api_(std::move(api)), term_(std::move(term)) {}

    boost::asio::awaitable<Result<model::Live>> read(model::Request about) override;

    /// The first change of a kind by a verb, and every eviction, is tried by a dry run before: a
    /// wrong precondition of an eviction would use up a disruption budget. What a dry run refuses
    /// was surely not done.
    boost::asio::awaitable<Result<void>> apply(model::Request request, model::Precondition only_if,
                                               cluster::Stamp stamp) override;

private:
    boost::asio::awaitable<Result<Seen>> look(ObjectPlace place);
    boost::asio::awaitable<Result<void>> try_out(model::Request request, ObjectPlace place,
                                                 Seen seen, cluster::Stamp stamp);

    boost::asio::awaitable<Result<void>> change(http::Request request, std::string what);

    std::shared_ptr<Api> api_;
    Term term_;
    std::map<std::string, Seen> last_;  ///< By path; what the next change rests on.
    std::set<std::string> tried_;       ///< Verbs and kinds that a dry run has passed.
};

}  // namespace parley::kube
