#include "apps/shelf/new_model.h"

#include "learn/folder/model_kit_test.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <unistd.h>

namespace parley::app {
namespace {

class NewModel : public testing::Test {
protected:
    void SetUp() override { ASSERT_TRUE(make_directories(real_disk(), folder_)); }
    void TearDown() override { std::filesystem::remove_all(folder_); }

    std::string folder_ = testing::TempDir() + std::to_string(getpid()) + "new_model";
    Environment home_ = [this](const char* name) {
        return std::string(name) == "HOME" ? folder_ : std::string();
    };
};

TEST_F(NewModel, is_signed_with_the_key_of_this_machine) {
    const auto shelf = shelf_for_new(real_disk(), home_, folder_ + "/models");
    ASSERT_TRUE(shelf) << shelf.error().message;
    const auto id =
        put_on_shelf(real_disk(), home_, *shelf, learn::small_manifest(), learn::kSmallModel);
    ASSERT_TRUE(id) << id.error().message;
    const auto key = signing_key(real_disk(), home_);
    ASSERT_TRUE(key);
    EXPECT_TRUE(learn::open_model(real_disk(), join(*shelf, *id), {.own_key = key->public_key()}));
}

TEST_F(NewModel, a_shelf_that_cannot_be_written_is_refused_before_any_work) {
    const std::string file = folder_ + "/file";
    ASSERT_TRUE(write_file_atomically(real_disk(), file, ""));
    EXPECT_FALSE(shelf_for_new(real_disk(), home_, file));
    EXPECT_FALSE(shelf_for_new(real_disk(), home_, file + "/models"));
    EXPECT_TRUE(shelf_for_new(real_disk(), home_, folder_ + "/a/b")) << "it can be made";
}

}  // namespace
}  // namespace parley::app
