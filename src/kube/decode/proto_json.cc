#include "kube/decode/proto_json.h"

#include "base/json.h"
#include "base/number.h"
#include "base/time_text.h"
#include "kube/decode/proto_tables.h"

#include <algorithm>
#include <cstdint>
#include <optional>

namespace parley::kube {
namespace {

constexpr std::string_view kMagic("k8s\0", 4);
constexpr std::size_t kJsonMax = std::size_t{128} << 20;
// Years 0001 and 9999, the limits of what JSON may show.
constexpr std::int64_t kFirstSecond = -62'135'596'800;
constexpr std::int64_t kLastSecond = 253'402'300'799;

/// A field of a message.
struct Found {
    std::uint32_t number = 0;
    /// One of the two; neither: of a wire type that we do not read.
    std::optional<std::uint64_t> varint;
    std::optional<std::string_view> bytes;
};

/// Goes through the fields of one message.
class Wire {
public:
    explicit Wire(std::string_view bytes) : rest_(bytes) {}

    /// Nothing: the end, or bytes that are not a message.
    std::optional<Found> next() {
        if (rest_.empty() || broken_) return std::nullopt;
        const auto key = varint();
        Found found;
        found.number = static_cast<std::uint32_t>(key >> 3);
        if (key >> 3 == 0 || key >> 32 != 0) broken_ = true;
        switch (key & 7) {
            case 0:
                found.varint = varint();
                break;
            case 1:
                skip(8);
                break;
            case 2:
                found.bytes = take(varint());
                break;
            case 5:
                skip(4);
                break;
            default:
                broken_ = true;
        }
        return broken_ ? std::nullopt : std::optional(found);
    }
    bool broken() const { return broken_; }
    /// What follows the field that was cut off, as far as it is there.
    std::string_view rest() const { return rest_; }

    std::uint64_t varint() {
        std::uint64_t value = 0;
        for (unsigned shift = 0; shift < 64; shift += 7) {
            if (rest_.empty()) break;
            const auto byte = static_cast<std::uint8_t>(rest_.front());
            rest_.remove_prefix(1);
            value |= std::uint64_t{byte & 0x7fU} << shift;
            if (byte < 0x80) return value;
        }
        broken_ = true;
        return 0;
    }

private:
    std::string_view take(std::uint64_t count) {
        if (count > rest_.size()) {
            broken_ = true;
            return {};
        }
        const std::string_view taken = rest_.substr(0, count);
        rest_.remove_prefix(count);
        return taken;
    }
    void skip(std::size_t count) { static_cast<void>(take(count)); }

    std::string_view rest_;
    bool broken_ = false;
};

bool many(ProtoShape shape) {
    using enum ProtoShape;
    return shape == texts || shape == messages || shape == text_map || shape == amounts;
}
bool a_map(ProtoShape shape) {
    return shape == ProtoShape::text_map || shape == ProtoShape::amounts;
}

/// Writes one answer. The tables hold no cycle, so neither do the calls.
class Writer {
public:
    void object(const ProtoMessage& message, std::string_view bytes) {
        out_ += '{';
        fields(message, bytes);
        out_ += '}';
    }
    bool failed() const { return failed_; }
    std::string& out() { return out_; }

private:
    void fields(const ProtoMessage& message, std::string_view bytes);
    void value(const ProtoField& field, const Found& found);
    void entry(ProtoShape shape, std::string_view bytes);
    bool written(const ProtoField& field, const Found& found) const;
    void name(std::string_view text) {
        if (out_.back() != '{') out_ += ',';
        out_ += '"';
        out_ += text;  // Of our own tables.
        out_ += "\":";
    }

