// Web: the clients that follow streams: sends a message to all of them, each at its own pace. A
// client that falls behind is disconnected; none waits for another. Only on the server's loop.

#pragma once

#include "base/clock_wait.h"
#include "base/time.h"
#include "web/run/stream.h"
#include "web/serve/metrics.h"

#include <boost/asio/any_io_executor.hpp>

#include <atomic>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <string>

namespace parley::web {

/// One client. Its connection sends the rest if send_now cannot.
struct Viewer {
    Viewer(const boost::asio::any_io_executor& executor, std::string run_name)
        : run(std::move(run_name)), bell(executor) {}

    std::string run;
    ClientQueue queue;
    Bell bell;        ///< Rings when there is something to send, or the client was disconnected.
    int socket = -1;  ///< Of a plain connection; -1: it uses TLS.
    bool blocked = false;  ///< The socket accepts no more at the moment.
    bool cut = false;
    std::function<void()> close;  ///< Ends the connection.
    Stopwatch since_progress;
};

class Viewers {
public:
    static constexpr std::size_t kMost = 2'000;

    Viewers(const boost::asio::any_io_executor& executor, Metrics& metrics)
        : executor_(executor), metrics_(metrics) {}

    bool full() const { return all_.size() >= kMost; }
    std::size_t size() const { return all_.size(); }
    /// Number of clients, and the length of the longest queue at the last send; from any thread.
    std::size_t counted() const { return counted_; }
    std::size_t longest_queue() const { return longest_; }
    void add(const std::shared_ptr<Viewer>& viewer);
    void remove(const std::shared_ptr<Viewer>& viewer);

    /// Sends to everybody who follows that run. Bytes are sent when the loop is idle, so that
    /// messages that come together go together.
    void send(const std::string& run, const Shared& message);
    /// Writes as much as the socket accepts; true: something is left and it is blocked.
    bool send_now(Viewer& viewer);
    /// Keeps quiet connections open, and disconnects clients that accept nothing for too long.
    void tick();
    /// Writes what the sockets accept; the rest follows when they accept more.
    void flush();
    /// Whether something is not sent yet.
    bool waiting() const;
    void cut_all();
    /// Drops all clients, after the loop has ended.
    void clear() { all_.clear(); }

private:
    void push(Viewer& viewer, const Shared& message);
    void cut(Viewer& viewer);
    void flush_soon();
    void count_sent();

    boost::asio::any_io_executor executor_;
    Metrics& metrics_;
    std::list<std::shared_ptr<Viewer>> all_;
    std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);
    bool flushing_ = false;
    std::atomic<std::size_t> counted_ = 0;
    std::atomic<std::size_t> longest_ = 0;
    std::size_t sent_messages_ = 0;  ///< Not counted in the metrics yet.
    std::size_t sent_bytes_ = 0;
};

}  // namespace parley::web
