#include "apps/shelf/model_places.h"

#include "fake/disk.h"

#include <gtest/gtest.h>

#include <map>

namespace parley::app {
namespace {

Environment with(const std::map<std::string, std::string>& variables) {
    return [variables](const char* name) {
        const auto found = variables.find(name);
        return found == variables.end() ? std::string() : found->second;
    };
}

TEST(ModelPlaces, the_flag_comes_first_then_here_then_home) {
    fake::Disk disk;
    const Environment home = with({{"HOME", "/home/a"}});
    EXPECT_EQ(*models_folder(disk, "mine", home), "mine");
    EXPECT_EQ(*models_folder(disk, "", home), "/home/a/.local/share/parley/models");
    EXPECT_EQ(*models_folder(disk, "", with({{"HOME", "/home/a"}, {"XDG_DATA_HOME", "/data"}})),
              "/data/parley/models");
    EXPECT_EQ(*models_folder(disk, "", with({{"HOME", "/home/a"}, {"XDG_DATA_HOME", "data"}})),
              "/home/a/.local/share/parley/models");
    ASSERT_TRUE(disk.make_directory("models"));
    EXPECT_EQ(*models_folder(disk, "", home), "models");
}

TEST(ModelPlaces, the_key_has_one_place) {
    EXPECT_EQ(*signing_key_path(with({{"HOME", "/home/a"}})),
              "/home/a/.local/state/parley/signing.key");
    EXPECT_EQ(*signing_key_path(with({{"XDG_STATE_HOME", "/state"}})), "/state/parley/signing.key");
}

TEST(ModelPlaces, without_a_home_it_says_what_to_set) {
    fake::Disk disk;
    EXPECT_EQ(models_folder(disk, "", with({})).error().message,
              "finding the models: neither XDG_DATA_HOME nor HOME names a folder; set one of them");
    EXPECT_FALSE(signing_key_path(with({{"HOME", "relative"}})));
}

}  // namespace
}  // namespace parley::app
