// What the journal promises when the power fails or the disk does, checked against a list kept
// outside.

#include "fake/disk_model.h"
#include "store/journal_kit_test.h"

#include <functional>

namespace parley::store {
namespace {

using fake::Dice;
using Fault = fake::Disk::Fault;

/// What must be in the journal, and what may be.
struct Expected {
    /// In order; the entries found must be the beginning of this list.
    std::vector<std::string> issued;
    std::size_t acknowledged = 0;  ///< This many of them must be found.
    bool closed = false;
};

/// The reason why `content` is not as expected; empty if it is.
std::string complaint(const kit::Content& content, const Expected& expected) {
    if (!content.error.empty()) return content.error;
    if (!content.report.damage.empty()) return text_of(content.report.damage.front());
    const auto found = content.payloads();
    if (found.size() < expected.acknowledged) return "an acknowledged entry is lost";
    if (found.size() > expected.issued.size()) return "an entry came from nowhere";
    if (!std::equal(found.begin(), found.end(), expected.issued.begin())) {
        return "an entry has changed";
    }
    if (expected.closed && !content.report.closed) return "it was closed and does not say so";
    return "";
}

/// Reads, opens for writing, reads again, appends, reads again; the first complaint, or empty.
std::string complaint(Disk& disk, const Expected& expected) {
    const auto before = kit::read_all(disk);
    if (auto text = complaint(before, expected); !text.empty()) return "reading: " + text;
    auto journal = Journal::open(disk, kit::kFolder, kit::tiny());
    if (!journal) return "opening: " + journal.error().message;
    auto after = kit::read_all(disk);
    if (auto text = complaint(after, expected); !text.empty()) return "opened: " + text;
    if (after.frames != before.frames) return "opening changed what is read";
    if (after.report.torn_bytes != 0) return "opening left a torn tail";
    const Entry more{.kind = 0, .payload = "more", .keyframe = true};
    const auto appended = (*journal)->append({&more, 1});
    if (!appended) return "appending: " + appended.error().message;
    Expected next{before.payloads(), before.frames.size() + 1};
    next.issued.emplace_back("more");
    return complaint(kit::read_all(disk), next);
}

/// A run made up from a seed. Ends at the first failure.
class Script {
public:
    Script(Disk& disk, std::uint64_t seed) : disk_(disk), dice_(seed) {}

    /// Called after every step.
    std::function<void()> observe = [] {};

    const Expected& expected() const { return expected_; }
    const std::optional<Error>& error() const { return error_; }
    Journal* journal() { return journal_.get(); }

    /// Continues in a journal that holds the entries `found`.
    void found(std::vector<std::string> found) {
        expected_.acknowledged = found.size();
        expected_.issued = std::move(found);
    }

    void run(int steps) {
        open();
        for (int i = 0; i < steps && !error_; ++i) {
            step();
            observe();
        }
    }

    void step() {
        switch (dice_.below(16)) {
            case 0:
                return open();  // As if the process had died.
            case 1:
                return close();
            case 2:
                return keep(journal_->reopen(), true);
            case 3:
                return keep(journal_->sync(), true);
            case 4:
            case 5:
            case 6:
                return append(true);
            default:
                return append(false);
        }
    }

    void append(bool lazily) {
        const std::size_t count = 1 + dice_.below(3);
        const bool keyframe = journal_->wants_keyframe();
        std::vector<std::string> payloads;
        std::vector<Entry> entries;
        for (std::size_t i = 0; i < count; ++i) {
            payloads.push_back(kit::payload_of(dice_.below(1000)));
        }
        for (std::size_t i = 0; i < count; ++i) {
            entries.push_back({.kind = 1, .payload = payloads[i], .keyframe = keyframe && i == 0});
        }
        expected_.issued.insert(expected_.issued.end(), payloads.begin(), payloads.end());
        expected_.closed = false;
        keep(lazily ? journal_->append_lazily(entries) : journal_->append(entries), !lazily);
        journal_->count_round();
    }

