// Base: any described value to bytes and back, whole or as the difference to an earlier value.
//
// The bytes are the same from every build. Names are written as text, so that they do not depend
// on what was interned before. A difference names only what changed: a mask per struct, a list of
// places per vector and table. Chunks that two tables share are skipped without comparing rows.
// Members, enumerators and alternatives may be appended to their type: old bytes stay readable.

#pragma once

#include "base/bytes.h"
#include "base/describe.h"
#include "base/same.h"
#include "base/table.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

namespace parley {

template <class T>
void write_value(ByteWriter& out, const T& value, const T* before);
template <class T>
void read_value(ByteReader& in, T& value, bool difference);

namespace codec {

/// Overflow is intended: modulo 2^64 the difference of any two integers fits.
template <Integer T>
std::int64_t step(T value, T before) {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(value) -
                                     static_cast<std::uint64_t>(before));
}

template <DescribedStruct T>
void write_struct(ByteWriter& out, const T& value, const T* before) {
    static_assert(member_count<T> <= 64, "the mask of changes has 64 bits");
    if (before == nullptr) {
        out.varint(member_count<T>);
        for_each_member(value, [&](auto, const auto& m) {
            write_value<std::remove_cvref_t<decltype(m)>>(out, m, nullptr);
        });
        return;
    }
    std::uint64_t mask = 0;
    std::uint64_t bit = 1;
    for_each_pair(value, *before, [&](auto, const auto& now, const auto& then) {
        if (!same(now, then)) mask |= bit;
        bit <<= 1;
    });
    out.varint(mask);
    for_each_pair(value, *before, [&](auto, const auto& now, const auto& then) {
        if ((mask & 1U) != 0) write_value(out, now, &then);
        mask >>= 1;
    });
}

/// Reads the members whose bits are set in `there`, in order. A single fold expression: with one
/// call per member, testing the bits took a third of the time to read a large cluster.
template <DescribedStruct T, class... Members>
void read_members([[maybe_unused]] ByteReader& in, [[maybe_unused]] T& value,
                  boost::mp11::mp_list<Members...> /*all*/, [[maybe_unused]] std::uint64_t there,
                  [[maybe_unused]] bool difference) {
    [[maybe_unused]] unsigned at = 0;  // A struct may have no members.
    ((((there >> at++) & 1U) != 0 && !in.failed() ? read_value(in, Members::of(value), difference)
                                                  : void()),
     ...);
}

/// A whole struct begins with its number of members. An older program wrote fewer, and the rest
/// keep their defaults. A newer one wrote more, which is refused.
template <DescribedStruct T>
void read_struct(ByteReader& in, T& value, bool difference) {
    constexpr std::size_t kAll = member_count<T>;
    if (!difference) value = T{};
    std::uint64_t there = in.varint();
    if (!difference) {
        if (there > kAll) return in.fail();
        there = there == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << there) - 1;
    } else if (kAll < 64 && (there >> kAll) != 0) {
        return in.fail();
    }
    read_members(in, value, MembersOf<T>(), there, difference);
}

template <class T>
void write_vector(ByteWriter& out, const std::vector<T>& value, const std::vector<T>* before) {
    out.varint(value.size());
    const std::size_t shared = before == nullptr ? 0 : std::min(value.size(), before->size());
    std::size_t last = 0;
    for (std::size_t i = 0; i < shared; ++i) {  // A list of (gap + 1, element), ended by 0.
        if (same(value[i], (*before)[i])) continue;
        out.varint(i - last + 1);
        write_value<T>(out, value[i], &(*before)[i]);
        last = i;
    }
    if (before != nullptr) out.varint(0);
    for (std::size_t i = shared; i < value.size(); ++i) write_value<T>(out, value[i], nullptr);
}

template <class T>
void read_vector(ByteReader& in, std::vector<T>& value, bool difference) {
    if (!difference) value.clear();
    const std::size_t shared_before = value.size();
    const std::uint64_t size = in.varint();
    if (size > shared_before + in.left()) return in.fail();
    if (size > shared_before && !in.claim(size - shared_before, sizeof(T))) return;
    value.resize(size);
    const std::size_t shared = std::min<std::size_t>(shared_before, size);
    std::size_t at = 0;
    while (difference && !in.failed()) {
        const std::uint64_t gap = in.varint();
        if (gap == 0) break;
        at += gap - 1;
        if (at >= shared) return in.fail();
        read_value(in, value[at], true);
    }
    for (std::size_t i = shared; i < size && !in.failed(); ++i) read_value(in, value[i], false);
}

