// App: the settings of a run: defaults, then the file of --config, then flags.

#pragma once

#include "base/describe.h"
#include "base/file.h"
#include "base/result.h"
#include "config/read.h"
#include "model/policy.h"
#include "model/round.h"
#include "store/run_format.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace parley::app {

/// How many rounds `simulate` makes where nobody says.
inline constexpr std::uint64_t kSimulatedRounds = 300;

struct RunSettings {
    std::string scenario = "tour";  ///< A built-in one, or the path of a file.
    std::uint64_t seed = 7;         ///< Same seed, same arrivals and faults.
    /// Nothing: `simulate` kSimulatedRounds, all others until stopped.
    std::optional<std::uint64_t> rounds;
    Duration interval = seconds(3);       ///< Simulated time from round to round.
    Duration pace = seconds(1);           ///< For `demo`: real time from round to round.
    model::Mode mode = model::Mode::act;  ///< On the simulated cluster.
    store::RecordLevel record = store::RecordLevel::full;
    /// The run folder; empty: the first of runs/SCENARIO-SEED, -2, ... that is free.
    std::string event_dir;
    std::string models;  ///< Where trained models are; empty: see parley model --help.
    std::string trust;   ///< Ids of trusted keys besides one's own, separated by commas.
    friend bool operator==(const RunSettings&, const RunSettings&) = default;
};
BOOST_DESCRIBE_STRUCT(RunSettings, (),
                      (scenario, seed, rounds, interval, pace, mode, record, event_dir, models,
                       trust))

/// A range of seeds.
struct SeedSpan {
    std::uint64_t from = 0;
    std::uint64_t to = 0;  ///< Inclusive.
    friend bool operator==(const SeedSpan&, const SeedSpan&) = default;
};
BOOST_DESCRIBE_STRUCT(SeedSpan, (), (from, to))

/// A command of the operator's for the power or the clock of nodes; see docs/providers.md.
struct ProviderSettings {
    std::vector<std::string> nodes;  ///< Names; `*` stands for any text.
    std::vector<std::string> power;  ///< The command that switches power; empty: none.
    std::vector<std::string> clock;  ///< The command that sets clocks; empty: none.
    friend bool operator==(const ProviderSettings&, const ProviderSettings&) = default;
};
BOOST_DESCRIBE_STRUCT(ProviderSettings, (), (nodes, power, clock))

struct Settings {
    RunSettings run;
    model::Policy policy;
    /// Seeds on which `parley tune` found the policy, which `compare` must not judge it on. No run
    /// depends on them.
    std::vector<SeedSpan> tuned_on;
    std::vector<ProviderSettings> providers;  ///< Only on a real cluster.
    friend bool operator==(const Settings&, const Settings&) = default;
};
BOOST_DESCRIBE_STRUCT(Settings, (), (run, policy, tuned_on, providers))

/// A flag that was given: which setting, which flag, which text.
struct FlagValue {
    std::string path;  ///< Such as `run.seed`.
    std::string flag;  ///< Such as `--seed`.
    std::string text;
    bool as_yaml = false;  ///< `--set`: the text is YAML; otherwise it is taken literally.
};

struct LoadedSettings {
    Settings settings;
    config::Origins origins;
};

/// Limits of numbers and times beyond their types.
std::span<const config::Bound> setting_bounds();

/// On a simulated cluster every kind of action is allowed everywhere, unless a file says less.
Settings default_settings();
/// On a real cluster nothing is allowed, and nothing is sent.
Settings default_live_settings();

/// Defaults, overridden by the file (empty path: none), overridden by the flags. Profile
/// `prototype` implies predictor `formula`, unless a predictor is named. Errors give file, line and
/// remedy.
[[nodiscard]] Result<LoadedSettings> load_settings(Disk& disk, const std::string& path,
                                                   const std::vector<FlagValue>& flags,
                                                   Settings defaults = default_settings());

/// Whether somebody named the predictor, or a profile that implies one: then running without a
/// trained model is a choice.
bool names_predictor(const LoadedSettings& loaded);

/// A number as `config print` writes it.
std::string setting_text(double value);

/// Splits `KEY=VALUE` of --set.
[[nodiscard]] Result<FlagValue> parse_set(const std::string& text);

}  // namespace parley::app
