#include "apps/terminal/settings.h"

#include "base/number.h"
#include "config/print.h"
#include "guard/hard_limits.h"

#include <limits>
#include <utility>

namespace parley::app {
namespace {

constexpr double kAny = std::numeric_limits<double>::max();
constexpr double kDay = 86'400;

/// Limits beyond the type. Times are in seconds. Those of the guard come from the guard.
constexpr config::Bound kBounds[] = {
    {"run.rounds", 1, 1e9},
    {"run.interval", 0.1, 3'600},
    {"run.pace", 0, 3'600},
    {"policy.actions_per_round_max", 1, 100},
    {"policy.scales_per_round_max", 1, 50'000},
    {"policy.evidence.lease_slow", 0, 1},
    {"policy.evidence.lease_lost", 0, 1},
    {"policy.evidence.not_ready", 0, 1},
    {"policy.evidence.pressure", 0, 1},
    {"policy.evidence.restarts", 0, 1},
    {"policy.evidence.flaps", 0, 1},
    {"policy.evidence.restarts_min", 1, 8},
    {"policy.evidence.restarts_pods_min", 1, 8},
    {"policy.evidence.flaps_min", 1, 4},
    {"policy.evidence.restarts_few_below", 1, 1e6},
    {"policy.evidence.lease_slow_after", 0, kDay},
    {"policy.evidence.horizon", 1, kDay},
    {"policy.evidence.restarts_window", 1, kDay},
    {"policy.evidence.flaps_window", 1, kDay},
    {"policy.stakes.detection", 0, kDay},
    {"policy.stakes.toleration", 0, kDay},
    {"policy.stakes.startup_assumed", 0, kDay},
    {"policy.stakes.throttle_efficacy", 0, 1},
    {"policy.stakes.throttle_timeliness", 0, 1},
    {"policy.stakes.throttle_cost", 0, 1e6},
    {"policy.stakes.replicate_efficacy", 0, 1},
    {"policy.stakes.replicate_timeliness", 0, 1},
    {"policy.stakes.replicate_cost", 0, 1e6},
    {"policy.stakes.migrate_efficacy", 0, 1},
    {"policy.stakes.migrate_timeliness", 0, 1},
    {"policy.stakes.release_share", 0, 1},
    {"policy.risk.holdout", 0, 0.5},
    {"policy.risk.urgent", 0, 1},
    {"policy.efficiency.dvfs_below", 0, 1},
    {"policy.efficiency.balloon_below", 0, 1},
    {"policy.efficiency.dvfs_clock", 0.1, 1},
    {"policy.efficiency.balloon_margin", 1, 10},
    {"policy.admission.queue_from", 1, 1e9},
    {"policy.admission.deprioritize_from", 1, 1e9},
    {"policy.admission.cap_from", 1, 1e9},
    {"policy.admission.cap_share", 0, 1},
    {"policy.admission.order_lasts", 1, kDay},
    {"policy.guard.coverage_act", 0, 1},
    {"policy.guard.cool_down_gentle", 0, kDay},
    {"policy.cost.lost_request", 0, kAny},
    {"policy.cost.disruption", 0, kAny},
    {"policy.cost.energy_kwh", 0, kAny},
    {"policy.cost.node_hour", 0, kAny},
    {"policy.cost.pending_minute", 0, kAny},
    {"policy.cost.rejection", 0, kAny},
    {"policy.cost.violating_request", 0, kAny},
    {"policy.cost.core_hour", 0, kAny},
    {"policy.cost.gib_hour", 0, kAny},
    {"policy.power.idle_w", 0, 1e6},
    {"policy.power.cpu_w", 0, 1e6},
    {"policy.power.memory_w", 0, 1e6},
};

constexpr std::string_view kHard =
    "that is the guard's own limit, which settings may tighten and never loosen";

/// The weight of each agent.
const std::vector<std::string>& weight_paths() {
    static const std::vector<std::string> paths = [] {
        std::vector<std::string> all;
        for_each_member(model::Weights{}, [&](std::string_view name, double) {
            all.push_back("policy.weights." + std::string(name));
        });
        return all;
    }();
    return paths;
}

/// Two settings that the guard judges together: in how many rounds, of how many.
struct Together {
    std::string_view rounds;
    std::string_view of;
    void (*take)(const model::Policy& from, model::Policy& into);
};
constexpr Together kTogether[] = {
    {"policy.stakes.rounds_over", "policy.stakes.rounds_of",
     [](const model::Policy& from, model::Policy& into) { into.stakes = from.stakes; }},
    {"policy.efficiency.rounds_idle", "policy.efficiency.rounds_of",
     [](const model::Policy& from, model::Policy& into) { into.efficiency = from.efficiency; }},
};

/// Settings that are within their limits one by one but not together; the error points to where the
/// wrong one was set. Each pair is asked about alone, so that it is known which one is meant.
Result<void> check_together(const LoadedSettings& loaded) {
    const std::string all = guard::beyond_together(loaded.settings.policy);
    if (all.empty()) return {};
    for (const Together& pair : kTogether) {
        model::Policy alone;
        pair.take(loaded.settings.policy, alone);
        const std::string why = guard::beyond_together(alone);
        if (why.empty()) continue;
        for (const std::string_view at : {pair.rounds, pair.of}) {
            const auto found = loaded.origins.find(std::string(at));
            if (found == loaded.origins.end()) continue;
            return fail(ErrorCode::malformed,
                        found->second.text() + ": " + why + "; " + std::string(kHard));
        }
    }
    return fail(ErrorCode::malformed, all);
}

/// Wraps a value for `run.seed`: {run: {seed: value}}.
config::Node nested(std::string_view path, config::Node value) {
    const std::size_t dot = path.find('.');
    const std::string key(path.substr(0, dot));
    config::Node map{.shape = config::Shape::map};
    if (dot != std::string_view::npos) value = nested(path.substr(dot + 1), std::move(value));
    map.entries.push_back({key, {}, std::move(value)});
    return map;
}

Result<void> overlay_file(Disk& disk, const std::string& path, LoadedSettings& loaded) {
    const auto source = config::load_source(disk, path, config::kYamlBytesMax);
    if (!source) return tl::unexpected(source.error());
    const auto root = config::parse_yaml(*source);
    if (!root) return tl::unexpected(root.error());
    return config::Reader(*source, loaded.origins, setting_bounds())
        .read(*root, loaded.settings, "");
}

Result<void> overlay_flag(const FlagValue& flag, LoadedSettings& loaded) {
    const config::Source source{flag.flag, flag.text};
    config::Node value{.shape = config::Shape::scalar, .text = flag.text};
    if (flag.as_yaml) {
        const auto text = config::text_source(flag.flag, flag.text);
        if (!text) return tl::unexpected(text.error());
        auto parsed = config::parse_yaml(*text);
        if (!parsed) return tl::unexpected(parsed.error());
        value = *std::move(parsed);
    }
    value.place = {};  // The flag itself is the place.
    return config::Reader(source, loaded.origins, setting_bounds())
        .read(nested(flag.path, std::move(value)), loaded.settings, "");
}

}  // namespace

std::span<const config::Bound> setting_bounds() {
    static const std::vector<config::Bound> bounds = [] {
        std::vector<config::Bound> all(std::begin(kBounds), std::end(kBounds));
        for (const std::string& path : weight_paths()) all.push_back({path, 0, 1e6});
        for (const guard::HardLimit& limit : guard::kHardLimits) {
            all.push_back({limit.path, limit.least, limit.most, kHard});
        }
        return all;
    }();
    return bounds;
}

Settings default_settings() {
    Settings settings;
    model::OptIn everything{.space = "*", .kinds = {}};
    boost::mp11::mp_for_each<boost::describe::describe_enumerators<model::ActionKind>>(
        [&](auto kind) {
            if (kind.value != model::ActionKind::noop) everything.kinds.push_back(kind.value);
        });
    settings.policy.allow = {everything};
    // In a simulation nobody is hurt, and the record can be learned from.
    settings.policy.risk.holdout = 0.1;
    return settings;
}

Settings default_live_settings() {
    Settings settings;
    settings.run.mode = model::Mode::observe;
    return settings;
}

Result<LoadedSettings> load_settings(Disk& disk, const std::string& path,
                                     const std::vector<FlagValue>& flags, Settings defaults) {
    LoadedSettings loaded{.settings = std::move(defaults), .origins = {}};
    if (!path.empty()) {
        if (auto done = overlay_file(disk, path, loaded); !done) {
            return tl::unexpected(done.error());
        }
    }
    for (const FlagValue& flag : flags) {
        if (auto done = overlay_flag(flag, loaded); !done) return tl::unexpected(done.error());
    }
    if (auto done = check_together(loaded); !done) return tl::unexpected(done.error());
    model::Policy& policy = loaded.settings.policy;
    const std::string predictor = "policy.predictor";
    if (policy.profile == model::Profile::prototype && !loaded.origins.contains(predictor)) {
        policy.predictor = model::PredictorKind::formula;
        loaded.origins[predictor] = {"profile prototype", {}};
    }
    return loaded;
}

bool names_predictor(const LoadedSettings& loaded) {
    return loaded.origins.contains("policy.predictor");
}

std::string setting_text(double value) { return config::yaml_number(value); }

Result<FlagValue> parse_set(const std::string& text) {
    const std::size_t equals = text.find('=');
    if (equals == 0 || equals == std::string::npos || equals + 1 == text.size()) {
        return fail(ErrorCode::malformed, "--set " + in_quotes(text) +
                                              " is not KEY=VALUE; write such as "
                                              "--set policy.guard.headroom=0.2");
    }
    const std::string key = text.substr(0, equals);
    return FlagValue{key, "--set " + key, text.substr(equals + 1), true};
}

}  // namespace parley::app
