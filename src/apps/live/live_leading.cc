#include "apps/live/live_leading.h"

#include "base/time_text.h"

namespace parley::app {
namespace {

/// For people: nobody needs parts of a second.
std::string to_the_second(TimePoint time) {
    return print_time({time.us - time.us % seconds(1).us});
}

}  // namespace

explanation::Leading leading_of(const kube::Leadership& known, TimePoint now) {
    explanation::Leading out{.leads = known.leads,
                             .epoch = known.leads ? known.epoch : known.holder_epoch,
                             .holder = known.holder,
                             .trouble = known.trouble};
    if (const auto since = parse_time(known.since)) out.since = to_the_second(*since);
    if (known.left > Duration{}) out.ends = to_the_second(now + known.left);
    return out;
}

}  // namespace parley::app
