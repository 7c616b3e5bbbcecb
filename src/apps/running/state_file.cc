#include "apps/running/state_file.h"

#include "base/json.h"
#include "layers/explanation/derived/derived.h"
#include "store/run_writer.h"

#include <utility>

namespace parley::app {
namespace {

/// A reader sees the old or the new file. Does not wait until it is durable.
Result<void> replace(Disk& disk, const std::string& path, std::string_view bytes) {
    const std::string temporary = path + ".tmp";
    const auto file = disk.open(temporary, OpenMode::create);
    if (!file) return tl::unexpected(file.error());
    return (*file)->truncate(0).and_then([&] { return (*file)->write(0, bytes); }).and_then([&] {
        return replace_file(disk, temporary, path);
    });
}

}  // namespace

Result<StateFile> StateFile::open(Disk& disk, const std::string& folder,
                                  const store::RunHeader& header,
                                  std::vector<store::StageNote> stages) {
    std::string path = join(folder, "state.json");
    if (auto ours = explanation::check_derived(disk, folder); !ours) {
        return tl::unexpected(ours.error());
    }
    auto anchor = disk.open(store::header_copy(folder), OpenMode::read_own);
    if (!anchor && anchor.error().code != ErrorCode::gone) return tl::unexpected(anchor.error());
    StateFile file(disk, std::move(path), header, std::move(stages),
                   anchor ? *std::move(anchor) : nullptr);
    file.teller_.lifted = [&disk, folder](std::optional<TimePoint> before) {
        return explanation::lifted_text(disk, folder, before);
    };
    return file;
}

StateFile::StateFile(Disk& disk, std::string path, const store::RunHeader& header,
                     std::vector<store::StageNote> stages, std::unique_ptr<File> anchor)
    : disk_(disk),
      path_(std::move(path)),
      policy_(header.policy),
      keeper_(header),
      anchor_(std::move(anchor)) {
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

void StateFile::take(const Published& round, const std::optional<explanation::Leading>& leading) {
    tell({round.input, round.decision, policy_, round.events});
    std::vector<std::string> errors;
    if (!round.trouble.empty()) errors.push_back(round.trouble);
    failed_.reset();
    explanation::DashboardState now = keeper_.state(facts_, std::move(errors));
    now.leading = leading;
    const std::string text = to_json(now) + "\n";
    const auto ours = anchor_ ? anchor_->in_place(0) : Result<void>();
    const auto kept = ours.and_then([&] { return replace(disk_, path_, text); });
    if (!kept) failed_ = kept.error();
}

void StateFile::tell(const explanation::Told& told) { keeper_.take(told, teller_.tell(told)); }

}  // namespace parley::app
