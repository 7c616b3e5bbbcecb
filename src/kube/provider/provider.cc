#include "kube/provider/provider.h"

#include "base/number.h"
#include "kube/access/kubeconfig_text.h"

#include <algorithm>
#include <utility>

namespace parley::kube {
namespace {

constexpr int kTryLater = 75;  // EX_TEMPFAIL of sysexits.h.
constexpr int kRefuses = 3;
constexpr std::int64_t kClockLeast = 10'000;
constexpr std::int64_t kClockMost = 1'000'000;

/// Whether the name is what a pattern means: `*` stands for any text, also none.
bool is_named_by(std::string_view pattern, std::string_view name) {
    std::size_t p = 0;
    std::size_t n = 0;
    std::size_t star = std::string_view::npos;  // The last one that was passed ...
    std::size_t taken = 0;                      // ... and how far its text goes.
    while (n < name.size()) {
        if (p < pattern.size() && pattern[p] == '*') {
            star = p++;
            taken = n;
        } else if (p < pattern.size() && pattern[p] == name[n]) {
            ++p;
            ++n;
        } else if (star != std::string_view::npos) {
            p = star + 1;
            n = ++taken;
        } else {
            return false;
        }
    }
    while (p < pattern.size() && pattern[p] == '*') ++p;
    return p == pattern.size();
}

const ProviderCommand& command_of(const Provider& provider, Ability ability) {
    return ability == Ability::power ? provider.power : provider.clock;
}

/// "node-power power node-1 sleep", for messages.
std::string said(const ProviderCall& call) {
    return "the provider's command for " + std::string(enum_name(call.ability)) + " of node " +
           call.node + (call.wish.empty() ? ", which reads it, " : ", to " + call.wish + ", ");
}

std::string how_it_ended(const ChildEnd& end) {
    switch (end.how) {
        case ChildEnd::How::exited:
            return "ended with exit status " +
                   (end.code == -1 ? std::string("unknown") : std::to_string(end.code));
        case ChildEnd::How::signalled:
            return "was ended by signal " + std::to_string(end.code);
        case ChildEnd::How::too_long:
            return "took too long and was ended";
        case ChildEnd::How::too_much:
            return "wrote more than " + std::to_string(kProviderOutputMax) + " bytes and was ended";
        case ChildEnd::How::stopped:
            break;
    }
    return "was ended by us";
}

std::string_view trimmed(std::string_view text) {
    constexpr std::string_view kSpace = " \t\r\n";
    const std::size_t begin = text.find_first_not_of(kSpace);
    if (begin == std::string_view::npos) return {};
    return text.substr(begin, text.find_last_not_of(kSpace) + 1 - begin);
}

}  // namespace

Result<void> check_provider(const Provider& provider) {
    if (provider.nodes.empty() || std::ranges::count(provider.nodes, std::string()) > 0) {
        return fail(ErrorCode::denied,
                    "a provider must say which nodes it serves, such as nodes: [rack7-*]");
    }
    if (provider.power.empty() && provider.clock.empty()) {
        return fail(ErrorCode::denied,
                    "a provider must name a command for power or clock, such as power: "
                    "[/usr/local/bin/node-power]");
    }
    for (const ProviderCommand* command : {&provider.power, &provider.clock}) {
        if (command->empty() || command->front().starts_with('/')) continue;
        return fail(ErrorCode::denied, "the command " + in_marks(command->front()) +
                                           " of a provider must be an absolute path; PATH is not "
                                           "searched");
    }
    return {};
}

const ProviderCommand* command_for(const std::vector<Provider>& providers, Ability ability,
                                   std::string_view node) {
    for (const Provider& provider : providers) {
        const ProviderCommand& command = command_of(provider, ability);
        const bool serves = std::ranges::any_of(
            provider.nodes, [&](const std::string& pattern) { return is_named_by(pattern, node); });
        if (serves && !command.empty()) return &command;
    }
    return nullptr;
}

ChildRun run_of(const ProviderCommand& command, const ProviderCall& call) {
    ChildRun run{
        .path = command.front(), .limit = kProviderLimit, .output_max = kProviderOutputMax};
    for (std::size_t i = 1; i < command.size(); ++i) run.args.emplace_back(command[i]);
    run.args.emplace_back(std::string(enum_name(call.ability)));
    run.args.emplace_back(call.node);
    run.args.emplace_back(call.wish.empty() ? "read" : call.wish);
    run.environment = {{"PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"},
                       {"LANG", "C"},
                       {"PARLEY_NODE", call.node}};
    if (!call.uid.none()) run.environment["PARLEY_NODE_UID"] = call.uid.text();
    if (!call.stamp.decision.none()) {
        run.environment["PARLEY_DECISION"] = call.stamp.decision.text();
        run.environment["PARLEY_STEP"] =
            (call.stamp.undo ? "undo-" : "") + std::to_string(call.stamp.step);
    }
    return run;
}

Result<std::string> answer_of(const ProviderCall& call, const ChildEnd& end) {
    const bool exited = end.how == ChildEnd::How::exited;
    if (exited && end.code == 0) return end.output;
    const std::string text = said(call) + how_it_ended(end) + last_words(end.errors);
    if (exited && end.code == kRefuses) return fail(ErrorCode::denied, text);
    if (call.wish.empty() || (exited && end.code == kTryLater)) {
        return fail(ErrorCode::unavailable, text);
    }
    return fail(ErrorCode::unknown_outcome, text);
}

Result<std::int64_t> value_of(Ability ability, std::string_view output) {
    const std::string_view word = trimmed(output);
    if (ability == Ability::power) {
        const auto power = enum_from_name<model::Power>(word);
        if (power) return static_cast<std::int64_t>(*power);
    } else if (const auto clock = parse_int64(word, kClockLeast, kClockMost)) {
        return *clock;
    }
    const std::string wanted = ability == Ability::power ? "on, sleep, off or booting"
                                                         : "millionths of the full clock, " +
                                                               std::to_string(kClockLeast) +
                                                               " to " + std::to_string(kClockMost);
    return fail(ErrorCode::malformed, "a provider's command answered \"" +
                                          one_line(without_secrets(word.substr(0, 200)), 40) +
                                          "\" instead of " + wanted);
}

std::string word_of(model::PowerWish wish) { return std::string(enum_name(wish)); }

model::PowerWish wish_of(model::Power power) {
    if (power == model::Power::sleep) return model::PowerWish::sleep;
    return power == model::Power::off ? model::PowerWish::off : model::PowerWish::on;
}

bool is_as_wanted(model::Power power, model::PowerWish wish) { return wish_of(power) == wish; }

}  // namespace parley::kube
