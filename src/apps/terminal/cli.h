// App: what all commands share: exit status, errors, output formats, the flags of a run.

#pragma once

#include "apps/terminal/command.h"
#include "apps/terminal/settings.h"
#include "base/result.h"

#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <vector>

namespace parley::app {

inline constexpr int kDone = 0;
inline constexpr int kFailed = 1;
inline constexpr int kWrongUse = 2;

/// The command line as it was typed, for the record of a run.
void keep_command_line(int argc, char** argv);
const std::vector<std::string>& command_line();

/// Makes text with names from a cluster or a record safe for a terminal: control characters except
/// line breaks become question marks.
std::string for_terminal(std::string text);

enum class Format { table, json, yaml };

/// -o with those of table, json and yaml that a command offers; the first is its default.
void add_output(Command& command, Format& into, const std::vector<std::string>& offered);

/// Flags that start a run, in the order given.
struct RunFlags {
    std::string config;
    std::vector<FlagValue> values;
    std::vector<std::string> sets;
};
/// `rounds` says how many are made where nobody says: "300".
void add_run_flags(Command& command, RunFlags& into, const std::string& rounds);
[[nodiscard]] Result<LoadedSettings> settings_of(const RunFlags& flags,
                                                 Settings defaults = default_settings());
/// A flag whose text is a setting.
struct SettingFlag {
    const char* name;
    const char* path;  ///< Such as `run.seed`.
    const char* type;
    const char* help;
};
void add_setting_flags(Command& command, RunFlags& into, std::span<const SettingFlag> flags);

/// A flag whose text is kept as it stands.
void add_text(Command& command, const char* flag, std::string& into, const char* type,
              const char* help);

/// For Flag::check(): nothing for a word of the list, else which one was meant.
TextCheck one_of(std::vector<std::string> known);

struct WholeRange {
    std::uint64_t least = 0;
    std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
};
/// Hands on what add_whole keeps.
Flag add_whole_function(Command& command, const char* flag, std::function<void(std::uint64_t)> keep,
                        const char* help, WholeRange range);
/// A flag that takes a whole number as a settings file does, in decimal: 010 is ten. Everything
/// else is refused; the parser by itself would take 010 for eight and wrap -1 around.
template <class T>
Flag add_whole(Command& command, const char* flag, T& into, const char* help,
               WholeRange range = {}) {
    return add_whole_function(
        command, flag, [&into](std::uint64_t number) { into = static_cast<T>(number); }, help,
        range);
}

/// Indents lines for the part of --help that shows examples.
void add_examples(Command& command, const std::vector<std::string>& lines);

/// Prints `error: ...` and, on another line, what to do or whether anything happened.
int report(const Error& error, int status, const std::string& after = "");
/// The exit status for an error: wrong use, or damage if a run folder cannot be opened.
int status_of(const Error& error);

/// Whether to write colours to this stream: a terminal, no NO_COLOR, no TERM=dumb.
bool wants_colour(int descriptor);

}  // namespace parley::app
