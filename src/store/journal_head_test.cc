#include "store/journal_head.h"

#include "fake/disk.h"
#include "store/journal.h"
#include "store/journal_reader.h"

#include <gtest/gtest.h>

namespace parley::store {
namespace {

const std::string kChain(64, 'a');

TEST(JournalHead, IsOneLineOfFixedLengthAndReadBack) {
    for (const std::uint64_t sequence : {std::uint64_t{0}, std::uint64_t{7}, UINT64_MAX}) {
        const JournalHead head{sequence, kChain};
        EXPECT_EQ(text_of(head).size(), text_of(JournalHead{1, kChain}).size());
        EXPECT_EQ(parse_head(text_of(head)), head);
        const JournalHead counted{7, kChain, sequence};
        EXPECT_EQ(text_of(counted).size(), text_of(JournalHead{1, kChain, 1}).size());
        EXPECT_EQ(parse_head(text_of(counted)), counted);
    }
}

TEST(JournalHead, WhateverBitChangedItIsNoneAnyMore) {
    for (const JournalHead& head : {JournalHead{120, kChain}, JournalHead{120, kChain, 48}}) {
        const std::string text = text_of(head);
        for (std::size_t bit = 0; bit < 8 * text.size(); ++bit) {
            std::string flipped = text;
            flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1 << (bit % 8)));
            EXPECT_FALSE(parse_head(flipped)) << bit;
        }
        EXPECT_FALSE(parse_head(text + " "));
    }
    EXPECT_FALSE(parse_head(""));
}

/// Writes four acknowledged frames, then reads the journal with the given head.
std::vector<Damage> damage_with(const JournalHead& head) {
    fake::Disk disk;
    auto journal = Journal::open(disk, "journal");
    for (int i = 0; i < 4; ++i) {
        const Entry entries[] = {{.kind = 1, .payload = "x", .keyframe = i == 0}};
        EXPECT_TRUE((*journal)->append(entries));
    }
    JournalHead written = head;
    if (written.chain.empty()) written.chain = (*journal)->chain_head();
    auto writer = HeadWriter::open(disk, "journal");
    EXPECT_TRUE(writer->write(written));
    auto reader = JournalReader::open(disk, "journal");
    while (*reader->next()) {
    }
    EXPECT_FALSE(*reader->next());  // What is missing is reported once.
    return reader->report().damage;
}

TEST(JournalHead, WhatWasAcknowledgedAndIsNotThereIsDamage) {
    EXPECT_TRUE(damage_with({.sequence = 4, .chain = {}}).empty());
    EXPECT_TRUE(damage_with({.sequence = 0, .chain = kChain}).empty());
    const auto other = damage_with({.sequence = 4, .chain = kChain});
    ASSERT_EQ(other.size(), 1U);
    EXPECT_EQ(other[0].first_lost, 4U);
    const auto more = damage_with({.sequence = 6, .chain = kChain});
    ASSERT_EQ(more.size(), 1U);
    EXPECT_EQ(more[0].first_lost, 5U);
    EXPECT_EQ(more[0].last_lost, 6U);
}

}  // namespace
}  // namespace parley::store
