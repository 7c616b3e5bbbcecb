#include "learn/report/data_facts.h"

#include "learn/rows/rows_check.h"

#include <algorithm>
#include <set>

namespace parley::learn {

DataFacts facts_of(const Rows& rows, const Split& split) {
    DataFacts facts{.fingerprint = fingerprint(rows),
                    .split = split.rule,
                    .rows = rows.size(),
                    .features = rows.columns.size()};
    for (std::size_t k = 0; k < kParts; ++k) {
        const auto part = static_cast<Part>(k);
        SliceFacts slice{.part = part};
        std::set<std::int32_t> events;
        std::set<std::int32_t> entities;
        for (const std::uint32_t i : rows_of(rows, split, part)) {
            ++slice.rows;
            if (rows.label[i] == 1) ++slice.positives;
            if (rows.event[i] != kNoEvent) events.insert(rows.event[i]);
            entities.insert(rows.entity[i]);
        }
        slice.events = events.empty() ? slice.positives : events.size();
        slice.entities = entities.size();
        facts.slices.push_back(slice);
    }
    facts.censored = static_cast<std::uint64_t>(std::ranges::count(rows.weight, 0.0F));
    return facts;
}

}  // namespace parley::learn
