// Cluster seam: the ledger, one object that survives a change of leader.

#pragma once

#include "base/result.h"
#include "model/ledger.h"

#include <boost/asio/awaitable.hpp>

#include <cstdint>

namespace parley::cluster {

class LedgerStore {
public:
    virtual ~LedgerStore() = default;

    virtual boost::asio::awaitable<Result<model::Ledger>> read_ledger() = 0;

    /// Replaces the ledger if its version is still `expected`, else fails with `conflict`.
    virtual boost::asio::awaitable<Result<void>> swap_ledger(std::uint64_t expected,
                                                             model::Ledger next) = 0;
};

}  // namespace parley::cluster
