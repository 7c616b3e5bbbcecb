#include "apps/live/exercise_flags.h"

#include "apps/terminal/cli.h"
#include "base/number.h"
#include "kube/exercise/exercise_stage.h"
#include "layers/observation/watched.h"

namespace parley::app {
namespace {

constexpr const char* kPause = "registry.k8s.io/pause:3.10";

Result<Mirror> mirror_of(const std::string& file, const std::string& space) {
    AccessFlags access;
    access.access.kubeconfig = file;
    auto cluster = cluster_of(access);
    if (!cluster) return within("--mirror-exercise-kubeconfig " + file, cluster.error());
    return Mirror{*std::move(cluster), space};
}

}  // namespace

void add_exercise_flags(Command& command, ExerciseFlags& into, bool beside_a_run) {
    const OptionGroup heading(command, "Exerciser");
    std::vector<Flag> all;
    const auto keep = [&](Flag flag, const char* type) {
        all.push_back(flag.type(type));
        return flag;
    };
    if (beside_a_run) {
        command.on("--exercise-cluster", into.on,
                   "Put pods into one namespace, phase after phase, and watch the answer");
        keep(add_whole(command, "--exercise-interval-iterations", into.every,
                       "A new phase every so many rounds (default 3)", {1, 1'000'000}),
             "N");
    }
    keep(command.text("--exercise-namespace", into.space,
                      "The only one it touches (default parley-exercise)"),
         "NAME");
    keep(command.on("--exercise-randomize", into.randomize,
                    "Draw phases and sizes instead of going through them in order"),
         "");
    keep(add_whole(command, "--exercise-seed", into.seed, "Of those draws (default 31)"), "N");
    keep(command.text("--exercise-form", into.form,
                      "Why pods wait: shortage (of CPU) or selector (of no node)"),
         "FORM")
        .check(one_of({"shortage", "selector"}));
    keep(command.text("--exercise-load", into.load,
                      "reserve (default), or really use: cpu, memory or both"),
         "LOAD")
        .check(one_of({"reserve", "cpu", "memory", "both"}));
    keep(command.text("--exercise-image", into.image,
                      std::string("Of its pods (default ") + kPause +
                          "); to use CPU or memory, one that has parley in it"),
         "IMAGE");
    keep(command.texts("--mirror-exercise-kubeconfig", into.mirrors,
                       "The same phases in the same sizes there too; may be repeated"),
         "FILE");
    keep(command.text("--mirror-exercise-namespace", into.mirror_space,
                      "The namespace there (default: the same)"),
         "NAME");
    if (!beside_a_run) return;
    for (Flag flag : all) flag.noted_in(into.given);
}

Result<ExerciseOptions> exercise_of(const ExerciseFlags& flags, const model::Policy& policy) {
    const std::string& there = flags.mirror_space.empty() ? flags.space : flags.mirror_space;
    for (const std::string& space : {flags.space, there}) {
        if (auto usable = kube::usable_space(space); !usable) {
            return tl::unexpected(usable.error());
        }
    }
    if (!flags.mirror_space.empty() && flags.mirrors.empty()) {
        return fail(ErrorCode::denied,
                    "--mirror-exercise-namespace is about --mirror-exercise-kubeconfig; name it");
    }
    const bool uses = flags.load != "reserve";
    if (uses && flags.image.empty()) {
        return fail(ErrorCode::denied, "--exercise-load " + flags.load +
                                           " needs --exercise-image with parley in it; "
                                           "deploy/image.py makes one");
    }
    ExerciseOptions options{.every = flags.every,
                            .image = flags.image.empty() ? kPause : flags.image};
    const auto form = enum_from_name<exercise::Form>(flags.form);
    options.plan = {.choice = {.form = exercise::form_for(form.value_or(exercise::Form::profile),
                                                          policy.profile),
                               .randomize = flags.randomize,
                               .seed = flags.seed},
                    .space = flags.space,
                    .watched = observation::Watched(policy.namespaces).has(Name::of(flags.space)),
                    .burn_cpu = flags.load == "cpu" || flags.load == "both",
                    .hold_memory = flags.load == "memory" || flags.load == "both"};
    for (const std::string& file : flags.mirrors) {
        auto mirror = mirror_of(file, there);
        if (!mirror) return tl::unexpected(mirror.error());
        options.mirrors.push_back(*std::move(mirror));
    }
    return options;
}

}  // namespace parley::app
