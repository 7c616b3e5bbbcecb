#include "base/json_read.h"

#include "base/utf8.h"

#include <charconv>
#include <limits>
#include <optional>

namespace parley {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();
static_assert(kJsonDepthMax == 64 && kJsonValuesMax == 2'000'000, "as the reasons below say");

constexpr const char* kArrayGoesOn = "a comma or the end of the array must stand here";

enum class Dialect { strict, python };

bool digit(char c) { return c >= '0' && c <= '9'; }

/// The end of the number that begins at `at`, by JSON's grammar; `at` itself if none does.
std::size_t number_end(std::string_view bytes, std::size_t at) {
    const auto here = [&](std::size_t i) { return i < bytes.size() ? bytes[i] : '\0'; };
    std::size_t i = at + (here(at) == '-' ? 1 : 0);
    if (!digit(here(i))) return at;
    if (here(i) == '0') {
        ++i;
    } else {
        while (digit(here(i))) ++i;
    }
    if (here(i) == '.') {
        if (!digit(here(++i))) return at;
        while (digit(here(i))) ++i;
    }
    if (here(i) == 'e' || here(i) == 'E') {
        ++i;
        if (here(i) == '+' || here(i) == '-') ++i;
        if (!digit(here(i))) return at;
        while (digit(here(i))) ++i;
    }
    return i;
}

/// The value of a number outside the range of doubles: zero or infinite. from_chars does not say
/// which; a small one has a negative exponent or leading zeros after the point.
double out_of_range(std::string_view written) {
    const bool minus = written.starts_with('-');
    const std::size_t e = written.find_first_of("eE");
    const bool small = e != std::string_view::npos ? written.substr(e + 1).starts_with('-')
                                                   : written.substr(minus).starts_with("0.");
    const double size = small ? 0.0 : kInfinity;
    return minus ? -size : size;
}

/// Four hexadecimal digits from the front.
std::optional<std::uint32_t> take_hex(std::string_view& rest) {
    const std::string_view four = rest.substr(0, 4);
    std::uint32_t value = 0;
    const auto done = std::from_chars(four.data(), four.data() + four.size(), value, 16);
    if (four.size() != 4 || done.ec != std::errc() || done.ptr != four.data() + 4) {
        return std::nullopt;
    }
    rest.remove_prefix(4);
    return value;
}

bool is_high(std::uint32_t point) { return point >= 0xd800 && point < 0xdc00; }
bool is_low(std::uint32_t point) { return point >= 0xdc00 && point < 0xe000; }

/// Reads one value; only blanks may follow it. For one use.
class Reader {
public:
    Reader(std::string_view bytes, Dialect dialect) : bytes_(bytes), dialect_(dialect) {}

    Result<Json> read();

private:
    bool value(Json& out, std::size_t depth);
    bool content(Json& out, std::size_t depth);
    bool object(Json& out, std::size_t depth);
    bool array(Json& out, std::size_t depth);
    bool items(Json& out, std::size_t depth);
    /// Nothing if the array holds anything but numbers and nulls.
    std::optional<bool> numbers(JsonNumbers& out);
    bool number(double& out);
    bool text(std::string& out);
    bool word(std::string_view expected);
    /// Steps over a comma. At the closing bracket it steps over that and returns false; it also
    /// returns false at anything else, as an error.
    bool another(char close, const char* expected);
    void blank();
    bool more() const { return at_ < bytes_.size(); }
    char here() const { return more() ? bytes_[at_] : '\0'; }
    bool strict() const { return dialect_ == Dialect::strict; }
    /// Keeps the first reason; always false.
    bool wrong(const char* why);

