#include "apps/tuning/compare_keep.h"

#include "base/described_json.h"
#include "base/hash.h"
#include "base/json.h"
#include "base/json_read.h"
#include "base/time_text.h"
#include "layers/decide.h"
#include "model/coded.h"

#include <string_view>
#include <utility>

namespace parley::app {
namespace {

constexpr std::uint64_t kKeptBytesMax = std::uint64_t{256} << 20;
constexpr const char* kHeading = "parley compare, kept runs 1: ";

std::string model_of(const auto& model) { return model == nullptr ? "-" : model->facts.id; }

/// A complete line without its end; nothing at the end of the text, even if a line was cut off.
std::optional<std::string_view> next_line(std::string_view& rest) {
    const std::size_t end = rest.find('\n');
    if (end == std::string_view::npos) return std::nullopt;
    const std::string_view line = rest.substr(0, end);
    rest.remove_prefix(end + 1);
    return line;
}

Result<experiment::DoneRun> run_in(std::string_view line) {
    const auto document = parse_json(line);
    if (!document) return tl::unexpected(document.error());
    experiment::DoneRun run;
    if (auto read = read_json(*document, run, ""); !read) return tl::unexpected(read.error());
    return run;
}

}  // namespace

std::string plan_digest(const experiment::Plan& plan) {
    Sha256 digest;
    digest.update(std::to_string(kRulesVersion) + " " + print_duration(plan.span.length) + " " +
                  print_duration(plan.span.interval));
    for (const experiment::Arm& arm : plan.arms) {
        digest.update("\n" + std::to_string(arm.name.size()) + arm.name + " " +
                      std::string(enum_name(arm.kind)) + " " + hex(sha256(encode(arm.policy))) +
                      " " + model_of(arm.brains.risk) + " " + model_of(arm.brains.demand));
    }
    for (const auto& [name, scenario] : plan.own)
        digest.update("\n" + name + " " + hex(sha256(to_json(*scenario))));
    return hex(digest.finish());
}

Result<KeptRuns> KeptRuns::open(Disk& disk, const std::string& path, const experiment::Plan& plan) {
    const auto there = disk.exists(path);
    if (!there) return tl::unexpected(there.error());
    const auto text = *there ? read_file(disk, path, kKeptBytesMax) : Result<std::string>("");
    if (!text) return tl::unexpected(text.error());
    const std::string heading = kHeading + plan_digest(plan);
    KeptRuns kept;
    std::string_view rest = *text;
    const auto first = next_line(rest);
    if (first && *first != heading) {
        return fail(ErrorCode::denied,
                    path +
                        (first->starts_with(kHeading)
                             ? " holds runs of another comparison (other arms, policies, models, "
                               "scenario files, lengths or rules)"
                             : " does not hold runs of a comparison") +
                        "; name another file with --keep");
    }
    if (!first && !text->empty() && !heading.starts_with(*text)) {
        return fail(ErrorCode::denied,
                    path + " does not hold runs of a comparison; name another file with --keep");
    }
    for (std::size_t number = 2; first; ++number) {
        const auto line = next_line(rest);
        if (!line) break;
        auto run = run_in(*line);
        if (!run) return within(path + ":" + std::to_string(number), run.error());
        kept.done_.push_back(*std::move(run));
    }
    auto file = disk.open(path, OpenMode::create);
    if (!file) return tl::unexpected(file.error());
    kept.file_ = *std::move(file);
    kept.end_ = text->size() - rest.size();
    if (!first) kept.end_ = 0;
    if (auto cut = kept.file_->truncate(kept.end_); !cut) return tl::unexpected(cut.error());
    if (!first) {
        if (auto done = kept.file_->write(0, heading + "\n"); !done)
            return tl::unexpected(done.error());
        kept.end_ = heading.size() + 1;
    }
    return kept;
}

void KeptRuns::keep(const experiment::DoneRun& run) {
    if (!outcome_) return;
    const std::string line = to_json(run) + "\n";
    outcome_ = file_->write(end_, line);
    end_ += line.size();
}

}  // namespace parley::app
