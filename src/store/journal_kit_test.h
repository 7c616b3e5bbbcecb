// Store, for tests: small journals on a fake disk, and a function that reads everything from them.

#pragma once

#include "fake/disk.h"
#include "store/journal.h"
#include "store/journal_reader.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

namespace parley::store::kit {

inline const std::string kFolder = "run/journal";

/// So small that nearly every batch crosses the end of a segment or buffer.
inline JournalOptions tiny() {
    return {.segment_bytes = 1200,
            .fill_bytes = 512,
            .reserve_bytes = 1024,
            .keyframe_bytes = 900,
            .keyframe_rounds = 4,
            .compress_above = 64};
}

/// Payloads of various lengths, some of which get compressed.
inline std::string payload_of(std::uint64_t number) {
    return "entry " + std::to_string(number) + std::string(number * 37 % 150, '.');
}

inline std::unique_ptr<Journal> opened(Disk& disk, JournalOptions options = tiny()) {
    auto journal = Journal::open(disk, kFolder, options);
    EXPECT_TRUE(journal.has_value()) << (journal ? "" : journal.error().message);
    return journal ? std::move(*journal) : nullptr;
}

struct Content {
    std::vector<Frame> frames;
    Report report;
    std::string error;

    std::vector<std::string> payloads() const {
        std::vector<std::string> texts;
        for (const Frame& frame : frames) texts.push_back(frame.payload);
        return texts;
    }
};

inline Content read_all(Disk& disk, ReaderOptions options = {}) {
    Content content;
    auto reader = JournalReader::open(disk, kFolder, options);
    if (!reader) return {{}, {}, reader.error().message};
    while (true) {
        auto frame = reader->next();
        if (!frame) content.error = frame.error().message;
        if (!frame || !*frame) break;
        content.frames.push_back(std::move(**frame));
    }
    content.report = reader->report();
    return content;
}

inline std::vector<std::string> damage_of(const Report& report) {
    std::vector<std::string> texts;
    for (const Damage& damage : report.damage) texts.push_back(text_of(damage));
    return texts;
}

inline std::string bytes_of(Disk& disk, const std::string& name) {
    return read_file(disk, join(kFolder, name)).value();
}

/// Changes a file without the journal knowing.
inline void overwrite(Disk& disk, const std::string& name, std::string_view bytes) {
    const auto file = disk.open(join(kFolder, name), OpenMode::create);
    ASSERT_TRUE(file.has_value());
    ASSERT_TRUE((*file)->truncate(0));
    ASSERT_TRUE((*file)->write(0, bytes));
    ASSERT_TRUE((*file)->sync());
}

/// Appends `count` entries one by one, with keyframes (kind 0) as the journal wants them; the
/// others have kind 1.
inline void fill(Journal& journal, std::uint64_t count) {
    for (std::uint64_t i = 0; i < count; ++i) {
        const std::string payload = payload_of(journal.next_sequence());
        const bool keyframe = journal.wants_keyframe();
        const Entry entry{.kind = static_cast<std::uint8_t>(keyframe ? 0 : 1),
                          .payload = payload,
                          .keyframe = keyframe};
        const auto appended = journal.append({&entry, 1});
        ASSERT_TRUE(appended.has_value()) << appended.error().message;
    }
}

}  // namespace parley::store::kit
