#include "apps/live/live_notes.h"

#include "base/clock.h"
#include "layers/explanation/wording/wording.h"

#include <cctype>
#include <string_view>
#include <utility>

namespace parley::app {
namespace {

/// "memory_balloon" as the API likes it: "MemoryBalloon".
std::string camel(std::string_view name) {
    std::string out;
    bool begins = true;
    for (const char c : name) {
        if (c != '_') out += begins ? static_cast<char>(std::toupper(c)) : c;
        begins = c == '_';
    }
    return out;
}

std::string reason_of(const ActionNote& note) {
    switch (note.moment) {
        case Moment::began:
            return "Parley" + camel(enum_name(note.kind));
        case Moment::done:
            return "ParleyDone";
        case Moment::gave_up:
            return "ParleyGaveUp";
        case Moment::undone:
            return "ParleyUndone";
        case Moment::not_undone:
            break;
    }
    return "ParleyNotUndone";
}

/// A part of the Event's name, so without what a DNS name may not have.
std::string word_of(Moment moment) {
    std::string word(enum_name(moment));
    for (char& c : word) c = c == '_' ? '-' : c;
    return word;
}

}  // namespace

kube::EventNote event_of(const ActionNote& note, TimePoint at) {
    return {.about = note.target,
            .uid = note.uid,
            .id = note.id.text() + "-" + word_of(note.moment),
            .reason = reason_of(note),
            .action = camel(enum_name(note.kind)),
            .note = note.text,
            .warning = note.warning,
            .gives_back = note.moment == Moment::undone || note.moment == Moment::not_undone,
            .at = at};
}

std::string lost_text(std::uint64_t lost, const std::string& why) {
    if (lost == 0) return {};
    const auto count = static_cast<std::int64_t>(lost);
    return explanation::counted(count, "Event") + " about actions " + (lost == 1 ? "was" : "were") +
           " not written, the last one because of this: " + why + "; the record has all of it";
}

LiveNotes::LiveNotes(const boost::asio::any_io_executor& executor, Parts parts,
                     model::Policy policy)
    : notes_(std::move(policy)),
      events_(executor, std::move(parts.api), std::move(parts.instance),
              [leads = std::move(parts.leads),
               stopped = std::move(parts.stopped)](const kube::EventNote& note) {
                  return leads() && (note.gives_back || !stopped());
              }) {}

void LiveNotes::take(const Published& round) {
    for (const ActionNote& note : notes_.take(round)) events_.say(event_of(note, wall_now()));
    if (remark_.empty()) remark_ = summary();
}

}  // namespace parley::app
