#include "traces/grid5000.h"

#include "traces/table.h"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <span>
#include <vector>

namespace parley::traces {
namespace {

constexpr std::int64_t kMinute = 60;
constexpr std::int64_t kDay = 86'400;
constexpr std::int64_t kLong = 10 * kMinute;
constexpr std::int64_t kTimeMax = 4'102'444'800;  // The year 2100.
constexpr std::size_t kNodesMax = 100'000;
constexpr std::size_t kRowsMax = 20'000'000;
constexpr float kMissing = std::numeric_limits<float>::quiet_NaN();

struct Interval {
    std::int64_t from;
    std::int64_t to;
};

struct Node {
    std::int64_t first = 0;
    std::int64_t last = 0;
    std::vector<Interval> down;
};

using Nodes = std::map<std::int32_t, Node>;

Result<Nodes> read_nodes(const std::string& file, std::string_view events) {
    constexpr std::array<std::string_view, 4> kWanted = {"node_id", "event_type",
                                                         "event_start_time", "event_stop_time"};
    auto table = Table::open(file, events, kWanted);
    if (!table) return tl::unexpected(table.error());
    Nodes nodes;
    while (true) {
        const auto more = table->next();
        if (!more) return tl::unexpected(more.error());
        if (!*more) break;
        const auto id = table->whole(0, 0, std::numeric_limits<std::int32_t>::max());
        const auto type = table->whole(1, 0, 1);
        const auto from = table->whole(2, 0, kTimeMax);
        const auto to = table->whole(3, 0, kTimeMax);
        for (const auto* field : {&id, &type, &from, &to})
            if (!*field) return tl::unexpected(field->error());
        if (*to < *from) return table->refuse("an interval ends before it begins");
        const auto [at, fresh] = nodes.try_emplace(static_cast<std::int32_t>(*id));
        if (nodes.size() > kNodesMax) return table->refuse("there are more than 100,000 nodes");
        Node& node = at->second;
        if (fresh) node.first = *from;
        if (!fresh && *from < node.last) {
            return table->refuse(
                "intervals of a node must follow each other in time and not overlap; sort its "
                "lines and drop what stands twice");
        }
        node.last = *to;
        if (*type == 0 && *to > *from) node.down.push_back({*from, *to});
    }
    if (nodes.empty()) return table->refuse("it has no interval");
    return nodes;
}

/// When each long down became known to be long.
std::vector<std::int64_t> long_downs(const Node& node) {
    std::vector<std::int64_t> known;
    for (const Interval& down : node.down)
        if (down.to - down.from >= kLong) known.push_back(down.from + kLong);
    return known;
}

double count_within(const std::vector<std::int64_t>& sorted, std::int64_t from, std::int64_t to) {
    return static_cast<double>(std::ranges::upper_bound(sorted, to) -
                               std::ranges::upper_bound(sorted, from));
}

std::vector<learn::Column> columns() {
    return {{"up_for", "s"},
            {"long_downs_1d", "count"},
            {"long_downs_7d", "count"},
            {"long_downs_30d", "count"},
            {"long_downs_ever_per_30d", "count"},
            {"downs_1d", "count"},
            {"downs_7d", "count"},
            {"downs_30d", "count"},
            {"down_share_7d", "share"},
            {"down_share_30d", "share"},
            {"since_long_down", "s"},
            {"last_down_lasted", "s"},
            {"last_long_down_lasted", "s"},
            {"day_of_week", "day"}};
}

/// What is known of a node at a time, from the downs that ended before it.
class Past {
public:
    explicit Past(const Node& node) : node_(node), long_(long_downs(node)) {}

