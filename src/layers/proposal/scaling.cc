#include "layers/proposal/scaling.h"

namespace parley::proposal {

std::vector<model::Proposal> Scaling::propose(const View&) const {
    return {{.role = role(), .action = model::Noop{}, .because = "skipped: not in this build"}};
}

}  // namespace parley::proposal
