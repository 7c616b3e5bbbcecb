#include "base/schema.h"

namespace parley {

std::string SchemaBuilder::refer(const std::string& name, std::string definition) {
    definitions_[name] = std::move(definition);
    return R"({"$ref":"#/$defs/)" + name + "\"}";
}

std::string SchemaBuilder::document(const std::string& root) const {
    std::string out = "{\n\"$schema\":\"https://json-schema.org/draft/2020-12/schema\",\n";
    out += "\"allOf\":[" + root + "],\n\"$defs\":{\n";
    bool first = true;
    for (const auto& [name, definition] : definitions_) {
        if (!first) out += ",\n";
        first = false;
        out += "\"" + name + "\":" + definition;
    }
    return out + "\n}\n}\n";
}

}  // namespace parley
