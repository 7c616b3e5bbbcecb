#include "config/schema.h"

#include "base/describe.h"

#include <gtest/gtest.h>

namespace parley::config {
namespace {

struct Example {
    double share = 0;
    std::int64_t cpu_m = 0;
    std::int64_t memory_mib = 0;
    std::int64_t memory = 0;
    std::int32_t count = 0;
    Duration interval;
};
BOOST_DESCRIBE_STRUCT(Example, (), (share, cpu_m, memory_mib, memory, count, interval))

TEST(Schema, says_what_a_file_may_hold) {
    EXPECT_EQ(
        file_schema<Example>(),
        R"({
"$schema":"https://json-schema.org/draft/2020-12/schema",
"allOf":[{"$ref":"#/$defs/Example"}],
"$defs":{
"Example":{"type":"object","additionalProperties":false,"properties":{"share":{"type":"number"},)"
        R"("cpu_m":{"type":["integer","string"],"description":"millicores, as 1500 or 1500m"},)"
        R"("memory_mib":{"type":["integer","string"],"description":"MiB, as 1024 or 1Gi"},)"
        R"("memory":{"type":["integer","string"],"description":"bytes, as 1073741824 or 1Gi"},)"
        R"("count":{"type":"integer"},)"
        R"("interval":{"type":["number","string"],"description":"seconds, or such as 3s or 1m30s"}}}
}
}
)");
}

}  // namespace
}  // namespace parley::config
