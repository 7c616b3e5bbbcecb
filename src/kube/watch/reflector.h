// Kube, one kind followed: the machine's wishes in, requests and a picture kept up to date out.

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
    starting,  ///< Never listed.
    in_step,   ///< Listed, and told of every change since.
    broken,    ///< Was in step; what is known ages.
    denied,    ///< We may not read it.
    absent,    ///< This cluster does not serve it.
};
BOOST_DESCRIBE_ENUM(Condition, starting, in_step, broken, denied, absent)

/// How it goes with one kind.
struct Following {
    Kind kind = Kind::pod;
    std::string space;  ///< Empty: all namespaces.
    Condition condition = Condition::starting;
    TimePoint since;                 ///< Of the condition.
    std::optional<TimePoint> heard;  ///< When anything last came.
    std::string trouble;             ///< The last error, until all is well again.
    bool refused = false;            ///< That error is that we may not read it any more.
    std::uint64_t lists = 0, watches = 0, events = 0;
    std::uint64_t unreadable = 0;
    std::vector<Unreadable> examples;    ///< The last few of them.
    std::optional<TimePoint> went_back;  ///< When a list was older than what was known.
    std::optional<TimePoint> shrank;  ///< When a list lacked more than a fifth of what was known.
};

struct ReflectorOptions {
    /// By pages: docs/decisions/0011.
    WatchRules rules = {.streaming = false};
    int page = 500;
    int proto_page = 2000;  ///< Of what is asked for as protobuf: docs/decisions/0019.
    http::Limits page_limits = {.head = seconds(30)};
    Duration verify_every = minutes(10);        ///< A fresh list to compare with.
    Duration line_max = seconds(30);            ///< For the rest of a line that has begun.
    std::uint64_t seed = 0;                     ///< Of jitter.
    std::function<TimePoint()> now = wall_now;  ///< What is seen is seen then.
    /// Asked whenever a list has come or a watch was opened, before anything of it is applied; an
    /// error: nothing is. Empty: always fine.
    std::function<boost::asio::awaitable<Result<void>>()> confirm = {};
};

/// Where one object of a kind is listed, whichever comes first.
std::string one_path(Kind kind, std::string_view space);

/// Borrows api and picture. One coroutine, follow(), on their executor.
class Reflector {
public:
    /// `scope`: the place of `space` among those that are listed each for itself.
    Reflector(Api& api, Picture& picture, Kind kind, std::string space, ReflectorOptions options,
              Scope scope = 0);
    ~Reflector();

    /// Goes on until its executor ends.
    boost::asio::awaitable<void> follow();
    /// Forgets its place: what follows is another cluster's, or another time's.
    void start_over();
    /// We may not read it any more, whatever a watch that was opened before still tells: nothing
    /// counts until it was listed anew. Only what was in step can be lost.
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
    std::vector<Object> listed_;  ///< Of a list that has not come to its end.
    std::unique_ptr<http::Stream> stream_;
    Frames frames_;
    std::uint64_t draws_ = 0;
    bool start_over_ = false;
    std::optional<Error> revoked_;
    struct Clocks;
    std::unique_ptr<Clocks> clocks_;
};

}  // namespace parley::kube
