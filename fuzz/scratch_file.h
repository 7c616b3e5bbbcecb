// Fuzz: a file for readers that take a path.

#pragma once

#include "base/check.h"
#include "base/file.h"

#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>

namespace parley::fuzz {

/// A folder of this process, gone when it ends.
class Scratch {
public:
    Scratch() {
        std::string name = std::filesystem::temp_directory_path() / "parley-fuzz-XXXXXX";
        PARLEY_CHECK(mkdtemp(name.data()) != nullptr);
        folder_ = name;
    }
    ~Scratch() {
        std::error_code ignored;
        std::filesystem::remove_all(folder_, ignored);
    }
    Scratch(const Scratch&) = delete;
    Scratch& operator=(const Scratch&) = delete;

    /// Writes the file; returns its path.
    std::string write(const std::string& name, std::string_view bytes) const {
        const std::string path = join(folder_, name);
        const auto file = real_disk().open(path, OpenMode::create);
        PARLEY_CHECK(file && (*file)->truncate(0) && (*file)->write(0, bytes));
        return path;
    }

private:
    std::string folder_;
};

}  // namespace parley::fuzz
