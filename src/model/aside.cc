#include "model/aside.h"

#include "base/number.h"
#include "base/quantity.h"
#include "base/time_text.h"

namespace parley::model {
namespace {

std::string in_brackets(const std::string& text) { return " (" + text + ")"; }

}  // namespace

std::string product_aside(double risk, double loss) {
    return in_brackets(fixed(risk, 2) + " x " + fixed(loss, 1));
}

std::string risk_text(double risk, double limit) {
    return "risk " + (risk < 0.005 ? "<0.01" : fixed(risk, 2)) + ", acts above " + fixed(limit, 2);
}

std::string over_aside(double risk, double limit) { return in_brackets(risk_text(risk, limit)); }

std::string limit_aside(Duration limit) { return in_brackets("limit " + print_age(limit)); }

std::string from_aside(std::int64_t from) {
    return in_brackets("acts from " + std::to_string(from));
}

std::string eased_aside(const std::string& waiting, std::int64_t from) {
    return in_brackets(waiting + ", lifts below half of " + std::to_string(from));
}

std::string estimated_aside(const std::string& source) {
    return in_brackets("estimated by " + source);
}

std::string breaker_aside(const std::string& because) { return in_brackets(because); }

std::string need_aside(std::int64_t cpu_m, std::int64_t memory) {
    return in_brackets(show_millicores(cpu_m) + " CPU, " + show_bytes(memory));
}

std::string holdout_aside() { return in_brackets("policy.risk.holdout"); }

std::string text_of(ShortOf what) {
    std::string text;
    const auto add = [&](bool is, const char* word) {
        if (is) text += (text.empty() ? "" : " and ") + std::string(word);
    };
    add(what.cpu, "CPU");
    add(what.memory, "memory");
    add(what.places, "places on nodes");
    return text.empty() ? "room" : text;
}

std::string short_name(ShortOf what) { return "pods short of " + text_of(what); }

std::string waiting_text(std::int64_t pods, ShortOf what) {
    return std::to_string(pods) + (pods == 1 ? " pod waits" : " pods wait") +
           (pods == 0 ? " for room" : " for " + text_of(what));
}

std::vector<ShortOf> all_short_of() {
    std::vector<ShortOf> all;
    for (const bool cpu : {false, true}) {
        for (const bool memory : {false, true}) {
            for (const bool places : {false, true}) all.push_back({cpu, memory, places});
        }
    }
    return all;
}

}  // namespace parley::model
