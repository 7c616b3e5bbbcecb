// Bytes of frames: what can be decoded encodes and decodes again to the same value, whole and as a
// difference, and can be shown.

#include "base/check.h"
#include "base/codec.h"
#include "base/json.h"
#include "fake/small_round.h"
#include "fuzz/input.h"
#include "model/coded.h"
#include "sim/world/cluster.h"
#include "store/run_format.h"

#include <string>

namespace {

using namespace parley;

template <class T>
void check_whole(std::string_view bytes) {
    const auto value = decode<T>(bytes);
    if (!value) return;
    const auto again = decode<T>(encode(*value));
    PARLEY_CHECK(again && same(*value, *again));
    PARLEY_CHECK(!to_json(*value).empty());
}

/// The bytes as a difference to something that fits, as a round's frame is to the round before.
template <class T>
void check_difference(std::string_view bytes, const T& before) {
    T value = before;
    if (!apply_difference(bytes, value)) return;
    T again = before;
    PARLEY_CHECK(apply_difference(encode_difference(value, before), again) && same(value, again));
    const auto whole = decode<T>(encode(value));
    PARLEY_CHECK(whole && same(value, *whole));
}

const fake::SmallRound& small_round() {
    static const fake::SmallRound round(3);
    return round;
}

const model::Decision& small_decision() {
    static const model::Decision decision = [] {
        model::Decision made{.round = 1};
        made.forecast = small_round().forecast;
        made.proposals.push_back({});
        return made;
    }();
    return decision;
}

void check(std::uint8_t which, std::string_view bytes) {
    switch (which % 11) {
        case 0:
            return check_whole<store::RunHeader>(bytes);
        case 1:
            return check_whole<store::Keyframe>(bytes);
        case 2:
            return check_whole<model::RoundInput>(bytes);
        case 3:
            return check_whole<model::Decision>(bytes);
        case 4:
            return check_whole<model::Memory>(bytes);
        case 5:
            return check_whole<model::ActionEvent>(bytes);
        case 6:
            return check_whole<sim::Scenario>(bytes);
        case 7:
            return check_whole<sim::Remembered>(bytes);
        case 8:
            return check_difference(bytes, small_round().input);
        case 9:
            return check_difference(bytes, small_decision());
        default:
            return check_difference(bytes, small_round().memory);
    }
}

}  // namespace

void parley::fuzz::try_input(Input input) {
    const std::uint8_t which = input.byte();
    check(which, input.rest());
}
