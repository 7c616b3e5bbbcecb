#include "store/run_writer.h"

#include "model/coded.h"

#include <array>
#include <span>
#include <utility>
#include <vector>

namespace parley::store {
namespace {

/// A round is a few KiB, seconds apart: worth compressing well.
constexpr int kCompression = 6;

Entry entry(RunFrame kind, const std::string& payload) {
    return {.kind = static_cast<std::uint8_t>(kind), .payload = payload};
}

Result<void> done(const Result<std::uint64_t>& appended) {
    if (!appended) return tl::unexpected(appended.error());
    return {};
}

}  // namespace

std::string journal_folder(const std::string& run) { return join(run, "journal"); }

RunWriter::RunWriter(std::unique_ptr<Journal> journal, RecordLevel level)
    : journal_(std::move(journal)), level_(level) {}

Result<std::unique_ptr<RunWriter>> RunWriter::create(Disk& disk, const std::string& folder,
                                                     const RunHeader& header,
                                                     const ProcessNote& process,
                                                     JournalOptions options) {
    const auto there = disk.exists(folder);
    if (!there) return tl::unexpected(there.error());
    if (*there) {
        auto names = disk.list(folder);
        if (!names) return within("looking at the run folder", names.error());
        std::erase(*names, kTuningFolder);
        if (!names->empty()) {
            return fail(ErrorCode::denied,
                        folder +
                            " is not empty; go on with it by --resume, or name a folder that "
                            "does not exist yet");
        }
    }
    if (auto made = make_directories(disk, folder); !made) return tl::unexpected(made.error());
    options.version = kFormatVersion;
    options.zstd_level = kCompression;
    auto journal = Journal::open(disk, journal_folder(folder), options);
    if (!journal) return tl::unexpected(journal.error());
    std::unique_ptr<RunWriter> writer(new RunWriter(*std::move(journal), header.record));
    const std::string head = encode(header);
    const std::string note = encode(process);
    std::array entries{entry(RunFrame::header, head), entry(RunFrame::process, note)};
    entries[0].keyframe = true;
    const auto kept = done(writer->journal_->append(entries));
    if (!kept) return tl::unexpected(kept.error());
    return writer;
}

Result<std::unique_ptr<RunWriter>> RunWriter::resume(Disk& disk, const std::string& folder,
                                                     RecordLevel level, const ProcessNote& process,
                                                     Keyframe last, JournalOptions options) {
    options.version = kFormatVersion;
    options.zstd_level = kCompression;
    auto journal = Journal::open(disk, journal_folder(folder), options);
    if (!journal) return tl::unexpected(journal.error());
    std::unique_ptr<RunWriter> writer(new RunWriter(*std::move(journal), level));
    const std::string key = encode(last);
    const std::string note = encode(process);
    std::array entries{entry(RunFrame::keyframe, key), entry(RunFrame::process, note)};
    entries[0].keyframe = true;
    const auto kept = done(writer->journal_->append(entries));
    if (!kept) return tl::unexpected(kept.error());
    writer->input_ = std::move(last.input);
    writer->decision_ = std::move(last.decision);
    writer->memory_ = std::move(last.memory);
    return writer;
}

std::string RunWriter::keyframe_if_wanted() const {
    if (!journal_->wants_keyframe()) return {};
    // Without inputs there is nothing to go on from, but decisions still need their base.
    if (level_ != RecordLevel::full) return encode(Keyframe{.decision = decision_});
    return encode(Keyframe{input_, decision_, memory_});
}

Result<void> RunWriter::keep_start(const model::Memory& memory) {
    const std::string key = keyframe_if_wanted();
    std::vector<Entry> entries;
    if (!key.empty()) {
        entries.push_back(entry(RunFrame::keyframe, key));
        entries.back().keyframe = true;
    }
    const std::string start = encode(memory);
    if (level_ == RecordLevel::full) entries.push_back(entry(RunFrame::start, start));
    memory_ = memory;
    return entries.empty() ? Result<void>() : append(entries);
}

Result<void> RunWriter::keep_round(const model::RoundInput& input, const model::Decision& decision,
                                   const model::Memory& next) {
    const std::string key = keyframe_if_wanted();
    const bool full = level_ == RecordLevel::full;
    std::vector<Entry> entries;
    if (!key.empty()) {
        entries.push_back(entry(RunFrame::keyframe, key));
        entries.back().keyframe = true;
    }
    const std::string seen = full ? encode_difference(input, input_) : std::string();
    if (full) entries.push_back(entry(RunFrame::input, seen));
    const std::string decided = encode_difference(decision, decision_);
    entries.push_back(entry(RunFrame::decision, decided));
    if (auto kept = append(entries); !kept) return kept;
    journal_->count_round();
    if (full) {
        input_ = input;
        memory_ = next;
    }
    decision_ = decision;
    return {};
}

Result<void> RunWriter::append(std::span<const Entry> entries) {
    for (const Entry& each : entries) bytes_ += each.payload.size();
    return done(journal_->append(entries));
}

Result<void> RunWriter::keep_event(const model::ActionEvent& event) {
    const std::string payload = encode(event);
    const std::array entries{entry(RunFrame::event, payload)};
    return append(entries);
}

Result<void> RunWriter::finish(const RunEnd& end) {
    const std::string payload = encode(end);
    const std::array entries{entry(RunFrame::end, payload)};
    if (journal_->broken()) return done(journal_->append_last_words(entries));
    if (const auto kept = done(journal_->append(entries)); !kept) return kept;
    return journal_->close();
}

}  // namespace parley::store
