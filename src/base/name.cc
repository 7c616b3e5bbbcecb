#include "base/name.h"

#include "base/check.h"

#include <array>
#include <atomic>
#include <deque>
#include <memory>
#include <mutex>
#include <unordered_map>

namespace parley {
namespace {

constexpr std::size_t kBlock = 4096;    // Names per block.
constexpr std::size_t kBlocks = 16384;  // 67 million names: far beyond any cluster.

/// Blocks are published by a release store and never move, so that readers need no lock.
class Interner {
public:
    Interner() { add(""); }

    std::uint32_t intern(std::string_view text) {
        const std::lock_guard lock(mutex_);
        const auto found = handles_.find(text);
        return found != handles_.end() ? found->second : add(text);
    }

    std::string_view text(std::uint32_t handle) const {
        const auto* block = blocks_[handle / kBlock].load(std::memory_order_acquire);
        return (*block)[handle % kBlock];
    }

private:
    using Block = std::array<std::string_view, kBlock>;

    std::uint32_t add(std::string_view text) {
        const std::size_t handle = count_++;
        PARLEY_CHECK(handle < kBlock * kBlocks);
        if (handle % kBlock == 0) {
            owned_.push_back(std::make_unique<Block>());
            blocks_[handle / kBlock].store(owned_.back().get(), std::memory_order_release);
        }
        const std::string& kept = texts_.emplace_back(text);
        (*owned_.back())[handle % kBlock] = kept;
        handles_.emplace(kept, static_cast<std::uint32_t>(handle));
        return static_cast<std::uint32_t>(handle);
    }

    std::mutex mutex_;
    std::size_t count_ = 0;
    std::deque<std::string> texts_;
    std::unordered_map<std::string_view, std::uint32_t> handles_;
    std::deque<std::unique_ptr<Block>> owned_;
    std::array<std::atomic<Block*>, kBlocks> blocks_{};
};

Interner& interner() {
    static Interner instance;
    return instance;
}

}  // namespace

Name Name::of(std::string_view text) { return Name(interner().intern(text)); }

std::string_view Name::view() const { return handle_ == 0 ? "" : interner().text(handle_); }

}  // namespace parley
