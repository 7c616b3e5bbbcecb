// App: reads a trace that --trace-out wrote, to decide its rounds again (--from-trace).

#pragma once

#include "apps/runs/trace_out.h"
#include "base/file.h"
#include "base/result.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace parley::app {

struct TracedRound {
    model::RoundInput input;
    /// The memory it began with, if that differs from what the round before left.
    std::optional<model::Memory> start;
    std::vector<model::ActionEvent> came;  ///< What came back during the round.
};

/// One pass over the file; holds one line at a time. Errors name file and line.
class TraceIn {
public:
    [[nodiscard]] static Result<TraceIn> open(Disk& disk, const std::string& path);

    /// The header of the run that wrote it.
    const store::RunHeader& header() const { return header_; }
    /// The next round, or nothing at the end.
    [[nodiscard]] Result<std::optional<TracedRound>> next();

private:
    TraceIn(std::unique_ptr<File> file, std::string path)
        : file_(std::move(file)), path_(std::move(path)) {}

    Result<std::optional<std::string>> line();
    Result<std::optional<TracedRound>> read();
    tl::unexpected<Error> wrong(const std::string& what) const;

    std::unique_ptr<File> file_;
    std::string path_;
    std::uint64_t offset_ = 0;
    std::string buffer_;
    std::uint64_t number_ = 0;  ///< Of the line.
    store::RunHeader header_;
    model::RoundInput before_;
    std::uint32_t chain_ = 0;
    std::optional<TracedRound> first_;  ///< Read when the file was opened.
};

}  // namespace parley::app