    /// `ended` downs are over at `t`, and the node is up.
    void features(std::int64_t t, std::size_t ended, std::vector<float>& into) const {
        const auto f = [](std::int64_t value) { return static_cast<float>(value); };
        const std::int64_t up_since = ended == 0 ? node_.first : node_.down[ended - 1].to;
        const double known_days = static_cast<double>(t - node_.first) / static_cast<double>(kDay);
        into.push_back(f(t - up_since));
        for (const std::int64_t days : {1, 7, 30})
            into.push_back(static_cast<float>(count_within(long_, t - days * kDay, t)));
        const double ever = count_within(long_, 0, t);
        into.push_back(known_days >= 1 ? static_cast<float>(ever * 30 / known_days) : kMissing);
        for (const std::int64_t days : {1, 7, 30}) into.push_back(f(downs(t, days, ended)));
        for (const std::int64_t days : {7, 30}) into.push_back(down_share(t, days, ended));
        std::int64_t last_long = -1;
        for (std::size_t i = ended; i-- > 0 && last_long < 0;)
            if (node_.down[i].to - node_.down[i].from >= kLong)
                last_long = static_cast<std::int64_t>(i);
        const auto lasted = [&](std::size_t i) { return f(node_.down[i].to - node_.down[i].from); };
        const auto at = static_cast<std::size_t>(std::max<std::int64_t>(last_long, 0));
        into.push_back(last_long < 0 ? kMissing : f(t - node_.down[at].to));
        into.push_back(ended == 0 ? kMissing : lasted(ended - 1));
        into.push_back(last_long < 0 ? kMissing : lasted(at));
    }

private:
    std::int64_t downs(std::int64_t t, std::int64_t days, std::size_t ended) const {
        const auto over = std::span(node_.down).first(ended);
        return over.end() - std::ranges::upper_bound(over, t - days * kDay, {}, &Interval::from);
    }
    float down_share(std::int64_t t, std::int64_t days, std::size_t ended) const {
        const std::int64_t from = std::max(t - days * kDay, node_.first);
        if (t <= from) return kMissing;
        std::int64_t sum = 0;
        for (std::size_t i = ended; i > 0 && node_.down[i - 1].to > from; --i)
            sum += node_.down[i - 1].to - std::max(node_.down[i - 1].from, from);
        return static_cast<float>(static_cast<double>(sum) / static_cast<double>(t - from));
    }

    const Node& node_;
    std::vector<std::int64_t> long_;  ///< When each was known to be long.
};

class Builder {
public:
    explicit Builder(const Nodes& nodes) : nodes_(nodes) {
        rows_.columns = columns();
        first_day_ = std::numeric_limits<std::int64_t>::max();
        for (const auto& [id, node] : nodes) {
            first_day_ = std::min(first_day_, (node.first + kDay - 1) / kDay * kDay);
        }
    }

    Result<learn::Rows> build() {
        for (const auto& [id, node] : nodes_) {
            if (!add_node(id, node)) {
                return fail(ErrorCode::malformed,
                            "its times span more days and nodes than can be held");
            }
        }
        return std::move(rows_);
    }

private:
    bool add_node(std::int32_t id, const Node& node) {
        const Past past(node);
        std::size_t ended = 0;
        std::size_t next = 0;
        const std::int64_t begin =
            first_day_ +
            std::max<std::int64_t>(0, (node.first - first_day_ + kDay - 1) / kDay) * kDay;
        for (std::int64_t t = begin; t < node.last; t += kDay) {
            while (ended < node.down.size() && node.down[ended].to <= t) ++ended;
            if (ended < node.down.size() && node.down[ended].from <= t) {  // The node is down.
                t += (node.down[ended].to - t) / kDay * kDay;
                continue;
            }
            next = std::max(next, ended);
            while (next < node.down.size() && node.down[next].to - node.down[next].from < kLong)
                ++next;
            const bool fails = next < node.down.size() && node.down[next].from <= t + kDay;
            if (!fails && node.last < t + kDay) continue;  // The outcome is not known.
            if (rows_.size() == kRowsMax) return false;
            past.features(t, ended, rows_.values);
            rows_.values.push_back(static_cast<float>((t / kDay + 4) % 7));  // 0 is a Sunday.
            rows_.label.push_back(fails ? 1.0F : 0.0F);
            rows_.weight.push_back(1);
            rows_.time.push_back({t * 1'000'000});
            rows_.entity.push_back(id);
            rows_.group.push_back(0);
            rows_.event.push_back(fails ? events_ + static_cast<std::int32_t>(next)
                                        : learn::kNoEvent);
        }
        events_ += static_cast<std::int32_t>(node.down.size());
        return true;
    }

    const Nodes& nodes_;
    learn::Rows rows_;
    std::int64_t first_day_ = 0;
    std::int32_t events_ = 0;  ///< Downs of the nodes processed before.
};

}  // namespace

Result<RiskTrace> import_grid5000(const std::string& file, std::string_view events) {
    const auto nodes = read_nodes(file, events);
    if (!nodes) return tl::unexpected(nodes.error());
    auto rows = Builder(*nodes).build();
    if (!rows) return within(file, rows.error());
    auto split = learn::split_by_time(*rows, hours(24));
    if (!split) return within(file, split.error());
    return RiskTrace{.name = "grid5000",
                     .what = "the node goes down for at least 10 minutes within 24 hours",
                     .entity = "node",
                     .rows = std::move(*rows),
                     .split = std::move(*split),
                     .step = hours(24)};
}

}  // namespace parley::traces
