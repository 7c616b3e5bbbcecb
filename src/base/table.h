// Base: Table<T>, rows in shared chunks. Copying it costs a pointer per 256 rows; writing a row
// copies its chunk if anyone else holds it.

#pragma once

#include "base/check.h"
#include "base/describe.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

namespace parley {

/// The place of a row. It belongs to the row until the row is erased; after that it may be reused.
using Slot = std::uint32_t;
inline constexpr Slot kNoSlot = 0xffff'ffff;

/// A row type may name the few of its fields that whoever reads all rows asks first, as a type
/// `Glance` that is made from a row. A chunk keeps those of its rows side by side, so that a table
/// of large rows is gone through without fetching the rows.
template <class T>
concept HasGlance = requires { typename T::Glance; };

template <class T, std::size_t Rows>
class Glances {
public:
    Glances() = default;
    ~Glances() = default;
    Glances(const Glances& /*other*/) {}  // Copied with its chunk in order to be changed.
    Glances& operator=(const Glances&) = delete;

    void forget() {}
};

/// Made when first asked for, by whichever thread asks; forgotten when a row is written.
template <HasGlance T, std::size_t Rows>
class Glances<T, Rows> {
public:
    using All = std::array<typename T::Glance, Rows>;

    Glances() = default;
    ~Glances() { forget(); }
    Glances(const Glances& /*other*/) {}
    Glances& operator=(const Glances&) = delete;

    void forget() {
        std::unique_ptr<const All>(made_.exchange(nullptr, std::memory_order_acquire));
    }

    const All& of(const std::array<T, Rows>& rows) const {
        if (const All* made = made_.load(std::memory_order_acquire)) return *made;
        auto mine = std::make_unique<All>();
        for (std::size_t i = 0; i < Rows; ++i) (*mine)[i] = typename T::Glance(rows[i]);
        const All* other = nullptr;
        if (!made_.compare_exchange_strong(other, mine.get(), std::memory_order_acq_rel)) {
            return *other;
        }
        return *mine.release();
    }

private:
    mutable std::atomic<const All*> made_ = nullptr;
};

/// Rows of fixed size with stable slots, copied on write. A value: copies are independent, and
/// share what neither has changed. Not for concurrent writing; copies may be read anywhere.
template <class T>
class Table {
public:
    static constexpr std::size_t kChunkRows = 256;

    struct Chunk {
        std::array<T, kChunkRows> rows{};
        std::array<std::uint64_t, kChunkRows / 64> taken{};
        Glances<T, kChunkRows> glances;

        bool has(std::size_t i) const { return (taken[i / 64] >> (i % 64)) & 1U; }
    };

    /// The memory that a chunk takes, its glances included.
    static constexpr std::size_t chunk_bytes() {
        if constexpr (HasGlance<T>) {
            return sizeof(Chunk) + sizeof(typename Glances<T, kChunkRows>::All);
        } else {
            return sizeof(Chunk);
        }
    }

    std::size_t size() const { return size_; }
    bool empty() const { return size_ == 0; }
    /// One past the highest slot that was ever used.
    Slot end_slot() const { return end_; }
    std::size_t chunk_count() const { return chunks_.size(); }
    const Chunk& chunk(std::size_t i) const { return *chunks_[i]; }
    bool shares_chunk(const Table& other, std::size_t i) const {
        return i < chunks_.size() && i < other.chunks_.size() && chunks_[i] == other.chunks_[i];
    }

    bool has(Slot slot) const {
        return slot < end_ && chunks_[slot / kChunkRows]->has(slot % kChunkRows);
    }
    const T& at(Slot slot) const {
        PARLEY_CHECK(has(slot));
        return chunks_[slot / kChunkRows]->rows[slot % kChunkRows];
    }
    const T* find(Slot slot) const { return has(slot) ? &at(slot) : nullptr; }

