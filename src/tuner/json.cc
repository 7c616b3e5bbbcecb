#include "tuner/json.h"

#include "base/number.h"
#include "base/utf8.h"

#include <charconv>
#include <cmath>
#include <limits>

namespace parley::tuner {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr std::uint32_t kReplacement = 0xFFFD;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

class Reader {
public:
    explicit Reader(std::string_view text) : text_(text) {}

    Result<Json> whole() {
        Result<Json> value = read(0);
        if (!value) return value;
        skip_spaces();
        if (at_ != text_.size()) return wrong("something follows the value");
        return value;
    }

private:
    tl::unexpected<Error> wrong(const char* what) const {
        return fail(ErrorCode::malformed,
                    "byte " + std::to_string(at_) + " of JSON: " + std::string(what));
    }

    void skip_spaces() {
        while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t' ||
                                      text_[at_] == '\n' || text_[at_] == '\r')) {
            ++at_;
        }
    }

    bool take(std::string_view word) {
        if (!text_.substr(at_).starts_with(word)) return false;
        at_ += word.size();
        return true;
    }

    Result<Json> read(int depth) {
        if (depth > kJsonDepthMax) return wrong("it is nested too deeply");
        skip_spaces();
        const std::size_t begin = at_;
        Json value;
        Result<void> done;
        if (at_ >= text_.size()) return wrong("it ends early");
        const char c = text_[at_];
        if (c == '{') {
            done = object(value, depth);
        } else if (c == '[') {
            done = list(value, depth);
        } else if (c == '"') {
            value.kind = Json::Kind::text;
            done = text(value.text);
        } else {
            done = literal(value);
        }
        if (!done) return tl::unexpected<Error>(done.error());
        value.raw = text_.substr(begin, at_ - begin);
        return value;
    }

    Result<void> literal(Json& value) {
        const auto number = [&value](double of) {
            value.kind = Json::Kind::number;
            value.number = of;
            return Result<void>();
        };
        if (take("null")) return {};
        if (take("NaN")) return number(std::numeric_limits<double>::quiet_NaN());
        if (take("Infinity")) return number(kInfinity);
        if (take("-Infinity")) return number(-kInfinity);
        const bool yes = take("true");
        if (yes || take("false")) {
            value.kind = Json::Kind::boolean;
            value.boolean = yes;
            return {};
        }
        return digits(value);
    }

    void skip_digits() {
        while (at_ < text_.size() && is_digit(text_[at_])) ++at_;
    }

    Result<void> digits(Json& value) {
        const std::size_t begin = at_;
        if (at_ < text_.size() && text_[at_] == '-') ++at_;
        const std::size_t first = at_;
        skip_digits();
        if (at_ == first) return wrong("no value begins like this");
        if (text_[first] == '0' && at_ > first + 1) return wrong("a number begins with 0");
        value.whole = true;
        if (at_ < text_.size() && text_[at_] == '.') {
            const std::size_t point = at_++;
            skip_digits();
            if (at_ == point + 1) return wrong("a point without digits");
            value.whole = false;
        }
        if (at_ < text_.size() && (text_[at_] == 'e' || text_[at_] == 'E')) {
            ++at_;
            if (at_ < text_.size() && (text_[at_] == '+' || text_[at_] == '-')) ++at_;
            const std::size_t power = at_;
            skip_digits();
            if (at_ == power) return wrong("an exponent without digits");
            value.whole = false;
        }
        value.kind = Json::Kind::number;
        const std::string_view written = text_.substr(begin, at_ - begin);
        const auto [stop, error] =
            std::from_chars(written.data(), written.data() + written.size(), value.number);
        if (error == std::errc::result_out_of_range) value.number = out_of_range(written);
        return {};
    }

    /// from_chars does not say on which side: a small number has a negative exponent or leading
    /// zeros after the point.
    static double out_of_range(std::string_view written) {
        const bool minus = written.starts_with('-');
        const std::size_t e = written.find_first_of("eE");
        const bool small = e != std::string_view::npos ? written.substr(e + 1).starts_with('-')
                                                       : written.substr(minus).starts_with("0.");
        const double size = small ? 0.0 : kInfinity;
        return minus ? -size : size;
    }

    Result<std::uint32_t> hex4() {
        if (text_.size() - at_ < 4) return wrong("an escape ends early");
        std::uint32_t code = 0;
        const char* begin = text_.data() + at_;
        const auto [stop, error] = std::from_chars(begin, begin + 4, code, 16);
        if (error != std::errc() || stop != begin + 4) return wrong("an escape is not hexadecimal");
        at_ += 4;
        return code;
    }

    Result<void> unicode(std::string& out) {
        Result<std::uint32_t> code = hex4();
        if (!code) return tl::unexpected<Error>(code.error());
        if (*code >= 0xD800 && *code < 0xDC00 && text_.substr(at_).starts_with("\\u")) {
            const std::size_t before = at_;
            at_ += 2;
            const Result<std::uint32_t> low = hex4();
            if (!low) return tl::unexpected<Error>(low.error());
            if (*low >= 0xDC00 && *low < 0xE000) {
                append_utf8(out, 0x10000 + ((*code - 0xD800) << 10) + (*low - 0xDC00));
                return {};
            }
            at_ = before;
        }
        append_utf8(out, *code >= 0xD800 && *code < 0xE000 ? kReplacement : *code);
        return {};
    }

    Result<void> text(std::string& out) {
        ++at_;
        while (at_ < text_.size()) {
            const char c = text_[at_++];
            if (c == '"') return {};
            if (static_cast<unsigned char>(c) < 0x20) return wrong("a bare control character");
            if (c != '\\') {
                out += c;
                continue;
            }
            if (at_ >= text_.size()) break;
            constexpr std::string_view kEscapes = "\"\\/bfnrt";
            constexpr std::string_view kMeaning = "\"\\/\b\f\n\r\t";
            const char escaped = text_[at_++];
            if (escaped == 'u') {
                if (Result<void> done = unicode(out); !done) return done;
                continue;
            }
            const std::size_t which = kEscapes.find(escaped);
            if (which == std::string_view::npos) return wrong("an unknown escape");
            out += kMeaning[which];
        }
        return wrong("a text does not end");
    }

    Result<void> list(Json& value, int depth) {
        value.kind = Json::Kind::list;
        ++at_;
        skip_spaces();
        if (take("]")) return {};
        while (true) {
            Result<Json> item = read(depth + 1);
            if (!item) return tl::unexpected<Error>(item.error());
            value.items.push_back(std::move(*item));
            skip_spaces();
            if (take("]")) return {};
            if (!take(",")) return wrong("a list wants , or ]");
        }
    }

    Result<void> object(Json& value, int depth) {
        value.kind = Json::Kind::object;
        ++at_;
        skip_spaces();
        if (take("}")) return {};
        while (true) {
            skip_spaces();
            if (at_ >= text_.size() || text_[at_] != '"') return wrong("a name is missing");
            std::string name;
            if (Result<void> done = text(name); !done) return done;
            skip_spaces();
            if (!take(":")) return wrong("a name wants :");
            Result<Json> member = read(depth + 1);
            if (!member) return tl::unexpected<Error>(member.error());
            value.names.push_back(std::move(name));
            value.items.push_back(std::move(*member));
            skip_spaces();
            if (take("}")) return {};
            if (!take(",")) return wrong("an object wants , or }");
        }
    }

    std::string_view text_;
    std::size_t at_ = 0;
};

