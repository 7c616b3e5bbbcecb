// App: progress of long work: a bar on a terminal after a second, elsewhere a plain line every ten
// seconds and, if there was any, one that tells the end.

#pragma once

#include "apps/terminal/ticker.h"
#include "base/time.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace parley::app {

/// `[#######             ]  120 of 300 rounds`; without a total only the count.
std::string progress_line(std::uint64_t done, std::uint64_t total, const std::string& what);

/// Writes to the standard error, so that output stays clean.
class Progress {
public:
    static constexpr Duration kPeriod = milliseconds(250);  ///< Between two looks at the clock.

    /// A total of zero means unknown.
    Progress(std::uint64_t total, std::string what, Duration period = kPeriod);
    ~Progress();  ///< Removes the bar; a plain line that is not true any more gets a successor.
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    /// Cheap enough to be called every round.
    void show(std::uint64_t done);

private:
    void say();

    std::uint64_t total_;
    std::string what_;
    bool bar_;
    bool drawn_ = false;
    std::uint64_t ticks_ = 0;
    std::uint64_t said_at_ = 0;  ///< In ticks.
    std::uint64_t done_ = 0;
    std::optional<std::uint64_t> said_;  ///< The last number in a plain line.
    Ticker ticker_;
};

/// For work with several parts: a bar for each, replaced when the total or the name changes.
class ProgressOfParts {
public:
    void show(std::uint64_t done, std::uint64_t total, const std::string& what);
    void end() { part_.reset(); }

private:
    std::unique_ptr<Progress> part_;
    std::uint64_t total_ = 0;
    std::string what_;
};

}  // namespace parley::app
