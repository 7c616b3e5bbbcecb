#include "web/run/stream.h"

#include "base/number.h"

#include <utility>

namespace parley::web {

std::string frame_event(std::string_view name, std::uint64_t id, std::string_view data) {
    std::string out;
    out.reserve(data.size() + name.size() + 48);
    if (id != 0) out += "id: " + std::to_string(id) + "\n";
    out += "event: ";
    out += name;
    out += '\n';
    while (true) {
        const auto end = data.find_first_of("\r\n");
        out += "data: ";
        out += data.substr(0, end);
        out += '\n';
        if (end == std::string_view::npos) break;
        const bool both = data[end] == '\r' && end + 1 < data.size() && data[end + 1] == '\n';
        data.remove_prefix(end + (both ? 2 : 1));
    }
    return out + "\n";
}

std::string frame_ping() { return ": ping\n\n"; }

std::optional<std::uint64_t> last_event_id(std::string_view header) {
    const auto number = parse_uint64(header, 1, std::uint64_t{1} << 53U);
    return number ? std::optional(*number) : std::nullopt;
}

bool ClientQueue::push(Shared message) {
    if (waiting_.size() >= kMessagesMax || bytes_ + message->size() > kBytesMax) return false;
    bytes_ += message->size();
    waiting_.push_back(std::move(message));
    return true;
}

void ClientQueue::sent(std::size_t bytes) {
    bytes_ -= bytes;
    bytes += sent_;
    while (!waiting_.empty() && bytes >= waiting_.front()->size()) {
        bytes -= waiting_.front()->size();
        waiting_.pop_front();
    }
    sent_ = bytes;
}

void Recent::add(std::uint64_t id, Shared message) {
    messages_.emplace_back(id, std::move(message));
    if (messages_.size() > kept_) messages_.pop_front();
}

std::optional<std::deque<Shared>> Recent::after(std::uint64_t id) const {
    std::deque<Shared> out;
    if (id >= newest()) return out;
    if (messages_.front().first > id + 1) return std::nullopt;
    for (const auto& [number, message] : messages_) {
        if (number > id) out.push_back(message);
    }
    return out;
}

}  // namespace parley::web
