// Web: what is known of a run so far, from its rounds and what its record says about itself.

#pragma once

#include "web/run/kept_rounds.h"
#include "web/run/round_store.h"
#include "web/run/run_hooks.h"
#include "web/run/run_stream.h"
#include "web/views/run_index.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace parley::web {

/// Has no lock: whoever shares it guards it. Borrows place and hooks.
struct RunKnown {
    RunKnown(const RunPlace& place_of_it, const RunHooks& hooks_of_it)
        : place(place_of_it), hooks(hooks_of_it) {}

    const RunPlace& place;
    const RunHooks& hooks;
    std::optional<store::RunHeader> header;
    std::optional<RunIndex> index;      ///< Set together with the header.
    std::shared_ptr<RoundStore> store;  ///< Null: nothing is recorded.
    KeptRounds ring{{}};
    RunStream stream;
    RunState state = RunState::running;
    std::string reason;
    std::optional<explanation::Leading> leading;  ///< As of the newest round; none after the end.
    std::string problem;                          ///< Why it cannot be opened; or empty.
    std::vector<std::string> gaps;
    bool read = false;  ///< Its newest rounds are read, or it is live.
    /// The last round that files beside the record tell of, if its end is missing.
    std::uint64_t told = 0;
    /// How many earlier rounds are read so far; nothing: all.
    std::optional<std::uint64_t> earlier_rounds;

    void begin(store::RunHeader of_it, std::shared_ptr<RoundStore> its_store);
    /// Takes the next round. Watchers are told, except while a record is still being read, when
    /// only the last round counts.
    void take(SeenRoundPtr round);
    /// What a walk says about rounds that it could not return; `whole`: it began at the beginning.
    void know(const RecordWalk& walk, bool whole);
    void add_gaps(const std::vector<std::string>& found);
    /// The newest rounds are read: announces the last one, once.
    void newest_are_read();
    /// The earlier rounds are read, too, by a walk from the beginning: takes over `all`, its index;
    /// `last` is its newest round, or null.
    void all_are_read(RunIndex& all, const RecordWalk& from_beginning, const RecordWalk& at_end,
                      SeenRoundPtr last);
    void finish(RunState how, const std::string& why);
    /// Adds a sentence to its events; one that comes while earlier rounds are being read is kept
    /// until then.
    void note(explanation::EventKind kind, const std::string& message);

    /// Who stopped it from acting, and after which round; nothing: nobody.
    std::optional<StopWord> stop_word() const;
    Shared status_message() const;
    /// "Rounds before 201 are being read: 40 so far."; empty: all are read.
    std::string reading_text() const;

private:
    void announce_newest();
    void know_last(const store::RunReader& reader);

    struct Note {
        explanation::EventKind kind;
        std::string message;
    };
    std::vector<Note> notes_;  ///< While earlier rounds are being read.
};

}  // namespace parley::web
