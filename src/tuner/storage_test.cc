#include "tuner/storage.h"

#include "base/file.h"
#include "tuner/study.h"
#include "tuner/test_study.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <memory>
#include <string>
#include <unistd.h>
#include <vector>

namespace parley::tuner {
namespace {

/// The same in both formats.
class EveryStorage : public testing::TestWithParam<const char*> {
protected:
    EveryStorage() {
        folder_ = testing::TempDir() + std::to_string(getpid()) + "tuner_storage_" + GetParam();
        std::filesystem::remove_all(folder_);
        std::filesystem::create_directory(folder_);
    }
    ~EveryStorage() override { std::filesystem::remove_all(folder_); }

    std::string place() const { return std::string(GetParam()) + ":" + folder_ + "/file"; }

    std::unique_ptr<Storage> open(const StorageConfig& config = {
                                      .study = "st\xC3\xA9 \"1\""}) const {
        auto storage = open_storage(place(), config);
        EXPECT_TRUE(storage) << storage.error().message;
        return storage ? std::move(*storage) : nullptr;
    }

    std::string folder_;
};

Draft draft() {
    return {.params = {{"x", shared(FloatRange{.low = -1, .high = 1}), 0.1},
                       {"c", shared(Choices{{"\"a\"", "null"}}), 1},
                       {"n", shared(IntRange{.low = 1, .high = 8, .log = true}), 3}},
            .user_attributes = {{"why\n", "{\"a\": [NaN, 1]}"}},
            .system_attributes = {{"tpe:relative_params:0", "\"{}\""}}};
}
Draft begin_with_draft(const Study&, const Trial&) { return draft(); }

TEST_P(EveryStorage, a_trial_from_its_beginning_to_its_end) {
    const auto storage = open();
    EXPECT_TRUE(storage->study().trials.empty());
    const auto number = storage->ask(begin_with_draft);
    ASSERT_TRUE(number) << number.error().message;
    EXPECT_EQ(*number, 0);
    EXPECT_TRUE(storage->set_param(0, {"late", shared(FloatRange{}), 0.5}));
    EXPECT_TRUE(storage->report(0, 0, std::nan("")));
    EXPECT_TRUE(storage->report(0, 1, -INFINITY));
    EXPECT_TRUE(storage->report(0, 1, 2.5));  // Again: the last one counts.
    EXPECT_TRUE(storage->set_attribute(0, Owner::user, "k", "1"));
    EXPECT_TRUE(storage->set_attribute(0, Owner::user, "k", "[2,\n3]"));
    EXPECT_TRUE(storage->heartbeat(0));
    EXPECT_TRUE(storage->set_study_attribute(Owner::user, "hash", "\"abc\""));
    EXPECT_TRUE(storage->tell(0, TrialState::complete, -0.25));

    for (const auto& again : {open(), open({.study = "st\xC3\xA9 \"1\"", .create = false})}) {
        const Study& study = again->study();
        EXPECT_EQ(study.user_attributes.at("hash"), "\"abc\"");
        ASSERT_EQ(study.trials.size(), 1u);
        const Trial& trial = study.trials[0];
        EXPECT_EQ(trial.state, TrialState::complete);
        EXPECT_EQ(trial.values, std::vector<double>{-0.25});
        ASSERT_EQ(trial.params.size(), 4u);
        EXPECT_EQ(trial.params[1].name, "c");
        EXPECT_EQ(trial.params[1].value, 1);
        EXPECT_EQ(*trial.params[2].distribution, Distribution(*draft().params[2].distribution));
        EXPECT_EQ(trial.params[3].name, "late");
        EXPECT_TRUE(std::isnan(trial.intermediate.at(0)));
        EXPECT_EQ(trial.intermediate.at(1), 2.5);
        EXPECT_EQ(trial.user_attributes.at("k"), "[2, 3]");
        EXPECT_EQ(trial.user_attributes.at("why\n"), "{\"a\": [NaN, 1]}");
        EXPECT_TRUE(trial.start && trial.complete && *trial.start <= *trial.complete);
    }
}

TEST_P(EveryStorage, what_is_finished_stays_as_it_is) {
    const auto storage = open();
    ASSERT_TRUE(storage->ask(begin_with_draft));
    ASSERT_TRUE(storage->tell(0, TrialState::pruned, std::nullopt));
    const Result<void> answers[] = {
        storage->tell(0, TrialState::complete, 1.0),
        storage->report(0, 1, 1),
        storage->set_param(0, {"z", shared(FloatRange{}), 0.5}),
        storage->set_attribute(0, Owner::user, "k", "1"),
    };
    for (const Result<void>& answer : answers) {
        ASSERT_FALSE(answer);
        EXPECT_EQ(answer.error().code, ErrorCode::conflict) << answer.error().message;
    }
    for (const std::int64_t missing : {-1, 1}) {
        const auto answer = storage->report(missing, 1, 1);
        ASSERT_FALSE(answer);
        EXPECT_EQ(answer.error().code, ErrorCode::gone);
    }
    EXPECT_EQ(storage->study().trials[0].state, TrialState::pruned);
}

TEST_P(EveryStorage, not_a_number_fails_a_trial_and_infinity_does_not) {
    const auto storage = open();
    for (const double value : {std::nan(""), double{INFINITY}, -double{INFINITY}}) {
        const auto number = storage->ask(begin_with_draft);
        ASSERT_TRUE(number);
        EXPECT_TRUE(storage->tell(*number, TrialState::complete, value));
    }
    const auto again = open();
    EXPECT_EQ(again->study().trials[0].state, TrialState::fail);
    EXPECT_TRUE(again->study().trials[0].values.empty());
    EXPECT_EQ(again->study().trials[1].values[0], INFINITY);
    EXPECT_EQ(again->study().trials[2].values[0], -INFINITY);
}

TEST_P(EveryStorage, two_see_each_other) {
    const auto a = open();
    const auto b = open();
    ASSERT_TRUE(a->ask(begin_with_draft));
    EXPECT_TRUE(b->study().trials.empty());
    ASSERT_TRUE(b->refresh());
    EXPECT_EQ(b->study().trials.size(), 1u);
    // Asking sees everything that began before, without a refresh.
    std::size_t seen = 0;
    ASSERT_TRUE(a->ask(begin_with_draft));
    const auto number = b->ask([&seen](const Study& study, const Trial& trial) {
        seen = study.trials.size();
        EXPECT_EQ(trial.number, 2);
        return draft();
    });
    EXPECT_EQ(seen, 2u);
    EXPECT_EQ(*number, 2);
    ASSERT_TRUE(b->tell(0, TrialState::complete, 1.0));
    ASSERT_TRUE(a->refresh());
    EXPECT_EQ(a->study().trials[0].state, TrialState::complete);
    EXPECT_FALSE(a->tell(0, TrialState::fail, std::nullopt));
}

TEST_P(EveryStorage, the_first_claim_of_what_waits_wins) {
    const auto a = open();
    const auto b = open();
    ASSERT_TRUE(a->enqueue({{"x", "0.75"}}));
    EXPECT_EQ(a->study().trials[0].state, TrialState::waiting);
    double fixed = 0;
    const auto first = b->ask([&fixed](const Study&, const Trial& trial) {
        fixed = fixed_param(trial, "x", FloatRange{}).value_or(0);
        return draft();
    });
    EXPECT_EQ(*first, 0);
    EXPECT_EQ(fixed, 0.75);
    EXPECT_EQ(*a->ask(begin_with_draft), 1);
    EXPECT_EQ(a->study().trials[0].state, TrialState::running);
    EXPECT_EQ(a->study().trials[0].params.size(), 3u);
}

TEST_P(EveryStorage, a_name_of_another_kind_begins_nothing) {
    const auto storage = open();
    ASSERT_TRUE(storage->ask(begin_with_draft));
    const auto bad = storage->ask(
        [](const Study&, const Trial&) { return Draft{.params = {{"x", shared(IntRange{}), 1}}}; });
    ASSERT_FALSE(bad);
    EXPECT_EQ(bad.error().code, ErrorCode::conflict);
    EXPECT_EQ(storage->study().trials.size(), 1u);
    EXPECT_EQ(*storage->ask(begin_with_draft), 1);  // And all goes on.
}

TEST_P(EveryStorage, studies_share_a_file) {
    const auto a = open({.study = "a", .direction = Direction::maximize});
    const auto b = open({.study = "b"});
    ASSERT_TRUE(a->ask(begin_with_draft));
    ASSERT_TRUE(b->ask(begin_with_draft));
    ASSERT_TRUE(a->ask(begin_with_draft));
    EXPECT_TRUE(a->study().maximizes());
    EXPECT_FALSE(open({.study = "b"})->study().maximizes());
    EXPECT_EQ(open({.study = "a"})->study().trials.size(), 2u);
    EXPECT_EQ(b->study().trials.size(), 1u);
    const auto none = open_storage(place(), {.study = "c", .create = false});
    ASSERT_FALSE(none);
    EXPECT_EQ(none.error().code, ErrorCode::gone);
}

TEST_P(EveryStorage, an_attribute_is_json_or_refused) {
    const auto storage = open();
    ASSERT_TRUE(storage->ask(begin_with_draft));
    EXPECT_FALSE(storage->set_attribute(0, Owner::user, "k", "{\"a\":"));
    EXPECT_FALSE(storage->set_study_attribute(Owner::system, "k", "x"));
}

INSTANTIATE_TEST_SUITE_P(Formats, EveryStorage, testing::Values("journal", "sqlite"),
                         [](const auto& format) { return std::string(format.param); });

TEST(Storage, a_file_of_the_other_kind_is_told_by_its_name) {
    const std::string file = testing::TempDir() + std::to_string(getpid()) + "_other_kind";
    ASSERT_TRUE(open_storage("sqlite:" + file, {.study = "a"}));
    EXPECT_EQ(open_storage("journal:" + file, {.study = "a"}).error().message,
              file + " is a SQLite file; name it sqlite:" + file);
    ASSERT_TRUE(real_disk().remove(file));
    ASSERT_TRUE(open_storage("journal:" + file, {.study = "a"}));
    EXPECT_EQ(open_storage("sqlite:" + file, {.study = "a"}).error().message,
              file + " is a journal; name it journal:" + file);
    ASSERT_TRUE(real_disk().remove(file));
}

TEST(Storage, a_place_is_one_of_two_kinds) {
    for (const char* place : {"", "journal:", "sqlite:", "postgres:x", "file"}) {
        const auto storage = open_storage(place, {.study = "a"});
        ASSERT_FALSE(storage) << place;
        EXPECT_EQ(storage.error().code, ErrorCode::denied);
    }
    EXPECT_FALSE(open_storage("sqlite:///", {.study = "a"}));
    // Both used to become files of exactly these names, the first one in the root folder.
    EXPECT_EQ(open_storage("sqlite://study.db", {.study = "a"}).error().message,
              "the storage \"sqlite://study.db\" names a host; a file is sqlite:FILE or "
              "sqlite:///FILE");
    EXPECT_EQ(open_storage("sqlite:///nowhere/a.db?timeout=3", {.study = "a"}).error().message,
              "the storage \"sqlite:///nowhere/a.db?timeout=3\" has options behind '?', which are "
              "not understood; leave them out");
    const auto missing = open_storage("journal:/nowhere/at/all", {.study = "a"});
    ASSERT_FALSE(missing);
}

}  // namespace
}  // namespace parley::tuner
