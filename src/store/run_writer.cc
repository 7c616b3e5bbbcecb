#include "store/run_writer.h"

#include "model/coded.h"
#include "store/run_reader.h"

#include <algorithm>
#include <array>
#include <span>
#include <utility>
#include <vector>

namespace parley::store {
namespace {

/// A round takes a few KiB every few seconds: worth compressing well.
constexpr int kCompression = 6;

Entry entry(RunFrame kind, const std::string& payload) {
    return {.kind = static_cast<std::uint8_t>(kind), .payload = payload};
}

}  // namespace

Result<bool> is_unborn(Disk& disk, const std::string& folder) {
    const auto there = disk.exists(folder);
    if (!there) return tl::unexpected(there.error());
    if (!*there) return false;
    const auto names = disk.list(folder);
    if (!names) return tl::unexpected(names.error());
    const std::string journal = journal_folder(folder);
    const bool only = std::ranges::all_of(*names, [&](const std::string& name) {
        return name == kTuningFolder || join(folder, name) == journal;
    });
    if (!only) return false;
    if (read_head(disk, journal)) return false;
    auto reader = JournalReader::open(disk, journal, {.version_max = kFormatVersion});
    if (!reader) return tl::unexpected(reader.error());
    const auto frame = reader->next_view();
    if (!frame) return tl::unexpected(frame.error());
    return !*frame && reader->report().damage.empty();
}

bool is_written(Disk& disk, const std::string& run) {
    const auto lock = lock_journal(disk, journal_folder(run));
    return !lock && disk_fault(lock.error()) == DiskFault::taken;
}

std::string header_copy(const std::string& run) { return join(journal_folder(run), "header"); }

std::string journal_folder(const std::string& run) { return join(run, "journal"); }

RunWriter::RunWriter(std::unique_ptr<Journal> journal, HeadWriter head, RecordLevel level)
    : journal_(std::move(journal)), head_(std::move(head)), level_(level) {}

Result<std::unique_ptr<RunWriter>> RunWriter::begin(Disk& disk, const std::string& folder,
                                                    std::unique_ptr<FileLock> lock,
                                                    RecordLevel level, JournalOptions options) {
    options.version = kFormatVersion;
    options.zstd_level = kCompression;
    const std::string inside = journal_folder(folder);
    const auto lost = read_head(disk, inside);
    auto journal = lock ? Journal::open_locked(disk, inside, std::move(lock), options)
                        : Journal::open(disk, inside, options);
    if (!journal) return tl::unexpected(journal.error());
    if (lost) (*journal)->skip_lost(*lost);
    auto head = HeadWriter::open(disk, inside);
    if (!head) return tl::unexpected(head.error());
    return std::unique_ptr<RunWriter>(new RunWriter(*std::move(journal), *std::move(head), level));
}

Result<std::unique_ptr<RunWriter>> RunWriter::create(Disk& disk, const std::string& folder,
                                                     const RunHeader& header,
                                                     const ProcessNote& process,
                                                     JournalOptions options) {
    const auto there = disk.exists(folder);
    if (!there) return tl::unexpected(there.error());
    if (*there) {
        const auto unborn = is_unborn(disk, folder);
        if (!unborn) return within("looking at the run folder", unborn.error());
        if (!*unborn) {
            return fail(ErrorCode::denied,
                        folder +
                            " is not empty; go on with it by --resume, or name a folder that "
                            "does not exist yet");
        }
    }
    if (auto made = make_directories(disk, folder); !made) return tl::unexpected(made.error());
    auto writer = begin(disk, folder, nullptr, header.record, options);
    if (!writer) return tl::unexpected(writer.error());
    const std::string head = encode(header);
    const std::string note = encode(process);
    std::array entries{entry(RunFrame::header, head), entry(RunFrame::process, note)};
    entries[0].keyframe = true;
    const auto kept = (*writer)->acknowledge((*writer)->journal_->append(entries), 0).and_then([&] {
        return write_file_atomically(disk, header_copy(folder), packed_payload(head));
    });
    if (!kept) return tl::unexpected(kept.error());
    return writer;
}

Result<std::unique_ptr<RunWriter>> RunWriter::resume(Disk& disk, const std::string& folder,
                                                     std::unique_ptr<FileLock> lock,
                                                     RecordLevel level, const ProcessNote& process,
                                                     Keyframe last, JournalOptions options) {
    auto writer = begin(disk, folder, std::move(lock), level, options);
    if (!writer) return tl::unexpected(writer.error());
    const std::string key = encode(last);
    const std::string note = encode(process);
    std::array entries{entry(RunFrame::keyframe, key), entry(RunFrame::process, note)};
    entries[0].keyframe = true;
    const auto kept =
        (*writer)->acknowledge((*writer)->journal_->append(entries), last.decision.round);
    if (!kept) return tl::unexpected(kept.error());
    (*writer)->input_ = std::move(last.input);
    (*writer)->decision_ = std::move(last.decision);
    (*writer)->memory_ = std::move(last.memory);
    return writer;
}

Result<void> RunWriter::declare(Disk& disk, const std::string& folder,
                                std::unique_ptr<FileLock> lock, const GapNote& note,
                                const Keyframe& last) {
    auto writer = begin(disk, folder, std::move(lock), RecordLevel::full, {});
    if (!writer) return tl::unexpected(writer.error());
    const std::string key = encode(last);
    const std::string said = encode(note);
    std::array entries{entry(RunFrame::keyframe, key), entry(RunFrame::gap, said)};
    entries[0].keyframe = true;
    (*writer)->decision_.round = std::max(last.decision.round, note.acknowledged);
    const auto kept = (*writer)->append(entries, (*writer)->decision_.round);
    return kept ? (*writer)->close() : kept;
}

Result<void> RunWriter::acknowledge(const Result<std::uint64_t>& appended, std::uint64_t round) {
    if (!appended) return tl::unexpected(appended.error());
    // A failure is ignored: an old head claims less, but nothing wrong.
    (void)head_.write({*appended, journal_->chain_head(), round});
    return {};
}

Result<void> RunWriter::close() {
    const std::uint64_t closing = journal_->next_sequence();
    if (auto closed = journal_->close(); !closed) return closed;
    const bool wrote = journal_->next_sequence() > closing;
    return wrote ? acknowledge(closing, decision_.round) : Result<void>{};
}

std::string RunWriter::keyframe_if_wanted() const {
    if (!journal_->wants_keyframe()) return {};
    // Without inputs a run cannot be resumed, but decisions still need their base.
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
    return entries.empty() ? Result<void>() : append(entries, decision_.round);
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
    if (auto kept = append(entries, decision.round); !kept) return kept;
    journal_->count_round();
    if (full) {
        input_ = input;
        memory_ = next;
    }
    decision_ = decision;
    return {};
}

Result<void> RunWriter::append(std::span<const Entry> entries, std::uint64_t round) {
    for (const Entry& each : entries) bytes_ += each.payload.size();
    return acknowledge(journal_->append(entries), round);
}

Result<void> RunWriter::keep_event(const model::ActionEvent& event) {
    const std::string payload = encode(event);
    const std::array entries{entry(RunFrame::event, payload)};
    return append(entries, decision_.round);
}

Result<void> RunWriter::finish(const RunEnd& end) {
    const std::string payload = encode(end);
    const std::array entries{entry(RunFrame::end, payload)};
    const std::uint64_t last = decision_.round;
    if (journal_->broken()) return acknowledge(journal_->append_last_words(entries), last);
    if (const auto kept = acknowledge(journal_->append(entries), last); !kept) return kept;
    return close();
}

}  // namespace parley::store
