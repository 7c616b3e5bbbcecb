// Kube: walks over a JSON text along the marks that simdjson finds in it. Bytes in, values by field
// out, without building a tree.

#pragma once

#include "base/result.h"

#include <array>
#include <cstdint>
#include <cstring>
#include <deque>
#include <optional>
#include <string>
#include <string_view>

namespace parley::kube {

inline constexpr int kDepthMax = 64;  ///< Of brackets in brackets; deeper text is refused.

/// Where each bracket, comma, colon, string and plain value of a text begins.
struct JsonMarks {
    std::string_view text;
    const std::uint32_t* first = nullptr;
    const std::uint32_t* end = nullptr;
};

/// Finds the marks. `malformed`: empty, longer than `bytes_max`, not UTF-8, or an open string. The
/// result is valid as long as `bytes`, and until the next call in this thread.
[[nodiscard]] Result<JsonMarks> mark_json(std::string_view bytes, std::size_t bytes_max);

/// The name of a field as written. Comparing with a literal is inlined, because there are many.
struct JsonKey : std::string_view {
    explicit JsonKey(std::string_view text) : std::string_view(text) {}
    template <std::size_t N>
    friend bool operator==(const JsonKey& key, const char (&word)[N]) {
        const char* first = key.data();
        return key.size() == N - 1 && std::memcmp(first, word, N - 1) == 0;
    }
};

/// Goes once through a text. There are two kinds of errors: the text can be broken, so that it is
/// not JSON, which ends the walk; or a value can be wrong, which concerns only its object. Both are
/// remembered until asked for. Fields that nobody reads are skipped by brackets alone.
class JsonWalk {
public:
    using Place = const std::uint32_t*;

    explicit JsonWalk(const JsonMarks& marks)
        : text_(marks.text.data()), size_(marks.text.size()), at_(marks.first), end_(marks.end) {}

    /// Calls each(key) for every field of an object, with the walk at its value; a value that is
    /// not read is skipped. Null has no fields; anything else is a fault. Keys are compared as
    /// written, so a key with escapes matches none of ours.
    template <class Each>
    void fields(Each&& each);

    /// The same for an array: calls each() for every element.
    template <class Each>
    void items(Each&& each);

    /// Nothing: null, or a fault. The view is valid until forget().
    std::optional<std::string_view> text();
    std::optional<std::int64_t> whole();
    std::optional<bool> truth();

    void skip();

    Place place() const { return at_; }
    void go_to(Place place) { at_ = place; }
    /// Approximate number of bytes between two places.
    std::size_t bytes_between(Place from, Place to) const { return offset(to) - offset(from); }
    bool at_end() const { return at_ >= end_; }
    bool at_object() const { return peek() == '{'; }

    bool broken() const { return broken_; }
    bool at_fault() const { return !fault_.empty(); }
    const std::string& fault() const { return fault_; }
    /// Reports that the current object cannot be understood; only the first reason is kept.
    void blame(std::string why);
    /// Reports that the value just read, of the field of that name, is not what it should be.
    void blame_value(std::string_view key, std::string_view wanted);
    /// Forgets the fault, before the next object.
    void forget();

private:
    char peek() const { return at_ < end_ ? text_[*at_] : '\0'; }
    std::size_t offset(Place place) const { return place < end_ ? *place : size_; }
    bool enter(char bracket, const char* wanted);
    bool leave(char bracket);
    void pass_over_brackets();
    /// The string at the place, without quotes and with escapes as written.
    std::string_view raw(Place place) const {
        const char* last = text_ + offset(place + 1) - 1;
        while (*last != '"') --last;  // After the closing quote there are only blanks.
        const char* first = text_ + *place + 1;
        return last < first ? std::string_view()  // NOLINT: unreachable after mark_json.
                            : std::string_view(first, static_cast<std::size_t>(last - first));
    }
    /// A number, true, false or null as it is written.
    std::string_view plain() const;
    bool take_null();
    std::nullopt_t no_text();
    std::optional<std::string_view> unescaped(std::string_view raw);

    const char* text_;
    std::size_t size_;
    Place at_;
    Place end_;
    int depth_ = 0;
    bool broken_ = false;
    std::string_view key_;  // Of the field being read.
    std::string fault_;
    std::deque<std::string> unescaped_;
};

template <class Each>
void JsonWalk::fields(Each&& each) {
    if (!enter('{', "an object")) return;
    if (peek() == '}') {
        leave('}');
        return;
    }
    while (!broken_) {
        if (peek() != '"') break;
        const JsonKey key(raw(at_++));
        if (peek() != ':') break;
        const Place value = ++at_;
        key_ = key;
        each(key);
        if (at_ == value) skip();
        if (peek() != ',') {
            leave('}');
            return;
        }
        ++at_;
    }
    broken_ = true;
}

template <class Each>
void JsonWalk::items(Each&& each) {
    if (!enter('[', "a list")) return;
    if (peek() == ']') {
        leave(']');
        return;
    }
    const std::string_view key = key_;
    while (!broken_) {
        const Place value = at_;
        key_ = key;
        each();
        if (at_ == value) skip();
        if (peek() != ',') {
            leave(']');
            return;
        }
        ++at_;
    }
}

}  // namespace parley::kube
