// Web: Server-Sent Events as bytes, and the queue of one client. Pure.

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

/// One event; without `id` if that is 0. Line ends in `data` begin new data lines.
std::string frame_event(std::string_view name, std::uint64_t id, std::string_view data);
/// A comment that keeps a connection open.
std::string frame_ping();

/// The number in Last-Event-ID; nothing: it was not sent, or is not a round.
std::optional<std::uint64_t> last_event_id(std::string_view header);

/// What was not sent to a client yet. Bounded: a client that falls behind is disconnected, and
/// reconnects with the number of the last event it saw.
class ClientQueue {
public:
    static constexpr std::size_t kMessagesMax = 512;
    static constexpr std::size_t kBytesMax = std::size_t{1} << 20U;

    /// False: it is full, and the client must be disconnected.
    bool push(Shared message);

    bool empty() const { return waiting_.empty(); }
    std::size_t size() const { return waiting_.size(); }
    std::size_t bytes() const { return bytes_; }
    /// The message at an index, and how many bytes of the first one were sent already.
    const Shared& at(std::size_t place) const { return waiting_[place]; }
    std::size_t sent_of_first() const { return sent_; }
    /// Notes that this many more bytes were sent.
    void sent(std::size_t bytes);

private:
    std::deque<Shared> waiting_;
    std::size_t sent_ = 0;
    std::size_t bytes_ = 0;  ///< Not sent yet.
};

/// The newest messages of a stream, for clients that reconnect.
class Recent {
public:
    explicit Recent(std::size_t kept) : kept_(kept) {}

    void add(std::uint64_t id, Shared message);
    /// Everything after `id`; nothing if something in between is gone.
    std::optional<std::deque<Shared>> after(std::uint64_t id) const;
    std::uint64_t newest() const { return messages_.empty() ? 0 : messages_.back().first; }

private:
    std::size_t kept_;
    std::deque<std::pair<std::uint64_t, Shared>> messages_;
};

}  // namespace parley::web
