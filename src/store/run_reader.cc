#include "store/run_reader.h"

#include "model/coded.h"
#include "store/run_writer.h"

#include <algorithm>
#include <utility>

namespace parley::store {
namespace {

/// The header and the note of the process are written together at the start of a run.
constexpr std::uint64_t kBornSequence = 2;

/// Packed in memory like a frame on disk: smaller, and changes are noticed.
std::string packed(const std::string& payload) {
    std::string out;
    Digest chain{};
    FrameEncoder(1, 256).encode(out, {.sequence = 1}, payload, chain);
    return out;
}

Result<std::string> unpacked(const std::string& packed) {
    const auto frame = parse_frame(packed);
    if (!frame) return fail(ErrorCode::malformed, text_of(frame.error()));
    return decode_payload(*frame);
}

/// The copy of the header beside the journal; nothing if that is damaged, too.
std::optional<std::string> copied_header(Disk& disk, const std::string& folder) {
    const auto bytes = read_own_file(disk, header_copy(folder));
    if (!bytes) return std::nullopt;
    const auto payload = unpacked(*bytes);
    return payload ? std::optional(*payload) : std::nullopt;
}

}  // namespace

std::string packed_payload(const std::string& payload) { return packed(payload); }

Result<std::string> born_of(Disk& disk, const std::string& folder) {
    auto reader =
        JournalReader::open(disk, journal_folder(folder), {.version_max = kFormatVersion});
    if (!reader) return tl::unexpected(reader.error());
    while (true) {
        const auto frame = reader->next_view();
        if (!frame) return tl::unexpected(frame.error());
        if (!*frame || (*frame)->header.sequence > kBornSequence) return std::string();
        if ((*frame)->header.sequence == kBornSequence) return reader->report().chain_head;
    }
}

std::uint64_t RunReader::at_most_rounds(std::uint64_t frames) const {
    // With inputs a round has two frames, and the first lost one may be the second of its round.
    return header_.record == RecordLevel::full ? (frames + 1) / 2 : frames;
}

/// How many frames were lost in damage number `counted` and later; holes that belong together name
/// the same frames.
std::uint64_t RunReader::lost_since(std::size_t counted) const {
    const std::vector<Damage>& damage = reader_.report().damage;
    std::uint64_t lost = 0;
    for (std::size_t i = counted; i < damage.size(); ++i) {
        const bool again = i > 0 && damage[i].last_lost == damage[i - 1].last_lost;
        if (!again) lost += damage[i].last_lost + 1 - damage[i].first_lost;
    }
    return lost;
}

RunReader::RunReader(Disk& disk, std::string folder, JournalReader reader)
    : disk_(&disk), folder_(std::move(folder)), reader_(std::move(reader)) {}

Result<RunReader> RunReader::open(Disk& disk, const std::string& folder) {
    const auto there = disk.exists(folder);
    if (!there) return tl::unexpected(there.error());
    if (!*there) {
        return fail(ErrorCode::denied, "there is no run at " + folder +
                                           "; runs are made by `parley simulate --event-dir " +
                                           folder + "`");
    }
    const auto has_journal = disk.exists(journal_folder(folder));
    if (!has_journal) return tl::unexpected(has_journal.error());
    if (!*has_journal) {
        return fail(ErrorCode::denied,
                    folder +
                        " holds no journal/ and so no run; name the folder that was given as "
                        "--event-dir");
    }
    auto reader =
        JournalReader::open(disk, journal_folder(folder), {.version_max = kFormatVersion});
    if (!reader) return within("opening " + folder, reader.error());
    RunReader run(disk, folder, *std::move(reader));
    const auto first = run.reader_.next();
    if (!first) return within("opening " + folder, first.error());
    const bool whole = *first && (*first)->sequence == 1 && !(*first)->dropped &&
                       static_cast<RunFrame>((*first)->kind) == RunFrame::header;
    const auto payload = whole ? (*first)->payload : copied_header(disk, folder);
    if (!payload) {
        return fail(ErrorCode::malformed, folder +
                                              " holds no readable run header: it was cut off "
                                              "before it began, or is damaged; nothing was "
                                              "changed");
    }
    auto header = decode<RunHeader>(*payload);
    if (!header) {
        return fail(ErrorCode::malformed,
                    folder +
                        ": the run's header cannot be understood; was it written by "
                        "another program?");
    }
    run.header_ = *std::move(header);
    run.have_header_ = true;
    run.last_round_ = 0;
    run.expected_sequence_ = 2;
    if (whole || !*first) {
        run.ended_ = !*first;
        return run;
    }
    if (auto taken = run.take(**first); !taken) return tl::unexpected(taken.error());
    return run;
}

Result<std::vector<KeyframePlace>> find_keyframes(Disk& disk, const std::string& folder,
                                                  Position& from, std::vector<std::string>* gaps) {
    auto reader = JournalReader::open(disk, journal_folder(folder),
                                      {.version_max = kFormatVersion, .from = from});
    if (!reader) return within("opening " + folder, reader.error());
    std::vector<KeyframePlace> places;
    RunGaps missing;
    while (true) {
        const Position before = reader->position();
        const auto frame = reader->next_view();
        if (!frame) return within("reading " + folder, frame.error());
        if (!*frame) break;
        const FrameHeader& head = (*frame)->header;
        if (static_cast<RunFrame>(head.kind) == RunFrame::gap) {
            const auto payload = decode_payload(**frame);
            if (auto note = payload ? decode<GapNote>(*payload) : std::nullopt) {
                missing.repairs.push_back(*std::move(note));
            }
        }
        const bool wanted = static_cast<RunFrame>(head.kind) == RunFrame::keyframe &&
                            head.encoding != Encoding::dropped;
        if (!wanted) continue;
        const auto payload = decode_payload(**frame);
        const auto key = payload ? decode<Keyframe>(*payload) : std::nullopt;
        if (key) places.push_back({key->decision.round + 1, before});
    }
    from = reader->position();
    missing.damage = reader->report().damage;
    if (gaps != nullptr) {
        for (std::string& each : sentences(missing)) gaps->push_back(std::move(each));
    }
    return places;
}

Result<RunReader> RunReader::open_at(Disk& disk, const std::string& folder, RunHeader header,
                                     const Position& keyframe) {
    auto reader = JournalReader::open(disk, journal_folder(folder),
                                      {.version_max = kFormatVersion, .from = keyframe});
    if (!reader) return within("opening " + folder, reader.error());
    RunReader run(disk, folder, *std::move(reader));
    run.header_ = std::move(header);
    run.have_header_ = true;
    run.lost_ = true;  // Until the keyframe is read.
    run.digests_ = false;
    run.expected_sequence_ = keyframe.sequence;
    return run;
}

Result<RunReader> RunReader::open_at(Disk& disk, const std::string& folder, RunHeader header,
                                     const Waypoint& waypoint) {
    auto run = open_at(disk, folder, std::move(header), waypoint.position);
    const auto input = unpacked(waypoint.input);
    const auto decision = unpacked(waypoint.decision);
    if (!run || !input || !decision) return run;  // The next keyframe will do.
    auto seen = decode<model::RoundInput>(*input);
    auto decided = decode<model::Decision>(*decision);
    if (!seen || !decided) return run;
    run->input_ = *std::move(seen);
    run->decision_ = *std::move(decided);
    run->lost_ = false;
    return run;
}

std::optional<Waypoint> RunReader::waypoint() const {
    if (lost_ || pending_ || ended_) return std::nullopt;
    return Waypoint{decision_.round + 1, reader_.position(), packed(encode(input_)),
                    packed(encode(decision_))};
}

Result<std::optional<RunReader>> RunReader::open_at_last(Disk& disk, const std::string& folder,
                                                         RunHeader header) {
    const auto last = find_last_keyframe(disk, journal_folder(folder), kFormatVersion);
    if (!last) return within("opening " + folder, last.error());
    if (!*last || (*last)->sequence <= 1) return std::nullopt;  // The first frame is the header.
    auto reader = open_at(disk, folder, std::move(header), **last);
    if (!reader) return tl::unexpected(reader.error());
    return std::optional(*std::move(reader));
}

void RunReader::skip_to(std::uint64_t round, Passed passed) {
    wanted_from_ = round;
    passed_ = std::move(passed);
}

Result<void> RunReader::look_again() {
    auto reader = JournalReader::open(*disk_, journal_folder(folder_),
                                      {.version_max = kFormatVersion, .from = reader_.position()});
    if (!reader) return within("reading " + folder_, reader.error());
    damage_ = missing().damage;
    reader_ = *std::move(reader);
    damage_counted_ = 0;
    ended_ = false;
    return {};
}

Result<std::optional<RoundRecord>> RunReader::next() {
    auto begun = next_begun();
    if (!begun || *begun) return begun;
    return std::exchange(current_, std::nullopt);
}

Result<std::optional<RoundRecord>> RunReader::next_whole(bool give_last) {
    auto begun = next_begun();
    if (!begun || *begun) return begun;
    const bool over = facts_.status != RunStatus::running;
    if (!over && !give_last) return std::nullopt;
    return std::exchange(current_, std::nullopt);
}

/// A round that is whole because the next one has begun; nothing at the end.
Result<std::optional<RoundRecord>> RunReader::next_begun() {
    while (!ended_) {
        const auto frame = reader_.next();
        if (!frame) return within("reading " + folder_, frame.error());
        if (!*frame) {
            ended_ = true;
            break;
        }
        std::optional<RoundRecord> finished;
        const bool begins = static_cast<RunFrame>((*frame)->kind) == RunFrame::decision;
        if (begins) finished = std::exchange(current_, std::nullopt);
        const auto taken = take(**frame);
        if (!taken) return tl::unexpected(taken.error());
        if (finished) return finished;
    }
    return std::nullopt;
}

/// Notes what is missing before a frame.
void RunReader::note_losses(const Frame& frame) {
    if (frame.sequence != expected_sequence_) {  // Something before it is missing.
        damaged_ = true;
        unread_input_ = unread_input_ || pending_.has_value();
        lost_ = true;
    }
    if (const std::uint64_t lost = lost_since(damage_counted_); lost > 0) {
        unread_ += at_most_rounds(lost);
        said_at_end_ = 0;
    }
    damage_counted_ = reader_.report().damage.size();
}

Result<bool> RunReader::take(const Frame& frame) {
    note_losses(frame);
    expected_sequence_ = frame.sequence + 1;
    if (frame.sequence == kBornSequence) facts_.born = reader_.report().chain_head;
    if (frame.dropped && static_cast<RunFrame>(frame.kind) != RunFrame::process) {
        lost_ = lost_ || static_cast<RunFrame>(frame.kind) != RunFrame::event;
        // Reading could have gone on here: what follows was removed, not damaged.
        if (static_cast<RunFrame>(frame.kind) == RunFrame::keyframe) damaged_ = false;
        count_unread(static_cast<RunFrame>(frame.kind));
        cover(frame);
        return true;
    }
    if (lost_) count_unread(static_cast<RunFrame>(frame.kind));
    switch (static_cast<RunFrame>(frame.kind)) {
        case RunFrame::keyframe: {
            auto key = decode<Keyframe>(frame.payload);
            if (!key) return damaged(frame, "a keyframe");
            input_ = std::move(key->input);
            decision_ = std::move(key->decision);
            memory_ = std::move(key->memory);
            pending_.reset();
            if (lost_) start_.reset();  // It belonged to a round that is lost.
            lost_ = false;
            damaged_ = false;
            unread_input_ = false;
            facts_.last_round = std::max(facts_.last_round, decision_.round);
            return true;
        }
        case RunFrame::start: {
            auto start = decode<model::Memory>(frame.payload);
            if (!start) return damaged(frame, "a start");
            start_ = *std::move(start);
            return true;
        }
        case RunFrame::input: {
            if (lost_) return true;
            // An input counts only with its decision; if that is missing, reading continues at the
            // next keyframe. So the input before need not be kept, and its memory is changed in
            // place.
            if (pending_) {
                lost_ = true;
                damaged_ = true;
                return true;
            }
            pending_ = std::move(input_);
            pending_digest_ = frame.digest;
            bytes_ += frame.payload.size();
            if (!apply_difference(frame.payload, *pending_)) return damaged(frame, "an input");
            return true;
        }
        case RunFrame::decision:
            return decide_round(frame);
        case RunFrame::event: {
            cover(frame);
            auto event = decode<model::ActionEvent>(frame.payload);
            if (!event) return damaged(frame, "an event");
            if (current_ && !lost_) current_->events.push_back(*std::move(event));
            return true;
        }
        case RunFrame::gap:
        case RunFrame::process:
        case RunFrame::end:
        case RunFrame::header:
            return take_note(frame);
    }
    return true;
}

/// Frames that say something about the run itself.
Result<bool> RunReader::take_note(const Frame& frame) {
    switch (static_cast<RunFrame>(frame.kind)) {
        case RunFrame::gap: {
            auto note = decode<GapNote>(frame.payload);
            if (!note) return damaged(frame, "the note of a repair");
            facts_.epoch = note->epoch;
            unread_ = 0;  // The note says how many they were.
            facts_.last_round = std::max(facts_.last_round, note->acknowledged);
            said_at_end_ = 0;
            repairs_.push_back(*std::move(note));
            return true;
        }
        case RunFrame::process: {
            const auto note = decode<ProcessNote>(frame.payload);
            if (note) facts_.stages = note->stages;
            if (note && note->resumed) {
                ++facts_.resumed;
                facts_.status = RunStatus::running;
                said_at_end_ = 0;
            }
            return true;
        }
        case RunFrame::end: {
            const auto end = decode<RunEnd>(frame.payload);
            if (!end) return damaged(frame, "the end");
            facts_.status = end->status;
            facts_.reason = end->reason;
            said_at_end_ = end->rounds;
            facts_.last_round = std::max(facts_.last_round, end->rounds);
            return true;
        }
        default:
            return true;
    }
}

Result<bool> RunReader::decide_round(const Frame& frame) {
    said_at_end_ = 0;
    if (!lost_ && header_.record == RecordLevel::full && !pending_) {
        lost_ = true;  // Its input is missing; reading continues at the next keyframe.
        damaged_ = true;
        ++facts_.last_round;
    }
    if (lost_) {
        ++unread_;
        return true;
    }
    if (!apply_difference(frame.payload, decision_)) return damaged(frame, "a decision");
    if (pending_) {
        cover(static_cast<std::uint8_t>(RunFrame::input), pending_digest_);
        input_ = *std::exchange(pending_, std::nullopt);
    } else {
        input_ = model::RoundInput{.round = decision_.round};
    }
    cover(frame);
    bytes_ += frame.payload.size();
    ++facts_.rounds;
    note_round();
    facts_.last_round = std::max(facts_.last_round, decision_.round);
    if (decision_.round < wanted_from_) {
        if (passed_) passed_(input_, memory_ ? &*memory_ : nullptr);
        start_.reset();
        memory_.reset();
        return true;
    }
    if (shown_) {
        shown_(input_, decision_);
        start_.reset();
        memory_.reset();
        return true;
    }
    current_ = RoundRecord{input_,
                           decision_,
                           std::exchange(start_, std::nullopt),
                           std::exchange(memory_, std::nullopt),
                           {}};
    return true;
}

/// Rounds between the last one and this are missing, unless retention removed them; not so before
/// the first round of an intact record, which simply begins there.
void RunReader::note_round() {
    const std::uint64_t round = decision_.round;
    const bool begins = facts_.rounds == 1 && damage_.empty() && reader_.report().damage.empty() &&
                        repairs_.empty();
    const std::uint64_t before = std::max(last_round_.value_or(0), facts_.last_dropped());
    if (!begins && last_round_ && round > before + 1) jumps_.push_back({before + 1, round - 1});
    last_round_ = round;
    unread_ = 0;
}

/// Counts the round of a frame whose content is not used. Two inputs without a decision between
/// them are two rounds.
void RunReader::count_unread(RunFrame kind) {
    const bool decided = kind == RunFrame::decision;
    const bool undecided = kind == RunFrame::input && unread_input_;
    if (decided || undecided) {
        ++facts_.last_round;
        if (!damaged_) note_dropped(facts_.last_round);
    }
    if (decided || kind == RunFrame::input) unread_input_ = !decided;
}

void RunReader::note_dropped(std::uint64_t round) {
    if (facts_.last_dropped() != 0 && facts_.last_dropped() + 1 == round) {
        facts_.dropped.back().last = round;
    } else {
        facts_.dropped.push_back({round, round});
    }
}

void RunReader::cover(const Frame& frame) {
    // A payload that retention removed enters the digest as empty.
    cover(frame.kind, frame.dropped ? sha256({}) : frame.digest);
}

void RunReader::cover(std::uint8_t kind, const Digest& digest) {
    if (!digests_) return;
    const char byte = static_cast<char>(kind);
    sha_.update(std::string_view(&byte, 1));
    sha_.update(bytes_of(digest));
}

tl::unexpected<Error> RunReader::damaged(const Frame& frame, const std::string& what) const {
    return fail(ErrorCode::malformed,
                folder_ + ": frame " + std::to_string(frame.sequence) + ", " + what +
                    ", passes its checksum but cannot be understood; it was written by a program "
                    "with other structures");
}

RunGaps RunReader::missing() const {
    RunGaps found{.damage = damage_, .rounds = jumps_, .repairs = repairs_};
    for (const Damage& each : reader_.report().damage) {
        if (std::ranges::count(found.damage, each) == 0) found.damage.push_back(each);
    }
    // While more may be written, the next round is not known.
    const auto [last, exact] = acknowledged();
    if (ended_ && last_round_ && last > *last_round_ && !undeclared(found).empty()) {
        found.rounds.push_back({*last_round_ + 1, last});
        found.exact = exact;
    }
    return found;
}

Acknowledged RunReader::acknowledged() const {
    std::uint64_t read = last_round_.value_or(decision_.round);
    for (const GapNote& note : repairs_) read = std::max(read, note.acknowledged);
    std::uint64_t behind = lost_since(damage_counted_);  // At the end of the journal.
    // At a proper end, one frame is the run's own and one closes the journal.
    const bool said = said_at_end_ > 0 && behind <= 1;
    if (behind > 0 && reader_.report().closed) --behind;
    const std::uint64_t unread = unread_ + at_most_rounds(behind);
    const auto& head = reader_.head();
    const bool covers = head && head->round && head->sequence >= reader_.report().last_sequence;
    if (!said && unread > 0 && covers) return {std::max(read, *head->round), true};
    return {said ? std::max(said_at_end_, read) : read + unread, said || unread == 0};
}

std::string RunReader::digest() { return hex(sha_.finish()); }

}  // namespace parley::store
