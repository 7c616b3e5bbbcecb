#include "apps/terminal/command.h"

#include "apps/terminal/cli.h"
#include "base/number.h"
#include "config/nearest.h"
#include "config/source.h"

#include <CLI/CLI.hpp>

#include <utility>

namespace parley::app {
namespace {

constexpr std::size_t kHelpColumn = 30;

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

/// Those that --help lists.
std::vector<std::string> commands_of(const CLI::App& app) {
    std::vector<std::string> names;
    const auto listed = [](const CLI::App* command) { return !command->get_group().empty(); };
    for (const CLI::App* command : app.get_subcommands(listed)) {
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

/// What was wrong with the command line, and the nearest right word.
Error what_was_wrong(const CLI::App& app, const CLI::ParseError& error) {
    const CLI::App& command = innermost(app);
    std::string text = error.what();
    const std::vector<std::string> rest = app.remaining(true);
    // prose: CLI11's, whose RequiredError is the same for a command and for a flag.
    const bool no_command = text.starts_with("A subcommand is required");
    // prose: CLI11's, which has no field for the flag that lacks its value.
    const std::size_t no_value = text.find(": 1 required");
    const bool unknown = dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr || no_command;
    if (unknown && !rest.empty()) {
        text = unknown_word(command, rest.front());
    } else if (no_value != std::string::npos) {
        text = text.substr(0, no_value) + " needs a value";
    } else if (no_command) {
        text =
            full_name(command) + " needs a command: " + config::listed(commands_of(command), "or");
    }
    return {ErrorCode::malformed, text, {}};
}

}  // namespace

Flag Flag::type(const char* name) {
    option_->type_name(name);
    return *this;
}

Flag Flag::required() {
    option_->required();
    return *this;
}

Flag Flag::required_unless(Flag other) {
    option_->required();
    // What was given is looked at before what is missing.
    other.option_->each([mine = option_](const std::string&) { mine->required(false); });
    return *this;
}

Flag Flag::excludes(Flag other) {
    option_->excludes(other.option_);
    return *this;
}

Flag Flag::check(TextCheck check) {
    option_->check(std::move(check));
    return *this;
}

Flag Flag::by_commas() {
    option_->delimiter(',');
    return *this;
}

Flag Flag::take_all() {
    option_->take_all();
    return *this;
}

Flag Flag::repeated() {
    option_->expected(1)->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    return *this;
}

Flag Flag::noted_in(std::vector<std::string>& names) {
    option_->each(
        [&names, name = option_->get_name()](const std::string&) { names.push_back(name); });
    return *this;
}

bool Flag::given() const { return option_->count() > 0; }

std::string Flag::name() const { return option_->get_name(); }

Command Command::command(const char* name, const char* help) {
    return {app_->add_subcommand(name, help), chosen_};
}

void Command::needs_command() { app_->require_subcommand(1); }
void Command::alias(const char* name) { app_->alias(name); }
void Command::hide() { app_->group(""); }
void Command::footer(const std::string& text) { app_->footer(text); }

Flag Command::text(const char* names, std::string& into, const std::string& help) {
    return Flag(app_->add_option(names, into, help));
}

Flag Command::text(const char* names, std::optional<std::string>& into, const std::string& help) {
    return Flag(app_->add_option(names, into, help));
}

Flag Command::texts(const char* names, std::vector<std::string>& into, const std::string& help) {
    return Flag(app_->add_option(names, into, help));
}

Flag Command::number(const char* names, double& into, const std::string& help) {
    return Flag(app_->add_option(names, into, help));
}

Flag Command::on(const char* names, bool& into, const std::string& help) {
    return Flag(app_->add_flag(names, into, help));
}

Flag Command::taken(const char* names, TextCheck take, const std::string& help) {
    const auto checked = [take = std::move(take)](const std::string& text) {
        if (const std::string wrong = take(text); !wrong.empty()) {
            throw CLI::ValidationError(wrong);
        }
    };
    return Flag(app_->add_option_function<std::string>(names, checked, help));
}

Flag Command::taken_number(const char* names, double least, double most,
                           std::function<void(double)> take, const std::string& help) {
    const auto handed_on = [take = std::move(take)](const double& value) { take(value); };
    CLI::Option* option = app_->add_option_function<double>(names, handed_on, help);
    option->check(CLI::Range(least, most).description(""));
    return Flag(option);
}

Flag Command::taken_list(const char* names,
                         std::function<void(const std::vector<std::string>&)> take,
                         const std::string& help) {
    return Flag(app_->add_option_function<std::vector<std::string>>(names, std::move(take), help));
}

void Command::version(const char* flag, const std::string& text, const char* help) {
    app_->set_version_flag(flag, text, help);
}

void Command::runs(Action action, std::function<std::string()> missing) {
    app_->callback([chosen = chosen_, action = std::move(action), missing = std::move(missing)] {
        if (const std::string what = missing ? missing() : ""; !what.empty()) {
            throw CLI::RequiredError(what);
        }
        *chosen = action;
    });
}

bool Command::given(const char* flag) const { return app_->count(flag) > 0; }

std::vector<std::string> Command::given() const {
    std::vector<std::string> names;
    for (const CLI::Option* each : std::as_const(*app_).get_options()) {
        if (each->count() > 0) names.push_back(each->get_name());
    }
    return names;
}

Program::Program(const char* name, const char* about)
    : Command(nullptr, nullptr), owned_(std::make_unique<CLI::App>(about, name)) {
    app_ = owned_.get();
    chosen_ = &action_;
    app_->get_formatter()->column_width(kHelpColumn);
}

Program::~Program() = default;

int Program::run(int argc, char** argv) {
    try {
        app_->parse(argc, argv);
    } catch (const CLI::CallForHelp& help) {
        return app_->exit(help);
    } catch (const CLI::CallForVersion& version) {
        return app_->exit(version);
    } catch (const CLI::ParseError& error) {
        return report(what_was_wrong(*app_, error), kWrongUse,
                      "Nothing was done. All options: " + full_name(innermost(*app_)) + " --help");
    }
    return carry_out();
}

Result<void> Program::parse(const std::string& line) {
    try {
        app_->parse(line, false);
    } catch (const CLI::ParseError& error) {
        return tl::unexpected(what_was_wrong(*app_, error));
    }
    return {};
}

OptionGroup::OptionGroup(Command& command, const char* heading)
    : app_(command.app_), before_(app_->option_defaults()->get_group()) {
    app_->option_defaults()->group(heading);
}

OptionGroup::~OptionGroup() { app_->option_defaults()->group(before_); }

}  // namespace parley::app
