#include "apps/live/may_act.h"

#include "apps/live/providers.h"
#include "kube/watch/permissions.h"

namespace parley::app {
namespace {

tl::unexpected<Error> denied(std::string sentence) {
    return fail(ErrorCode::denied, std::move(sentence));
}

Result<void> check_kind(model::ActionKind kind, const std::string& space,
                        const std::vector<kube::Provider>& providers) {
    const std::string named =
        "policy.allow names " + std::string(enum_name(kind)) + " in namespace " + space;
    const std::string lacks = lacks_provider(kind, providers);
    if (!lacks.empty()) return denied(named + ", but " + lacks);
    if (kube::needs_of_acting(kind, space, "")) return {};
    return denied(named + ", which this build cannot carry out on a real cluster; take it out");
}

}  // namespace

Result<void> check_asked_for(const LoadedSettings& loaded) {
    const Settings& settings = loaded.settings;
    if (settings.run.mode != model::Mode::act) return {};
    const auto said = loaded.origins.find("run.mode");
    if (said != loaded.origins.end() && said->second.place.line > 0) {
        return denied("run.mode is act by " + said->second.text() +
                      ", which is not enough on a real cluster; say --mode act, too, if this run "
                      "is to change it");
    }
    for (const model::OptIn& opt_in : settings.policy.allow) {
        if (!opt_in.space.empty() && opt_in.space != "*") continue;
        return denied(
            "policy.allow names every namespace; on a real cluster they are named one by one, or "
            "by a prefix such as test-*");
    }
    return {};
}

Result<void> check_acting(const LoadedSettings& loaded,
                          const std::vector<kube::Provider>& providers) {
    if (auto fine = check_asked_for(loaded); !fine) return fine;
    const Settings& settings = loaded.settings;
    if (settings.run.mode != model::Mode::act) return {};
    if (settings.policy.allow.empty()) {
        return denied(
            "--mode act without policy.allow would never act; name namespaces and kinds of "
            "action there, see docs/acting.md");
    }
    for (const model::OptIn& opt_in : settings.policy.allow) {
        for (const model::ActionKind kind : opt_in.kinds) {
            if (auto fine = check_kind(kind, opt_in.space, providers); !fine) return fine;
        }
    }
    return {};
}

}  // namespace parley::app
