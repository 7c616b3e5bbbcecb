// App: what can be typed: commands, their flags and arguments. Only command.cc includes the parser,
// CLI11: in every file that saw it, its templates took seconds to compile.

#pragma once

#include "base/result.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace parley::app {

/// What a command does; its exit status.
using Action = std::function<int()>;
/// What is wrong with a text, or "".
using TextCheck = std::function<std::string(const std::string&)>;

/// A flag or an argument of a command, for as long as the Program lives. What changes it returns
/// it, so that a chain says all about it.
class Flag {
public:
    explicit Flag(CLI::Option* option) : option_(option) {}

    Flag type(const char* name);  ///< What --help calls its value.
    Flag required();
    /// Without it the command is refused, unless `other` is given: that asks for something else.
    Flag required_unless(Flag other);
    Flag excludes(Flag other);
    Flag check(TextCheck check);
    Flag by_commas();  ///< One value may hold several.
    Flag take_all();   ///< What is given again comes in addition.
    Flag repeated();   ///< Likewise; --help shows it with a single value.
    /// Adds its name to the list for each value that is given.
    Flag noted_in(std::vector<std::string>& names);

    bool given() const;
    std::string name() const;

private:
    CLI::Option* option_;
};

/// A command, for as long as the Program lives. `names` of flags are such as `-o,--output`, of
/// arguments such as `RUN`.
class Command {
public:
    Command command(const char* name, const char* help);
    void needs_command();  ///< It does nothing by itself.
    void alias(const char* name);
    void hide();  ///< It is not listed: not for people.
    void footer(const std::string& text);

    Flag text(const char* names, std::string& into, const std::string& help);
    Flag text(const char* names, std::optional<std::string>& into, const std::string& help);
    Flag texts(const char* names, std::vector<std::string>& into, const std::string& help);
    Flag number(const char* names, double& into, const std::string& help);
    Flag on(const char* names, bool& into, const std::string& help);  ///< Without a value.
    /// Hands the text on, which is refused with what `take` finds wrong.
    Flag taken(const char* names, TextCheck take, const std::string& help);
    Flag taken_number(const char* names, double least, double most,
                      std::function<void(double)> take, const std::string& help);
    Flag taken_list(const char* names, std::function<void(const std::vector<std::string>&)> take,
                    const std::string& help);
    void version(const char* flag, const std::string& text, const char* help);

    /// What to do when it is chosen. `missing` names what is required and was not given, or "".
    void runs(Action action, std::function<std::string()> missing = {});

    bool given(const char* flag) const;
    std::vector<std::string> given() const;  ///< Names of flags.

protected:
    Command(CLI::App* app, Action* chosen) : app_(app), chosen_(chosen) {}
    CLI::App* app_;
    Action* chosen_;  ///< Of the program.

private:
    friend class OptionGroup;
};

/// The whole of it: what stands first on the command line.
class Program : public Command {
public:
    Program(const char* name, const char* about);
    ~Program();
    Program(const Program&) = delete;
    Program& operator=(const Program&) = delete;

    /// Does what was typed, or prints help or what was wrong; the status to exit with.
    int run(int argc, char** argv);

    /// Understands a line without the program's name, or says what is wrong with it.
    [[nodiscard]] Result<void> parse(const std::string& line);
    /// What the line that was parsed chose.
    int carry_out() const { return action_(); }

private:
    std::unique_ptr<CLI::App> owned_;
    Action action_;
};

/// While it lives, flags that are added stand under this heading of --help.
class OptionGroup {
public:
    OptionGroup(Command& command, const char* heading);
    ~OptionGroup();
    OptionGroup(const OptionGroup&) = delete;
    OptionGroup& operator=(const OptionGroup&) = delete;

private:
    CLI::App* app_;
    std::string before_;
};

}  // namespace parley::app
