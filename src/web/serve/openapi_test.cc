#include "web/serve/openapi.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

namespace parley::web {
namespace {

TEST(OpenApi, the_committed_copy_is_what_the_program_says) {
    std::ifstream file(PARLEY_OPENAPI_FILE);
    std::stringstream text;
    text << file.rdbuf();
    EXPECT_EQ(text.str(), openapi_document())
        << "write it anew: build/parley openapi > web/openapi.json";
}

}  // namespace
}  // namespace parley::web
