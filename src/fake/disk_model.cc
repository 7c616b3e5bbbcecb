#include "fake/disk_model.h"

#include <algorithm>

namespace parley::fake {
namespace {

constexpr std::size_t kSector = 512;

void put(std::string& bytes, std::uint64_t offset, std::string_view piece) {
    const auto at = static_cast<std::size_t>(offset);
    if (bytes.size() < at + piece.size()) bytes.resize(at + piece.size(), '\0');
    bytes.replace(at, piece.size(), piece);
}

void carry_out(std::string& bytes, const Change& change) {
    const auto size = static_cast<std::size_t>(change.offset);
    switch (change.what) {
        case Change::What::write:
            return put(bytes, change.offset, change.bytes);
        case Change::What::allocate:
            return bytes.resize(std::max(bytes.size(), size), '\0');
        case Change::What::truncate:
            return bytes.resize(size, '\0');
    }
}

void carry_out_torn(std::string& bytes, const Change& change, Dice& dice) {
    const std::uint64_t luck = dice.below(4);
    if (luck == 0) return;
    if (luck == 1 || change.what != Change::What::write) return carry_out(bytes, change);
    const std::string_view all = change.bytes;
    if (luck == 2) {
        return put(bytes, change.offset, all.substr(0, dice.below(all.size() + 1)));
    }
    for (std::uint64_t at = 0; at < all.size();) {  // By sectors of the disk, not of the write.
        const std::uint64_t end =
            std::min<std::uint64_t>(all.size(), at + kSector - (change.offset + at) % kSector);
        if (dice.below(2) == 0) put(bytes, change.offset + at, all.substr(at, end - at));
        at = end;
    }
}

void carry_out(std::map<std::string, NodePtr>& names, const Names& change) {
    for (const auto& [name, node] : change) {
        if (node) {
            names[name] = node;
        } else {
            names.erase(name);
        }
    }
}

}  // namespace

std::uint64_t Dice::below(std::uint64_t bound) {
    state_ += 0x9E3779B97F4A7C15;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
    return (z ^ (z >> 31)) % bound;
}

void Node::change(Change change) {
    carry_out(seen, change);
    dirty.push_back(std::move(change));
}

void Node::change(Names change) {
    carry_out(names, change);
    dirty_names.push_back(std::move(change));
}

void Node::sync() {
    for (const Change& change : dirty) carry_out(kept, change);
    dirty.clear();
}

void Node::sync_names() {
    for (const Names& change : dirty_names) carry_out(kept_names, change);
    dirty_names.clear();
}

void Node::fail_sync(Dice& dice) {
    for (const Change& change : dirty) carry_out_torn(kept, change, dice);
    dirty.clear();
}

NodePtr after_power_cut(const Node& node, Dice& dice) {
    auto after = std::make_shared<Node>();
    after->folder = node.folder;
    after->kept = node.kept;
    for (const Change& change : node.dirty) carry_out_torn(after->kept, change, dice);
    after->seen = after->kept;
    auto names = node.kept_names;
    for (const Names& change : node.dirty_names) {
        if (dice.below(2) == 0) carry_out(names, change);
    }
    for (const auto& [name, child] : names) {
        after->kept_names[name] = after_power_cut(*child, dice);
    }
    after->names = after->kept_names;
    return after;
}

}  // namespace parley::fake
