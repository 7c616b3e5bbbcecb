#include "model/per_role.h"

#include "base/codec.h"
#include "base/diff.h"
#include "base/json.h"
#include "base/schema.h"
#include "model/cost.h"
#include "model/policy.h"

#include <gtest/gtest.h>

#include <optional>

namespace parley::model {
namespace {

/// As older records hold it.
struct FourLines {
    std::int64_t safety = 1;
    std::int64_t efficiency = -2;
    std::int64_t admission = 3;
    std::int64_t scaling = 400'000'000'000;
};
BOOST_DESCRIBE_STRUCT(FourLines, (), (safety, efficiency, admission, scaling))

Cost four() {
    Cost cost;
    cost[Role::safety] = 1;
    cost[Role::efficiency] = -2;
    cost[Role::admission] = 3;
    cost[Role::scaling] = 400'000'000'000;
    return cost;
}

TEST(PerRole, is_recorded_and_printed_as_members_named_like_the_roles) {
    EXPECT_EQ(to_json(four()), to_json(FourLines{}));
    EXPECT_EQ(encode(four()), encode(FourLines{}));
    EXPECT_EQ(decode<Cost>(encode(FourLines{})), four());
    Cost later = four();
    later[Role::admission] = 4;
    FourLines then;
    then.admission = 4;
    EXPECT_EQ(encode_difference(later, four()), encode_difference(then, FourLines{}));
    EXPECT_EQ(first_difference(four(), later)->path, "admission");
    EXPECT_EQ(SchemaBuilder().of<Cost>(), R"({"$ref":"#/$defs/Cost"})");
}

TEST(PerRole, a_record_of_fewer_roles_is_read_and_the_rest_begin_anew) {
    ByteWriter out;
    out.varint(2);
    write_value<std::int64_t>(out, 5, nullptr);
    write_value<std::int64_t>(out, 6, nullptr);
    const auto read = decode<Cost>(out.take());
    ASSERT_TRUE(read);
    EXPECT_EQ((*read)[Role::safety], 5);
    EXPECT_EQ((*read)[Role::efficiency], 6);
    EXPECT_EQ((*read)[Role::scaling], 0);
}

struct Point {
    std::uint64_t round = 3;
    InPlace<PerRole<std::optional<double>>> by;
    bool ours = true;
    friend bool operator==(const Point&, const Point&) = default;
};
BOOST_DESCRIBE_STRUCT(Point, (), (round, by, ours))

TEST(PerRole, in_place_stands_among_the_members_around_it) {
    Point point;
    point.by[Role::efficiency] = 0.5;
    EXPECT_EQ(to_json(point),
              R"({"round":3,"safety":null,"efficiency":0.5,"admission":null,"scaling":null,)"
              R"("ours":true})");
    EXPECT_EQ(decode<Point>(encode(point)), point);
    EXPECT_EQ(first_difference(point, Point{})->path, "efficiency");
}

TEST(Cost, adds_up_by_role) {
    EXPECT_EQ(four().total(), 400'000'000'002);
    EXPECT_EQ(four() + four() - four(), four());
    EXPECT_EQ((Cost{Role::safety, 7}).total(), 7);
}

TEST(Weights, are_known_by_greek_letters) {
    EXPECT_EQ(to_json(Weights{}), R"({"alpha":1,"beta":0.6,"gamma":0.8,"delta":0.8})");
}

TEST(Roles, have_letters_and_titles_by_their_place) {
    EXPECT_EQ(title_of(Role::safety), "A safety");
    EXPECT_EQ(title_of(Role::scaling), "D scaling");
    for (const Role role : kRoles) EXPECT_EQ(title_of(role).front(), letter_of(role));
}

}  // namespace
}  // namespace parley::model
