#include "apps/dashboard/run_about.h"

#include "base/described_json.h"
#include "base/json.h"
#include "base/json_read.h"
#include "base/time_text.h"

#include <utility>

namespace parley::app {
namespace {

constexpr std::uint64_t kBytesMax = std::uint64_t{4} << 20U;

std::string file_of(const std::string& run) { return join(run, "about.json"); }

std::string origin_of(const config::Origins& origins, std::string path) {
    while (true) {  // What was set as a whole was set in each of its parts.
        if (const auto found = origins.find(path); found != origins.end()) {
            return found->second.text();
        }
        const auto dot = path.find_last_of(".[");
        if (dot == std::string::npos) return "default";
        path.resize(dot);
    }
}

template <class T>
void flatten(const T& value, const std::string& path, const config::Origins& origins,
             std::vector<web::SettingView>& out) {
    if constexpr (TimeLike<T>) {
        out.push_back({path, print_duration({value.us}), origin_of(origins, path)});
    } else if constexpr (std::same_as<T, double>) {
        out.push_back({path, setting_text(value), origin_of(origins, path)});
    } else if constexpr (DescribedStruct<T> && !HasText<T>) {
        for_each_member(value, [&](std::string_view name, const auto& member) {
            flatten(member, path.empty() ? std::string(name) : path + "." + std::string(name),
                    origins, out);
        });
    } else {
        std::string text = to_json(value);
        if (text.size() > 1 && text.front() == '"') text = text.substr(1, text.size() - 2);
        out.push_back({path, std::move(text), origin_of(origins, path)});
    }
}

}  // namespace

std::vector<web::SettingView> setting_views(const LoadedSettings& loaded) {
    std::vector<web::SettingView> out;
    flatten(loaded.settings, "", loaded.origins, out);
    return out;
}

Result<void> write_about(Disk& disk, const std::string& run, const web::RunAbout& about) {
    return write_file_atomically(disk, file_of(run), to_json(about) + "\n");
}

web::RunAbout read_about(Disk& disk, const std::string& run) {
    const auto bytes = read_file(disk, file_of(run), kBytesMax);
    if (!bytes) return {};
    const auto value = parse_json(*bytes);
    web::RunAbout about;
    if (!value || !read_json(*value, about, "")) return {};
    return about;
}

}  // namespace parley::app
