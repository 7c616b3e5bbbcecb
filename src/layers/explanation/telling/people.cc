#include "layers/explanation/telling/people.h"

#include "base/json_read.h"
#include "base/time_text.h"
#include "base/words.h"

#include <utility>

namespace parley::explanation {

Result<std::vector<PersonWord>> read_people(Disk& disk, const std::string& run) {
    const std::string path = join(run, "people.jsonl");
    const auto there = disk.exists(path);
    if (!there) return tl::unexpected(there.error());
    std::vector<PersonWord> words;
    if (!*there) return words;
    const auto people = read_file(disk, path);
    if (!people) return tl::unexpected(people.error());
    for (const std::string& line : parts_between(*people, '\n')) {
        const auto note = parse_json(line);
        if (!note) continue;
        const auto text = [&](std::string_view name) {
            const Json* value = note->find(name);
            return value != nullptr && value->text() != nullptr ? *value->text() : std::string();
        };
        PersonWord word{text("at"), text("what"), text("who"), text("because")};
        if (word.what == "stop" || word.what == "clear") words.push_back(std::move(word));
    }
    return words;
}

std::string lifted_text(Disk& disk, const std::string& run, std::optional<TimePoint> before) {
    const auto words = read_people(disk, run);
    if (!words) return {};
    std::string text;
    for (const PersonWord& word : *words) {
        const auto at = parse_time(word.at);
        const bool later = before && at && *before < *at;
        if (word.what != "clear" || later) continue;
        text = " by " + word.who + " at " + word.at;
        if (!word.because.empty()) text += ": " + word.because;
    }
    return text;
}

}  // namespace parley::explanation
