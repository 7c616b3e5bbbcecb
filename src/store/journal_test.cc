#include "store/journal.h"

#include "store/journal_kit_test.h"
#include "store/journal_segment.h"

#include <algorithm>
#include <ranges>

namespace parley::store {
namespace {

using Fault = fake::Disk::Fault;

Entry keyframe(std::string_view payload) {
    return {.kind = 0, .payload = payload, .keyframe = true};
}
Entry plain(std::string_view payload) { return {.kind = 1, .payload = payload}; }

std::uint64_t size_of(Disk& disk, const std::string& name) {
    return disk.size(join(kit::kFolder, name)).value();
}

TEST(Journal, a_batch_is_one_write_and_one_sync) {
    fake::Disk disk;
    const auto journal = kit::opened(disk, {});
    const Entry first[] = {keyframe("k")};
    ASSERT_EQ(journal->append(first).value(), 1u);
    const auto calls = disk.calls();
    const auto syncs = disk.syncs();
    const Entry batch[] = {plain("a"), plain("b"), plain("c")};
    ASSERT_EQ(journal->append(batch).value(), 4u);
    EXPECT_EQ(disk.calls(), calls + 2);
    EXPECT_EQ(disk.syncs(), syncs + 1);
    ASSERT_EQ(journal->append_lazily(batch).value(), 7u);
    EXPECT_EQ(disk.syncs(), syncs + 1);
    ASSERT_TRUE(journal->sync());
    EXPECT_EQ(disk.syncs(), syncs + 2);
    ASSERT_TRUE(journal->sync());  // There is nothing left to do.
    EXPECT_EQ(disk.syncs(), syncs + 2);
    EXPECT_EQ(kit::read_all(disk).payloads(),
              (std::vector<std::string>{"k", "a", "b", "c", "a", "b", "c"}));
}

TEST(Journal, begins_every_segment_with_a_keyframe) {
    fake::Disk disk;
    const auto journal = kit::opened(disk);
    kit::fill(*journal, 60);
    const auto names = disk.list(kit::kFolder).value();
    ASSERT_GE(names.size(), 4u);
    for (const std::string& name : names) {
        const std::string bytes = kit::bytes_of(disk, name);
        EXPECT_TRUE(parse_frame(bytes)->header.keyframe) << name;
        EXPECT_LT(bytes.size(), 1200u + 400u + 512u + 1024u) << name;
    }
}

TEST(Journal, is_small_on_disk_once_a_segment_is_done) {
    fake::Disk disk;
    const auto journal = kit::opened(disk);
    kit::fill(*journal, 20);
    const std::string done = kit::bytes_of(disk, "000001.log");
    EXPECT_NE(done.back(), '\0');
    EXPECT_GE(done.size(), 1200u);
    const std::string last =
        segment_name(static_cast<std::uint32_t>(disk.list(kit::kFolder).value().size()));
    const auto filled = size_of(disk, last);
    EXPECT_EQ(filled % 512, 0u);
    ASSERT_TRUE(journal->close());
    EXPECT_LT(size_of(disk, last), filled - 1024);
}

TEST(Journal, wants_a_keyframe_at_the_start_and_when_the_last_is_long_ago) {
    fake::Disk disk;
    JournalOptions options{.segment_bytes = 10'000, .keyframe_bytes = 500, .keyframe_rounds = 3};
    const auto journal = kit::opened(disk, options);
    const Entry key[] = {keyframe("k")};
    const Entry small[] = {plain("p")};  // A frame of 101 bytes.
    EXPECT_TRUE(journal->wants_keyframe());
    ASSERT_TRUE(journal->append(key));
    EXPECT_FALSE(journal->wants_keyframe());
    journal->count_round();
    journal->count_round();
    EXPECT_FALSE(journal->wants_keyframe());
    journal->count_round();
    EXPECT_TRUE(journal->wants_keyframe());
    ASSERT_TRUE(journal->append(key));
    EXPECT_FALSE(journal->wants_keyframe());
    for (int i = 0; i < 4; ++i) ASSERT_TRUE(journal->append(small));
    EXPECT_FALSE(journal->wants_keyframe());  // 404 bytes.
    ASSERT_TRUE(journal->append(small));
    EXPECT_TRUE(journal->wants_keyframe());  // 505 bytes.
    ASSERT_TRUE(journal->append(small));     // A keyframe is wanted, but not required.
    ASSERT_TRUE(journal->append(key));
    EXPECT_FALSE(journal->wants_keyframe());
    EXPECT_EQ(size_of(disk, "000001.log") % 512, 0u);
    EXPECT_EQ(disk.list(kit::kFolder).value().size(), 1u);
}

TEST(Journal, goes_on_where_it_ended) {
    fake::Disk disk;
    std::string head;
    for (int run = 0; run < 5; ++run) {
        const auto journal = kit::opened(disk);
        if (run > 0) {
            EXPECT_EQ(journal->chain_head(), head);
        }
        EXPECT_EQ(journal->report().closed, run % 2 == 1);
        EXPECT_TRUE(journal->wants_keyframe());
        kit::fill(*journal, 7);
        if (run % 2 == 0) {
            EXPECT_TRUE(journal->close());
        }
        head = journal->chain_head();
    }
    const auto content = kit::read_all(disk);
    EXPECT_EQ(content.frames.size(), 35u);
    EXPECT_TRUE(content.report.damage.empty());
    EXPECT_EQ(content.report.chain_head, head);
}

TEST(Journal, one_writer_at_a_time) {
    fake::Disk disk;
    auto journal = kit::opened(disk);
    const auto second = Journal::open(disk, kit::kFolder, kit::tiny());
    ASSERT_FALSE(second);
    EXPECT_EQ(disk_fault(second.error()), DiskFault::taken);
    journal.reset();
    EXPECT_TRUE(Journal::open(disk, kit::kFolder, kit::tiny()));
}

TEST(Journal, is_over_once_closed) {
    fake::Disk disk;
    const auto journal = kit::opened(disk);
    kit::fill(*journal, 1);
    ASSERT_TRUE(journal->close());
    const Entry key[] = {keyframe("k")};
    EXPECT_EQ(journal->append(key).error().message, "the journal in run/journal is closed");
    EXPECT_FALSE(journal->append_last_words(key));
    EXPECT_FALSE(journal->reopen());
    EXPECT_FALSE(journal->close());
    EXPECT_TRUE(Journal::open(disk, kit::kFolder, kit::tiny()));  // Its lock is free.
}

TEST(Journal, an_unused_journal_closes) {
    fake::Disk disk;
    EXPECT_TRUE(kit::opened(disk)->close());
    EXPECT_TRUE(disk.list(kit::kFolder).value().empty());
}

TEST(Journal, refuses_what_is_too_large_and_goes_on) {
    fake::Disk disk;
    const auto journal = kit::opened(disk);
    kit::fill(*journal, 1);
    const std::string_view huge(static_cast<const char*>(nullptr), 0);
    const Entry entry[] = {{.kind = 1, .payload = {huge.data(), kPayloadBytesMax + 1}}};
    EXPECT_EQ(journal->append(entry).error().code, ErrorCode::malformed);
    kit::fill(*journal, 1);
    EXPECT_EQ(kit::read_all(disk).frames.size(), 2u);
}

TEST(Journal, broken_it_stays_broken_with_the_first_reason) {
    fake::Disk disk;
    const auto journal = kit::opened(disk, {});
    kit::fill(*journal, 2);
    disk.fail_at(disk.calls() + 2, Fault::io);
    const Entry entry[] = {plain("lost?")};
    const auto failed = journal->append(entry);
    ASSERT_FALSE(failed);
    const std::string reason =
        "the journal stopped before frame 4: cannot sync run/journal/000001.log: Input/output "
        "error";
    EXPECT_EQ(failed.error().message, reason);
    EXPECT_EQ(journal->append(entry).error().message, reason);
    EXPECT_EQ(journal->append_lazily(entry).error().message, reason);
    EXPECT_EQ(journal->sync().error().message, reason);
    EXPECT_EQ(journal->close().error().message, reason);
    ASSERT_TRUE(journal->reopen());
    EXPECT_FALSE(journal->broken());
    EXPECT_TRUE(journal->append(entry));
}

TEST(Journal, reopening_a_failing_disk_fails) {
    fake::Disk disk;
    const auto journal = kit::opened(disk);
    kit::fill(*journal, 2);
    disk.fail_from(disk.calls() + 1, Fault::io);
    const Entry entry[] = {plain("lost")};
    EXPECT_FALSE(journal->append(entry));
    EXPECT_FALSE(journal->reopen());
    EXPECT_TRUE(journal->broken());
    EXPECT_FALSE(journal->append_last_words(entry));
    disk.heal();
    EXPECT_TRUE(journal->reopen());
    EXPECT_EQ(kit::read_all(disk).payloads(),
              (std::vector<std::string>{kit::payload_of(1), kit::payload_of(2)}));
}

TEST(Journal, records_the_stop_when_the_disk_is_full) {
    for (std::uint64_t capacity = 1000; capacity < 8000; capacity += 97) {
        SCOPED_TRACE(capacity);
        fake::Disk disk;
        disk.set_capacity(capacity);
        const auto journal = kit::opened(disk);
        Result<std::uint64_t> appended = 0;
        while (appended) {
            const std::string payload = kit::payload_of(journal->next_sequence());
            const Entry entry[] = {journal->wants_keyframe() ? keyframe(payload) : plain(payload)};
            appended = journal->append(entry);
        }
        EXPECT_EQ(disk_fault(appended.error()), DiskFault::full);
        const auto before = kit::read_all(disk);
        const std::string stop(600, 's');
        const Entry words[] = {plain(stop), plain("stopped: disk full")};
        const auto recorded = journal->append_last_words(words);
        if (before.frames.empty()) {  // There was never room for the reserve.
            EXPECT_FALSE(recorded);
            continue;
        }
        ASSERT_TRUE(recorded) << recorded.error().message;
        const auto after = kit::read_all(*disk.power_cut(1));
        EXPECT_EQ(after.frames.back().payload, "stopped: disk full");
        EXPECT_EQ(after.frames.size(), before.frames.size() + 2);
        EXPECT_TRUE(after.report.damage.empty());
        EXPECT_TRUE(journal->broken());
        EXPECT_EQ(journal->append(words).error(), appended.error());

        disk.set_capacity(100'000);
        ASSERT_TRUE(journal->reopen());
        kit::fill(*journal, 20);
        EXPECT_EQ(kit::read_all(disk).frames.size(), before.frames.size() + 22);
    }
}

TEST(Journal, last_words_of_a_sound_journal_are_plain_ones) {
    fake::Disk disk;
    const auto journal = kit::opened(disk);
    const Entry words[] = {plain("stopped before anything began")};
    ASSERT_TRUE(journal->append_last_words(words));
    ASSERT_TRUE(journal->append_last_words(words));
    EXPECT_FALSE(journal->broken());
    EXPECT_EQ(kit::read_all(disk).frames.size(), 2u);
}

/// Two segments, the second with a torn or broken place; opened again for writing.
struct Reopened {
    fake::Disk disk;
    std::string last;               ///< Name of the last segment,
    std::string good;               ///< its bytes,
    std::vector<std::size_t> ends;  ///< and where its frames end.
    kit::Content before;

    Reopened() {
        const auto journal = kit::opened(disk);
        kit::fill(*journal, 14);
        last = disk.list(kit::kFolder).value().back();
        good = kit::bytes_of(disk, last);
        SegmentWalker walker(good, {1, 0, 0, std::nullopt}, {}, false, 1);
        while (walker.next()) ends.push_back(walker.position().offset);
        before = kit::read_all(disk);
    }
};

TEST(Journal, cuts_a_torn_tail_when_opened) {
    Reopened run;
    ASSERT_GE(run.ends.size(), 3u);
    // Any part of the next frame may be there; here, of one like the last.
    const std::size_t begin = run.ends[run.ends.size() - 2];
    const std::string frame = run.good.substr(begin, run.ends.back() - begin);
    for (std::size_t length = 1; length <= frame.size(); length += 5) {
        std::string torn = run.good;
        torn.replace(run.ends.back(), length, frame.substr(0, length));
        torn.resize(run.good.size());
        kit::overwrite(run.disk, run.last, torn);
        const auto journal = kit::opened(run.disk);
        EXPECT_TRUE(journal->report().damage.empty());
        EXPECT_GT(journal->report().torn_bytes, 0u);
        EXPECT_EQ(kit::bytes_of(run.disk, run.last), run.good);
        EXPECT_EQ(kit::read_all(run.disk).frames, run.before.frames);
    }
}

TEST(Journal, leaves_a_broken_middle_as_it_is_and_goes_on_behind_it) {
    Reopened run;
    std::string bad = run.good;
    bad[run.ends[0] + 20] = static_cast<char>(bad[run.ends[0] + 20] ^ 4);
    kit::overwrite(run.disk, run.last, bad);
    const auto names = run.disk.list(kit::kFolder).value();
    {
        const auto journal = kit::opened(run.disk);
        ASSERT_EQ(journal->report().damage.size(), 1u);
        EXPECT_EQ(journal->report().damage[0].offset, run.ends[0]);
        EXPECT_EQ(journal->report().damage[0].length, run.ends[1] - run.ends[0]);
        EXPECT_EQ(journal->report().damage[0].first_lost, journal->report().damage[0].last_lost);
        EXPECT_EQ(journal->report().damage[0].why, "the checksum does not match");
        kit::fill(*journal, 3);
        ASSERT_TRUE(journal->close());
    }
    EXPECT_EQ(kit::bytes_of(run.disk, run.last), bad);
    EXPECT_EQ(run.disk.list(kit::kFolder).value().size(), names.size() + 1);
    const auto journal = kit::opened(run.disk);
    EXPECT_EQ(journal->report().damage.size(), 1u);  // Damage stays in the report for ever.
    EXPECT_EQ(kit::read_all(run.disk).frames.size(), run.before.frames.size() - 1 + 3);
}

TEST(Journal, opens_whatever_bit_flips_and_hides_nothing) {
    const Reopened run;
    for (std::size_t bit = 0; bit < run.ends.back() * 8; bit += 3) {
        SCOPED_TRACE(bit);
        const auto disk = run.disk.power_cut(0);  // A copy: all is durable.
        std::string bad = run.good;
        bad[bit / 8] = static_cast<char>(bad[bit / 8] ^ (1 << bit % 8));
        kit::overwrite(*disk, run.last, bad);
        const auto before = kit::read_all(*disk);
        const auto journal = kit::opened(*disk);
        ASSERT_NE(journal, nullptr);
        EXPECT_EQ(journal->report().damage, before.report.damage);
        const bool in_last = bit / 8 >= run.ends[run.ends.size() - 2];
        EXPECT_EQ(journal->report().torn_bytes > 0, in_last);
        EXPECT_EQ(journal->report().damage.size(), in_last ? 0u : 1u);
        kit::fill(*journal, 1);
        const auto after = kit::read_all(*disk);
        EXPECT_EQ(after.report.damage, before.report.damage);
        ASSERT_EQ(after.frames.size(), before.frames.size() + 1);
        EXPECT_TRUE(std::ranges::equal(before.frames,
                                       after.frames | std::views::take(before.frames.size())));
        if (!in_last) {
            EXPECT_EQ(kit::bytes_of(*disk, run.last), bad);
        }
    }
}

// An unfinished frame used to come back with the next segment, and hid that segment's acknowledged
// frames.
TEST(Journal, an_unfinished_frame_behind_damage_does_not_come_back) {
    fake::Disk disk;
    ASSERT_TRUE(make_directories(disk, kit::kFolder));
    FrameEncoder encoder(1, 64);
    Digest chain{};
    std::string bytes(80, '\0');  // Damage: zeros where frames must be.
    for (const std::uint32_t sequence : {1U, 2U}) {
        FrameHeader header;
        header.sequence = sequence;
        header.version = 1;
        header.keyframe = true;
        encoder.encode(bytes, header, "old", chain);
        bytes.append(80, '\0');  // A hole: no frame attests that what follows is durable.
    }
    kit::overwrite(disk, segment_name(1), bytes);
    {
        const auto journal = kit::opened(disk);
        EXPECT_EQ(journal->report().last_sequence, 1u);
        EXPECT_EQ(journal->report().damage.size(), 1u);
        EXPECT_GT(journal->report().torn_bytes, 0u);
        EXPECT_EQ(kit::read_all(disk).payloads(), std::vector<std::string>{"old"});
        kit::fill(*journal, 2);
        ASSERT_TRUE(journal->close());
    }
    const auto after = kit::read_all(disk);
    EXPECT_EQ(after.payloads(),
              (std::vector<std::string>{"old", kit::payload_of(2), kit::payload_of(3)}));
    EXPECT_EQ(after.report.damage.size(), 1u);
    EXPECT_EQ(find_last_keyframe(disk, kit::kFolder).value()->segment, 2u);
}

// Only the later segment attested that the frame after the damage is durable.
TEST(Journal, opening_twice_behind_damage_finds_the_same) {
    fake::Disk disk;
    ASSERT_TRUE(make_directories(disk, kit::kFolder));
    FrameEncoder encoder(1, 64);
    Digest chain{};
    for (const std::uint32_t number : {1U, 2U}) {
        FrameHeader header;
        header.sequence = number;
        header.version = 1;
        header.keyframe = true;
        std::string bytes(80, '\0');  // Of the first damage, of the second a torn beginning.
        encoder.encode(bytes, header, "old", chain);
        kit::overwrite(disk, segment_name(number), bytes);
    }
    for (int i = 0; i < 2; ++i) {
        const auto journal = kit::opened(disk);
        EXPECT_EQ(journal->report().damage.size(), 1u);
        EXPECT_EQ(kit::read_all(disk).payloads(), std::vector<std::string>{"old"});
    }
    kit::fill(*kit::opened(disk), 2);
    EXPECT_EQ(kit::read_all(disk).payloads(),
              (std::vector<std::string>{"old", kit::payload_of(2), kit::payload_of(3)}));
    EXPECT_EQ(kit::bytes_of(disk, segment_name(2)).size(), 80u + kFrameHeaderBytes + 3);
}

// Its number was used again, and then nothing showed that a frame had been changed.
TEST(Journal, the_number_of_a_forged_frame_stays_taken) {
    fake::Disk disk;
    ASSERT_TRUE(make_directories(disk, kit::kFolder));
    FrameEncoder encoder(1, 64);
    Digest chain{};
    Digest other{1};
    std::string bytes;
    for (const std::uint32_t sequence : {1U, 2U, 3U}) {
        FrameHeader header;
        header.sequence = sequence;
        header.version = 1;
        header.keyframe = sequence == 1;
        encoder.encode(bytes, header, "old", sequence == 2 ? other : chain);
    }
    kit::overwrite(disk, segment_name(1), bytes);
    const auto before = kit::read_all(disk);
    ASSERT_EQ(kit::damage_of(before.report).size(), 1u);
    kit::fill(*kit::opened(disk), 1);
    const auto after = kit::read_all(disk);
    EXPECT_EQ(after.report.damage, before.report.damage);
    EXPECT_EQ(after.payloads(), (std::vector<std::string>{"old", kit::payload_of(3)}));
}

// Clearing the torn bytes removed what attested that the frames after the damage are durable.
TEST(Journal, opening_twice_with_damage_in_an_earlier_segment_finds_the_same) {
    fake::Disk disk;
    ASSERT_TRUE(make_directories(disk, kit::kFolder));
    FrameEncoder encoder(1, 64);
    Digest chain{};
    std::string bytes;
    for (const std::uint32_t sequence : {1U, 2U, 3U}) {
        FrameHeader header;
        header.sequence = sequence;
        header.pending = sequence == 2 ? 1 : 0;
        header.version = 1;
        header.keyframe = true;
        encoder.encode(bytes, header, "old", chain);
        if (sequence == 1)
            kit::overwrite(disk, segment_name(1), std::exchange(bytes, "").substr(9));
        if (sequence == 2) bytes.append(80, '\0');  // A hole: frame 3 was never finished.
    }
    kit::overwrite(disk, segment_name(2), bytes);
    for (int i = 0; i < 2; ++i) {
        const auto journal = kit::opened(disk);
        EXPECT_EQ(journal->report().last_sequence, 2u);
        EXPECT_EQ(kit::damage_of(journal->report()).size(), 1u);
    }
    kit::fill(*kit::opened(disk), 1);
    EXPECT_EQ(kit::read_all(disk).payloads(),
              (std::vector<std::string>{"old", kit::payload_of(3)}));
}

// After the highest number a reader took any frame for the next one.
TEST(Journal, a_forged_last_number_ends_it_with_a_reason) {
    fake::Disk disk;
    ASSERT_TRUE(make_directories(disk, kit::kFolder));
    FrameEncoder encoder(1, 64);
    Digest chain{};
    std::string bytes;
    FrameHeader header;
    header.sequence = kSequenceMax;
    header.version = 1;
    header.keyframe = true;
    encoder.encode(bytes, header, "forged", chain);
    kit::overwrite(disk, segment_name(1), bytes);
    const auto journal = kit::opened(disk);
    EXPECT_EQ(journal->report().last_sequence, kSequenceMax);
    EXPECT_EQ(journal->report().damage.size(), 1u);
    const Entry entry{.kind = 1, .payload = "more", .keyframe = true};
    const auto appended = journal->append({&entry, 1});
    ASSERT_FALSE(appended.has_value());
    EXPECT_EQ(appended.error().code, ErrorCode::malformed);
    EXPECT_EQ(kit::read_all(disk).payloads(), std::vector<std::string>{"forged"});
}

TEST(Journal, puts_aside_a_segment_without_a_frame) {
    Reopened run;
    const std::string next = segment_name(*segment_number(run.last) + 1);
    kit::overwrite(run.disk, next, "nothing that anybody wrote");
    const auto journal = kit::opened(run.disk);
    EXPECT_EQ(journal->report().torn_bytes, 26u);
    EXPECT_EQ(kit::bytes_of(run.disk, next + ".torn"), "nothing that anybody wrote");
    kit::fill(*journal, 20);
    EXPECT_EQ(kit::read_all(run.disk).frames.size(), run.before.frames.size() + 20);
}

TEST(Journal, stops_for_good_when_its_file_is_not_under_its_name_any_more) {
    fake::Disk disk;
    const auto journal = kit::opened(disk);
    kit::fill(*journal, 3);
    const std::string path = join(kit::kFolder, segment_name(1));
    ASSERT_TRUE(disk.rename(path, path + ".moved"));
    const Entry entry[] = {plain("p")};
    EXPECT_EQ(journal->append(entry).error().code, ErrorCode::gone);
    // Whatever is there now belongs to somebody else.
    fake::Disk other;
    kit::fill(*kit::opened(other), 9);
    kit::overwrite(disk, segment_name(1), kit::bytes_of(other, segment_name(1)));
    const std::string before = kit::bytes_of(disk, segment_name(1));
    EXPECT_EQ(journal->append(entry).error().code, ErrorCode::gone);
    EXPECT_FALSE(journal->append_last_words(entry));
    EXPECT_FALSE(journal->reopen());
    EXPECT_EQ(kit::bytes_of(disk, segment_name(1)), before);
}

TEST(Journal, stops_for_good_when_its_file_was_cut) {
    // Also where the next entry needs new room, which would hide it.
    for (const std::uint64_t entries : {1U, 2U, 3U, 4U, 5U, 6U}) {
        fake::Disk disk;
        const auto journal = kit::opened(disk);
        kit::fill(*journal, entries);
        kit::overwrite(disk, segment_name(1), "");
        const Entry entry[] = {plain(std::string_view("p"))};
        EXPECT_EQ(journal->append(entry).error().code, ErrorCode::gone) << entries;
        EXPECT_EQ(kit::bytes_of(disk, segment_name(1)), "") << entries;
        EXPECT_FALSE(journal->append_last_words(entry));
        EXPECT_FALSE(journal->reopen());
    }
}

TEST(Journal, does_not_go_on_behind_less_than_it_acknowledged) {
    fake::Disk disk;
    const auto journal = kit::opened(disk);
    kit::fill(*journal, 3);
    disk.fail_at(disk.calls() + 1, fake::Disk::Fault::io);
    const Entry entry[] = {plain("p")};
    ASSERT_FALSE(journal->append(entry));
    kit::overwrite(disk, segment_name(1), "");
    for (int i = 0; i < 2; ++i) EXPECT_EQ(journal->reopen().error().code, ErrorCode::gone);
    EXPECT_FALSE(journal->append_last_words(entry));
}

TEST(Journal, leaves_out_the_numbers_of_what_was_lost) {
    fake::Disk disk;
    const auto journal = kit::opened(disk);
    kit::fill(*journal, 3);
    const std::string chain(64, 'b');
    journal->skip_lost({.sequence = 3, .chain = chain});
    EXPECT_EQ(journal->next_sequence(), 4u);
    journal->skip_lost({.sequence = 7, .chain = chain});
    EXPECT_EQ(journal->next_sequence(), 8u);
    EXPECT_EQ(journal->chain_head(), chain);
    const Entry entry[] = {plain("p")};
    ASSERT_TRUE(journal->append(entry));
    const auto content = kit::read_all(disk);
    EXPECT_EQ(content.frames.back().sequence, 8u);
    ASSERT_EQ(content.report.damage.size(), 1u);
    EXPECT_EQ(content.report.damage[0].first_lost, 4u);
    EXPECT_EQ(content.report.damage[0].last_lost, 7u);
}

TEST(JournalDeathTest, a_segment_cannot_begin_without_a_keyframe) {
    fake::Disk disk;
    const auto journal = kit::opened(disk);
    const Entry entry[] = {plain("p")};
    EXPECT_DEATH((void)journal->append(entry), "broken invariant");
    EXPECT_DEATH((void)journal->append({}), "broken invariant");
}

TEST(Journal, works_on_the_real_disk) {
    std::string pattern = ::testing::TempDir() + "parley-journal-XXXXXX";
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    const std::string folder = join(pattern, "journal");
    Disk& disk = real_disk();
    for (int run = 0; run < 2; ++run) {
        auto journal = Journal::open(disk, folder, {}).value();
        const std::string payload(5000, 'p');
        const Entry entries[] = {keyframe(payload), plain("p")};
        ASSERT_TRUE(journal->append(entries));
        EXPECT_EQ(disk.size(join(folder, "000001.log")).value(), std::uint64_t{17} << 20);
        ASSERT_TRUE(journal->close());
        EXPECT_LT(disk.size(join(folder, "000001.log")).value(), 2000u);
    }
    auto reader = JournalReader::open(disk, folder).value();
    while (reader.next().value()) {
    }
    EXPECT_EQ(reader.report().frames, 6u);
    EXPECT_TRUE(reader.report().closed);
    for (const char* name : {"journal/000001.log", "journal/lock", "journal", ""}) {
        EXPECT_TRUE(disk.remove(join(pattern, name)));
    }
}

}  // namespace
}  // namespace parley::store
