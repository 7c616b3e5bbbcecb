#include "config/schema.h"

#include "config/read.h"

#include <string_view>

namespace parley::config {
namespace {

void replace_all(std::string& text, std::string_view from, std::string_view to) {
    for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at)) {
        text.replace(at, from.size(), to);
        at += to.size();
    }
}

}  // namespace

std::string schema_for_files(const std::string& schema) {
    constexpr std::string_view kInteger = R"(":{"type":"integer"})";
    constexpr std::string_view kAmount = R"(":{"type":["integer","string"],"description":")";
    std::string out = schema;
    replace_all(out, R"({"type":"number","description":"seconds"})",
                R"({"type":["number","string"],"description":"seconds, or such as 3s or 1m30s"})");
    replace_all(out, R"({"type":["number","null"]})", R"({"type":"number"})");
    for (std::size_t at = out.find(kInteger); at != std::string::npos;
         at = out.find(kInteger, at + 1)) {
        const std::size_t quote = out.rfind('"', at - 1);
        const Unit unit = unit_of(std::string_view(out).substr(quote + 1, at - quote - 1));
        if (unit == Unit::none) continue;
        std::string what = "bytes, as 1073741824 or 1Gi";
        if (unit == Unit::millicores) what = "millicores, as 1500 or 1500m";
        if (unit == Unit::mebibytes) what = "MiB, as 1024 or 1Gi";
        out.replace(at, kInteger.size(), std::string(kAmount) + what + "\"}");
    }
    return out;
}

}  // namespace parley::config