    std::string out_;
    bool failed_ = false;
};

/// Left out as in JSON: empty texts, and a time that was never set.
bool Writer::written(const ProtoField& field, const Found& found) const {
    const bool may_be_empty = field.shape != ProtoShape::text && field.shape != ProtoShape::time;
    return may_be_empty || (found.bytes && !found.bytes->empty());
}

void Writer::fields(const ProtoMessage& message, std::string_view bytes) {
    Wire wire(bytes);
    std::uint32_t last = 0;
    const ProtoField* open = nullptr;  // An array or map that continues.
    const auto close = [&] {
        if (open != nullptr) out_ += a_map(open->shape) ? '}' : ']';
        open = nullptr;
    };
    while (const auto found = wire.next()) {
        const auto field = std::ranges::find(message.fields, found->number, &ProtoField::number);
        if (field == message.fields.end()) continue;
        const bool again = found->number == last;
        // The server writes fields in order of their numbers; anything else would give a duplicate
        // key.
        if (found->number < last || (again && !many(field->shape)) || out_.size() > kJsonMax) {
            failed_ = true;
        }
        last = found->number;
        if (failed_) return;
        if (!again) close();
        if (!written(*field, *found)) continue;
        if (field->shape == ProtoShape::inlined) {
            fields(*field->of, found->bytes.value_or(""));
            continue;
        }
        if (!again) name(field->name);
        if (!again && many(field->shape)) {
            open = &*field;
            out_ += a_map(field->shape) ? '{' : '[';
        } else if (again) {
            out_ += ',';
        }
        value(*field, *found);
    }
    close();
    for (const ProtoField& field : message.fields) {
        if (!field.always || field.number <= last) continue;
        name(field.name);
        out_ += "[]";
    }
    if (wire.broken()) failed_ = true;
}

void Writer::value(const ProtoField& field, const Found& found) {
    using enum ProtoShape;
    const bool number = field.shape == whole || field.shape == truth;
    if (number ? !found.varint : !found.bytes) {
        failed_ = true;
        return;
    }
    switch (field.shape) {
        case whole:
            out_ += std::to_string(static_cast<std::int64_t>(*found.varint));
            return;
        case truth:
            out_ += *found.varint != 0 ? "true" : "false";
            return;
        case text:
        case texts:
            append_json_text(out_, *found.bytes);
            return;
        case message:
        case messages:
            object(*field.of, *found.bytes);
            return;
        case text_map:
        case amounts:
            entry(field.shape, *found.bytes);
            return;
        case inlined:
            return;
        case time:
            break;
    }
    std::int64_t seconds = 0;
    Wire wire(*found.bytes);
    while (const auto part = wire.next()) {
        if (part->number == 1) seconds = static_cast<std::int64_t>(part->varint.value_or(0));
    }
    failed_ = failed_ || wire.broken() || seconds < kFirstSecond || seconds > kLastSecond;
    if (!failed_) append_json_text(out_, print_time(TimePoint{seconds * 1'000'000}));
}

/// Name and value of a map entry.
void Writer::entry(ProtoShape shape, std::string_view bytes) {
    std::string_view key;
    std::string_view value;
    Wire wire(bytes);
    while (const auto part = wire.next()) {
        if (part->number == 1) key = part->bytes.value_or("");
        if (part->number == 2) value = part->bytes.value_or("");
    }
    failed_ = failed_ || wire.broken();
    if (shape == ProtoShape::amounts) {  // A quantity is a message with its text.
        Wire amount(value);
        const auto text = amount.next();
        value = text && text->number == 1 ? text->bytes.value_or("") : "";
    }
    append_json_text(out_, key);
    out_ += ':';
    append_json_text(out_, value);
}

/// The envelope: the kind, and the bytes of the message.
struct Envelope {
    std::string_view version, kind;
    /// None: cut off, which must not be taken for an empty list.
    std::optional<std::string_view> raw;
};

std::optional<Envelope> opened(std::string_view body) {
    if (!body.starts_with(kMagic)) return std::nullopt;
    Envelope out;
    Wire wire(body.substr(kMagic.size()));
    while (const auto found = wire.next()) {
        if (found->number == 2) out.raw = found->bytes;
        if (found->number != 1) continue;
        Wire type(found->bytes.value_or(""));
        while (const auto part = type.next()) {
            if (part->number == 1) out.version = part->bytes.value_or("");
            if (part->number == 2) out.kind = part->bytes.value_or("");
        }
        if (type.broken()) return std::nullopt;
    }
    return wire.broken() ? std::nullopt : std::optional(out);
}

}  // namespace

Result<std::string> proto_to_json(std::string_view body) {
    const auto envelope = opened(body);
    if (!envelope || !envelope->raw) {
        return fail(ErrorCode::malformed, "no protobuf, or cut off");
    }
    const ProtoMessage* message = proto_message(envelope->kind);
    if (message == nullptr) {
        return fail(ErrorCode::malformed,
                    "protobuf of a kind that was not asked for, " + in_quotes(envelope->kind));
    }
    Writer writer;
    writer.out().reserve(envelope->raw->size() / 2);  // Most of it nobody reads.
    writer.object(*message, *envelope->raw);
    if (writer.failed()) return fail(ErrorCode::malformed, "protobuf that cannot be understood");
    std::string type = R"({"kind":)";
    append_json_text(type, envelope->kind);
    type += R"(,"apiVersion":)";
    append_json_text(type, envelope->version);
    std::string& out = writer.out();
    out.replace(0, 1, type + (out == "{}" ? "" : ","));
    return std::move(out);
}

std::string next_in_proto(std::string_view begun) {
    if (!begun.starts_with(kMagic)) return {};
    Wire wire(begun.substr(kMagic.size()));
    // The list is the envelope's second field, most of which has not arrived yet; its own head
    // comes first in it.
    while (!wire.rest().empty() && wire.rest().front() != '\x12') {
        if (!wire.next()) return {};
    }
    if (wire.rest().empty()) return {};
    static_cast<void>(wire.varint());
    static_cast<void>(wire.varint());
    Wire list(wire.rest());
    const auto head = list.next();
    if (!head || head->number != 1 || !head->bytes) return {};
    Wire meta(*head->bytes);
    while (const auto part = meta.next()) {
        if (part->number == 3) return std::string(part->bytes.value_or(""));
    }
    return {};
}

}  // namespace parley::kube
