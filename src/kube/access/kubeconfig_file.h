// Kube, kubeconfig: small files with certificates, keys and tokens: a path in, the text and a stamp
// out.

#pragma once

#include "base/result.h"

#include <cstdint>
#include <string>

namespace parley::kube {

inline constexpr std::uint64_t kAccessFileMax = std::uint64_t{1} << 20;

/// Differs when the file was written anew or replaced; equal stamps promise nothing for longer than
/// a minute.
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

/// The whole of a regular file of at most kAccessFileMax bytes. Follows links, and never waits, as
/// opening a pipe or a device would. Errors: `gone` if it is missing, `denied` if it may not be
/// read or is no regular file, `malformed` if it is too large. Each names the path, never the text.
[[nodiscard]] Result<SmallFile> read_small_file(const std::string& path);

/// The stamp alone, or an error as above.
[[nodiscard]] Result<Stamp> stamp_of(const std::string& path);

}  // namespace parley::kube
