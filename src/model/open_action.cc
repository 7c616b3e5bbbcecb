#include "model/open_action.h"

namespace parley::model {

bool is_final(ActionState state) {
    switch (state) {
        case ActionState::confirmed:
        case ActionState::moot:
        case ActionState::expired:
        case ActionState::failed:
        case ActionState::would_send:
            return true;
        case ActionState::planned:
        case ActionState::marked:
        case ActionState::sent:
        case ActionState::blocked:
        case ActionState::unknown:
        case ActionState::held:
            break;
    }
    return false;
}

}  // namespace parley::model
