// Web: the files of the page, by path. They are embedded in the program.

#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace parley::web {

struct PageFile {
    std::string_view path;  ///< "/index.html", "/assets/index-4f2a.js".
    std::string_view bytes;
};

/// All files, sorted by path.
const std::vector<PageFile>& page_files();

struct PageAnswer {
    const PageFile* file = nullptr;  ///< Null: there is none.
    std::string type;
    bool lasts = false;  ///< Its name changes with its content, so it may be cached for a year.
};

/// A file by its path; every address of the page itself gives the shell (index.html).
PageAnswer page_at(std::string_view path);

std::string type_of(std::string_view path);

/// The bytes as gzip; empty if that is not shorter.
std::string gzipped(std::string_view bytes);

}  // namespace parley::web
