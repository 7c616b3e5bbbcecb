// App: how far long work has come: a bar on a terminal, plain lines elsewhere, nothing for what
// takes less than a second.

#pragma once

#include "apps/terminal/ticker.h"

#include <cstdint>
#include <memory>
#include <string>

namespace parley::app {

/// `[#######             ]  120 of 300 rounds`; without a total only the count.
std::string progress_line(std::uint64_t done, std::uint64_t total, const std::string& what);

/// Writes to the standard error, so that output stays clean.
class Progress {
public:
    /// Zero total: not known.
    Progress(std::uint64_t total, std::string what);
    ~Progress();  ///< Takes the bar away.
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    /// Cheap enough to be called every round.
    void show(std::uint64_t done);

private:
    std::uint64_t total_;
    std::string what_;
    bool bar_;
    bool drawn_ = false;
    std::uint64_t ticks_ = 0;
    std::uint64_t said_ = 0;
    Ticker ticker_;
};

/// Of work that has parts: a bar for each, taken away where the total or the name is another.
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