template <class T>
void write_table(ByteWriter& out, const Table<T>& value, const Table<T>* before) {
    static const Table<T> nothing;
    const Table<T>& base = before == nullptr ? nothing : *before;
    Slot last = 0;
    const auto place = [&](Slot slot) {
        out.varint(slot - last + 1);  // A list of (gap + 1, what, row), ended by 0.
        last = slot;
    };
    const std::size_t chunks = std::max(value.chunk_count(), base.chunk_count());
    for (std::size_t c = 0; c < chunks; ++c) {
        if (value.shares_chunk(base, c)) continue;
        for (std::size_t i = 0; i < Table<T>::kChunkRows; ++i) {
            const auto slot = static_cast<Slot>(c * Table<T>::kChunkRows + i);
            const T* now = value.find(slot);
            const T* then = base.find(slot);
            if (now == nullptr && then == nullptr) continue;
            if (now != nullptr && then != nullptr && same(*now, *then)) continue;
            place(slot);
            out.byte(now == nullptr ? 0 : then == nullptr ? 1 : 2);
            if (now != nullptr) write_value<T>(out, *now, then);
        }
    }
    out.varint(0);
}

template <class T>
void read_table(ByteReader& in, Table<T>& value, bool difference) {
    constexpr Slot kLimit = 1U << 24;  // Far above any cluster; keeps hostile slots from memory.
    if (!difference) value = Table<T>();
    std::uint64_t at = 0;
    while (!in.failed()) {
        const std::uint64_t gap = in.varint();
        if (gap == 0) return;
        at += gap - 1;
        if (at >= kLimit || at > value.end_slot() + std::uint64_t{1'000'000}) return in.fail();
        const auto slot = static_cast<Slot>(at);
        const std::uint8_t what = in.byte();
        if (what > 2 || (what == 1) == value.has(slot)) return in.fail();
        if (what == 0) {
            value.erase(slot);
        } else if (what == 2) {
            read_value(in, value.edit(slot), true);
        } else {
            const std::uint64_t places = at < value.end_slot() ? 0 : at + 1 - value.end_slot();
            if (!in.claim(places, sizeof(T))) return;  // Places before it take memory, too.
            T row{};
            read_value(in, row, false);
            value.put(slot, std::move(row));
        }
    }
}

template <class... Ts>
void write_variant(ByteWriter& out, const std::variant<Ts...>& value,
                   const std::variant<Ts...>* before) {
    const bool same = before != nullptr && before->index() == value.index();
    out.varint(value.index());
    std::visit(
        [&](const auto& now) {
            using Now = std::remove_cvref_t<decltype(now)>;
            write_value<Now>(out, now, same ? std::get_if<Now>(before) : nullptr);
        },
        value);
}

template <class... Ts>
void read_variant(ByteReader& in, std::variant<Ts...>& value, bool difference) {
    const std::uint64_t index = in.varint();
    if (index >= sizeof...(Ts)) return in.fail();
    boost::mp11::mp_with_index<sizeof...(Ts)>(index, [&](auto place) {
        const bool same = difference && value.index() == place;
        if (!same) value.template emplace<place>();
        read_value(in, std::get<place>(value), same);
    });
}

template <class T>
void write_optional(ByteWriter& out, const std::optional<T>& value,
                    const std::optional<T>* before) {
    out.byte(value ? 1 : 0);
    if (value) write_value<T>(out, *value, before != nullptr && *before ? &**before : nullptr);
}

template <class T>
void read_optional(ByteReader& in, std::optional<T>& value, bool difference) {
    const std::uint8_t there = in.byte();
    if (there > 1) return in.fail();
    if (there == 0) return value.reset();
    const bool same = difference && value.has_value();
    if (!same) value.emplace();
    read_value(in, *value, same);
}

template <HasParts T>
void read_parts(ByteReader& in, T& value, bool difference) {
    typename T::Parts parts{};
    if (difference) parts = value.parts();
    read_value(in, parts, difference);
    std::optional<T> built = T::from_parts(parts);
    if (!built) return in.fail();
    value = *std::move(built);
}

template <Integer T>
void read_integer(ByteReader& in, T& value, bool difference) {
    const std::uint64_t base = difference ? static_cast<std::uint64_t>(value) : 0;
    const std::uint64_t bits = base + static_cast<std::uint64_t>(in.zigzag());
    value = static_cast<T>(bits);
    if (static_cast<std::uint64_t>(value) != bits) in.fail();  // Too big for its type.
}

}  // namespace codec