    /// The row, for writing; its chunk is copied first if it is shared.
    T& edit(Slot slot) {
        PARLEY_CHECK(has(slot));
        return own(slot / kChunkRows).rows[slot % kChunkRows];
    }

    /// Uses the lowest free slot, so that the same history always gives the same slots.
    Slot insert(T row) {
        Slot slot = end_;
        if (size_ < end_) slot = first_free();
        put(slot, std::move(row));
        return slot;
    }

    /// Writes a row at a slot, free or taken.
    void put(Slot slot, T row) {
        while (slot / kChunkRows >= chunks_.size()) chunks_.push_back(std::make_shared<Chunk>());
        Chunk& chunk = own(slot / kChunkRows);
        const std::size_t i = slot % kChunkRows;
        if (!chunk.has(i)) {
            chunk.taken[i / 64] |= std::uint64_t{1} << (i % 64);
            ++size_;
        }
        chunk.rows[i] = std::move(row);
        if (slot >= end_) end_ = slot + 1;
    }

    void erase(Slot slot) {
        PARLEY_CHECK(has(slot));
        Chunk& chunk = own(slot / kChunkRows);
        const std::size_t i = slot % kChunkRows;
        chunk.taken[i / 64] &= ~(std::uint64_t{1} << (i % 64));
        chunk.rows[i] = T{};
        --size_;
        if (slot < free_hint_) free_hint_ = slot;
    }

    /// Calls f(slot, row) for every row, by slot.
    template <class F>
    void for_each(F&& f) const {
        each_of([](const Chunk& chunk) -> const auto& { return chunk.rows; }, f);
    }

    /// Calls f(slot, glance) for every row, by slot.
    template <class F>
        requires HasGlance<T>
    void for_each_glance(F&& f) const {
        each_of([](const Chunk& chunk) -> const auto& { return chunk.glances.of(chunk.rows); }, f);
    }

    /// Whether the same rows are at the same slots. Free slots do not count, not even at the end: a
    /// row that was inserted and erased leaves no trace in a record either.
    friend bool operator==(const Table& a, const Table& b) {
        if (a.size_ != b.size_) return false;
        for (std::size_t c = 0; c < std::min(a.chunks_.size(), b.chunks_.size()); ++c) {
            if (a.shares_chunk(b, c)) continue;
            if (a.chunks_[c]->taken != b.chunks_[c]->taken) return false;
            if (a.chunks_[c]->rows != b.chunks_[c]->rows) return false;
        }
        return true;
    }

private:
    template <class Part, class F>
    void each_of(Part part, F& f) const {
        for (std::size_t c = 0; c < chunks_.size(); ++c) {
            const Chunk& chunk = *chunks_[c];
            const auto& parts = part(chunk);
            for (std::size_t word = 0; word < chunk.taken.size(); ++word) {
                for (std::uint64_t bits = chunk.taken[word]; bits != 0; bits &= bits - 1) {
                    const auto i = word * 64 + static_cast<std::size_t>(std::countr_zero(bits));
                    f(static_cast<Slot>(c * kChunkRows + i), parts[i]);
                }
            }
        }
    }

    Chunk& own(std::size_t c) {
        if (chunks_[c].use_count() > 1) {
            chunks_[c] = std::make_shared<Chunk>(*chunks_[c]);
        } else {
            chunks_[c]->glances.forget();
        }
        return *chunks_[c];
    }

    Slot first_free() {
        for (Slot slot = free_hint_; slot < end_; ++slot) {
            if (!has(slot)) {
                free_hint_ = slot + 1;
                return slot;
            }
        }
        free_hint_ = end_;
        return end_;
    }

    std::vector<std::shared_ptr<Chunk>> chunks_;
    Slot end_ = 0;
    Slot free_hint_ = 0;  ///< No slot below it is free.
    std::size_t size_ = 0;
};

template <class T>
inline constexpr bool is_table<Table<T>> = true;

}  // namespace parley
