#include "kube/decode/decode_json.h"

#include "base/json_read.h"
#include "base/number.h"

#include <simdjson.h>

#include <algorithm>
#include <charconv>

namespace parley::kube {
namespace {

// simdjson picks the instructions of this machine. Only its first stage, the marks, is used. It is
// accessible but not a stable interface: with a new major version, check what stage 1 leaves
// behind, and that decode_json_test.cc passes, before changing this line.
static_assert(simdjson::SIMDJSON_VERSION_MAJOR == 3, "the marks of simdjson 3 are used");

// The buffer takes four bytes per byte of input, and a page may be large, so it is kept only while
// small.
constexpr std::size_t kKeptCapacity = std::size_t{8} << 20;

struct Scratch {
    simdjson::dom::parser parser;
    std::size_t capacity = 0;
};

Scratch& scratch() {
    thread_local Scratch instance;
    return instance;
}

bool make_room(Scratch& s, std::size_t size) {
    const bool wasteful = s.capacity > kKeptCapacity && size <= kKeptCapacity;
    if (s.capacity > 0 && s.capacity >= size && !wasteful) return true;
    s = Scratch();
    constexpr std::size_t kLeast = std::size_t{64} << 10;
    const std::size_t capacity = std::max(size + size / 4, kLeast);
    if (s.parser.allocate(capacity, 1) != simdjson::SUCCESS) {
        s = Scratch();
        return false;
    }
    s.capacity = capacity;
    return true;
}

template <class Bytes>
Bytes load(const char* at) {
    Bytes bytes = 0;
    std::memcpy(&bytes, at, sizeof bytes);
    return bytes;
}

/// Texts are short and many: tests eight bytes at a time, inlined. The last eight overlap.
bool has_backslash(std::string_view text) {
    constexpr std::uint64_t kOnes = 0x0101010101010101ULL;
    const auto among = [](std::uint64_t bytes) {
        bytes ^= kOnes * '\\';  // Bytes that were backslashes are zero now.
        return (bytes - kOnes) & ~bytes & (kOnes << 7);
    };
    const char* first = text.data();
    const std::size_t size = text.size();
    if (size >= 8) {
        const char* last = first + size - 8;
        std::uint64_t found = among(load<std::uint64_t>(last));
        for (const char* at = first; at < last; at += 8) found |= among(load<std::uint64_t>(at));
        return found != 0;
    }
    if (size >= 4) {
        const std::uint64_t half = load<std::uint32_t>(first);
        return among(half << 32 | load<std::uint32_t>(first + size - 4)) != 0;
    }
    return size > 0 && (first[0] == '\\' || first[size / 2] == '\\' || first[size - 1] == '\\');
}

bool is_blank(char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }

std::optional<std::string> unescape(std::string_view rest) {
    std::string out;
    out.reserve(rest.size());
    while (!rest.empty()) {
        const std::size_t plain = std::min(rest.find('\\'), rest.size());
        out += rest.substr(0, plain);
        rest.remove_prefix(plain);
        if (rest.empty()) break;
        if (take_json_escape(rest, out, LoneSurrogate::refuse) != nullptr) return std::nullopt;
    }
    return out;
}

}  // namespace

Result<JsonMarks> mark_json(std::string_view bytes, std::size_t bytes_max) {
    if (bytes.size() > bytes_max) {
        return fail(ErrorCode::malformed, std::to_string(bytes.size()) +
                                              " bytes of JSON; at most " +
                                              std::to_string(bytes_max) + " are read");
    }
    Scratch& s = scratch();
    if (!make_room(s, bytes.size())) {
        return fail(ErrorCode::malformed,
                    "no memory for " + std::to_string(bytes.size()) + " bytes of JSON");
    }
    auto& stages = *s.parser.implementation;
    const auto error = stages.stage1(reinterpret_cast<const std::uint8_t*>(bytes.data()),
                                     bytes.size(), simdjson::stage1_mode::regular);
    if (error != simdjson::SUCCESS) {
        return fail(ErrorCode::malformed,
                    std::string("no JSON: ") + simdjson::error_message(error));
    }
    const std::uint32_t* first = stages.structural_indexes.get();
    return JsonMarks{bytes, first, first + stages.n_structural_indexes};
}

bool JsonWalk::enter(char bracket, const char* wanted) {
    if (peek() == bracket) {
        ++at_;
        if (++depth_ <= kDepthMax) return true;
        broken_ = true;
        return false;
    }
    if (!take_null()) {
        blame_value(key_, wanted);
        skip();
    }
    return false;
}

bool JsonWalk::leave(char bracket) {
    if (peek() != bracket) {
        broken_ = true;
    } else {
        ++at_;
    }
    --depth_;
    return !broken_;
}

void JsonWalk::skip() {
    switch (peek()) {
        case '{':
        case '[':
            pass_over_brackets();
            return;
        case '}':
        case ']':
        case ':':
        case ',':
        case '\0':
            broken_ = true;
            return;
        default:
            ++at_;
    }
}

void JsonWalk::pass_over_brackets() {
    // Nearly all of a page goes through here, so the only branches are the end and the depth.
    static constexpr auto kStep = [] {
        std::array<std::int8_t, 256> step{};
        step['{'] = step['['] = 1;
        step['}'] = step[']'] = -1;
        return step;
    }();
    const auto step = [this](Place at) { return kStep[static_cast<unsigned char>(text_[*at])]; };
    // Four marks are passed at once where three cannot lead out of the value, nor four too deep.
    constexpr int kAtOnce = 4;
    const int deep = depth_ + kAtOnce;
    int depth = depth_ + 1;  // The walk is at a bracket.
    Place at = at_ + 1;
    while (depth > depth_) {
        if (depth >= deep && depth <= kDepthMax - kAtOnce && end_ - at >= kAtOnce) {
            depth += (step(at) + step(at + 1)) + (step(at + 2) + step(at + 3));
            at += kAtOnce;
            continue;
        }
        if (at >= end_ || depth > kDepthMax) {
            broken_ = true;
            break;
        }
        depth += step(at++);
    }
    at_ = at;
}

std::string_view JsonWalk::plain() const {
    const char* first = text_ + *at_;
    const char* last = text_ + offset(at_ + 1);
    while (last > first && is_blank(last[-1])) --last;
    return {first, static_cast<std::size_t>(last - first)};
}

bool JsonWalk::take_null() {
    if (peek() != 'n' || plain() != "null") return false;
    ++at_;
    return true;
}

/// Separate from text(), to keep that small.
std::nullopt_t JsonWalk::no_text() {
    if (!take_null()) {
        blame_value(key_, "a text");
        skip();
    }
    return std::nullopt;
}

std::optional<std::string_view> JsonWalk::text() {
    if (peek() != '"') return no_text();
    const std::string_view value = raw(at_++);
    if (has_backslash(value)) return unescaped(value);
    return value;
}

std::optional<std::string_view> JsonWalk::unescaped(std::string_view raw) {
    auto value = unescape(raw);
    if (!value) {
        blame_value(key_, "a text without unknown escapes");
        return std::nullopt;
    }
    return unescaped_.emplace_back(std::move(*value));
}

std::optional<std::int64_t> JsonWalk::whole() {
    if (at_end() || take_null()) return std::nullopt;
    std::int64_t value = 0;
    const std::string_view digits = plain();
    const auto [stopped, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc() || stopped != digits.data() + digits.size()) {
        blame_value(key_, "a whole number");
        skip();
        return std::nullopt;
    }
    ++at_;
    return value;
}

std::optional<bool> JsonWalk::truth() {
    if (at_end() || take_null()) return std::nullopt;
    const std::string_view word = plain();
    if (word == "true" || word == "false") {
        ++at_;
        return word == "true";
    }
    blame_value(key_, "true or false");
    skip();
    return std::nullopt;
}

void JsonWalk::blame(std::string why) {
    if (fault_.empty()) fault_ = std::move(why);
}

void JsonWalk::blame_value(std::string_view key, std::string_view wanted) {
    if (fault_.empty()) {
        fault_ = in_quotes(key) + " is not " + std::string(wanted);
    }
}

void JsonWalk::forget() {
    fault_.clear();
    unescaped_.clear();
}

}  // namespace parley::kube
