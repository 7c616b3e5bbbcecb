// Layer 6, explanation: who leads, as a process in mode `act` knows it in a round, and its words.
// Pure.

#pragma once

#include "base/describe.h"

#include <cstdint>
#include <string>

namespace parley::explanation {

/// As it was when the round began. It is not recorded: of it a decision knows only whether its
/// round may act.
struct Leading {
    bool leads = false;       ///< This process does. False: it only says what it would do.
    std::uint64_t epoch = 0;  ///< Of whoever leads; 0: nobody does, or it is not known.
    std::string holder;       ///< The process that leads; empty: nobody does.
    std::string since;        ///< When it began to, by its own clock; empty: not known.
    /// When it ends unless it is renewed, by our clock: ours, or the one that we wait for; empty:
    /// nobody leads, or it is not known.
    std::string ends;
    std::string trouble;  ///< Why the Lease could not be read or written; empty: it could.
    friend bool operator==(const Leading&, const Leading&) = default;
};
BOOST_DESCRIBE_STRUCT(Leading, (), (leads, epoch, holder, since, ends, trouble))

/// Whether both say the same but for times and figures: no news.
bool same_leader(const Leading& a, const Leading& b);

/// What stands beside the mode: "leads", "follows".
std::string leading_word(const Leading& leading);

/// "leads, epoch 3, since 2025-03-01T12:03:00Z", "follows worker-3_71_5, epoch 3, since ...: says
/// only what it would do", "no leader could be asked: ...". Without the time at which it ends.
std::string leading_text(const Leading& leading);

/// The same with that time.
std::string leading_line(const Leading& leading);

}  // namespace parley::explanation
