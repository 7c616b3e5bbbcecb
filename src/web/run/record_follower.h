// Web: reads the record of a run a little at a time: the newest rounds first, then earlier ones,
// then what is written meanwhile.

#pragma once

#include "base/file.h"
#include "web/run/guarded.h"
#include "web/run/record_walk.h"
#include "web/run/run_known.h"

#include <memory>
#include <mutex>
#include <optional>
#include <string>

namespace parley::web {

/// Thread-safe; one thread reads at a time. Borrows the disk and what is known.
class RecordFollower {
public:
    RecordFollower(Disk& disk, std::string folder, Guarded<RunKnown>& known)
        : disk_(disk), folder_(std::move(folder)), known_(known) {}

    /// Reads for about this long: from the last keyframe to the end, then from the beginning. True:
    /// there is more to read now.
    bool read_more(Duration budget);

private:
    void open();
    bool may_have_grown();
    bool read_newest(Duration budget);
    /// At the end of what was there; false: its writer has ended since, so read on.
    bool reach_end(bool found);
    bool read_earlier(Duration budget);
    Result<SeenRoundPtr> next_earlier(bool& in_vain);

    Disk& disk_;
    std::string folder_;
    Guarded<RunKnown>& known_;
    std::mutex reading_;  ///< Held by the thread that reads; guards everything below.
    std::shared_ptr<RoundStore> store_;
    std::optional<RecordWalk> walk_;  ///< Follows its end.
    /// A walk from the beginning and what it has found, until it meets the other.
    struct Earlier {
        RecordWalk walk;
        RunIndex index;
    };
    std::optional<Earlier> earlier_;
    TimePoint looked_;                    ///< When it last looked for what was written since.
    bool quiet_ = false;                  ///< The last look found nothing new.
    bool seen_after_its_writer_ = false;  ///< It has looked once more after the writer had ended.
};

}  // namespace parley::web
