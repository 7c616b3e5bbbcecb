#include "learn/folder/model_bytes.h"

#include "base/number.h"

namespace parley::learn {

std::string join_files(std::span<const std::string> files) {
    if (files.size() == 1) return files.front();
    std::string out;
    for (const std::string& file : files) out += std::to_string(file.size()) + "\n" + file;
    return out;
}

Result<std::vector<std::string_view>> split_files(std::string_view bytes, std::size_t count) {
    if (count == 1) return std::vector{bytes};
    const auto refuse = [&] {
        return fail(ErrorCode::malformed, "its trees are not the " + std::to_string(count) +
                                              " files that it should hold");
    };
    std::vector<std::string_view> files;
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t end = bytes.substr(0, 20).find('\n');
        if (end == std::string_view::npos) return refuse();
        const auto length = parse_uint64(bytes.substr(0, end));
        bytes.remove_prefix(end + 1);
        if (!length || *length > bytes.size()) return refuse();
        files.push_back(bytes.substr(0, *length));
        bytes.remove_prefix(*length);
    }
    if (!bytes.empty()) return refuse();
    return files;
}

}  // namespace parley::learn
