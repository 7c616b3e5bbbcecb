// Learn: the files of a model's trees as one sequence of bytes, so that one digest, one signature
// and one file of a run cover all of them.

#pragma once

#include "base/result.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace parley::learn {

/// One file is its own bytes; several are each preceded by their length and a newline.
std::string join_files(std::span<const std::string> files);

/// The reverse; the parts borrow `bytes`. Refuses lengths that do not fit.
[[nodiscard]] Result<std::vector<std::string_view>> split_files(std::string_view bytes,
                                                                std::size_t count);

}  // namespace parley::learn
