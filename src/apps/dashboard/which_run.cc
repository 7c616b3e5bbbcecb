#include "apps/dashboard/which_run.h"

#include "apps/terminal/cli.h"
#include "base/number.h"
#include "base/words.h"
#include "layers/explanation/wording/wording.h"

#include <cstdio>
#include <iostream>
#include <set>
#include <unistd.h>

namespace parley::app {
namespace {

constexpr std::size_t kNamed = 8;  // Choices in a sentence; the rest are counted.

}  // namespace

AskPerson person_at_terminal() {
    return [](const std::string& question) -> std::optional<std::string> {
        if (::isatty(STDIN_FILENO) != 1 || ::isatty(STDERR_FILENO) != 1) return std::nullopt;
        std::fputs(for_terminal(question).c_str(), stderr);
        std::fflush(stderr);
        std::string line;
        if (!std::getline(std::cin, line)) return std::string();
        return line;
    };
}

std::vector<std::string> runs_shown(const std::vector<ServerWord>& words) {
    std::set<std::string> runs;
    for (const ServerWord& word : words) runs.insert(word.runs.begin(), word.runs.end());
    return {runs.begin(), runs.end()};
}

Result<std::string> which_of(const std::vector<std::string>& choices, const std::string& command,
                             const AskPerson& ask) {
    std::string question;
    for (std::size_t i = 0; i < choices.size(); ++i) {
        question += "  " + std::to_string(i + 1) + "  " + choices[i] + "\n";
    }
    question += "Which one? Its number: ";
    const auto answer = ask(question);
    if (!answer) {
        std::vector<std::string> named;
        for (std::size_t i = 0; i < std::min(kNamed, choices.size()); ++i) {
            named.push_back(command + " " + shell_word(choices[i]));
        }
        if (choices.size() > kNamed) {
            named.push_back(std::to_string(choices.size() - kNamed) + " more");
        }
        return fail(ErrorCode::denied,
                    "which run is meant is never guessed; name one, or take "
                    "--all: " +
                        explanation::listed(named));
    }
    const auto number = parse_uint64(*answer, 1);
    if (!number || *number > choices.size()) {
        return fail(ErrorCode::denied,
                    in_quotes(*answer) + " is none of 1 to " + std::to_string(choices.size()));
    }
    return choices[*number - 1];
}

Result<std::string> reason_of(bool clears, std::string because, const AskPerson& ask) {
    if (!clears && because.empty()) return because;
    if (!clears) {
        return fail(ErrorCode::denied, "--because is the reason for --clear; a stop needs none");
    }
    if (because.empty()) {
        because = ask("Why may it act again? It is kept with the run: ").value_or("");
    }
    if (because.find_first_not_of(" \t") != std::string::npos) return because;
    return fail(
        ErrorCode::denied,
        "a stop is lifted for a reason, which is kept with the run; say it: parley stop RUN "
        "--clear --because TEXT");
}

std::string lift_command(const std::string& run) {
    return "parley stop " + shell_word(whole_path(run)) + " --clear";
}

}  // namespace parley::app
