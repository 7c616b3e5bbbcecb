// Model: a reading, one value or the reason why there is none. Missing is never zero.

#pragma once

#include "base/describe.h"
#include "base/schema.h"
#include "base/time.h"

#include <algorithm>
#include <optional>
#include <string>
#include <variant>

namespace parley::model {

enum class Source { api, metrics, prometheus, exerciser, configuration, model };
BOOST_DESCRIBE_ENUM(Source, api, metrics, prometheus, exerciser, configuration, model)

enum class Gap {
    not_reported,
    source_failed,
    too_old,
    implausible,
    from_future,    ///< Measured later than now.
    sampled_twice,  ///< Two samples of one node at once: nobody can tell which is right.
    empty_sample,   ///< Zero CPU and zero memory at once, which no running node has.
};
BOOST_DESCRIBE_ENUM(Gap, not_reported, source_failed, too_old, implausible, from_future,
                    sampled_twice, empty_sample)

enum class Origin { measured, derived, estimated, assumed };
BOOST_DESCRIBE_ENUM(Origin, measured, derived, estimated, assumed)

struct Provenance {
    TimePoint received;  ///< When, by our clock.
    /// When, by the source's clock, so the age it gives is only a lower bound.
    TimePoint measured;
    Source source = Source::api;
    Origin origin = Origin::measured;

    friend bool operator==(const Provenance&, const Provenance&) = default;
};
BOOST_DESCRIBE_STRUCT(Provenance, (), (received, measured, source, origin))

/// One value, or the reason why there is none, and where either comes from. There is no way to use
/// it without looking: no default value, no conversion, no arithmetic, no order.
template <class T>
class Reading {
public:
    Reading(T value, Provenance from) : content_(std::move(value)), from_(from) {}
    Reading(Gap gap, Provenance from) : content_(gap), from_(from) {}

    /// What a row holds before any source has spoken.
    static Reading never() { return Reading(Gap::not_reported, Provenance{}); }

    const T* value() const { return std::get_if<T>(&content_); }
    const Gap* gap() const { return std::get_if<Gap>(&content_); }
    const Provenance& from() const { return from_; }

    /// By a foreign clock the age is only a lower bound, so the larger of both ages counts.
    Duration age(TimePoint now) const { return now - std::min(from_.received, from_.measured); }

    /// The value if it is no older than `limit`; null if it is older or missing.
    const T* fresh(TimePoint now, Duration limit) const {
        return age(now) <= limit ? value() : nullptr;
    }

    /// The representation that is recorded.
    struct Parts {
        std::optional<T> value;
        std::optional<Gap> gap;
        Provenance from;

        static std::string schema_name() { return "ReadingOf_" + type_name<T>(); }
        BOOST_DESCRIBE_CLASS(Parts, (), (value, gap, from), (), ())
    };
    Parts parts() const {
        Parts parts{.from = from_};
        if (const T* v = value()) parts.value = *v;
        if (const Gap* g = gap()) parts.gap = *g;
        return parts;
    }
    static std::optional<Reading> from_parts(const Parts& parts) {
        if (parts.value.has_value() == parts.gap.has_value()) return std::nullopt;
        if (parts.value) return Reading(*parts.value, parts.from);
        return Reading(*parts.gap, parts.from);
    }

private:
    std::variant<T, Gap> content_;
    Provenance from_;
};

}  // namespace parley::model
