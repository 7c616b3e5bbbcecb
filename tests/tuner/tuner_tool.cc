// For tests against Optuna: works on a study, shows one, and evaluates densities.
//
// tuner_tool run PLACE STUDY [--trials=N] [--seed=S] [--pruner=none|median|hyperband] [--grace=S]
//     [--full=1] [--max=1] [--report=N]
//     works on a mixed objective and prints "number value" when a trial is told
// tuner_tool show PLACE STUDY: the study as JSON, with its best trial and importances
// tuner_tool judge PLACE STUDY: "number median hyperband" for each running trial
// tuner_tool densities PLACE QUERIES: a line of JSON for each query (see densities_test.py)
// tuner_tool enqueue PLACE STUDY NAME JSON: a waiting trial with that parameter fixed
// PLACE is journal:FILE or sqlite:FILE.

#include "base/json_read.h"
#include "tuner/importance.h"
#include "tuner/json.h"
#include "tuner/pruner.h"
#include "tuner/sampler.h"
#include "tuner/storage.h"
#include "tuner/study.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace parley;
using namespace parley::tuner;

template <class T>
T expect(Result<T> result) {
    if (!result) {
        std::fprintf(stderr, "tuner_tool: %s\n", result.error().message.c_str());
        std::exit(1);
    }
    if constexpr (!std::is_void_v<T>) return std::move(*result);
}

using Options = std::map<std::string, std::string, std::less<>>;

long long option(const Options& options, std::string_view name, long long missing) {
    const auto found = options.find(name);
    return found == options.end() ? missing : std::strtoll(found->second.c_str(), nullptr, 10);
}

/// The space of objective(): one parameter of each kind, and one that only some trials have.
Space space() {
    const auto make = [](Distribution of) {
        return std::make_shared<const Distribution>(expect(checked(std::move(of))));
    };
    return {{"x", make(FloatRange{.low = -5, .high = 5})},
            {"y", make(FloatRange{.low = 0.001, .high = 1, .log = true})},
            {"s", make(FloatRange{.low = 0, .high = 1, .step = 0.1})},
            {"n", make(IntRange{.low = 1, .high = 10})},
            {"m", make(IntRange{.low = 1, .high = 100, .log = true})},
            {"c", make(Choices{{"\"a\"", "\"b\"", "\"c\""}})}};
}

double objective(const std::vector<Param>& params) {
    std::map<std::string, double> at;
    for (const Param& param : params) at[param.name] = param.value;
    return at["x"] * at["x"] + std::fabs(std::log10(at["y"]) + 1) + at["s"] +
           0.1 * std::fabs(at["n"] - 3) + 0.01 * at["m"] + 0.5 * at["c"];
}

Judgement judge(const Study& study, const Trial& trial, const std::string& pruner) {
    if (pruner == "median") return judge_by_median(study, trial);
    if (pruner == "hyperband") return judge_by_hyperband(study, trial);
    return {};
}

bool report_steps(Storage& storage, std::int64_t number, double value, const Options& options) {
    const auto pruner = options.find("pruner");
    for (long long step = 0; step < option(options, "report", 0); ++step) {
        expect(storage.report(number, step, value + 1.0 / static_cast<double>(step + 1)));
        const Trial& trial = storage.study().trials[static_cast<std::size_t>(number)];
        const Judgement judgement =
            judge(storage.study(), trial, pruner == options.end() ? "none" : pruner->second);
        for (const auto& [key, json] : judgement.reached) {
            expect(storage.set_attribute(number, Owner::system, key, json));
        }
        if (judgement.prune) return true;
    }
    return false;
}

int run(Storage& storage, const Options& options) {
    Sampler sampler({.seed = static_cast<std::uint64_t>(option(options, "seed", 0))});
    const Space all = space();
    const long long trials = option(options, "trials", 20);
    for (long long i = 0; i < trials; ++i) {
        std::vector<Param> params;
        const std::int64_t number = expect(storage.ask([&](const Study& study, const Trial& trial) {
            params = sampler.suggest(study, trial, all);
            Attributes system = relative_attributes(params);
            return Draft{params, {{"by", "\"parley\""}}, std::move(system)};
        }));
        const double value = objective(params) * (option(options, "max", 0) != 0 ? -1 : 1);
        const bool pruned = report_steps(storage, number, value, options);
        expect(storage.tell(number, pruned ? TrialState::pruned : TrialState::complete, value));
        std::printf("%lld %s\n", static_cast<long long>(number), print_float(value).c_str());
        std::fflush(stdout);
    }
    return 0;
}

