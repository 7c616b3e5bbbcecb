#include "apps/parley/state_file.h"

#include "base/json.h"

#include <utility>

namespace parley::app {
namespace {

/// A reader sees the old one or the new one. Nobody waits until it is on the disk.
Result<void> replace(Disk& disk, const std::string& path, std::string_view bytes) {
    const std::string temporary = path + ".tmp";
    const auto file = disk.open(temporary, OpenMode::create);
    if (!file) return tl::unexpected(file.error());
    return (*file)->truncate(0).and_then([&] { return (*file)->write(0, bytes); }).and_then([&] {
        return disk.rename(temporary, path);
    });
}

}  // namespace

StateFile::StateFile(Disk& disk, const std::string& folder, const store::RunHeader& header,
                     std::vector<store::StageNote> stages)
    : disk_(disk), path_(join(folder, "state.json")), policy_(header.policy), keeper_(header) {
    teller_.stages(stages);
    facts_.stages = std::move(stages);
}

Result<void> StateFile::take_record(const std::string& folder) {
    auto reader = store::RunReader::open(disk_, folder);
    if (!reader) return tl::unexpected(reader.error());
    while (true) {
        const auto record = reader->next();
        if (!record) return tl::unexpected(record.error());
        if (!*record) return {};
        tell({(*record)->input, (*record)->decision, policy_, (*record)->events});
    }
}

void StateFile::take(const Published& round) {
    tell({round.input, round.decision, policy_, round.events});
    std::vector<std::string> errors;
    if (!round.trouble.empty()) errors.push_back(round.trouble);
    failed_.reset();
    const std::string text = to_json(keeper_.state(facts_, std::move(errors))) + "\n";
    if (auto kept = replace(disk_, path_, text); !kept) failed_ = kept.error();
}

void StateFile::tell(const explanation::Told& told) { keeper_.take(told, teller_.tell(told)); }

}  // namespace parley::app
