// Kube, providers: the writing side of the seam for power and clocks, by commands of the
// operator's; everything else goes on to another hand.

#pragma once

#include "cluster/writer.h"
#include "kube/provider/desk.h"
#include "kube/watch/api.h"
#include "kube/write/term.h"

#include <map>
#include <memory>
#include <string>

namespace parley::kube {

/// A command takes no precondition, so a change is only asked for right after its node was read,
/// and is `conflict` where it was not. Never retries. Borrows reader and writer. Used on one
/// executor.
class ProviderHand final : public cluster::Reader, public cluster::Writer {
public:
    ProviderHand(std::shared_ptr<ProviderDesk> desk, std::shared_ptr<Api> api,
                 cluster::Reader& reader, cluster::Writer& writer, Term term = always());

    static bool handles(const model::Request& request);

    /// The node as the API server shows it, with its mark; `applied` is what its provider says.
    boost::asio::awaitable<Result<model::Live>> read(model::Request about) override;

    /// A node is put to sleep or switched off only when nobody is left on it, else it is `blocked`:
    /// pods that were evicted have their time to end.
    boost::asio::awaitable<Result<void>> apply(model::Request request, model::Precondition only_if,
                                               cluster::Stamp stamp) override;

private:
    boost::asio::awaitable<Result<void>> see_it_empty(std::string node);

    std::shared_ptr<ProviderDesk> desk_;
    std::shared_ptr<Api> api_;
    cluster::Reader& reader_;
    cluster::Writer& writer_;
    Term term_;
    std::map<std::string, model::Precondition> last_;  ///< By node; what the next change rests on.
};

}  // namespace parley::kube
