#include "apps/terminal/cli.h"

#include "base/file.h"
#include "base/number.h"
#include "config/nearest.h"
#include "config/source.h"

#include <CLI/CLI.hpp>

#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <unistd.h>
#include <utility>

namespace parley::app {
namespace {

/// The command that was named last: `parley config print` is `print`.
const CLI::App& innermost(const CLI::App& app) {
    const CLI::App* at = &app;
    while (!at->get_subcommands().empty()) at = at->get_subcommands().front();
    return *at;
}

std::string full_name(const CLI::App& app) {
    const CLI::App* above = app.get_parent();
    return above == nullptr ? app.get_name() : full_name(*above) + " " + app.get_name();
}

std::vector<std::string> options_of(const CLI::App& app) {
    std::vector<std::string> names;
    for (const CLI::Option* option : app.get_options()) {
        for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    }
    return names;
}

std::vector<std::string> commands_of(const CLI::App& app) {
    std::vector<std::string> names;
    for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
        names.push_back(command->get_name());
    }
    return names;
}

/// What cannot be understood, with the nearest word that can.
std::string unknown_word(const CLI::App& app, const std::string& word) {
    const bool is_option = word.starts_with('-');
    const std::string name = word.substr(0, word.find('='));
    const auto known = is_option ? options_of(app) : commands_of(app);
    if (!is_option && known.empty()) {
        return full_name(app) + " takes nothing more, and " + in_quotes(word) + " was given";
    }
    std::string text = "there is no " + std::string(is_option ? "option " : "command ") +
                       config::printable(name.substr(0, 40)) + " of " + full_name(app);
    if (!is_option && app.get_parent() == nullptr) {
        text = "there is no command " + in_quotes(name);
    }
    const std::string near = config::nearest(name, known);
    if (!near.empty()) return text + "; did you mean " + near + "?";
    return is_option ? text : text + "; there are " + config::listed(known);
}

}  // namespace

namespace {

std::vector<std::string>& kept_command_line() {
    static std::vector<std::string> words;
    return words;
}

}  // namespace

void keep_command_line(int argc, char** argv) { kept_command_line().assign(argv, argv + argc); }

const std::vector<std::string>& command_line() { return kept_command_line(); }

void add_output(CLI::App& command, Format& into, const std::vector<std::string>& offered) {
    std::map<std::string, Format> formats;
    for (const std::string& name : offered) {
        formats[name] = name == "json"   ? Format::json
                        : name == "yaml" ? Format::yaml
                                         : Format::table;
    }
    into = formats.at(offered.front());
    const auto choose = [&into, formats, offered](const std::string& text) {
        const auto found = formats.find(text);
        if (found == formats.end()) throw CLI::ValidationError("-o", one_of(offered)(text));
        into = found->second;
    };
    std::string help = "Output: ";
    for (const std::string& name : offered) help += (name == offered.front() ? "" : ", ") + name;
    command.add_option_function<std::string>("-o,--output", choose, help)->type_name("FORMAT");
}

void add_run_flags(CLI::App& command, RunFlags& into) {
    constexpr SettingFlag kFlags[] = {
        {"--scenario", "run.scenario", "NAME", "A built-in scenario or a file (default tour)"},
        {"--seed", "run.seed", "N", "Same seed, same arrivals and faults (default 7)"},
        {"--rounds", "run.rounds", "N", "Stop after this many rounds"},
        {"--interval", "run.interval", "TIME", "Simulated time between rounds (default 3s)"},
        {"--profile", "policy.profile", "NAME", "parley (default) or prototype"},
        {"--predictor", "policy.predictor", "NAME", "evidence (default), formula or xgboost"},
        {"--models", "run.models", "FOLDER", "Where trained models are; see parley model --help"},
        {"--trust", "run.trust", "KEY", "Believe models signed by this key, too"},
        {"--mode", "run.mode", "MODE", "act (default), dry-run or observe"},
        {"--record", "run.record", "LEVEL", "full (default), decisions or none"},
        {"--event-dir", "run.event_dir", "FOLDER", "The run folder (default runs/NAME-SEED)"},
    };
    add_setting_flags(command, into, kFlags);
}

