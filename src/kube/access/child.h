// Kube, access: runs a program that an operator named, without a shell and within limits.

#pragma once

#include "base/result.h"
#include "kube/access/access.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace parley::kube {

struct ChildRun {
    std::string path;          ///< Absolute.
    std::vector<Secret> args;  ///< Without the program itself.
    Environment environment;   ///< The complete environment.
    /// It gets our input and error output; otherwise it has no terminal.
    bool interactive = false;
    Duration limit = seconds(60);
    std::uint64_t output_max = std::uint64_t{1} << 20;   ///< Bytes.
    std::shared_ptr<const std::atomic<bool>> stop = {};  ///< Set by others: it is killed.
};

struct ChildEnd {
    enum class How { exited, signalled, too_long, too_much, stopped };
    How how = How::exited;
    int code = 0;  ///< Its exit status (-1: not known), or the signal.
    std::string output;
    std::string errors;  ///< The last of its error output, as it wrote it.
};

/// Runs it to its end. Blocks for up to `limit`, so call it from a pool thread. If it takes longer,
/// writes more or is stopped, it is killed together with what it started. It inherits only the
/// three standard files. Fails only if it cannot be started: `denied`, or `unavailable` where that
/// may pass.
[[nodiscard]] Result<ChildEnd> run_child(const ChildRun& run);

/// The end of an error output as it may be shown after a sentence, secrets and control characters
/// removed: ": no such host"; empty if there is none.
std::string last_words(std::string_view errors);

/// Whether there is a file of that path that we may run.
bool can_run(const std::string& path);

}  // namespace parley::kube
