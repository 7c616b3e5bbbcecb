// Web: a path in, a file of the page out. The files were put into the program when it was built.

#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace parley::web {

struct PageFile {
    std::string_view path;  ///< "/index.html", "/assets/index-4f2a.js".
    std::string_view bytes;
};

/// All of them, by path.
const std::vector<PageFile>& page_files();

struct PageAnswer {
    const PageFile* file = nullptr;  ///< Null: there is none.
    std::string type;
    bool lasts = false;  ///< Its name changes with its content: it may be kept for a year.
};

/// A file by its path; every address of the page itself gives the shell.
PageAnswer page_at(std::string_view path);

std::string type_of(std::string_view path);

/// As gzip sends it; empty if it would not be shorter.
std::string gzipped(std::string_view bytes);

}  // namespace parley::web