void add_setting_flags(CLI::App& command, RunFlags& into, std::span<const SettingFlag> flags) {
    command.add_option("--config", into.config, "Settings; see parley config print")
        ->type_name("FILE");
    for (const SettingFlag& flag : flags) {
        command
            .add_option_function<std::string>(
                flag.name,
                [&into, flag](const std::string& text) {
                    into.values.push_back({flag.path, flag.name, text});
                },
                flag.help)
            ->type_name(flag.type);
    }
    command.add_option("--set", into.sets, "Any setting, such as policy.guard.headroom=0.2")
        ->type_name("KEY=VALUE")
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

OptionGroup::OptionGroup(CLI::App& command, const char* heading)
    : command_(command), before_(command.option_defaults()->get_group()) {
    command.option_defaults()->group(heading);
}
OptionGroup::~OptionGroup() { command_.option_defaults()->group(before_); }

void add_text(CLI::App& command, const char* flag, std::string& into, const char* type,
              const char* help) {
    command.add_option(flag, into, help)->type_name(type);
}

std::function<std::string(const std::string&)> one_of(std::vector<std::string> known) {
    return [known = std::move(known)](const std::string& word) -> std::string {
        if (std::ranges::find(known, word) != known.end()) return "";
        const std::string near = config::nearest(word, known);
        return in_quotes(word) + " is not one of " + config::listed(known) +
               (near.empty() ? "" : "; did you mean " + near + "?");
    };
}

CLI::Option* add_whole_function(CLI::App& command, const char* flag,
                                std::function<void(std::uint64_t)> keep, const char* help,
                                WholeRange range) {
    const auto take = [flag, range, keep = std::move(keep)](const std::string& text) {
        const auto number = parse_uint64(text, range.least, range.most);
        if (number) return keep(*number);
        const bool open = range.most == WholeRange{}.most;
        throw CLI::ValidationError(
            std::string(flag) + " must be a whole number " +
            (open ? "of at least " + std::to_string(range.least)
                  : "from " + std::to_string(range.least) + " to " + std::to_string(range.most)) +
            ", not " + in_quotes(text));
    };
    return command.add_option_function<std::string>(flag, take, help)->type_name("N");
}

Result<LoadedSettings> settings_of(const RunFlags& flags, Settings defaults) {
    std::vector<FlagValue> values = flags.values;
    for (const std::string& text : flags.sets) {
        auto set = parse_set(text);
        if (!set) return tl::unexpected(set.error());
        values.push_back(*std::move(set));
    }
    return load_settings(real_disk(), flags.config, values, std::move(defaults));
}

void add_examples(CLI::App& command, const std::vector<std::string>& lines) {
    std::string text = "Examples:";
    for (const std::string& line : lines) text += "\n  " + line;
    command.footer(text);
}

std::string for_terminal(std::string text) {
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto byte = static_cast<unsigned char>(text[i]);
        const bool control = (byte < 0x20 && text[i] != '\n') || byte == 0x7f;
        // U+0080 to U+009F are control characters as well.
        const bool later = byte == 0xC2 && i + 1 < text.size() &&
                           static_cast<unsigned char>(text[i + 1]) >= 0x80 &&
                           static_cast<unsigned char>(text[i + 1]) < 0xA0;
        if (control || later) text[i] = '?';
        if (later) text.erase(i + 1, 1);
    }
    return text;
}

int report(const Error& error, int status, const std::string& after) {
    std::fprintf(stderr, "error: %s\n", for_terminal(error.message).c_str());
    if (!after.empty()) std::fprintf(stderr, "%s\n", for_terminal(after).c_str());
    return status;
}

int status_of(const Error& error) {
    return error.code == ErrorCode::denied || error.code == ErrorCode::gone ? kWrongUse : kFailed;
}

int explain_usage(const CLI::App& app, const CLI::ParseError& error) {
    const CLI::App& command = innermost(app);
    std::string text = error.what();
    const std::vector<std::string> rest = app.remaining(true);
    const bool unknown = dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr ||
                         text.starts_with("A subcommand is required");
    if (unknown && !rest.empty()) {
        text = unknown_word(command, rest.front());
    } else if (const std::size_t at = text.find(": 1 required"); at != std::string::npos) {
        text = text.substr(0, at) + " needs a value";
    } else if (text.starts_with("A subcommand is required")) {
        text = full_name(command) + " needs a command: " + config::listed(commands_of(command));
    }
    return report({ErrorCode::malformed, text, {}}, kWrongUse,
                  "Nothing was done. All options: " + full_name(command) + " --help");
}

bool wants_colour(int descriptor) {
    const char* off = std::getenv("NO_COLOR");
    const char* term = std::getenv("TERM");
    const bool dumb = term == nullptr || std::string_view(term) == "dumb";
    return ::isatty(descriptor) == 1 && (off == nullptr || *off == '\0') && !dumb;
}

}  // namespace parley::app