std::string show_trial(const Trial& trial) {
    std::string out = "{\"number\": " + std::to_string(trial.number) +
                      ", \"state\": " + std::to_string(static_cast<int>(trial.state)) +
                      ", \"values\": [";
    for (const double& value : trial.values) {
        out += (&value == trial.values.data() ? "" : ", ") + print_float(value);
    }
    out += "], \"params\": {";
    for (const Param& param : trial.params) {
        if (&param != trial.params.data()) out += ", ";
        out += json_text(param.name) + ": " + external_json(*param.distribution, param.value);
    }
    out += "}, \"distributions\": {";
    for (const Param& param : trial.params) {
        if (&param != trial.params.data()) out += ", ";
        out += json_text(param.name) + ": " + json_text(to_json(*param.distribution));
    }
    out += "}, \"intermediate\": {";
    for (const auto& [step, value] : trial.intermediate) {
        if (step != trial.intermediate.begin()->first) out += ", ";
        out += "\"" + std::to_string(step) + "\": " + print_float(value);
    }
    const auto attributes = [&out](const char* name, const Attributes& of) {
        out += std::string("}, \"") + name + "\": {";
        for (const auto& [key, json] : of) {
            if (key != of.begin()->first) out += ", ";
            out += json_text(key) + ": " + json;
        }
    };
    attributes("user", trial.user_attributes);
    attributes("system", trial.system_attributes);
    out += "}, \"start\": " + std::to_string(trial.start ? trial.start->us : 0) +
           ", \"complete\": " + std::to_string(trial.complete ? trial.complete->us : 0);
    return out + "}";
}

int show(const Study& study) {
    std::string out = "{\"directions\": [";
    for (const Direction& direction : study.directions) {
        if (&direction != study.directions.data()) out += ", ";
        out += std::to_string(static_cast<int>(direction));
    }
    const Trial* best = best_trial(study);
    out += "], \"best\": " + (best == nullptr ? "null" : std::to_string(best->number));
    out += ", \"importances\": {";
    bool first = true;
    for (const Importance& importance : importances(study)) {
        out +=
            (first ? "" : ", ") + json_text(importance.name) + ": " + print_float(importance.share);
        first = false;
    }
    out += "}, \"trials\": [";
    for (const Trial& trial : study.trials) {
        out += (&trial == study.trials.data() ? "\n" : ",\n") + show_trial(trial);
    }
    std::printf("%s]}\n", out.c_str());
    return 0;
}

int judge_running(const Study& study) {
    for (const Trial& trial : study.trials) {
        if (trial.state != TrialState::running) continue;
        std::printf("%lld %d %d\n", static_cast<long long>(trial.number),
                    judge_by_median(study, trial).prune ? 1 : 0,
                    judge_by_hyperband(study, trial).prune ? 1 : 0);
    }
    return 0;
}

void print_list(const char* name, const std::vector<double>& values) {
    std::printf("\"%s\": [", name);
    for (std::size_t i = 0; i < values.size(); ++i) {
        std::printf("%s%s", i > 0 ? ", " : "", print_float(values[i]).c_str());
    }
    std::printf("]");
}

/// Each line: {"study", "number", "space": {name: distribution}, "points": [[...] per name]}.
int densities(const std::string& place, const char* queries) {
    std::ifstream lines(queries);
    for (std::string line; std::getline(lines, line);) {
        const Json query = expect(parse_python_json(line));
        const auto storage =
            expect(open_storage(place, {.study = *query.find("study")->text(), .create = false}));
        Space of;
        const auto& [names, axes] = *query.find("space")->members();
        for (std::size_t i = 0; i < names.size(); ++i) {
            of.emplace_back(names[i], std::make_shared<const Distribution>(
                                          expect(distribution_from_json(*axes[i].text()))));
        }
        std::vector<std::vector<double>> points;
        for (const Json& column : *query.find("points")->items()) {
            points.emplace_back();
            for (const Json& value : *column.items()) points.back().push_back(*value.number());
        }
        Sampler sampler({});
        const auto result = sampler.densities(
            storage->study(), static_cast<std::int64_t>(*query.find("number")->number()), of,
            points);
        std::printf("{");
        print_list("good", result.good);
        std::printf(", ");
        print_list("other", result.other);
        std::printf("}\n");
    }
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 4) {
        std::fprintf(stderr, "tuner_tool: see the head of tuner_tool.cc\n");
        return 2;
    }
    const std::string_view command = argv[1];
    if (command == "densities") return densities(argv[2], argv[3]);
    Options options;
    for (int i = 4; i < argc; ++i) {
        const std::string_view text = argv[i];
        const std::size_t equals = text.find('=');
        if (!text.starts_with("--") || equals == std::string_view::npos) continue;
        options[std::string(text.substr(2, equals - 2))] = text.substr(equals + 1);
    }
    const bool maximize = option(options, "max", 0) != 0;
    const auto storage = expect(
        open_storage(argv[2], {.study = argv[3],
                               .direction = maximize ? Direction::maximize : Direction::minimize,
                               .create = command == "run" || command == "enqueue",
                               .sync_all = option(options, "full", 0) != 0,
                               .lock_grace = seconds(option(options, "grace", 30))}));
    if (command == "run") return run(*storage, options);
    if (command == "show") return show(storage->study());
    if (command == "judge") return judge_running(storage->study());
    if (command == "enqueue" && argc > 5) {
        expect(storage->enqueue({{argv[4], argv[5]}}));
        return 0;
    }
    return 2;
}
