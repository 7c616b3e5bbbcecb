#include "brain/json_reader.h"

#include "base/utf8.h"

#include <charconv>
#include <limits>

namespace parley::brain {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

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

}  // namespace

Result<Value> parse_json(std::string_view bytes) { return JsonReader(bytes).read(); }

Result<Value> JsonReader::read() {
    if (bytes_.size() > kDocumentBytesMax) {
        return fail(ErrorCode::malformed, "it is larger than 256 MiB");
    }
    Value out;
    if (value(out, 0)) {
        blank();
        if (more()) wrong("something stands behind the end of the JSON");
    }
    if (why_ == nullptr) return out;
    return fail(ErrorCode::malformed, "byte " + std::to_string(where_) + ": " + why_);
}

bool JsonReader::wrong(const char* why) {
    if (why_ == nullptr) {
        why_ = why;
        where_ = at_;
    }
    return false;
}

void JsonReader::blank() {
    while (more() && (here() == ' ' || here() == '\n' || here() == '\t' || here() == '\r')) ++at_;
}

bool JsonReader::word(std::string_view expected) {
    if (bytes_.substr(at_, expected.size()) != expected) return false;
    at_ += expected.size();
    return true;
}

bool JsonReader::value(Value& out, std::size_t depth) {
    if (depth > kDocumentDepthMax) return wrong("it is nested more than 32 deep");
    if (!limits_.value()) return wrong("it has more than 2,000,000 values");
    blank();
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

bool JsonReader::object(Value& out, std::size_t depth) {
    Members& members = out.content.emplace<Members>();
    ++at_;
    blank();
    if (here() == '}') {
        ++at_;
        return true;
    }
    while (true) {
        blank();
        if (here() != '"') return wrong("a name in quotes must stand here");
        if (!text(members.names.emplace_back())) return false;
        blank();
        if (here() != ':') return wrong("a colon must stand here");
        ++at_;
        if (!value(members.values.emplace_back(), depth + 1)) return false;
        blank();
        if (here() == '}') break;
        if (here() != ',') return wrong("a comma or the end of the object must stand here");
        ++at_;
    }
    ++at_;
    return name_twice(members) == nullptr || wrong("an object before it has a name twice");
}

bool JsonReader::array(Value& out, std::size_t depth) {
    ++at_;
    blank();
    if (here() == ']') {
        out.content.emplace<Items>();
        ++at_;
        return true;
    }
    const char first = here();
    if (first == '-' || digit(first) || first == 'n' || first == 'N' || first == 'I') {
        return numbers(out);
    }
    Items& items = out.content.emplace<Items>();
    while (true) {
        if (!value(items.emplace_back(), depth + 1)) return false;
        if (items.back().number() != nullptr) return wrong("an array mixes numbers with others");
        blank();
        if (here() == ']') break;
        if (here() != ',') return wrong("a comma or the end of the array must stand here");
        ++at_;
    }
    ++at_;
    return true;
}

bool JsonReader::numbers(Value& out) {
    Numbers& numbers = out.content.emplace<Numbers>();
    while (true) {
        blank();
        if (!limits_.numbers(1)) return wrong("it has more than 16,000,000 numbers");
        double& each = numbers.emplace_back(kNan);
        if (!word("null") && !number(each)) return false;
        blank();
        if (here() == ']') break;
        if (here() != ',') return wrong("a comma or the end of the array must stand here");
        ++at_;
    }
    ++at_;
    return true;
}

bool JsonReader::number(double& out) {
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
    const char* data = bytes_.data();
    const auto done = std::from_chars(data + at_, data + end, out);
    if (done.ec != std::errc() || done.ptr != data + end) {
        return wrong("this number does not fit into a double");
    }
    at_ = end;
    return true;
}

bool JsonReader::text(std::string& out) {
    ++at_;
    while (more()) {
        const char c = here();
        if (c == '"') {
            ++at_;
            return true;
        }
        if (static_cast<unsigned char>(c) < 0x20) return wrong("a text holds a control character");
        if (c == '\\') {
            if (!escape(out)) return false;
        } else {
            out += c;
            ++at_;
        }
    }
    return wrong("the file ends within a text");
}

bool JsonReader::escape(std::string& out) {
    constexpr std::string_view kShort = "\"\\/bfnrt";
    constexpr std::string_view kMeant = "\"\\/\b\f\n\r\t";
    ++at_;
    const std::size_t known = more() ? kShort.find(here()) : std::string_view::npos;
    if (known != std::string_view::npos) {
        out += kMeant[known];
        ++at_;
        return true;
    }
    std::uint32_t point = 0;
    if (here() != 'u') return wrong("there is no such escape");
    ++at_;
    if (!hex4(point)) return false;
    if (point >= 0xd800 && point < 0xdc00) {
        std::uint32_t low = 0;
        if (!word("\\u") || !hex4(low) || low < 0xdc00 || low > 0xdfff) {
            return wrong("half of a surrogate pair stands alone");
        }
        point = 0x10000 + ((point - 0xd800) << 10) + (low - 0xdc00);
    } else if (point >= 0xdc00 && point < 0xe000) {
        return wrong("half of a surrogate pair stands alone");
    }
    append_utf8(out, point);
    return true;
}

bool JsonReader::hex4(std::uint32_t& out) {
    const std::string_view four = bytes_.substr(at_, 4);
    const auto done = std::from_chars(four.data(), four.data() + four.size(), out, 16);
    if (four.size() != 4 || done.ec != std::errc() || done.ptr != four.data() + 4) {
        return wrong("four hexadecimal digits must stand here");
    }
    at_ += 4;
    return true;
}

}  // namespace parley::brain
