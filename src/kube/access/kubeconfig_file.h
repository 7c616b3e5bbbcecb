// Kube, kubeconfig: small files with certificates, keys and tokens: a path in; the text, and a
// stamp to notice changes, out.

#pragma once

#include "base/result.h"

#include <cstdint>
#include <string>

namespace parley::kube {

inline constexpr std::uint64_t kAccessFileMax = std::uint64_t{1} << 20;

/// Differs if the file was rewritten or replaced. Equal stamps are no proof for longer than a
/// minute.
struct Stamp {
    std::int64_t changed_ns = 0;
    std::uint64_t size = 0;
    std::uint64_t inode = 0;

    friend bool operator==(const Stamp&, const Stamp&) = default;
};

struct SmallFile {
    std::string text;
    Stamp stamp;
};

/// The content of a regular file of at most kAccessFileMax bytes. Follows links, and never blocks
/// as opening a pipe or device would. Errors: `gone` if it is missing, `denied` if it may not be
/// read or is not a regular file, `malformed` if it is too large. Each names the path, never the
/// text.
[[nodiscard]] Result<SmallFile> read_small_file(const std::string& path);

/// Only the stamp; errors as above.
[[nodiscard]] Result<Stamp> stamp_of(const std::string& path);

}  // namespace parley::kube
