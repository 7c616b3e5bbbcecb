// Web: events of a stream (Server-Sent Events) as bytes, and the queue of one client. Pure.

#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace parley::web {

/// Bytes that all clients share.
using Shared = std::shared_ptr<const std::string>;

/// One event: `id` is left out if it is 0. Line ends in `data` begin new data lines.
std::string frame_event(std::string_view name, std::uint64_t id, std::string_view data);
/// A comment that keeps a connection open.
std::string frame_ping();

/// What Last-Event-ID says; nothing: it was not sent, or is no round.
std::optional<std::uint64_t> last_event_id(std::string_view header);

/// What one client has not been sent yet. Bounded: who falls behind is cut, and comes back with
/// the number of the last event it saw.
class ClientQueue {
public:
    static constexpr std::size_t kMessagesMax = 512;
    static constexpr std::size_t kBytesMax = std::size_t{1} << 20U;

    /// False: it is full, and the client must be cut.
    bool push(Shared message);

    bool empty() const { return waiting_.empty(); }
    std::size_t size() const { return waiting_.size(); }
    std::size_t bytes() const { return bytes_; }
    /// The message at a place, and how much of the first one was sent already.
    const Shared& at(std::size_t place) const { return waiting_[place]; }
    std::size_t sent_of_first() const { return sent_; }
    /// So many bytes more were sent.
    void sent(std::size_t bytes);

private:
    std::deque<Shared> waiting_;
    std::size_t sent_ = 0;
    std::size_t bytes_ = 0;  ///< Not sent yet.
};

/// The newest messages of a stream, for those who come back.
class Recent {
public:
    explicit Recent(std::size_t kept) : kept_(kept) {}

    void add(std::uint64_t id, Shared message);
    /// Everything after `id`, or nothing if something in between is gone.
    std::optional<std::deque<Shared>> after(std::uint64_t id) const;
    std::uint64_t newest() const { return messages_.empty() ? 0 : messages_.back().first; }

private:
    std::size_t kept_;
    std::deque<std::pair<std::uint64_t, Shared>> messages_;
};

}  // namespace parley::web