/// Writes `value`: whole, or as its difference to `before`.
template <class T>
void write_value(ByteWriter& out, const T& value, const T* before) {
    if constexpr (std::same_as<T, bool>) {
        out.byte(value ? 1 : 0);
    } else if constexpr (Integer<T>) {
        out.zigzag(codec::step(value, before == nullptr ? T{0} : *before));
    } else if constexpr (TimeLike<T>) {
        out.zigzag(codec::step(value.us, before == nullptr ? 0 : before->us));
    } else if constexpr (DescribedEnum<T>) {
        out.varint(static_cast<std::uint64_t>(value));
    } else if constexpr (std::same_as<T, double>) {
        out.real(value);
    } else if constexpr (std::same_as<T, std::string>) {
        out.text(value);
    } else if constexpr (std::same_as<T, Name>) {
        out.text(value.view());
    } else if constexpr (is_optional<T>) {
        codec::write_optional(out, value, before);
    } else if constexpr (is_vector<T>) {
        codec::write_vector(out, value, before);
    } else if constexpr (is_array<T>) {
        for (std::size_t i = 0; i < value.size(); ++i) {
            write_value(out, value[i], before == nullptr ? nullptr : &(*before)[i]);
        }
    } else if constexpr (is_variant<T>) {
        codec::write_variant(out, value, before);
    } else if constexpr (is_table<T>) {
        codec::write_table(out, value, before);
    } else if constexpr (HasParts<T>) {
        const typename T::Parts parts = value.parts();
        if (before == nullptr) return write_value<typename T::Parts>(out, parts, nullptr);
        const typename T::Parts then = before->parts();
        write_value(out, parts, &then);
    } else {
        codec::write_struct(out, value, before);
    }
}

/// Reads what write_value wrote; for a difference, `value` must hold what `before` was. Bytes that
/// cannot have been written so leave in.failed() true.
template <class T>
void read_value(ByteReader& in, T& value, bool difference) {
    if constexpr (std::same_as<T, bool>) {
        const std::uint8_t bit = in.byte();
        if (bit > 1) in.fail();
        value = bit == 1;
    } else if constexpr (Integer<T>) {
        codec::read_integer(in, value, difference);
    } else if constexpr (TimeLike<T>) {
        codec::read_integer(in, value.us, difference);
    } else if constexpr (DescribedEnum<T>) {
        const std::uint64_t number = in.varint();
        if (!is_enumerator<T>(number)) return in.fail();
        value = static_cast<T>(number);
    } else if constexpr (std::same_as<T, double>) {
        value = in.real();
    } else if constexpr (std::same_as<T, std::string>) {
        value = std::string(in.text());
    } else if constexpr (std::same_as<T, Name>) {
        value = Name::of(in.text());
    } else if constexpr (is_optional<T>) {
        codec::read_optional(in, value, difference);
    } else if constexpr (is_vector<T>) {
        codec::read_vector(in, value, difference);
    } else if constexpr (is_array<T>) {
        for (auto& element : value) read_value(in, element, difference);
    } else if constexpr (is_variant<T>) {
        codec::read_variant(in, value, difference);
    } else if constexpr (is_table<T>) {
        codec::read_table(in, value, difference);
    } else if constexpr (HasParts<T>) {
        codec::read_parts(in, value, difference);
    } else {
        codec::read_struct(in, value, difference);
    }
}

/// The whole value as bytes.
template <class T>
std::string encode(const T& value) {
    ByteWriter out;
    write_value<T>(out, value, nullptr);
    return out.take();
}

/// What turns `before` into `value`, as bytes.
template <class T>
std::string encode_difference(const T& value, const T& before) {
    ByteWriter out;
    write_value(out, value, &before);
    return out.take();
}

/// Nothing if the bytes are not exactly one encoded T.
template <class T>
std::optional<T> decode(std::string_view bytes) {
    ByteReader in(bytes);
    T value{};
    read_value(in, value, false);
    if (in.failed() || !in.at_end()) return std::nullopt;
    return value;
}

/// Turns `value`, which must equal what `before` was, into what was encoded; false if the bytes
/// cannot be a difference to it, and then `value` is worthless.
template <class T>
[[nodiscard]] bool apply_difference(std::string_view bytes, T& value) {
    ByteReader in(bytes);
    read_value(in, value, true);
    return !in.failed() && in.at_end();
}

}  // namespace parley
