#include "web/serve/viewers.h"

#include <boost/asio/post.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <sys/socket.h>
#include <sys/uio.h>
#include <utility>

namespace parley::web {
namespace {

constexpr std::size_t kTogether = 64;  // Messages in one call of the system.
constexpr Duration kStalledMax = seconds(15);
constexpr Duration kQuietMax = seconds(9);

}  // namespace

void Viewers::add(const std::shared_ptr<Viewer>& viewer) {
    all_.push_back(viewer);
    counted_ = all_.size();
    metrics_.viewers(all_.size());
}

void Viewers::remove(const std::shared_ptr<Viewer>& viewer) {
    all_.remove(viewer);
    counted_ = all_.size();
    metrics_.viewers(all_.size());
}

void Viewers::cut(Viewer& viewer) {
    if (viewer.cut) return;
    viewer.cut = true;
    metrics_.cut();
    viewer.bell.ring();
    if (viewer.close) viewer.close();
}

void Viewers::push(Viewer& viewer, const Shared& message) {
    if (viewer.cut) return;
    if (viewer.queue.empty()) viewer.since_progress = Stopwatch();
    if (!viewer.queue.push(message)) cut(viewer);
}

void Viewers::send(const std::string& run, const Shared& message) {
    bool any = false;
    for (const auto& viewer : all_) {
        if (viewer->run != run) continue;
        push(*viewer, message);
        any = true;
    }
    if (any) flush_soon();
}

void Viewers::flush_soon() {
    if (std::exchange(flushing_, true)) return;
    boost::asio::post(executor_, [this, alive = std::weak_ptr<bool>(alive_)] {
        if (!alive.expired()) flush();
    });
}

void Viewers::flush() {
    flushing_ = false;
    std::size_t longest = 0;
    for (const auto& viewer : all_) {
        if (!viewer->cut) longest = std::max(longest, viewer->blocked ? viewer->queue.size() : 0);
        if (viewer->cut || viewer->blocked || viewer->queue.empty()) continue;
        // With TLS its connection sends; without, it waits until the socket accepts more.
        if (viewer->socket < 0 || send_now(*viewer)) viewer->bell.ring();
    }
    longest_ = longest;
    count_sent();
}

/// Once for all clients: a counter of the metrics costs more than a message.
void Viewers::count_sent() {
    if (sent_bytes_ == 0) return;
    metrics_.sent(std::exchange(sent_messages_, 0), std::exchange(sent_bytes_, 0));
}

bool Viewers::send_now(Viewer& viewer) {
    while (!viewer.queue.empty()) {
        std::array<iovec, kTogether> parts{};
        const std::size_t count = std::min(viewer.queue.size(), parts.size());
        std::size_t offered = 0;
        for (std::size_t i = 0; i < count; ++i) {
            const std::string& message = *viewer.queue.at(i);
            const std::size_t skip = i == 0 ? viewer.queue.sent_of_first() : 0;
            parts[i] = {const_cast<char*>(message.data()) + skip, message.size() - skip};
            offered += message.size() - skip;
        }
        msghdr head{};
        head.msg_iov = parts.data();
        head.msg_iovlen = count;
        const ssize_t sent = ::sendmsg(viewer.socket, &head, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (sent < 0 && errno == EINTR) continue;
        if (sent < 0 && errno != EAGAIN && errno != EWOULDBLOCK) {
            cut(viewer);
            break;
        }
        const std::size_t before = viewer.queue.size();
        if (sent > 0) {
            viewer.queue.sent(static_cast<std::size_t>(sent));
            viewer.since_progress = Stopwatch();
            sent_bytes_ += static_cast<std::size_t>(sent);
            sent_messages_ += before - viewer.queue.size();
        }
        if (sent < 0 || static_cast<std::size_t>(sent) < offered) {
            viewer.blocked = true;
            break;
        }
    }
    return viewer.blocked;
}

void Viewers::tick() {
    static const Shared ping = std::make_shared<const std::string>(frame_ping());
    for (const auto& viewer : all_) {
        if (viewer->queue.empty()) {
            if (viewer->since_progress.passed() > kQuietMax) push(*viewer, ping);
        } else if (viewer->since_progress.passed() > kStalledMax) {
            cut(*viewer);
        }
    }
    flush_soon();
}

bool Viewers::waiting() const {
    return std::any_of(all_.begin(), all_.end(), [](const auto& viewer) {
        return !viewer->cut && (viewer->blocked || !viewer->queue.empty());
    });
}

void Viewers::cut_all() {
    for (const auto& viewer : all_) {
        viewer->cut = true;
        viewer->bell.ring();
        if (viewer->close) viewer->close();
    }
}

}  // namespace parley::web
