// Runs: frames of any kind and content in an intact journal. They are read or refused, the same
// every time, and every round read counts.

#include "base/check.h"
#include "base/codec.h"
#include "base/same.h"
#include "fake/disk.h"
#include "fuzz/input.h"
#include "model/coded.h"
#include "store/journal.h"
#include "store/run_reader.h"
#include "store/run_writer.h"

#include <string>

namespace {

using namespace parley;

const std::string kFolder = "run";

struct Content {
    std::string error;
    std::string digest;
    std::uint64_t rounds = 0;
    friend bool operator==(const Content&, const Content&) = default;
};

/// Kinds from the input, mostly known ones; payloads from the input. The first entry is a header.
void write(fake::Disk& disk, fuzz::Input& input) {
    PARLEY_CHECK(make_directories(disk, kFolder).has_value());
    const store::JournalOptions small{.fill_bytes = 4096, .reserve_bytes = 4096};
    auto journal = store::Journal::open(disk, store::journal_folder(kFolder), small);
    PARLEY_CHECK(journal.has_value());
    store::RunHeader header;
    header.record =
        input.byte() % 2 == 0 ? store::RecordLevel::full : store::RecordLevel::decisions;
    std::string payload = encode(header);
    std::uint8_t kind = static_cast<std::uint8_t>(store::RunFrame::header);
    for (bool first = true; first || !input.empty(); first = false) {
        const store::Entry entry{.kind = kind, .payload = payload, .keyframe = first};
        PARLEY_CHECK((*journal)->append_lazily({&entry, 1}).has_value());
        kind = input.byte() % 10;
        payload = input.take(input.up_to(400));
    }
    PARLEY_CHECK((*journal)->close().has_value());
}

Content read(fake::Disk& disk) {
    auto reader = store::RunReader::open(disk, kFolder);
    PARLEY_CHECK(reader.has_value());
    Content content;
    while (true) {
        const auto round = reader->next();
        if (!round) {
            PARLEY_CHECK(fuzz::readable(round.error().message));
            content.error = round.error().message;
            break;
        }
        if (!*round) break;
        ++content.rounds;
    }
    if (content.error.empty()) {
        PARLEY_CHECK(reader->at_end() && reader->gaps().empty());
        PARLEY_CHECK(reader->facts().rounds == content.rounds);
    }
    content.digest = reader->digest();
    return content;
}

}  // namespace

void parley::fuzz::try_input(Input input) {
    fake::Disk disk;
    write(disk, input);
    const Content content = read(disk);
    PARLEY_CHECK(content == read(disk));
}
