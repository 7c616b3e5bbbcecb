#include "store/journal_reader.h"

#include "store/journal_kit_test.h"

#include <algorithm>
#include <cstring>

namespace parley::store {
namespace {

std::unique_ptr<fake::Disk> written(std::uint64_t entries, bool close = true) {
    auto disk = std::make_unique<fake::Disk>();
    const auto journal = kit::opened(*disk);
    kit::fill(*journal, entries);
    if (close) {
        EXPECT_TRUE(journal->close());
    }
    return disk;
}

/// Every frame found is one of the whole journal, unchanged and in order.
bool is_part(const std::vector<Frame>& found, const std::vector<Frame>& whole) {
    auto at = whole.begin();
    for (const Frame& frame : found) {
        at = std::find(at, whole.end(), frame);
        if (at++ == whole.end()) return false;
    }
    return true;
}

/// Either nothing is lost, or the report says that something may be.
void check_no_silent_loss(const kit::Content& content, const kit::Content& whole,
                          const std::string& what) {
    ASSERT_EQ(content.error, "") << what;
    ASSERT_TRUE(is_part(content.frames, whole.frames)) << what;
    const Report& report = content.report;
    const bool told = !report.damage.empty() || report.torn_bytes > 0 || !report.closed;
    ASSERT_TRUE(told || content.frames == whole.frames) << what;
}

TEST(JournalReader, nothing_is_an_empty_journal) {
    fake::Disk disk;
    const auto content = kit::read_all(disk);
    EXPECT_EQ(content.error, "");
    EXPECT_TRUE(content.frames.empty());
    EXPECT_EQ(content.report.last_sequence, 0u);
    EXPECT_FALSE(content.report.closed);
    EXPECT_EQ(find_last_keyframe(disk, kit::kFolder).value(), std::nullopt);
}

TEST(JournalReader, reads_all_segments_in_order) {
    const auto disk = written(30);
    const auto content = kit::read_all(*disk);
    ASSERT_EQ(content.frames.size(), 30u);
    for (std::uint64_t i = 0; i < 30; ++i) {
        const Frame& frame = content.frames[i];
        EXPECT_EQ(frame.sequence, i + 1);
        EXPECT_EQ(frame.payload, kit::payload_of(i + 1));
        EXPECT_EQ(frame.version, 1u);
        EXPECT_EQ(frame.keyframe, frame.kind == 0);
    }
    EXPECT_EQ(content.report.frames, 31u);  // Including the closing frame.
    EXPECT_EQ(content.report.last_sequence, 31u);
    EXPECT_TRUE(content.report.closed);
    EXPECT_EQ(content.report.chain_head.size(), 64u);
}

TEST(JournalReader, every_bit_that_flips_is_seen) {
    const auto disk = written(22);
    const auto whole = kit::read_all(*disk);
    std::uint64_t flips = 0;
    const auto names = disk->list(kit::kFolder).value();
    ASSERT_GE(names.size(), 3u);
    for (const std::string& name : names) {
        const std::string good = kit::bytes_of(*disk, name);
        for (std::size_t bit = 0; bit < good.size() * 8; ++bit, ++flips) {
            std::string bad = good;
            bad[bit / 8] = static_cast<char>(bad[bit / 8] ^ (1 << bit % 8));
            kit::overwrite(*disk, name, bad);
            const auto content = kit::read_all(*disk);
            check_no_silent_loss(content, whole, name + " bit " + std::to_string(bit));
            // Every bit belongs to a frame, so exactly that frame is missing.
            ASSERT_LT(content.frames.size() + (content.report.closed ? 1 : 0),
                      whole.frames.size() + 1);
            if (HasFatalFailure()) return;
        }
        kit::overwrite(*disk, name, good);
    }
    EXPECT_GT(flips, 16'000u);
}

TEST(JournalReader, every_cut_is_seen) {
    const auto disk = written(22);
    const auto whole = kit::read_all(*disk);
    const auto names = disk->list(kit::kFolder).value();
    ASSERT_GE(names.size(), 3u);
    for (const std::string& name : names) {
        const std::string good = kit::bytes_of(*disk, name);
        for (std::size_t length = 0; length < good.size(); ++length) {
            kit::overwrite(*disk, name, good.substr(0, length));
            const auto content = kit::read_all(*disk);
            check_no_silent_loss(content, whole, name + std::to_string(length));
            ASSERT_FALSE(content.report.damage.empty() && content.report.closed);
            if (HasFatalFailure()) return;
        }
        kit::overwrite(*disk, name, good);
    }
}

TEST(JournalReader, parts_of_a_segment_tell_what_the_whole_tells) {
    const auto disk = written(22);
    const auto names = disk->list(kit::kFolder).value();
    for (const std::string& name : names) {
        const std::string good = kit::bytes_of(*disk, name);
        for (std::size_t at = 0; at < good.size(); at += 37) {
            std::string flipped = good;
            flipped[at] = static_cast<char>(flipped[at] ^ 1);
            for (const std::string& bytes : {good.substr(0, at), flipped}) {
                kit::overwrite(*disk, name, bytes);
                const auto whole = kit::read_all(*disk);
                for (const std::uint64_t part : {1U, 150U, 700U}) {
                    const auto content = kit::read_all(*disk, {.part_bytes = part});
                    ASSERT_EQ(content.frames, whole.frames) << name << at;
                    ASSERT_EQ(kit::damage_of(content.report), kit::damage_of(whole.report));
                    ASSERT_EQ(content.report.torn_bytes, whole.report.torn_bytes);
                    ASSERT_EQ(content.report.closed, whole.report.closed);
                }
            }
        }
        kit::overwrite(*disk, name, good);
    }
}

TEST(JournalReader, a_missing_segment_is_named) {
    for (const std::uint32_t missing : {1u, 2u}) {
        const auto disk = written(30);
        ASSERT_TRUE(disk->remove(join(kit::kFolder, segment_name(missing))));
        const auto content = kit::read_all(*disk);
        ASSERT_EQ(content.report.damage.size(), 1u);
        const Damage& damage = content.report.damage.front();
        EXPECT_EQ(damage.segment, missing + 1);
        EXPECT_EQ(damage.last_lost - damage.first_lost + 1 + content.frames.size(), 30u);
    }
}

TEST(JournalReader, swapped_segments_are_seen) {
    const auto disk = written(30);
    const std::string first = kit::bytes_of(*disk, "000001.log");
    kit::overwrite(*disk, "000001.log", kit::bytes_of(*disk, "000002.log"));
    kit::overwrite(*disk, "000002.log", first);
    const auto content = kit::read_all(*disk);
    EXPECT_FALSE(content.report.damage.empty());
}

TEST(JournalReader, a_payload_that_does_not_match_its_digest_is_damage) {
    const auto disk = written(3);
    std::string bytes = kit::bytes_of(*disk, "000001.log");
    const std::size_t size = parse_frame(bytes)->size();
    bytes[110] = 'x';  // In the payload; then the checksum is made right again.
    const auto frame = std::string_view(bytes).substr(0, size);
    const std::uint32_t checksum = crc32c(frame.substr(8), crc32c(frame.substr(0, 4)));
    std::memcpy(bytes.data() + 4, &checksum, sizeof checksum);
    kit::overwrite(*disk, "000001.log", bytes);
    const auto content = kit::read_all(*disk);
    EXPECT_EQ(content.frames.size(), 2u);
    EXPECT_EQ(kit::damage_of(content.report),
              std::vector<std::string>{
                  "segment 000001, bytes 0 to 143: frame 1 is lost: the payload of frame 1 does "
                  "not match its digest"});
}

TEST(JournalReader, refuses_what_a_newer_program_wrote) {
    fake::Disk disk;
    auto options = kit::tiny();
    options.version = 4;
    kit::fill(*kit::opened(disk, options), 3);
    EXPECT_EQ(kit::read_all(disk).error,
              "cannot read run/journal/000001.log: the frame at byte 0 has version 4, and this "
              "program reads versions up to 1: use a newer parley");
    EXPECT_EQ(kit::read_all(disk, {.version_max = 4}).frames.size(), 3u);
    const auto refused = Journal::open(disk, kit::kFolder, kit::tiny());
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::denied);
    EXPECT_FALSE(find_last_keyframe(disk, kit::kFolder));
}

TEST(JournalReader, can_begin_at_any_place_it_has_been) {
    const auto disk = written(30);
    const auto whole = kit::read_all(*disk);
    auto reader = JournalReader::open(*disk, kit::kFolder).value();
    for (std::size_t read = 0; read <= whole.frames.size(); ++read) {
        const auto rest = kit::read_all(*disk, {.version_max = 1, .from = reader.position()});
        EXPECT_TRUE(rest.report.damage.empty());
        EXPECT_EQ(rest.frames,
                  std::vector<Frame>(whole.frames.begin() + static_cast<std::ptrdiff_t>(read),
                                     whole.frames.end()));
        ASSERT_TRUE(reader.next());
    }
}

TEST(JournalReader, finds_the_last_keyframe) {
    for (std::uint64_t entries = 1; entries <= 30; ++entries) {
        const auto disk = written(entries);
        const auto whole = kit::read_all(*disk);
        const auto last = std::find_if(whole.frames.rbegin(), whole.frames.rend(),
                                       [](const Frame& frame) { return frame.keyframe; });
        const auto found = find_last_keyframe(*disk, kit::kFolder).value();
        ASSERT_TRUE(found);
        EXPECT_EQ(found->sequence, last->sequence);
        const auto rest = kit::read_all(*disk, {.version_max = 1, .from = *found});
        EXPECT_EQ(rest.frames.front(), *last);
        EXPECT_EQ(rest.frames.back(), whole.frames.back());
        EXPECT_TRUE(rest.report.damage.empty());
    }
}

TEST(JournalReader, finds_an_earlier_keyframe_if_the_last_is_damaged) {
    const auto disk = written(30);
    const auto last = find_last_keyframe(*disk, kit::kFolder).value();
    ASSERT_TRUE(last);
    const std::string name = segment_name(last->segment);
    std::string bytes = kit::bytes_of(*disk, name);
    bytes[last->offset + 50] = static_cast<char>(bytes[last->offset + 50] ^ 1);
    kit::overwrite(*disk, name, bytes);
    const auto earlier = find_last_keyframe(*disk, kit::kFolder).value();
    ASSERT_TRUE(earlier);
    EXPECT_LT(earlier->sequence, last->sequence);
}

TEST(JournalReader, fails_if_the_disk_does_and_skips_nothing) {
    const auto disk = written(30);
    auto reader = JournalReader::open(*disk, kit::kFolder).value();
    ASSERT_TRUE(disk->rename("run/journal/000002.log", "run/journal/hidden"));
    std::uint64_t read = 0;
    auto frame = reader.next();
    for (; frame && *frame; frame = reader.next()) ++read;
    ASSERT_FALSE(frame);
    EXPECT_EQ(disk_fault(frame.error()), DiskFault::missing);
    EXPECT_FALSE(reader.next());
    ASSERT_TRUE(disk->rename("run/journal/hidden", "run/journal/000002.log"));
    for (frame = reader.next(); frame && *frame; frame = reader.next()) ++read;
    EXPECT_EQ(read, 30u);
}

TEST(JournalReader, reads_beside_a_writer) {
    fake::Disk disk;
    const auto journal = kit::opened(disk);
    for (std::uint64_t i = 1; i <= 20; ++i) {
        kit::fill(*journal, 1);
        const auto content = kit::read_all(disk);
        EXPECT_EQ(content.frames.size(), i);
        EXPECT_EQ(content.report.torn_bytes, 0u);
        EXPECT_FALSE(content.report.closed);
        EXPECT_EQ(content.report.chain_head, journal->chain_head());
    }
}

}  // namespace
}  // namespace parley::store