/// The next character of UTF-8, and how many bytes it takes; one bad byte is the replacement
/// character.
std::pair<std::uint32_t, std::size_t> decode(std::string_view text) {
    const auto byte = [text](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned char first = byte(0);
    if (first < 0x80) return {first, 1};
    const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC2 ? 2 : 0;
    if (length == 0 || first > 0xF4 || text.size() < length) return {kReplacement, 1};
    std::uint32_t code = first & (0x7Fu >> length);
    for (std::size_t i = 1; i < length; ++i) {
        if ((byte(i) & 0xC0) != 0x80) return {kReplacement, 1};
        code = (code << 6) | (byte(i) & 0x3Fu);
    }
    constexpr std::uint32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};
    const bool bad = code < kLeast[length] || code > 0x10FFFF || (code >= 0xD800 && code < 0xE000);
    return bad ? std::pair(kReplacement, std::size_t{1}) : std::pair(code, length);
}

void append_escape(std::string& out, std::uint32_t unit) {
    constexpr char kHex[] = "0123456789abcdef";
    out += "\\u";
    for (int shift = 12; shift >= 0; shift -= 4) out += kHex[(unit >> shift) & 0xF];
}

void append_canonical(std::string& out, const Json& value) {
    switch (value.kind) {
        case Json::Kind::null:
            out += "null";
            return;
        case Json::Kind::boolean:
            out += value.boolean ? "true" : "false";
            return;
        case Json::Kind::number:
            out += value.whole ? std::string(value.raw) : print_float(value.number);
            return;
        case Json::Kind::text:
            append_text(out, value.text);
            return;
        case Json::Kind::list:
            out += '[';
            for (const Json& item : value.items) {
                if (&item != value.items.data()) out += ", ";
                append_canonical(out, item);
            }
            out += ']';
            return;
        case Json::Kind::object:
            break;
    }
    out += '{';
    for (std::size_t i = 0; i < value.items.size(); ++i) {
        if (i > 0) out += ", ";
        append_text(out, value.names[i]);
        out += ": ";
        append_canonical(out, value.items[i]);
    }
    out += '}';
}

}  // namespace

const Json* Json::find(std::string_view name) const {
    for (std::size_t i = names.size(); i > 0; --i) {
        if (names[i - 1] == name) return &items[i - 1];
    }
    return nullptr;
}

Result<Json> parse_json(std::string_view text) { return Reader(text).whole(); }

void append_text(std::string& out, std::string_view text) {
    out += '"';
    while (!text.empty()) {
        const auto [code, length] = decode(text);
        text.remove_prefix(length);
        if (code == '"' || code == '\\') {
            out += '\\';
            out += static_cast<char>(code);
        } else if (code >= 0x20 && code < 0x7F) {
            out += static_cast<char>(code);
        } else if (code < 0x10000) {
            append_escape(out, code);
        } else {
            append_escape(out, 0xD800 + ((code - 0x10000) >> 10));
            append_escape(out, 0xDC00 + ((code - 0x10000) & 0x3FF));
        }
    }
    out += '"';
}

std::string json_text(std::string_view text) {
    std::string out;
    append_text(out, text);
    return out;
}

std::string print_float(double value) {
    if (std::isnan(value)) return "NaN";
    if (std::isinf(value)) return value > 0 ? "Infinity" : "-Infinity";
    std::string text = print_double(value);
    if (text.find_first_of(".e") == std::string::npos) text += ".0";
    return text;
}

std::string canonical(const Json& value) {
    std::string out;
    append_canonical(out, value);
    return out;
}

}  // namespace parley::tuner
