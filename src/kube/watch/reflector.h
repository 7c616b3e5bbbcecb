// Kube, one kind followed: carries out what the machine wants and keeps the picture up to date.

#pragma once

#include "base/clock.h"
#include "kube/decode/decode.h"
#include "kube/picture/picture.h"
#include "kube/watch/api.h"
#include "kube/watch/frames.h"
#include "kube/watch/page_reader.h"
#include "kube/watch/watch_machine.h"

#include <boost/asio/awaitable.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace parley::kube {

enum class Condition : std::uint8_t {
    starting,  ///< Never listed yet.
    in_step,   ///< Listed, and informed of every change since.
    broken,    ///< Was in step; what is known gets older.
    denied,    ///< We may not read it.
    absent,    ///< This cluster does not serve it.
};
BOOST_DESCRIBE_ENUM(Condition, starting, in_step, broken, denied, absent)

/// The state of following one kind.
struct Following {
    Kind kind = Kind::pod;
    std::string space;  ///< Empty: all namespaces.
    Condition condition = Condition::starting;
    TimePoint since;                 ///< Since when it has this condition.
    std::optional<TimePoint> heard;  ///< When anything last arrived.
    std::string trouble;             ///< The last error, until all is well again.
    bool refused = false;            ///< `trouble` says that we may no longer read it.
    std::uint64_t lists = 0, watches = 0, events = 0;
    std::uint64_t unreadable = 0;
    std::vector<Unreadable> examples;    ///< The last few of them.
    std::optional<TimePoint> went_back;  ///< When a list was older than what was known.
    std::optional<TimePoint> shrank;  ///< When a list lacked more than a fifth of what was known.
};

struct ReflectorOptions {
    /// By pages instead of streaming: docs/decisions/0011.
    WatchRules rules = {.streaming = false};
    int page = 500;
    int proto_page = 2000;  ///< Objects per page if asked for as protobuf: docs/decisions/0019.
    http::Limits page_limits = {.head = seconds(30)};
    Duration verify_every = minutes(10);        ///< How often to compare with a fresh list.
    Duration line_max = seconds(30);            ///< For the rest of a line that has begun.
    std::uint64_t seed = 0;                     ///< Of jitter.
    std::function<TimePoint()> now = wall_now;  ///< The time at which something is seen.
    /// Called whenever a list has arrived or a watch was opened, before anything of it is applied;
    /// after an error nothing is. Empty: always fine.
    std::function<boost::asio::awaitable<Result<void>>()> confirm = {};
};

/// Where to list a single object of a kind, whichever comes first.
std::string one_path(Kind kind, std::string_view space);

/// Borrows api and picture. One coroutine, follow(), on their executor.
class Reflector {
public:
    /// `scope`: the index of `space` among the namespaces that are listed separately.
    Reflector(Api& api, Picture& picture, Kind kind, std::string space, ReflectorOptions options,
              Scope scope = 0);
    ~Reflector();

    /// Runs until its executor ends.
    boost::asio::awaitable<void> follow();
    /// Forgets its place: what follows comes from another cluster or another time.
    void start_over();
    /// We may no longer read it, whatever an open watch still says: nothing counts until it was
    /// listed again. Has an effect only if it was in step.
    void revoke(const Error& error);
    const Following& state() const { return state_; }

private:
    boost::asio::awaitable<Happened> carry_out(Todo todo);
    boost::asio::awaitable<Happened> list(std::string token);
    boost::asio::awaitable<Happened> open(std::string version, bool streaming);
    boost::asio::awaitable<Happened> read_on();
    boost::asio::awaitable<Result<void>> confirmed();
    boost::asio::awaitable<void> wait(Duration length);
    Happened take(WatchEvent event, TimePoint now);
    Happened take_line(std::string_view line);
    void replace_all(TimePoint now);
    void note(const Unreadable& each);
    void note(const Happened& happened);
    void become(Condition condition);
    Duration drawn(Duration from, Duration to);
    std::string called() const;

    Api& api_;
    Picture& picture_;
    Scope scope_;
    ReflectorOptions options_;
    WatchMachine machine_;
    Following state_;
    std::optional<PageReader> pages_;
    std::vector<Object> listed_;  ///< Of a list that has not ended yet.
    std::unique_ptr<http::Stream> stream_;
    Frames frames_;
    std::uint64_t draws_ = 0;
    bool start_over_ = false;
    std::optional<Error> revoked_;
    struct Clocks;
    std::unique_ptr<Clocks> clocks_;
};

}  // namespace parley::kube
