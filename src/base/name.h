// Base: interned names. A Name is four bytes; its text lives as long as the process.

#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

namespace parley {

/// A handle to an interned text. Equality compares handles, order compares texts, so that nothing
/// decided depends on which name was seen first. Interning is thread-safe, reading takes no lock.
/// The table never forgets: only names whose number is bounded by the cluster's size belong in it
/// (nodes, workloads, namespaces), not names that come and go with every pod (model/pod.h).
class Name {
public:
    /// The empty name.
    constexpr Name() = default;

    /// Interns `text`, or finds it. Takes a lock.
    static Name of(std::string_view text);

    std::string_view view() const;
    std::string str() const { return std::string(view()); }
    bool empty() const { return handle_ == 0; }

    /// For lookup tables only; never for order, and never recorded.
    std::uint32_t handle() const { return handle_; }

    friend bool operator==(Name, Name) = default;
    friend std::strong_ordering operator<=>(Name a, Name b) {
        return a == b ? std::strong_ordering::equal : a.view() <=> b.view();
    }

private:
    explicit constexpr Name(std::uint32_t handle) : handle_(handle) {}

    std::uint32_t handle_ = 0;
};

}  // namespace parley
