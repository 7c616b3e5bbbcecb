// Kube, the writing side of the seam on a real cluster: reads targets live, and asks for one change
// at a time.

#pragma once

#include "cluster/writer.h"
#include "kube/watch/api.h"
#include "kube/write/change.h"
#include "kube/write/pen.h"

#include <map>
#include <memory>
#include <set>
#include <string>

namespace parley::kube {

class OwnWrites;

/// Reader and writer are one, since what is written rests on what was read last: a change is only
/// sent for the version of its object that `read` showed. Never retries a change. Used on one
/// executor.
class Hand final : public cluster::Reader, public cluster::Writer {
public:
    /// `own` is told of every change; null: nobody wants to know.
    explicit Hand(std::shared_ptr<Api> api, Term term = always(),
                  std::shared_ptr<OwnWrites> own = nullptr);

    /// After a change of unknown outcome one read is not enough, since it may arrive late: as long
    /// as its object shows the version that it was sent for, our mark on it is renewed, which gives
    /// it another one, and it is read again. Until that succeeds a read is `unavailable`. The mark
    /// is renewed while the kill switch is on, too: it only makes sure that nothing comes any more.
    /// In the audit log the id of such a request ends with "-renew". The same is done once for
    /// every marked object that does not show what is wanted: whoever marked it before our term may
    /// have had something under way when it ended.
    boost::asio::awaitable<Result<model::Live>> read(model::Request about) override;

    /// The first change of a kind by a verb, and every eviction, is tried by a dry run before: a
    /// wrong precondition of an eviction would use up a disruption budget. What a dry run refuses
    /// was surely not done. If what it rests on gets too old meanwhile, it is not sent. What meets
    /// a conflict although its object shows it to be our work was applied (made_by_us).
    boost::asio::awaitable<Result<void>> apply(model::Request request, model::Precondition only_if,
                                               cluster::Stamp stamp) override;

    /// We lead from now on, and somebody else did before, perhaps.
    void take_over() { sure_.clear(); }

private:
    /// Sent for this version of its object, and nobody knows what came of it.
    struct Doubt {
        model::Uid uid;
        std::uint64_t version = 0;
        model::Request request;
        cluster::Stamp stamp;
    };

    boost::asio::awaitable<Result<Seen>> look(ObjectPlace place);
    boost::asio::awaitable<Result<Seen>> look_for_sure(ObjectPlace place, model::Request about);
    void doubt_predecessors(const ObjectPlace& place, const Seen& seen,
                            const model::Request& about);
    boost::asio::awaitable<Result<void>> renew(ObjectPlace place, Seen seen, Doubt doubt);
    boost::asio::awaitable<Result<bool>> is_our_work(model::Request request, ObjectPlace place,
                                                     model::Uid uid, model::DecisionId decision);
    void note(const ObjectPlace& place, const Seen& before, const http::Response& answer);

    std::shared_ptr<Api> api_;
    Pen pen_;
    std::shared_ptr<OwnWrites> own_;
    std::map<std::string, Seen> last_;  ///< By path; what the next change rests on.
    /// By path; no more than there are open actions.
    std::map<std::string, Doubt> doubts_;
    /// By path; objects marked by us or renewed in this term.
    std::set<std::string> sure_;
};

}  // namespace parley::kube
