// App: rounds in, what became of their actions out: one note when an action begins, is done, is
// given up or is undone.

#pragma once

#include "layers/explanation/telling/follow.h"
#include "layers/pipeline.h"
#include "model/policy.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace parley::app {

enum class Moment : std::uint8_t { began, done, gave_up, undone, not_undone };
BOOST_DESCRIBE_ENUM(Moment, began, done, gave_up, undone, not_undone)

struct ActionNote {
    model::DecisionId id;
    model::ActionKind kind = model::ActionKind::noop;
    model::Target target;
    model::Uid uid;  ///< Of the target.
    Moment moment = Moment::began;
    bool warning = false;  ///< A person may want to look.
    std::string text;      ///< As the narrator says it in brief.
};

/// Remembers open actions alone. Of those that an earlier process or another leader began only what
/// is new is told. Pure but for that; one thread at a time.
class ActionNotes {
public:
    explicit ActionNotes(model::Policy policy) : policy_(std::move(policy)) {}

    /// Call it once a round, in order. A round that may not act has none.
    std::vector<ActionNote> take(const Published& round);

private:
    struct One {
        explanation::Follower follower;
        std::string because;  ///< Why it was decided; empty: an earlier process did.
        bool began = false;   ///< Told, as the next two.
        bool done = false;
        bool gave_up = false;
        std::optional<model::ActionState> undone_after;  ///< How its plan ended, once it did.
    };

    void look(One& one);
    void end(const model::OpenAction& ended);
    void add(const One& one, Moment moment, std::string text, bool warning = false);

    model::Policy policy_;
    std::vector<One> open_;
    std::vector<ActionNote> out_;
};

}  // namespace parley::app
