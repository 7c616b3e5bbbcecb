// Fake: what a disk in memory knows about a file or folder: what reads give, and what surely
// survives.

#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace parley::fake {

/// A small generator (splitmix64): a seed repeats a power cut.
class Dice {
public:
    explicit Dice(std::uint64_t seed) : state_(seed) {}

    std::uint64_t below(std::uint64_t bound);

private:
    std::uint64_t state_;
};

/// A change of a file that is not durable yet.
struct Change {
    enum class What { write, allocate, truncate } what = What::write;
    std::uint64_t offset = 0;  ///< For allocate and truncate, the size.
    std::string bytes;
};

struct Node;
using NodePtr = std::shared_ptr<Node>;
/// What one call did to a folder: a name and its new node, or none. It survives completely or not
/// at all.
using Names = std::vector<std::pair<std::string, NodePtr>>;

struct Node {
    bool folder = false;
    std::string seen;  ///< What reads give.
    std::string kept;  ///< What surely survives.
    std::vector<Change> dirty;
    std::map<std::string, NodePtr> names;
    std::map<std::string, NodePtr> kept_names;
    std::vector<Names> dirty_names;

    /// Visible at once, durable when synced.
    void change(Change change);
    void change(Names change);
    /// Makes all changes durable.
    void sync();
    void sync_names();
    /// As Linux does when writing back fails: an unknown part is kept, and nothing is dirty any
    /// more.
    void fail_sync(Dice& dice);
};

/// The node, with everything below it, after a power cut.
NodePtr after_power_cut(const Node& node, Dice& dice);

}  // namespace parley::fake
