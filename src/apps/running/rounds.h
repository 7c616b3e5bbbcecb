// App: where rounds come from: a simulated cluster that makes one when asked, or a loop beside a
// real cluster at its own pace.

#pragma once

#include "base/result.h"
#include "layers/explanation/wording/leading.h"
#include "layers/pipeline.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace parley::app {

class Rounds {
public:
    virtual ~Rounds() = default;

    /// Makes or takes the next round; false: there is none yet. An error ends the run; earlier
    /// rounds are complete.
    [[nodiscard]] virtual Result<bool> next() = 0;

    /// The last one taken; null before the first one of this process.
    virtual std::shared_ptr<const Published> last() const = 0;
    /// Its number; includes rounds of earlier processes.
    virtual std::uint64_t rounds() const = 0;

    /// How late the last one began, and how long one should take. Below zero: whoever asks for
    /// rounds sets the pace.
    virtual Duration late() const { return microseconds(-1); }

    /// Who led in the last one; nothing: nobody else could.
    virtual std::optional<explanation::Leading> leading() const { return std::nullopt; }
    /// What went wrong beside the last one and is not recorded, in a line; empty: nothing.
    virtual std::string remark() const { return {}; }
};

}  // namespace parley::app