    std::string_view bytes_;
    Dialect dialect_;
    std::size_t at_ = 0;
    JsonLimits limits_;
    const char* why_ = nullptr;
    std::size_t where_ = 0;
};

Result<Json> Reader::read() {
    if (bytes_.size() > kJsonBytesMax) {
        return fail(ErrorCode::malformed, "it is larger than 256 MiB");
    }
    Json out;
    if (value(out, 0)) {
        blank();
        if (more()) wrong("something stands behind the end of the JSON");
    }
    if (why_ == nullptr) return out;
    return fail(ErrorCode::malformed, "byte " + std::to_string(where_) + ": " + why_);
}

bool Reader::wrong(const char* why) {
    if (why_ == nullptr) {
        why_ = why;
        where_ = at_;
    }
    return false;
}

void Reader::blank() {
    while (more() && (here() == ' ' || here() == '\n' || here() == '\t' || here() == '\r')) ++at_;
}

bool Reader::word(std::string_view expected) {
    if (bytes_.substr(at_, expected.size()) != expected) return false;
    at_ += expected.size();
    return true;
}

bool Reader::another(char close, const char* expected) {
    blank();
    const bool comma = here() == ',';
    if (!comma && here() != close) return wrong(expected);
    ++at_;
    return comma;
}

bool Reader::value(Json& out, std::size_t depth) {
    if (depth > kJsonDepthMax) return wrong("it is nested more than 64 deep");
    if (!limits_.value()) return wrong("it has more than 2,000,000 values");
    blank();
    const std::size_t begin = at_;
    if (!content(out, depth)) return false;
    out.raw = bytes_.substr(begin, at_ - begin);
    return true;
}

bool Reader::content(Json& out, std::size_t depth) {
    switch (here()) {
        case '{':
            return object(out, depth);
        case '[':
            return array(out, depth);
        case '"':
            return text(out.content.emplace<std::string>());
        case 't':
            out.content = true;
            return word("true") || wrong("this is no JSON value");
        case 'f':
            out.content = false;
            return word("false") || wrong("this is no JSON value");
        case 'n':
            return word("null") || wrong("this is no JSON value");
        default:
            return number(out.content.emplace<double>());
    }
}

bool Reader::object(Json& out, std::size_t depth) {
    JsonMembers& members = out.content.emplace<JsonMembers>();
    ++at_;
    blank();
    if (here() == '}') {
        ++at_;
        return true;
    }
    do {
        blank();
        if (here() != '"') return wrong("a name in quotes must stand here");
        if (!text(members.names.emplace_back())) return false;
        blank();
        if (here() != ':') return wrong("a colon must stand here");
        ++at_;
        if (!value(members.values.emplace_back(), depth + 1)) return false;
    } while (another('}', "a comma or the end of the object must stand here"));
    if (why_ != nullptr) return false;
    return !strict() || name_twice(members) == nullptr ||
           wrong("an object before it has a name twice");
}

bool Reader::array(Json& out, std::size_t depth) {
    ++at_;
    blank();
    if (here() == ']') {
        out.content.emplace<JsonItems>();
        ++at_;
        return true;
    }
    if (!strict()) return items(out, depth);
    const std::size_t first = at_;
    if (const auto done = numbers(out.content.emplace<JsonNumbers>())) return *done;
    at_ = first;  // Not only numbers: read the array again, value by value.
    return items(out, depth);
}

bool Reader::items(Json& out, std::size_t depth) {
    JsonItems& items = out.content.emplace<JsonItems>();
    do {
        if (!value(items.emplace_back(), depth + 1)) return false;
    } while (another(']', kArrayGoesOn));
    return why_ == nullptr;
}

std::optional<bool> Reader::numbers(JsonNumbers& out) {
    do {
        blank();
        constexpr std::string_view kOthers = "{[\"tf";
        if (more() && kOthers.find(here()) != std::string_view::npos) return std::nullopt;
        if (!limits_.numbers(1)) return wrong("it has more than 16,000,000 numbers");
        double& each = out.emplace_back(kNan);
        if (!word("null") && !number(each)) return false;
    } while (another(']', kArrayGoesOn));
    return why_ == nullptr;
}

bool Reader::number(double& out) {
    if (word("NaN")) {
        out = kNan;
        return true;
    }
    if (word("Infinity")) {
        out = kInfinity;
        return true;
    }
    if (word("-Infinity")) {
        out = -kInfinity;
        return true;
    }
    const std::size_t end = number_end(bytes_, at_);
    if (end == at_) return wrong("this is no JSON value");
    const std::string_view written = bytes_.substr(at_, end - at_);
    const auto done = std::from_chars(written.data(), written.data() + written.size(), out);
    if (done.ec != std::errc()) {
        if (strict()) return wrong("this number does not fit into a double");
        out = out_of_range(written);
    }
    at_ = end;
    return true;
}

bool Reader::text(std::string& out) {
    ++at_;
    while (more()) {
        const char c = here();
        if (c == '"') {
            ++at_;
            return true;
        }
        if (static_cast<unsigned char>(c) < 0x20) return wrong("a text holds a control character");
        if (c == '\\') {
            std::string_view rest = bytes_.substr(at_);
            const char* why = take_json_escape(
                rest, out, strict() ? LoneSurrogate::refuse : LoneSurrogate::replace);
            at_ = bytes_.size() - rest.size();
            if (why != nullptr) return wrong(why);
            continue;
        }
        const std::size_t length = strict() ? utf8_length(bytes_.substr(at_)) : 1;
        if (length == 0) return wrong("a text holds what is no UTF-8");
        out += bytes_.substr(at_, length);
        at_ += length;
    }
    return wrong("the file ends within a text");
}

}  // namespace

bool is_json_number(std::string_view text) {
    return !text.empty() && number_end(text, 0) == text.size();
}

const char* take_json_escape(std::string_view& rest, std::string& out, LoneSurrogate lone) {
    constexpr std::string_view kShort = "\"\\/bfnrt";
    constexpr std::string_view kMeant = "\"\\/\b\f\n\r\t";
    constexpr const char* kNoHex = "four hexadecimal digits must stand here";
    constexpr std::uint32_t kReplacement = 0xfffd;
    rest.remove_prefix(1);
    if (rest.empty()) return "there is no such escape";
    if (const std::size_t known = kShort.find(rest.front()); known != std::string_view::npos) {
        out += kMeant[known];
        rest.remove_prefix(1);
        return nullptr;
    }
    if (rest.front() != 'u') return "there is no such escape";
    rest.remove_prefix(1);
    const auto point = take_hex(rest);
    if (!point) return kNoHex;
    if (is_high(*point) && rest.starts_with("\\u")) {
        std::string_view behind = rest.substr(2);
        const auto low = take_hex(behind);
        if (!low) {
            rest = behind;
            return kNoHex;
        }
        if (is_low(*low)) {
            append_utf8(out, 0x10000 + ((*point - 0xd800) << 10) + (*low - 0xdc00));
            rest = behind;
            return nullptr;
        }
    }
    const bool half = is_high(*point) || is_low(*point);
    if (half && lone == LoneSurrogate::refuse) return "half of a surrogate pair stands alone";
    append_utf8(out, half ? kReplacement : *point);
    return nullptr;
}

Result<Json> parse_json(std::string_view bytes) { return Reader(bytes, Dialect::strict).read(); }

Result<Json> parse_python_json(std::string_view bytes) {
    return Reader(bytes, Dialect::python).read();
}

}  // namespace parley
