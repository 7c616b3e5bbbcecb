// Learn, tests: rows whose truth is known.

#pragma once

#include "base/math.h"
#include "base/random.h"
#include "learn/rows/rows.h"

namespace parley::learn {

/// The logit of a failure is `offset` + 2 * `signal`; `noise` is irrelevant, `gap` is missing half
/// the time. Entities take turns, one row a minute.
inline Rows made_up_rows(std::size_t n, double offset = -2, int entities = 50,
                         std::uint64_t seed = 1) {
    Rows rows{.columns = {{"signal", "share"}, {"noise", "share"}, {"gap", "share"}}};
    for (std::size_t i = 0; i < n; ++i) {
        const double signal = random::normal(draw(seed, Stream::noise, i, 0));
        const double noise = random::normal(draw(seed, Stream::noise, i, 1));
        const bool gap = random::bernoulli(draw(seed, Stream::noise, i, 2), 0.5);
        const bool fails =
            random::bernoulli(draw(seed, Stream::fault, i, 3), math::logistic(offset + 2 * signal));
        rows.values.push_back(static_cast<float>(signal));
        rows.values.push_back(static_cast<float>(noise));
        rows.values.push_back(gap ? __builtin_nanf("") : 1.0F);
        rows.label.push_back(fails ? 1.0F : 0.0F);
        rows.weight.push_back(1);
        rows.time.push_back({minutes(static_cast<std::int64_t>(i)).us});
        rows.entity.push_back(static_cast<std::int32_t>(i % static_cast<std::size_t>(entities)));
        rows.group.push_back(0);
        rows.event.push_back(fails ? static_cast<std::int32_t>(i) : kNoEvent);
    }
    return rows;
}

}  // namespace parley::learn
