// Fuzz: libFuzzer's input, as text or taken apart piece by piece.

#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace parley::fuzz {

/// Hands out an input from the front; after its end everything is zero or empty. Never fails, so
/// that any bytes are a valid script.
class Input {
public:
    Input(const std::uint8_t* bytes, std::size_t size)
        : rest_(reinterpret_cast<const char*>(bytes), size) {}

    bool empty() const { return rest_.empty(); }
    std::string_view rest() const { return rest_; }

    std::uint8_t byte() {
        const std::string_view one = take(1);
        return one.empty() ? std::uint8_t{0} : static_cast<std::uint8_t>(one[0]);
    }

    /// From 0 to `most`.
    std::size_t up_to(std::size_t most) { return word() % (most + 1); }

    std::string_view take(std::size_t size) {
        const std::string_view taken = rest_.substr(0, size);
        rest_.remove_prefix(taken.size());
        return taken;
    }

    template <class T>
    T value() {
        T out{};
        const std::string_view bytes = take(sizeof out);
        std::memcpy(&out, bytes.data(), bytes.size());
        return out;
    }

private:
    std::uint16_t word() { return value<std::uint16_t>(); }

    std::string_view rest_;
};

/// What a target does with one input; aborts if a promise is broken.
void try_input(Input input);

/// Whether an error message is fit for people: not empty, and short enough for a screen.
inline bool readable(std::string_view message) { return !message.empty() && message.size() < 2000; }

}  // namespace parley::fuzz
