#include "apps/terminal/cli.h"

#include "base/file.h"
#include "base/number.h"
#include "config/nearest.h"
#include "config/source.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string_view>
#include <unistd.h>
#include <utility>

namespace parley::app {
namespace {

std::vector<std::string>& kept_command_line() {
    static std::vector<std::string> words;
    return words;
}

}  // namespace

void keep_command_line(int argc, char** argv) { kept_command_line().assign(argv, argv + argc); }

const std::vector<std::string>& command_line() { return kept_command_line(); }

void add_output(Command& command, Format& into, const std::vector<std::string>& offered) {
    std::map<std::string, Format> formats;
    for (const std::string& name : offered) {
        formats[name] = name == "json"   ? Format::json
                        : name == "yaml" ? Format::yaml
                                         : Format::table;
    }
    into = formats.at(offered.front());
    const auto choose = [&into, formats, offered](const std::string& text) -> std::string {
        const auto found = formats.find(text);
        if (found == formats.end()) return "-o: " + one_of(offered)(text);
        into = found->second;
        return "";
    };
    std::string help = "Output: ";
    for (const std::string& name : offered) help += (name == offered.front() ? "" : ", ") + name;
    command.taken("-o,--output", choose, help).type("FORMAT");
}

void add_run_flags(Command& command, RunFlags& into, const std::string& rounds) {
    const std::string rounds_help = "Stop after this many rounds (default " + rounds + ")";
    const SettingFlag flags[] = {
        {"--scenario", "run.scenario", "NAME", "A built-in scenario or a file (default tour)"},
        {"--seed", "run.seed", "N", "Same seed, same arrivals and faults (default 7)"},
        {"--rounds", "run.rounds", "N", rounds_help.c_str()},
        {"--interval", "run.interval", "TIME", "Simulated time between rounds (default 3s)"},
        {"--profile", "policy.profile", "NAME", "parley (default) or prototype"},
        {"--predictor", "policy.predictor", "NAME", "evidence (default), formula or xgboost"},
        {"--models", "run.models", "FOLDER", "Where trained models are; see parley model --help"},
        {"--trust", "run.trust", "KEY", "Believe models signed by this key, too"},
        {"--mode", "run.mode", "MODE", "act (default), dry-run or observe"},
        {"--record", "run.record", "LEVEL", "full (default), decisions or none"},
        {"--event-dir", "run.event_dir", "FOLDER",
         "The run folder (default runs/NAME-SEED, or the first of -2, -3, ... that is free)"},
    };
    add_setting_flags(command, into, flags);
}

void add_setting_flags(Command& command, RunFlags& into, std::span<const SettingFlag> flags) {
    command.text("--config", into.config, "Settings; see parley config print").type("FILE");
    for (const SettingFlag& flag : flags) {
        const auto take = [&into, path = flag.path,
                           name = flag.name](const std::string& text) -> std::string {
            into.values.push_back({path, name, text});
            return "";
        };
        command.taken(flag.name, take, flag.help).type(flag.type);
    }
    command.texts("--set", into.sets, "Any setting, such as policy.guard.headroom=0.2")
        .type("KEY=VALUE")
        .repeated();
}

void add_text(Command& command, const char* flag, std::string& into, const char* type,
              const char* help) {
    command.text(flag, into, help).type(type);
}

TextCheck one_of(std::vector<std::string> known) {
    return [known = std::move(known)](const std::string& word) -> std::string {
        if (std::ranges::find(known, word) != known.end()) return "";
        const std::string near = config::nearest(word, known);
        return in_quotes(word) + " is not one of " + config::listed(known, "or") +
               (near.empty() ? "" : "; did you mean " + near + "?");
    };
}

Flag add_whole_function(Command& command, const char* flag, std::function<void(std::uint64_t)> keep,
                        const char* help, WholeRange range) {
    const auto take = [flag, range, keep = std::move(keep)](const std::string& text) {
        const auto number = parse_uint64(text, range.least, range.most);
        if (number) {
            keep(*number);
            return std::string();
        }
        const bool open = range.most == WholeRange{}.most;
        return std::string(flag) + " must be a whole number " +
               (open ? "of at least " + std::to_string(range.least)
                     : "from " + thousands(static_cast<std::int64_t>(range.least)) + " to " +
                           thousands(static_cast<std::int64_t>(range.most))) +
               ", not " + in_quotes(text);
    };
    return command.taken(flag, take, help).type("N");
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

void add_examples(Command& command, const std::vector<std::string>& lines) {
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

bool wants_colour(int descriptor) {
    const char* off = std::getenv("NO_COLOR");
    const char* term = std::getenv("TERM");
    const bool dumb = term == nullptr || std::string_view(term) == "dumb";
    return ::isatty(descriptor) == 1 && (off == nullptr || *off == '\0') && !dumb;
}

}  // namespace parley::app
