// Journals: good frames, hostile ones with the right checksum, old ones, holes, cuts and plain
// bytes, over several segments. A journal opens or refuses; what it returned it returns again, the
// chain is right, and what is appended then is read back.

#include "base/check.h"
#include "base/hash.h"
#include "fake/disk.h"
#include "fuzz/input.h"
#include "store/journal.h"
#include "store/journal_reader.h"

#include <cstring>
#include <optional>
#include <string>
#include <vector>

namespace {

using namespace parley;
using namespace parley::store;

const std::string kFolder = "journal";
constexpr std::size_t kSegmentsMax = 4;
constexpr std::size_t kStepsMax = 60;

/// A script of what happens to a journal, from the input.
class Maker {
public:
    explicit Maker(fuzz::Input input) : input_(input) {}

    std::vector<std::string> make() {
        for (std::size_t i = 0; i < kStepsMax && !input_.empty(); ++i) step(input_.byte());
        return segments_;
    }

private:
    std::string& now() { return segments_.back(); }

    void step(std::uint8_t what) {
        switch (what % 11) {
            case 0:
            case 1:
            case 2:
                return frame(1);
            case 3:
                now() += input_.take(input_.up_to(200));
                return;
            case 4:
                now().append(input_.up_to(300), '\0');
                return;
            case 5:
                if (segments_.size() < kSegmentsMax) segments_.emplace_back();
                return;
            case 6:
                if (!now().empty()) now()[input_.up_to(now().size() - 1)] ^= 1;
                return;
            case 7:
                now().resize(input_.up_to(now().size()));
                return;
            case 8:  // An old frame once more.
                if (!frames_.empty()) now() += frames_[input_.up_to(frames_.size() - 1)];
                return;
            case 9:  // A frame that was written and is missing.
                return lost();
            default:
                return hostile();
        }
    }

    void frame(std::uint16_t version) {
        FrameHeader header;
        header.sequence = sequence_++;
        const std::uint64_t before = header.sequence - 1;
        header.pending =
            static_cast<std::uint32_t>(std::min<std::uint64_t>(input_.up_to(3), before));
        header.version = version;
        header.kind = static_cast<std::uint8_t>(input_.up_to(9));
        header.keyframe = input_.byte() % 4 == 0 || now().empty();
        const std::string payload(input_.up_to(120), static_cast<char>(input_.byte()));
        std::string bytes;
        encoder_.encode(bytes, header, payload, chain_);
        frames_.push_back(bytes);
        now() += bytes;
    }

    void lost() {
        const std::size_t size = now().size();
        frame(1);
        now().resize(size);
    }

    /// Any header with the right checksum.
    void hostile() {
        std::string bytes = frames_.empty() ? std::string(kFrameHeaderBytes, '\0') : frames_.back();
        const std::size_t at = 8 + input_.up_to(kFrameHeaderBytes - 9);
        const std::string_view patch = input_.take(input_.up_to(8));
        bytes.replace(at, std::min(patch.size(), bytes.size() - at), patch);
        const std::uint32_t checksum =
            crc32c(std::string_view(bytes).substr(8), crc32c(std::string_view(bytes).substr(0, 4)));
        std::memcpy(bytes.data() + 4, &checksum, sizeof checksum);
        now() += bytes;
    }

    fuzz::Input input_;
    std::vector<std::string> segments_{""};
    std::vector<std::string> frames_;
    FrameEncoder encoder_{1, 64};
    std::uint64_t sequence_ = 1;
    Digest chain_{};
};

struct Content {
    std::vector<Frame> frames;
    std::optional<Error> error;
    Report report;
};

Content read(Disk& disk) {
    Content content;
    auto reader = JournalReader::open(disk, kFolder);
    if (!reader) {
        content.error = reader.error();
        return content;
    }
    while (true) {
        auto frame = reader->next();
        if (!frame) content.error = frame.error();
        if (!frame || !*frame) break;
        PARLEY_CHECK(content.frames.empty() || content.frames.back().sequence < (*frame)->sequence);
        content.frames.push_back(std::move(**frame));
    }
    content.report = reader->report();
    return content;
}

/// Checks that consecutive frames are chained.
void check_chain(Disk& disk) {
    auto reader = JournalReader::open(disk, kFolder);
    PARLEY_CHECK(reader.has_value());
    std::optional<FrameHeader> before;
    while (true) {
        const auto view = reader->next_view();
        PARLEY_CHECK(view.has_value());
        if (!*view) return;
        const FrameHeader& header = (*view)->header;
        if (before && before->sequence + 1 == header.sequence) {
            PARLEY_CHECK(chain_after(before->chain, header) == header.chain);
        }
        before = header;
    }
}

void check(Disk& disk) {
    const Content found = read(disk);
    if (found.error) PARLEY_CHECK(fuzz::readable(found.error->message));
    const JournalOptions tiny{.segment_bytes = 1200,
                              .fill_bytes = 512,
                              .reserve_bytes = 1024,
                              .keyframe_bytes = 900,
                              .compress_above = 64};
    auto journal = Journal::open(disk, kFolder, tiny);
    if (!journal) {
        PARLEY_CHECK(fuzz::readable(journal.error().message));
        return;
    }
    PARLEY_CHECK(!found.error);  // What cannot be read to its end is not written to.
    PARLEY_CHECK(read(disk).frames == found.frames);
    const std::string payload = "appended";
    for (const bool keyframe : {true, false}) {
        const Entry entry{.kind = 3, .payload = payload, .keyframe = keyframe};
        const auto appended = (*journal)->append({&entry, 1});
        if (!appended) {  // A forged number may be the highest possible.
            PARLEY_CHECK(found.report.last_sequence >= kSequenceMax - 2);
            return;
        }
    }
    PARLEY_CHECK((*journal)->close().has_value());

    Content after = read(disk);
    PARLEY_CHECK(!after.error && after.report.closed);
    PARLEY_CHECK(after.frames.size() == found.frames.size() + 2);
    PARLEY_CHECK(after.frames.back().payload == payload);
    after.frames.resize(found.frames.size());
    PARLEY_CHECK(after.frames == found.frames);
    PARLEY_CHECK(after.report.damage.size() >= found.report.damage.size());
    check_chain(disk);
    PARLEY_CHECK(find_last_keyframe(disk, kFolder).value().has_value());
}

}  // namespace

void parley::fuzz::try_input(Input input) {
    fake::Disk disk;
    PARLEY_CHECK(make_directories(disk, kFolder).has_value());
    std::uint32_t number = 0;
    for (const std::string& segment : Maker(input).make()) {
        const auto file = disk.open(join(kFolder, segment_name(++number)), OpenMode::create_new);
        PARLEY_CHECK(file && (*file)->write(0, segment));
    }
    check(disk);
}
