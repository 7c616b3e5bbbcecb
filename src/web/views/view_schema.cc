#include "web/views/view_schema.h"

namespace parley::web {
namespace {

std::string refer(const std::string& name) {
    return R"({"$ref":"#/components/schemas/)" + name + "\"}";
}

}  // namespace

std::string ViewSchemas::named(const std::string& name, const std::string& schema) {
    definitions_[name] = schema;
    return refer(name);
}

std::string ViewSchemas::or_null(const std::string& schema) {
    return R"({"anyOf":[)" + schema + R"(,{"type":"null"}]})";
}

std::string ViewSchemas::list_of(const std::string& items) {
    return R"({"type":"array","items":)" + items + "}";
}

std::string ViewSchemas::by_name(const std::string& values) {
    return R"({"type":"object","additionalProperties":)" + values + "}";
}

std::string ViewSchemas::places(std::span<const std::string> each) {
    std::string list;
    for (const std::string& one : each) list += (list.empty() ? "" : ",") + one;
    const std::string count = std::to_string(each.size());
    return R"({"type":"array","prefixItems":[)" + list + R"(],"minItems":)" + count +
           R"(,"maxItems":)" + count + "}";
}

std::string ViewSchemas::enumeration(const std::string& name, std::span<const char* const> words) {
    std::string list;
    for (const char* word : words) list += (list.empty() ? "\"" : ",\"") + std::string(word) + "\"";
    return named(name, R"({"type":"string","enum":[)" + list + "]}");
}

std::string ViewSchemas::structure(const std::string& name, std::span<const Member> members) {
    if (definitions_.contains(name)) return refer(name);
    definitions_[name] = "";  // Ends recursion.
    std::string properties;
    std::string required;
    for (const Member& member : members) {
        const std::string comma = properties.empty() ? "\"" : ",\"";
        properties += comma + std::string(member.name) + "\":" + (this->*member.schema)();
        required += comma + std::string(member.name) + "\"";
    }
    definitions_[name] = R"({"type":"object","additionalProperties":false,"required":[)" +
                         required + R"(],"properties":{)" + properties + "}}";
    return refer(name);
}

}  // namespace parley::web
