// A run as a whole: RunReader returns what RunWriter recorded, whatever happened in between.

#include "fake/disk.h"
#include "model/coded.h"
#include "store/run_reader.h"
#include "store/run_writer.h"

#include <gtest/gtest.h>

namespace parley::store {
namespace {

const JournalOptions kSmall{.segment_bytes = 8192,
                            .fill_bytes = 1024,
                            .reserve_bytes = 4096,
                            .keyframe_bytes = 4096,
                            .keyframe_rounds = 7};

model::RoundInput input(std::uint64_t round) {
    model::RoundInput in;
    in.round = round;
    in.now = {seconds(3 * static_cast<std::int64_t>(round)).us};
    in.snapshot.round = round;
    for (std::uint64_t n = 0; n < 20; ++n) {
        model::NodeRow row;
        row.id = {Name::of("node-" + std::to_string(n))};
        row.cpu_requested_m = static_cast<std::int64_t>(n == round % 20 ? round : n);
        in.snapshot.nodes.insert(row);
    }
    return in;
}

model::Decision decision(std::uint64_t round) {
    model::Decision out;
    out.round = round;
    out.verdict.round = round;
    out.verdict.rationale = "because of round " + std::to_string(round);
    return out;
}

model::Memory memory(std::uint64_t round) {
    model::Memory out;
    out.ledger.version = round;
    return out;
}

model::ActionEvent event(std::uint64_t round) {
    return {.action = {1, round}, .at = {static_cast<std::int64_t>(round)}, .what = model::Tick{}};
}

std::unique_ptr<RunWriter> begin(Disk& disk, RecordLevel level = RecordLevel::full) {
    RunHeader header;
    header.scenario = "made-up";
    header.record = level;
    auto writer = RunWriter::create(disk, "run", header, {}, kSmall);
    EXPECT_TRUE(writer) << writer.error().message;
    EXPECT_TRUE((*writer)->keep_start({}));
    return *std::move(writer);
}

void keep(RunWriter& writer, std::uint64_t from, std::uint64_t to) {
    for (std::uint64_t round = from; round <= to; ++round) {
        ASSERT_TRUE(writer.keep_round(input(round), decision(round), memory(round)));
        ASSERT_TRUE(writer.keep_event(event(round)));
    }
}

struct Found {
    std::vector<RoundRecord> rounds;
    std::string digest;
    RunFacts facts;
    std::vector<std::string> gaps;
};

Found read(Disk& disk) {
    Found found;
    auto reader = RunReader::open(disk, "run");
    EXPECT_TRUE(reader) << reader.error().message;
    while (true) {
        auto record = reader->next();
        EXPECT_TRUE(record) << record.error().message;
        if (!record || !*record) break;
        found.rounds.push_back(**std::move(record));
    }
    found.digest = reader->digest();
    found.facts = reader->facts();
    found.gaps = reader->gaps();
    return found;
}

void expect_rounds(const Found& found, std::uint64_t count) {
    ASSERT_EQ(found.rounds.size(), count);
    for (std::uint64_t i = 0; i < count; ++i) {
        const RoundRecord& record = found.rounds[i];
        EXPECT_TRUE(same(record.input, input(i + 1))) << i;
        EXPECT_TRUE(same(record.decision, decision(i + 1))) << i;
        ASSERT_EQ(record.events.size(), 1U) << i;
        EXPECT_EQ(record.events[0], event(i + 1)) << i;
        if (record.memory) EXPECT_EQ(record.memory->ledger.version, i) << i;
    }
}

TEST(Run, gives_back_every_round_across_keyframes_and_segments) {
    fake::Disk disk;
    auto writer = begin(disk);
    keep(*writer, 1, 50);
    ASSERT_TRUE(writer->finish({RunStatus::complete, "", 50}));
    const Found found = read(disk);
    expect_rounds(found, 50);
    EXPECT_EQ(found.facts.status, RunStatus::complete);
    EXPECT_TRUE(found.rounds[0].start);
    EXPECT_GE(std::ranges::count_if(found.rounds, [](auto& r) { return r.memory.has_value(); }), 7);
}

TEST(Run, decisions_alone_can_be_kept) {
    fake::Disk disk;
    auto writer = begin(disk, RecordLevel::decisions);
    keep(*writer, 1, 20);
    ASSERT_TRUE(writer->finish({}));
    const Found found = read(disk);
    ASSERT_EQ(found.rounds.size(), 20U);
    EXPECT_EQ(found.rounds[19].decision.verdict.rationale, "because of round 20");
    EXPECT_TRUE(found.rounds[19].input.snapshot.nodes.empty());
}

TEST(Run, an_input_without_its_decision_does_not_count) {
    fake::Disk disk;
    {
        auto writer = begin(disk);
        keep(*writer, 1, 5);
    }
    {
        JournalOptions options = kSmall;
        options.version = kFormatVersion;
        auto journal = Journal::open(disk, journal_folder("run"), options);
        ASSERT_TRUE(journal);
        const std::string half = encode_difference(input(6), input(5));
        const Entry entry{.kind = static_cast<std::uint8_t>(RunFrame::input), .payload = half};
        ASSERT_TRUE((*journal)->append(std::span(&entry, 1)));
    }
    expect_rounds(read(disk), 5);
    auto writer = RunWriter::resume(disk, "run", nullptr, RecordLevel::full, {.resumed = true},
                                    {input(5), decision(5), memory(5)}, kSmall);
    ASSERT_TRUE(writer);
    keep(**writer, 6, 12);
    expect_rounds(read(disk), 12);
}

TEST(Run, going_on_leaves_the_digest_as_if_nothing_had_happened) {
    fake::Disk whole;
    keep(*begin(whole), 1, 30);
    fake::Disk twice;
    keep(*begin(twice), 1, 13);
    auto writer = RunWriter::resume(twice, "run", nullptr, RecordLevel::full, {.resumed = true},
                                    {input(13), decision(13), memory(13)}, kSmall);
    ASSERT_TRUE(writer);
    keep(**writer, 14, 30);
    const Found found = read(twice);
    EXPECT_EQ(found.digest, read(whole).digest);
    EXPECT_EQ(found.facts.resumed, 1U);
    EXPECT_EQ(found.facts.status, RunStatus::running) << "it was never closed";
}

TEST(Run, the_digest_sees_every_bit_of_inputs_decisions_and_events) {
    fake::Disk one;
    keep(*begin(one), 1, 3);
    const std::string digest = read(one).digest;
    const auto other = [](auto change) {
        fake::Disk disk;
        auto writer = begin(disk);
        keep(*writer, 1, 2);
        model::RoundInput in = input(3);
        model::Decision out = decision(3);
        model::ActionEvent back = event(3);
        change(in, out, back);
        EXPECT_TRUE(writer->keep_round(in, out, memory(3)));
        EXPECT_TRUE(writer->keep_event(back));
        return read(disk).digest;
    };
    EXPECT_EQ(other([](auto&, auto&, auto&) {}), digest);
    EXPECT_NE(other([](auto& in, auto&, auto&) { in.now.us += 1; }), digest);
    EXPECT_NE(other([](auto&, auto& out, auto&) { out.score.score = -0.0; }), digest);
    EXPECT_NE(other([](auto&, auto&, auto& back) { back.at.us += 1; }), digest);
}

TEST(Run, refuses_what_is_not_a_run_and_changes_nothing) {
    fake::Disk disk;
    EXPECT_EQ(RunReader::open(disk, "nowhere").error().code, ErrorCode::denied);
    ASSERT_TRUE(disk.make_directory("run"));
    EXPECT_EQ(RunReader::open(disk, "run").error().code, ErrorCode::denied);
    ASSERT_TRUE(disk.make_directory("run/journal"));
    EXPECT_EQ(RunReader::open(disk, "run").error().code, ErrorCode::malformed);
    ASSERT_TRUE(write_file_atomically(disk, "run/mine", "x"));
    auto refused = RunWriter::create(disk, "run", {}, {}, kSmall);
    ASSERT_FALSE(refused);
    EXPECT_NE(refused.error().message.find("is not empty"), std::string::npos);
    EXPECT_EQ(disk.list("run")->size(), 2U);
}

TEST(Run, is_written_for_as_long_as_its_writer_lives) {
    fake::Disk disk;
    EXPECT_FALSE(is_written(disk, "run")) << "there is none";
    auto writer = begin(disk);
    EXPECT_TRUE(is_written(disk, "run"));
    writer.reset();
    EXPECT_FALSE(is_written(disk, "run"));
}

TEST(Run, a_start_that_died_before_its_header_is_begun_again) {
    fake::Disk whole;
    keep(*begin(whole), 1, 1);
    const std::string path = join(journal_folder("run"), "000001.log");
    const std::string bytes = *read_file(whole, path);
    const std::size_t header = parse_frame(bytes)->size();
    for (const std::size_t kept : {std::size_t{0}, std::size_t{1}, header - 1, header}) {
        fake::Disk disk;
        ASSERT_TRUE(make_directories(disk, journal_folder("run")));
        ASSERT_TRUE(write_file_atomically(disk, path, bytes.substr(0, kept)));
        EXPECT_EQ(*is_unborn(disk, "run"), kept < header) << kept;
        EXPECT_EQ(RunWriter::create(disk, "run", {}, {}, kSmall).has_value(), kept < header);
    }
    EXPECT_FALSE(*is_unborn(whole, "run"));
    EXPECT_FALSE(*is_unborn(whole, "nowhere"));
}

TEST(Run, its_header_is_kept_twice) {
    fake::Disk disk;
    keep(*begin(disk), 1, 20);
    const std::string path = join(journal_folder("run"), "000001.log");
    std::string bytes = *read_file(disk, path);
    bytes[200] = static_cast<char>(bytes[200] ^ 1);
    ASSERT_TRUE(write_file_atomically(disk, path, bytes));
    const Found found = read(disk);
    EXPECT_EQ(found.rounds.size(), 20U);
    EXPECT_EQ(found.gaps.size(), 1U);
    ASSERT_TRUE(disk.remove(header_copy("run")));
    EXPECT_FALSE(RunReader::open(disk, "run"));
}

TEST(Run, what_a_repair_declares_is_said_by_its_rounds_and_not_decided_again) {
    fake::Disk disk;
    keep(*begin(disk), 1, 12);
    const std::string path = join(journal_folder("run"), "000001.log");
    ASSERT_TRUE((*disk.open(path, OpenMode::write))->truncate(3'000));
    auto reader = RunReader::open(disk, "run");
    std::uint64_t last = 0;
    while (const auto round = *reader->next()) last = round->decision.round;
    ASSERT_LT(last, 12U);
    EXPECT_EQ(reader->acknowledged().round, 12U);
    EXPECT_TRUE(reader->acknowledged().exact);
    const auto lost = undeclared(reader->missing());
    ASSERT_EQ(lost.size(), 1U);
    const GapNote note{.epoch = 2,
                       .frames = {{lost[0].first_lost, lost[0].last_lost}},
                       .rounds = {{last + 1, 12}},
                       .acknowledged = 12,
                       .why = {"cut"}};
    Keyframe from{input(last), decision(last), memory(last)};
    from.decision.round = 12;
    ASSERT_TRUE(RunWriter::declare(disk, "run", nullptr, note, from));
    auto writer =
        RunWriter::resume(disk, "run", nullptr, RecordLevel::full, {.resumed = true}, from, kSmall);
    ASSERT_TRUE(writer);
    keep(**writer, 13, 15);
    auto again = RunReader::open(disk, "run");
    std::vector<std::uint64_t> rounds;
    while (const auto round = *again->next()) rounds.push_back(round->decision.round);
    EXPECT_EQ(rounds.size(), last + 3);
    EXPECT_EQ(rounds.back(), 15U);
    EXPECT_TRUE(undeclared(again->missing()).empty());
    EXPECT_EQ(again->facts().epoch, 2U);
    ASSERT_EQ(again->gaps().size(), 1U);
    EXPECT_EQ(again->gaps()[0], "rounds " + std::to_string(last + 1) +
                                    " to 12 are gone: cut; epoch 2 begins behind it");
}

TEST(Run, where_its_end_was_cut_off_its_head_says_how_many_rounds_there_were) {
    fake::Disk disk;
    auto writer = RunWriter::create(disk, "run", {}, {}, {});  // One segment alone.
    ASSERT_TRUE(writer);
    keep(**writer, 1, 40);
    ASSERT_TRUE((*writer)->finish({RunStatus::complete, "", 40}));
    const std::string path = join(journal_folder("run"), "000001.log");
    ASSERT_TRUE((*disk.open(path, OpenMode::write))->truncate(read_file(disk, path)->size() / 2));
    const Found found = read(disk);
    const std::string from = std::to_string(found.rounds.size() + 1);
    ASSERT_EQ(found.gaps.size(), 2U);
    EXPECT_EQ(found.gaps[1], "rounds " + from + " to 40 cannot be read");
    EXPECT_EQ(found.facts.status, RunStatus::running);
    // Events and keyframes are frames, too: without a word on rounds they may have been rounds.
    auto head = read_head(disk, journal_folder("run"));
    ASSERT_TRUE(head && head->round);
    head->round.reset();
    ASSERT_TRUE(write_file_atomically(disk, join(journal_folder("run"), "head"), text_of(*head)));
    const Found less = read(disk);
    ASSERT_EQ(less.gaps.size(), 2U);
    EXPECT_TRUE(less.gaps[1].starts_with("at most rounds " + from + " to ")) << less.gaps[1];
    EXPECT_EQ(less.gaps[1].find(" to 40 "), std::string::npos);
    auto reader = RunReader::open(disk, "run");
    while (*reader->next()) {
    }
    EXPECT_TRUE(reader->end_is_lost());
    EXPECT_FALSE(reader->acknowledged().exact);
}

TEST(Run, rounds_after_damage_go_on_from_the_next_keyframe_and_the_gap_is_named) {
    fake::Disk disk;
    keep(*begin(disk), 1, 40);
    const std::string path = join(journal_folder("run"), "000001.log");
    auto bytes = read_file(disk, path);
    ASSERT_TRUE(bytes);
    auto file = disk.open(path, OpenMode::write);
    ASSERT_TRUE(file);
    const std::uint64_t middle = bytes->size() / 3;
    ASSERT_TRUE((*file)->write(middle, std::string(3, static_cast<char>(~(*bytes)[middle]))));
    const Found found = read(disk);
    EXPECT_LT(found.rounds.size(), 40U);
    ASSERT_FALSE(found.rounds.empty());
    EXPECT_EQ(found.rounds.back().decision.round, 40U);
    EXPECT_TRUE(same(found.rounds.back().input, input(40)));
    ASSERT_EQ(found.gaps.size(), 2U);
    EXPECT_NE(found.gaps[1].find("cannot be read"), std::string::npos);
}

TEST(Run, how_far_it_went_is_known_wherever_it_is_damaged) {
    for (const bool ended : {true, false}) {
        fake::Disk disk;
        RunHeader header;
        header.record = RecordLevel::full;
        auto writer = RunWriter::create(disk, "run", header, {}, {});  // One keyframe alone.
        ASSERT_TRUE(writer);
        keep(**writer, 1, 40);
        const std::string path = join(journal_folder("run"), "000001.log");
        const std::size_t before_end = read_file(disk, path)->find_last_not_of('\0');
        if (ended) ASSERT_TRUE((*writer)->finish({RunStatus::complete, "", 40}));
        writer->reset();
        const auto bytes = read_file(disk, path);
        // After the header and the first keyframe, and before what would be a torn tail.
        for (std::size_t at = before_end / 3; at < before_end * 19 / 20; at += 501) {
            auto file = disk.open(path, OpenMode::write);
            ASSERT_TRUE((*file)->write(at, std::string(1, static_cast<char>(~(*bytes)[at]))));
            const Found found = read(disk);
            EXPECT_LT(found.rounds.size(), 40U) << at;
            EXPECT_EQ(found.facts.last_round, 40U) << "byte " << at << ", ended " << ended;
            EXPECT_EQ(found.facts.last_dropped(), 0U);
            ASSERT_TRUE((*file)->write(at, std::string(1, (*bytes)[at])));
        }
        EXPECT_EQ(read(disk).facts.last_round, 40U);
    }
}

TEST(Run, rounds_that_are_skipped_are_shown_in_passing_and_those_behind_are_the_same) {
    fake::Disk disk;
    keep(*begin(disk), 1, 40);
    auto reader = RunReader::open(disk, "run");
    ASSERT_TRUE(reader);
    std::vector<std::uint64_t> passed;
    reader->skip_to(30, [&](const model::RoundInput& in, const model::Memory*) {
        EXPECT_TRUE(same(in, input(in.round)));
        passed.push_back(in.round);
    });
    for (std::uint64_t round = 30; round <= 40; ++round) {
        const auto record = reader->next();
        ASSERT_TRUE(record && *record);
        EXPECT_TRUE(same((*record)->input, input(round)));
        EXPECT_TRUE(same((*record)->decision, decision(round)));
        EXPECT_EQ((*record)->events.size(), 1U) << round;
    }
    EXPECT_EQ(passed.size(), 29U);
}

TEST(Run, reading_goes_on_from_a_waypoint_as_if_it_had_come_from_the_beginning) {
    fake::Disk disk;
    keep(*begin(disk), 1, 40);
    auto reader = RunReader::open(disk, "run");
    ASSERT_TRUE(reader);
    for (int i = 0; i < 17; ++i) ASSERT_TRUE(reader->next());
    const auto waypoint = reader->waypoint();
    ASSERT_TRUE(waypoint);
    EXPECT_EQ(waypoint->round, 19U) << "round 18 has begun";
    auto later = RunReader::open_at(disk, "run", reader->header(), *waypoint);
    ASSERT_TRUE(later);
    for (std::uint64_t round = 19; round <= 40; ++round) {
        const auto record = later->next();
        ASSERT_TRUE(record && *record) << round;
        EXPECT_TRUE(same((*record)->input, input(round)));
        EXPECT_TRUE(same((*record)->decision, decision(round)));
        EXPECT_EQ((*record)->events.size(), 1U) << round;
    }
}

TEST(Run, the_end_of_a_long_run_is_read_without_the_rest) {
    fake::Disk disk;
    keep(*begin(disk), 1, 40);
    const RunHeader header = RunReader::open(disk, "run")->header();
    auto reader = RunReader::open_at_last(disk, "run", header);
    ASSERT_TRUE(reader && *reader);
    const auto first = (*reader)->next();
    ASSERT_TRUE(first && *first);
    EXPECT_GT((*first)->decision.round, 30U);
    fake::Disk shorter;
    keep(*begin(shorter), 1, 1);
    EXPECT_FALSE(*RunReader::open_at_last(shorter, "run", header)) << "it has its beginning alone";
}

TEST(Run, a_full_disk_stops_the_record_and_says_why) {
    fake::Disk disk;
    auto writer = begin(disk);
    keep(*writer, 1, 3);
    disk.fail_from(disk.calls() + 5, fake::Disk::Fault::full);
    Result<void> kept;
    for (std::uint64_t round = 4; kept && round < 200; ++round) {
        kept = writer->keep_round(input(round), decision(round), memory(round));
    }
    ASSERT_FALSE(kept);
    EXPECT_EQ(disk_fault(kept.error()), DiskFault::full);
    disk.heal();
    EXPECT_FALSE(writer->keep_event(event(4))) << "broken stays broken";
    const auto said = writer->finish({RunStatus::failed, "disk full", 3});
    EXPECT_TRUE(said) << said.error().message;
    EXPECT_EQ(read(disk).facts.status, RunStatus::failed);
}

}  // namespace
}  // namespace parley::store
