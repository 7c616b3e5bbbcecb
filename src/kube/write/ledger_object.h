// Kube, the ledger as one ConfigMap: read whole, replaced only if nobody else has written it since.

#pragma once

#include "cluster/ledger_store.h"
#include "kube/watch/api.h"
#include "kube/write/term.h"

#include <cstdint>
#include <memory>
#include <string>

namespace parley::kube {

struct LedgerPlace {
    std::string space = "parley-system";
    std::string name = "parley-ledger";
};

/// Used on one executor. A ledger that cannot be read, or that another program wrote, is an error:
/// nothing may be sent then.
class LedgerObject final : public cluster::LedgerStore {
public:
    LedgerObject(std::shared_ptr<Api> api, LedgerPlace place, Term term = always())
        : api_(std::move(api)), place_(std::move(place)), term_(std::move(term)) {}

    /// A ConfigMap that is not there yet is an empty ledger of version 0.
    boost::asio::awaitable<Result<model::Ledger>> read_ledger() override;

    /// Without an answer it is read once more, and is well if what is there is what was sent.
    boost::asio::awaitable<Result<void>> swap_ledger(std::uint64_t expected,
                                                     model::Ledger next) override;

private:
    std::string path() const;
    std::string said() const { return "the ledger " + place_.space + "/" + place_.name; }
    boost::asio::awaitable<Result<void>> look();

    std::shared_ptr<Api> api_;
    LedgerPlace place_;
    Term term_;
    model::Ledger stored_;          ///< As last read or written.
    std::string resource_version_;  ///< Of the object with it; empty: there is none.
    bool known_ = false;            ///< It was read.
};

/// The object with a ledger in it. Beside the bytes it says what a person wants to know.
std::string ledger_body(const LedgerPlace& place, const model::Ledger& ledger,
                        const std::string& resource_version);

struct StoredLedger {
    model::Ledger ledger;
    std::string resource_version;
};
/// `malformed` with the reason where it is none of ours.
[[nodiscard]] Result<StoredLedger> read_ledger_body(std::string_view body);

}  // namespace parley::kube
