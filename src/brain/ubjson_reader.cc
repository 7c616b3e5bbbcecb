#include "brain/ubjson_reader.h"

#include <bit>
#include <limits>

namespace parley::brain {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

/// Bytes of a number of this type; 0 if it is none.
std::size_t number_size(char type) {
    switch (type) {
        case 'i':
        case 'U':
            return 1;
        case 'I':
            return 2;
        case 'l':
        case 'd':
            return 4;
        case 'L':
        case 'D':
            return 8;
        default:
            return 0;
    }
}

double number_from(char type, std::uint64_t bits) {
    switch (type) {
        case 'i':
            return static_cast<std::int8_t>(bits);
        case 'U':
            return static_cast<double>(bits);
        case 'I':
            return static_cast<std::int16_t>(bits);
        case 'l':
            return static_cast<std::int32_t>(bits);
        case 'L':
            return static_cast<double>(static_cast<std::int64_t>(bits));
        case 'd':
            return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
        default:
            return std::bit_cast<double>(bits);
    }
}

}  // namespace

Result<Json> parse_ubjson(std::string_view bytes) { return UbjsonReader(bytes).read(); }

Result<Json> UbjsonReader::read() {
    if (bytes_.size() > kJsonBytesMax) {
        return fail(ErrorCode::malformed, "it is larger than 256 MiB");
    }
    Json out;
    if (value(out, marker(), 0) && at_ != bytes_.size()) {
        wrong("something stands behind the end of the UBJSON");
    }
    if (why_ == nullptr) return out;
    return fail(ErrorCode::malformed, "byte " + std::to_string(where_) + ": " + why_);
}

bool UbjsonReader::wrong(const char* why) {
    if (why_ == nullptr) {
        why_ = why;
        where_ = at_;
    }
    return false;
}

char UbjsonReader::marker() {
    while (at_ < bytes_.size() && bytes_[at_] == 'N') ++at_;  // A no-op marker.
    return at_ < bytes_.size() ? bytes_[at_++] : '\0';
}

bool UbjsonReader::raw(std::size_t size, std::uint64_t& out) {
    if (bytes_.size() - at_ < size) return wrong("the file ends within a value");
    out = 0;
    for (std::size_t i = 0; i < size; ++i) {
        out = (out << 8) | static_cast<std::uint8_t>(bytes_[at_++]);
    }
    return true;
}

bool UbjsonReader::number(char type, double& out) {
    std::uint64_t bits = 0;
    if (!raw(number_size(type), bits)) return false;
    out = number_from(type, bits);
    return true;
}

bool UbjsonReader::length(std::uint64_t& out) {
    const char type = marker();
    double value = 0;
    if (number_size(type) == 0 || type == 'd' || type == 'D') {
        return wrong("a length must stand here");
    }
    if (!number(type, value)) return false;
    // No text or container that is kept can be larger than the bytes that are left.
    if (!(value >= 0 && value <= static_cast<double>(kJsonBytesMax))) {
        return wrong("a length is negative or larger than the file may be");
    }
    out = static_cast<std::uint64_t>(value);
    return true;
}

bool UbjsonReader::text(std::string& out) {
    std::uint64_t size = 0;
    if (!length(size)) return false;
    if (size > bytes_.size() - at_) return wrong("the file ends within a text");
    out = bytes_.substr(at_, size);
    at_ += size;
    return true;
}

bool UbjsonReader::value(Json& out, char type, std::size_t depth) {
    if (depth > kJsonDepthMax) return wrong("it is nested more than 64 deep");
    if (!limits_.value()) return wrong("it has more than 2,000,000 values");
    if (number_size(type) > 0) return number(type, out.content.emplace<double>());
    switch (type) {
        case '{':
            return object(out, depth);
        case '[':
            return array(out, depth);
        case 'S':
            return text(out.content.emplace<std::string>());
        case 'T':
            out.content = true;
            return true;
        case 'F':
            out.content = false;
            return true;
        case 'Z':
            return true;
        case 'C':
            if (at_ == bytes_.size()) return wrong("the file ends within a value");
            out.content = std::string(1, bytes_[at_++]);
            return true;
        default:
            return wrong("there is no such type of value");
    }
}

bool UbjsonReader::head(Head& out) {
    const auto here = [&] { return at_ < bytes_.size() ? bytes_[at_] : '\0'; };
    if (here() == '$') {
        ++at_;
        out.type = here();
        if (at_ < bytes_.size()) ++at_;
        if (here() != '#') return wrong("a typed container must be counted");
    }
    if (here() != '#') return true;
    ++at_;
    std::uint64_t count = 0;
    if (!length(count)) return false;
    out.count = count;
    return true;
}

bool UbjsonReader::another(const Head& head, std::uint64_t done, char end) {
    if (head.count) return done < *head.count;
    while (at_ < bytes_.size() && bytes_[at_] == 'N') ++at_;
    if (at_ >= bytes_.size() || bytes_[at_] != end) return true;
    ++at_;
    return false;
}

bool UbjsonReader::object(Json& out, std::size_t depth) {
    JsonMembers& members = out.content.emplace<JsonMembers>();
    Head form;
    if (!head(form)) return false;
    while (another(form, members.names.size(), '}')) {
        if (!text(members.names.emplace_back())) return false;
        const char type = form.type != '\0' ? form.type : marker();
        if (!value(members.values.emplace_back(), type, depth + 1)) return false;
    }
    return name_twice(members) == nullptr || wrong("an object before it has a name twice");
}

bool UbjsonReader::typed_numbers(Json& out, const Head& head) {
    const std::size_t size = number_size(head.type);
    if (*head.count > (bytes_.size() - at_) / size) return wrong("the file ends within an array");
    if (!limits_.numbers(*head.count)) return wrong("it has more than 16,000,000 numbers");
    JsonNumbers& numbers = out.content.emplace<JsonNumbers>(*head.count);
    for (double& each : numbers) {
        if (!number(head.type, each)) return false;
    }
    return true;
}

bool UbjsonReader::array(Json& out, std::size_t depth) {
    Head form;
    if (!head(form)) return false;
    if (number_size(form.type) > 0) return typed_numbers(out, form);
    JsonItems items;
    JsonNumbers numbers;
    while (another(form, items.size() + numbers.size(), ']')) {
        const char type = form.type != '\0' ? form.type : marker();
        if (type == '\0') return wrong("the file ends within an array");
        const bool null = type == 'Z';
        if (null || number_size(type) > 0) {
            if (!items.empty()) return wrong("an array mixes numbers with others");
            if (!limits_.numbers(1)) return wrong("it has more than 16,000,000 numbers");
            if (!null && !number(type, numbers.emplace_back())) return false;
            if (null) numbers.push_back(kNan);
        } else {
            if (!numbers.empty()) return wrong("an array mixes numbers with others");
            if (!value(items.emplace_back(), type, depth + 1)) return false;
        }
    }
    if (!numbers.empty()) {
        out.content = std::move(numbers);
    } else {
        out.content = std::move(items);
    }
    return true;
}

}  // namespace parley::brain
