// Learn, tests: margins whose truth is known.

#pragma once

#include "base/math.h"
#include "base/random.h"

#include <cstdint>
#include <numeric>
#include <vector>

namespace parley::learn {

struct Margins {
    std::vector<double> margin;
    std::vector<float> label;
    std::vector<float> weight;

    double failures() const { return std::accumulate(label.begin(), label.end(), 0.0); }
};

/// Margins that are off: the truth is logistic(a + b * margin).
inline Margins off_by(double a, double b, std::size_t n, std::uint64_t seed = 3) {
    Margins made;
    for (std::size_t i = 0; i < n; ++i) {
        const double margin = -3 + 1.5 * random::normal(draw(seed, Stream::noise, i, 0));
        const bool fails =
            random::bernoulli(draw(seed, Stream::fault, i, 0), math::logistic(a + b * margin));
        made.margin.push_back(margin);
        made.label.push_back(fails ? 1.0F : 0.0F);
        made.weight.push_back(1);
    }
    return made;
}

}  // namespace parley::learn
