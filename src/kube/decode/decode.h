// Kube: JSON of the API server in, objects out. Pure, except for a scratch buffer per thread.

#pragma once

#include "base/result.h"
#include "kube/decode/kinds.h"
#include "kube/decode/objects_rest.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace parley::kube {

inline constexpr std::size_t kPageBytesMax = std::size_t{64} << 20;
inline constexpr std::size_t kObjectBytesMax = std::size_t{3} << 20;
inline constexpr std::size_t kUnreadableKept = 20;

/// An object that exists but cannot be understood: it has no uid or name, is over 3 MiB, or a field
/// that we read has an impossible type or value. Never fatal.
struct Unreadable {
    Kind kind = Kind::pod;
    std::string name;  ///< `namespace/name`, as far as it is known.
    std::string why;
};

struct Page {
    Kind kind = Kind::pod;
    std::vector<Object> items;
    std::string version;                    ///< Of the list: where a watch continues.
    std::string continue_token;             ///< Empty: the last page.
    std::optional<std::int64_t> remaining;  ///< As the server says, if it does.
    std::size_t unreadable_count = 0;
    std::vector<Unreadable> unreadable;  ///< The first kUnreadableKept of them.
};

struct StatusCause {
    std::string reason;
    std::string message;
    std::string field;
};

/// What the server says of a request that failed.
struct Status {
    int code = 0;
    std::string reason;  ///< Such as Expired, Forbidden, TooManyRequests.
    std::string message;
    std::optional<Duration> retry_after;
    std::vector<StatusCause> causes;  ///< At most 16.
};

enum class EventType : std::uint8_t { added, modified, deleted, bookmark, error, unknown };
BOOST_DESCRIBE_ENUM(EventType, added, modified, deleted, bookmark, error, unknown)

/// One event of a watch.
struct WatchEvent {
    EventType type = EventType::unknown;
    std::optional<Object> object;     ///< If added, modified or deleted, and readable.
    model::Uid uid;                   ///< If known, even if the object is unreadable.
    std::string version;              ///< If known, even if the object is unreadable.
    bool initial_events_end = false;  ///< A bookmark: the streamed list is complete.
    std::optional<Status> status;     ///< If it is an error.
    std::optional<Unreadable> unreadable;
};

/// A list of `kind`, complete or one page. Unknown fields are ignored, whatever they hold; unknown
/// enumerators read `unknown`; null reads as absent. `malformed`: not JSON, not UTF-8, not a list,
/// over 64 MiB, or nested deeper than 64. The bytes need no padding.
[[nodiscard]] Result<Page> decode_page(Kind kind, std::string_view bytes);

/// One line of a watch on `kind`, at most 3 MiB; malformed as above.
[[nodiscard]] Result<WatchEvent> decode_event(Kind kind, std::string_view line);

/// The body of an answer that is not 2xx. `malformed`: it is not a Status, but for example a
/// proxy's page.
[[nodiscard]] Result<Status> decode_status(std::string_view bytes);

}  // namespace parley::kube
