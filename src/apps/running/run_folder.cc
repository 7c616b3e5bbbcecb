#include "apps/running/run_folder.h"

#include "base/number.h"
#include "base/words.h"
#include "store/run_reader.h"
#include "store/run_writer.h"

#include <algorithm>
#include <utility>

namespace parley::app {
namespace {

constexpr int kFoldersMax = 10'000;

/// Keeps only characters that are valid in paths everywhere.
std::string plain(std::string name) {
    std::ranges::replace_if(
        name,
        [](char c) {
            const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
            return !letter && !(c >= '0' && c <= '9') && c != '-' && c != '_';
        },
        '_');
    return name.empty() ? "run" : name.substr(0, 60);
}

}  // namespace

Result<std::string> run_folder(Disk& disk, const Settings& settings, const std::string& name) {
    if (settings.run.record == store::RecordLevel::none) return std::string();
    if (!settings.run.event_dir.empty()) return settings.run.event_dir;
    const std::string first = "runs/" + plain(name) + "-" + std::to_string(settings.run.seed);
    std::string folder = first;
    for (int i = 2; i < kFoldersMax; ++i) {
        const auto taken = disk.exists(folder);
        if (!taken) return tl::unexpected(taken.error());
        if (!*taken) return folder;
        folder = first + "-" + std::to_string(i);
    }
    return fail(ErrorCode::denied, "all of " + first + "-2 to -9999 exist; name one: --event-dir");
}

std::optional<std::uint64_t> complete_rounds(Disk& disk, const std::string& run) {
    if (store::is_written(disk, run)) return std::nullopt;
    auto reader = store::RunReader::open(disk, run);
    if (!reader) return std::nullopt;
    auto late = store::RunReader::open_at_last(disk, run, reader->header());
    if (!late) return std::nullopt;
    store::RunReader& end = *late ? **late : *reader;
    end.show_all([](const model::RoundInput&, const model::Decision&) {});
    if (const auto read = end.next(); !read || end.end_is_lost()) return std::nullopt;
    if (end.facts().status != store::RunStatus::complete) return std::nullopt;
    return end.facts().last_round;
}

bool is_kept(const Error& failure) { return failure.code != ErrorCode::gone; }

std::string aftermath(const Error& failure) {
    return is_kept(failure) ? "The rounds before are whole."
                            : "What was recorded before is not where it was put.";
}

std::string farewell(const std::string& name, const std::string& folder, std::uint64_t rounds,
                     const std::string& how, store::RecordLevel record) {
    const std::string count =
        thousands(static_cast<std::int64_t>(rounds)) + (rounds == 1 ? " round" : " rounds");
    if (folder.empty()) return name + ": " + count + ", " + how + ". Nothing was recorded.\n";
    std::string text = "The run is in " + folder + ": " + name + ", " + count + ", " + how + ".\n";
    if (rounds == 0) return text + "It has no round yet, so there is nothing to ask it.\n";
    text += "Go on with\n";
    for (const std::string command : {"why", "replay", "digest"}) {
        const bool answers = command != "replay" || record == store::RecordLevel::full;
        if (answers) text += "  parley " + command + " " + shell_word(folder) + "\n";
    }
    return text;
}

}  // namespace parley::app
