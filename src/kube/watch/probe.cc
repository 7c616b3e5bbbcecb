#include "kube/watch/probe.h"

#include "base/time_text.h"
#include "kube/decode/decode.h"
#include "kube/decode/decode_json.h"
#include "kube/decode/decode_meta.h"

#include <array>

namespace parley::kube {

Result<model::Uid> uid_of_object(std::string_view body) {
    const auto marks = mark_json(body, kObjectBytesMax);
    if (!marks) return tl::unexpected(marks.error());
    JsonWalk walk(*marks);
    std::optional<model::Uid> uid;
    walk.fields([&](std::string_view key) {
        if (key != "metadata") return;
        walk.fields([&](std::string_view inner) {
            if (inner != "uid") return;
            const auto text = walk.text();
            if (text && !text->empty()) uid = uid_of(*text);
        });
    });
    if (walk.broken() || !uid) {
        return fail(ErrorCode::malformed, "the answer is no object with a uid");
    }
    return *uid;
}

std::optional<TimePoint> parse_http_date(std::string_view text) {
    static constexpr std::array<std::string_view, 12> kMonths = {
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
    constexpr std::size_t kLength = 29;
    if (text.size() != kLength || text.substr(25) != " GMT" || text.substr(3, 2) != ", ") {
        return std::nullopt;
    }
    for (std::size_t month = 0; month < kMonths.size(); ++month) {
        if (text.substr(8, 3) != kMonths[month]) continue;
        const std::string number = (month < 9 ? "0" : "") + std::to_string(month + 1);
        const auto time = parse_time(std::string(text.substr(12, 4)) + "-" + number + "-" +
                                     std::string(text.substr(5, 2)) + "T" +
                                     std::string(text.substr(17, 8)) + "Z");
        return time ? std::optional(*time) : std::nullopt;
    }
    return std::nullopt;
}

Probed judge_probe(const http::Response& answer, TimePoint asked, TimePoint answered) {
    Probed out;
    if (const auto uid = uid_of_object(answer.body)) out.cluster = *uid;
    const std::string* date = answer.header("Date");
    const auto theirs = date != nullptr ? parse_http_date(*date) : std::nullopt;
    if (!theirs) return out;
    // A date names the second in which the answer was written, which was between asking and
    // receiving.
    const TimePoint latest = *theirs + seconds(1);
    if (*theirs > answered) {
        out.ahead = *theirs - answered;
    } else if (latest < asked) {
        out.ahead = latest - asked;
    } else {
        out.ahead = Duration{};
    }
    return out;
}

}  // namespace parley::kube
