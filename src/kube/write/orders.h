// Kube, the writing side of the seam for agent C's orders: they are objects of ours, made where
// they are not there yet. Everything else goes on to another hand.

#pragma once

#include "cluster/writer.h"
#include "kube/watch/api.h"
#include "kube/write/order_objects.h"
#include "kube/write/pen.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace parley::kube {

/// Carries out SetAdmission and SetBatchCap. A cap may be for several namespaces, each with an
/// object of its own: what was done of it is found by a read, and only the rest is done again.
/// What meets a conflict although it stands there with its decision was done. Never retries.
/// Borrows reader and writer. Used on one executor.
class Orders final : public cluster::Reader, public cluster::Writer {
public:
    Orders(std::shared_ptr<Api> api, std::string home, cluster::Reader& reader,
           cluster::Writer& writer, Term term, std::function<TimePoint()> clock);

    /// Our webhook, which carries out queue and deprioritize where no policy is installed: `serves`
    /// says whether it is asked, or why it is not; `told` is called with every order that was
    /// written.
    void carried_by(std::function<Result<void>()> serves,
                    std::function<void(const model::SetAdmission&)> told);

    /// The mark of an order is the decision that stands in it.
    boost::asio::awaitable<Result<model::Live>> read(model::Request about) override;

    /// An order that nothing on this cluster would carry out is `denied`, with what is to be
    /// installed.
    boost::asio::awaitable<Result<void>> apply(model::Request request, model::Precondition only_if,
                                               cluster::Stamp stamp) override;

private:
    boost::asio::awaitable<Result<void>> look_at_admission();
    boost::asio::awaitable<Result<void>> look_at_quotas();
    boost::asio::awaitable<Result<void>> installed(model::AdmissionWish mode);
    boost::asio::awaitable<Result<void>> admit(model::SetAdmission order, Sending how);
    boost::asio::awaitable<Result<void>> cap(model::SetBatchCap cap, Sending how);
    boost::asio::awaitable<Result<void>> cap_one(std::string space, model::SetBatchCap cap,
                                                 Sending how);
    boost::asio::awaitable<Result<void>> uncap(Sending how);
    boost::asio::awaitable<Result<bool>> stands(model::SetAdmission order);
    boost::asio::awaitable<Result<bool>> is_capped_in(std::string space,
                                                      model::DecisionId decision);
    const QuotaSeen* quota_in(const std::string& space) const;
    bool is_capped(const model::SetBatchCap& cap) const;

    std::shared_ptr<Api> api_;
    std::string home_;
    cluster::Reader& reader_;
    cluster::Writer& writer_;
    Pen pen_;
    std::function<TimePoint()> clock_;
    std::function<Result<void>()> serves_;                  ///< Empty: there is no webhook.
    std::function<void(const model::SetAdmission&)> told_;  ///< Likewise.
    std::optional<AdmissionSeen> admission_;                ///< Nothing: there is none.
    std::vector<QuotaSeen> quotas_;
    bool looked_ = false;  ///< What is wanted next was read, and not changed since.
};

}  // namespace parley::kube