    void open() {
        journal_.reset();
        auto journal = Journal::open(disk_, kit::kFolder, kit::tiny());
        if (journal) journal_ = std::move(*journal);
        if (!journal) error_ = journal.error();
        if (!error_) keep_what_is_there();
    }

    void close() {
        const auto closed = journal_->close();
        if (!closed) return void(error_ = closed.error());
        expected_.acknowledged = expected_.issued.size();
        expected_.closed = true;
        observe();
        expected_.closed = false;
        open();
    }

    /// Opening makes durable what it finds.
    void keep_what_is_there() {
        expected_.issued = kit::read_all(disk_).payloads();
        expected_.acknowledged = expected_.issued.size();
    }

private:
    template <class T>
    void keep(const Result<T>& outcome, bool durable) {
        if (!outcome) return void(error_ = outcome.error());
        if (durable) expected_.acknowledged = expected_.issued.size();
    }

    Disk& disk_;
    Dice dice_;
    Expected expected_;
    std::unique_ptr<Journal> journal_;
    std::optional<Error> error_;
};

TEST(JournalPower, ten_thousand_cuts_lose_nothing_that_was_acknowledged) {
    constexpr std::uint64_t kScripts = 200;
    // Each is done twice: the second cut hits what the first one left.
    constexpr std::uint64_t kCuts = 25;
    std::uint64_t cuts = 0;
    for (std::uint64_t seed = 0; seed < kScripts; ++seed) {
        fake::Disk whole;
        Script rehearsal(whole, seed);
        rehearsal.run(25);
        ASSERT_FALSE(rehearsal.error()) << rehearsal.error()->message;
        Dice dice(seed + 1'000'000);
        for (std::uint64_t cut = 0; cut < kCuts; ++cut) {
            fake::Disk disk;
            disk.fail_at(1 + dice.below(whole.calls()), Fault::power);
            Script script(disk, seed);
            script.run(25);
            const std::uint64_t luck = dice.below(1'000'000);
            ASSERT_EQ(complaint(*disk.power_cut(luck), script.expected()), "")
                << "seed " << seed << " luck " << luck;

            const auto second = disk.power_cut(luck);
            second->fail_at(1 + dice.below(30), Fault::power);
            Script next(*second, seed + 500);
            next.found(kit::read_all(*second).payloads());
            next.run(10);
            ASSERT_EQ(complaint(*second->power_cut(luck + 1), next.expected()), "")
                << "seed " << seed << " luck " << luck << " second";
            cuts += 2;
        }
    }
    EXPECT_EQ(cuts, 10'000u);
}

/// A disk that fails at one call, at each of them in turn.
void survives(Fault fault) {
    constexpr std::uint64_t kSeed = 7;
    fake::Disk whole;
    Script rehearsal(whole, kSeed);
    rehearsal.run(60);
    ASSERT_FALSE(rehearsal.error());
    ASSERT_GT(whole.calls(), 100u);
    for (std::uint64_t call = 1; call <= whole.calls(); ++call) {
        SCOPED_TRACE(call);
        fake::Disk disk;
        disk.fail_at(call, fault);
        Script script(disk, kSeed);
        script.run(60);
        // Failing to free space is no reason to stop, so there may be no error.
        if (script.error()) {
            EXPECT_EQ(disk_fault(*script.error()),
                      fault == Fault::full ? DiskFault::full : DiskFault::broken);
        }
        for (std::uint64_t luck = 0; luck < 4; ++luck) {
            ASSERT_EQ(complaint(*disk.power_cut(luck), script.expected()), "");
        }
        if (script.error() && script.journal() != nullptr && script.journal()->broken()) {
            Journal& journal = *script.journal();
            const Entry entry{.kind = 0, .payload = "after", .keyframe = true};
            EXPECT_EQ(journal.append({&entry, 1}).error(), journal.broken());
            EXPECT_EQ(journal.sync().error(), journal.broken());
            ASSERT_TRUE(journal.reopen());
            const auto found = kit::read_all(disk);
            ASSERT_EQ(complaint(found, script.expected()), "");
            ASSERT_TRUE(journal.append({&entry, 1}));
            Expected after{found.payloads(), found.frames.size() + 1};
            after.issued.emplace_back("after");
            for (std::uint64_t luck = 0; luck < 4; ++luck) {
                ASSERT_EQ(complaint(*disk.power_cut(luck), after), "");
            }
        }
    }
}

TEST(JournalPower, a_full_disk_at_any_call_loses_nothing) { survives(Fault::full); }
TEST(JournalPower, a_failing_disk_at_any_call_loses_nothing) { survives(Fault::io); }

/// Runs, and after every step cuts the power in many ways. Returns whether any loss was noticed.
bool is_noticed(std::uint64_t ignored_sync, std::uint64_t* syncs = nullptr,
                const std::function<void(Script&)>& run = {}, fake::Disk* on = nullptr) {
    fake::Disk fresh;
    EXPECT_TRUE(fresh.make_directory("run"));  // Its creator did not sync it.
    fake::Disk& disk = on != nullptr ? *on : fresh;
    const std::uint64_t syncs_before = disk.syncs();
    if (ignored_sync != 0) disk.ignore_sync(syncs_before + ignored_sync);
    Script script(disk, 3);
    bool noticed = false;
    script.observe = [&] {
        for (std::uint64_t luck = 0; luck < 40 && !noticed; ++luck) {
            noticed = !complaint(*disk.power_cut(luck), script.expected()).empty();
        }
    };
    run(script);
    script.observe();
    EXPECT_FALSE(script.error());
    if (syncs != nullptr) *syncs = disk.syncs() - syncs_before;
    return noticed;
}

TEST(JournalPower, every_single_sync_is_needed) {
    const auto run = [](Script& script) {
        script.open();
        for (int i = 0; i < 12; ++i) {
            script.append(i % 3 == 1);
            script.observe();
        }
        EXPECT_TRUE(script.journal()->close());
    };
    std::uint64_t syncs = 0;
    EXPECT_FALSE(is_noticed(0, &syncs, run));
    ASSERT_GT(syncs, 10u);
    for (std::uint64_t ignored = 1; ignored < syncs; ++ignored) {
        EXPECT_TRUE(is_noticed(ignored, nullptr, run)) << "sync " << ignored << " of " << syncs;
    }
}

TEST(JournalPower, closing_needs_its_sync) {
    const auto run = [](Script& script) {
        script.open();
        script.append(false);
        script.close();
    };
    // Folder of the run, folder of the journal, name of the segment, entries; then the end.
    EXPECT_FALSE(is_noticed(0, nullptr, run));
    EXPECT_TRUE(is_noticed(5, nullptr, run));
}

TEST(JournalPower, opening_after_a_crash_needs_its_sync) {
    const auto run = [](Script& script) { script.open(); };
    for (const std::uint64_t ignored : {0u, 2u}) {  // The first sync is that of the folder.
        fake::Disk disk;
        {
            Script crashed(disk, 3);
            crashed.open();
            crashed.append(false);
            crashed.append(true);
        }
        EXPECT_EQ(is_noticed(ignored, nullptr, run, &disk), ignored != 0);
    }
}

TEST(JournalPower, opening_after_a_failed_sync_writes_again_what_the_kernel_forgot) {
    for (std::uint64_t call = 1; call <= 12; ++call) {
        fake::Disk disk;
        {
            Script crashed(disk, 3);
            crashed.open();
            crashed.append(false);
            disk.fail_at(disk.calls() + call, Fault::io);
            while (!crashed.error()) crashed.append(false);
        }
        EXPECT_FALSE(is_noticed(0, nullptr, [](Script& script) { script.open(); }, &disk)) << call;
    }
}

TEST(JournalPower, opening_after_dying_between_folder_and_sync_needs_that_sync) {
    const auto run = [](Script& script) {
        script.open();
        script.append(false);
    };
    for (const std::uint64_t ignored : {0u, 1u}) {
        fake::Disk disk;
        ASSERT_TRUE(make_directories(disk, "run"));
        ASSERT_TRUE(disk.make_directory(kit::kFolder));
        EXPECT_EQ(is_noticed(ignored, nullptr, run, &disk), ignored != 0);
    }
}

}  // namespace
}  // namespace parley::store
