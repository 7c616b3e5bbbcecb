#include "web/serve/page.h"

#include "base/check.h"

#include <algorithm>
#include <utility>
#include <zlib.h>

namespace parley::web {

std::string type_of(std::string_view path) {
    constexpr std::pair<std::string_view, const char*> kTypes[] = {
        {".html", "text/html; charset=utf-8"},
        {".js", "text/javascript; charset=utf-8"},
        {".css", "text/css; charset=utf-8"},
        {".json", "application/json"},
        {".svg", "image/svg+xml"},
        {".png", "image/png"},
        {".ico", "image/x-icon"},
        {".woff2", "font/woff2"},
        {".txt", "text/plain; charset=utf-8"},
    };
    for (const auto& [ending, type] : kTypes) {
        if (path.ends_with(ending)) return type;
    }
    return "application/octet-stream";
}

PageAnswer page_at(std::string_view path) {
    const auto find = [](std::string_view wanted) -> const PageFile* {
        const auto& files = page_files();
        const auto found = std::ranges::find(files, wanted, &PageFile::path);
        return found != files.end() ? &*found : nullptr;
    };
    if (const PageFile* file = find(path)) {
        return {file, type_of(path), path.starts_with("/assets/")};
    }
    if (path.starts_with("/assets/")) return {};
    return {find("/index.html"), type_of("/index.html"), false};
}

std::string gzipped(std::string_view bytes) {
    z_stream stream{};
    constexpr int kGzip = 15 + 16;
    PARLEY_CHECK(deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, kGzip, 9,
                              Z_DEFAULT_STRATEGY) == Z_OK);
    std::string out(deflateBound(&stream, bytes.size()), '\0');
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    stream.avail_in = static_cast<uInt>(bytes.size());
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = static_cast<uInt>(out.size());
    PARLEY_CHECK(deflate(&stream, Z_FINISH) == Z_STREAM_END);
    out.resize(stream.total_out);
    deflateEnd(&stream);
    return out.size() < bytes.size() ? out : std::string();
}

}  // namespace parley::web
