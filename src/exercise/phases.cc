#include "exercise/phases.h"

#include "base/random.h"

#include <algorithm>

namespace parley::exercise {
namespace {

using model::Quantity;

/// Fixed size and random range of a phase.
struct PhaseRow {
    std::string_view name, intent;
    std::int32_t pods;
    std::int64_t cpu_m, memory_mib;
    std::int64_t cpu_low_m, cpu_high_m, memory_low_mib, memory_high_mib;
    bool waits;
    Quantity moves;
    bool everywhere = false;
};

constexpr PhaseRow kRows[kPhases] = {
    {"idle-power-save", "AgentB:power_state:sleep", 0, 0, 0, 0, 0, 0, 0, false, Quantity::none},
    {"light-dvfs", "AgentB:dvfs", 1, 2200, 256, 1600, 2800, 128, 512, false,
     Quantity::cpu_requested, true},
    {"moderate-memory", "AgentB:memory_balloon", 1, 6200, 768, 5200, 6800, 512, 1280, false,
     Quantity::cpu_requested, true},
    {"safety-throttle", "AgentA:throttle", 1, 8600, 1024, 8200, 8800, 768, 1536, false,
     Quantity::cpu_requested},
    {"safety-migrate", "AgentA:migrate", 1, 9200, 5120, 9000, 9300, 4096, 5632, false,
     Quantity::memory_requested},
    {"safety-replicate", "AgentA:replicate", 1, 9400, 7168, 9300, 9450, 6656, 7424, false,
     Quantity::memory_requested},
    {"admission-queue", "AgentC:admission:queue", 12, 100, 64, 80, 200, 48, 128, true,
     Quantity::queue},
    {"admission-deprioritize", "AgentC:admission:deprioritize", 90, 100, 64, 80, 200, 48, 128, true,
     Quantity::queue},
    {"admission-cap", "AgentC:resource_cap", 130, 100, 64, 80, 200, 48, 128, true, Quantity::queue},
};

}  // namespace

Form form_for(Form form, model::Profile profile) {
    if (form != Form::profile) return form;
    return profile == model::Profile::prototype ? Form::selector : Form::shortage;
}

bool named_by_phase(std::string_view name) {
    return std::ranges::any_of(kRows, [&](const PhaseRow& row) {
        if (!name.starts_with(row.name)) return false;
        const std::string_view rest = name.substr(row.name.size());
        const bool number = rest.size() > 1 && rest.front() == '-' &&
                            rest.find_first_not_of("0123456789", 1) == std::string_view::npos;
        return rest.empty() || number;
    });
}

Phase phase_of(const Choice& choice, std::int64_t number, std::int64_t largest_cpu_m) {
    std::int64_t which = number % kPhases;
    const auto lot = [&](std::uint64_t use) {
        return draw(choice.seed + static_cast<std::uint64_t>(number), Stream::policy,
                    entity_of("exercise"), use);
    };
    if (choice.randomize) which = random::between(lot(0), 0, kPhases - 1);
    const PhaseRow& row = kRows[which];
    Phase phase{.name = row.name,
                .intent = row.intent,
                .pods = row.pods,
                .cpu_m = row.cpu_m,
                .memory_mib = row.memory_mib,
                .waits = row.waits,
                .everywhere = row.everywhere,
                .moves = row.moves};
    if (choice.randomize && row.pods > 0) {
        phase.cpu_m = random::between(lot(1), row.cpu_low_m, row.cpu_high_m);
        phase.memory_mib = random::between(lot(2), row.memory_low_mib, row.memory_high_mib);
    }
    if (row.waits && choice.form != Form::selector) phase.cpu_m = largest_cpu_m * 3 / 10;
    return phase;
}

}  // namespace parley::exercise
