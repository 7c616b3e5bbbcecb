// Follows a stream with many connections and counts bytes, the same for Parley's server and for its
// peer: stream_clients PORT CLIENTS STALLED HEAD FRAME_BYTES MESSAGES
//
// HEAD is a file with the request. Every client except the stalled ones reads until it has MESSAGES
// times FRAME_BYTES after the head of the answer and the greeting; prints how long that took from
// the first message on, as JSON. Stalled ones connect, send the request, and read nothing.

#include "base/check.h"
#include "base/clock_wait.h"
#include "base/number.h"

#include <arpa/inet.h>
#include <array>
#include <cstdio>
#include <fstream>
#include <netinet/in.h>
#include <optional>
#include <sstream>
#include <string>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>
#include <vector>

namespace {

using namespace parley;

int connect_to(std::uint16_t port, bool stalled) {
    const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    PARLEY_CHECK(socket >= 0);
    if (stalled) {  // Takes as little as a socket can.
        const int bytes = 4'096;
        ::setsockopt(socket, SOL_SOCKET, SO_RCVBUF, &bytes, sizeof bytes);
    }
    sockaddr_in place{};
    place.sin_family = AF_INET;
    place.sin_port = htons(port);
    place.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    PARLEY_CHECK(::connect(socket, reinterpret_cast<sockaddr*>(&place), sizeof place) == 0);
    return socket;
}

struct Client {
    int socket = -1;
    std::uint64_t bytes = 0;
    bool done = false;
};

}  // namespace

int main(int argc, char** argv) {
    PARLEY_CHECK(argc == 7);
    const auto port = static_cast<std::uint16_t>(*parse_uint64(argv[1]));
    const std::uint64_t count = *parse_uint64(argv[2]);
    const std::uint64_t stalled = *parse_uint64(argv[3]);
    std::ifstream file(argv[4]);
    std::stringstream head;
    head << file.rdbuf();
    const std::string request = head.str();
    const std::uint64_t wanted = *parse_uint64(argv[5]) * *parse_uint64(argv[6]);
    const int poll = ::epoll_create1(EPOLL_CLOEXEC);
    std::vector<Client> clients(count + stalled);
    for (std::size_t i = 0; i < clients.size(); ++i) {
        clients[i].socket = connect_to(port, i >= count);
        PARLEY_CHECK(::send(clients[i].socket, request.data(), request.size(), 0) ==
                     static_cast<ssize_t>(request.size()));
        if (i >= count) continue;
        epoll_event event{.events = EPOLLIN, .data = {.u64 = i}};
        PARLEY_CHECK(::epoll_ctl(poll, EPOLL_CTL_ADD, clients[i].socket, &event) == 0);
    }
    std::uint64_t done = 0;
    std::uint64_t total = 0;
    std::optional<Stopwatch> begun;
    std::vector<char> bytes(std::size_t{1} << 18U);
    std::array<epoll_event, 256> events{};
    while (done < count) {
        const int ready = ::epoll_wait(poll, events.data(), events.size(), 30'000);
        PARLEY_CHECK(ready > 0);
        for (int i = 0; i < ready; ++i) {
            Client& client = clients[events[static_cast<std::size_t>(i)].data.u64];
            const ssize_t got = ::recv(client.socket, bytes.data(), bytes.size(), MSG_DONTWAIT);
            if (got < 0) continue;
            PARLEY_CHECK(got > 0);  // Disconnected too early.
            client.bytes += static_cast<std::uint64_t>(got);
            total += static_cast<std::uint64_t>(got);
            if (!begun && client.bytes > 8'192) begun.emplace();
            if (!client.done && client.bytes >= wanted) {
                client.done = true;
                ++done;
            }
        }
    }
    const double seconds = begun ? in_seconds(begun->passed()) : 0;
    std::printf("{\"seconds\":%s,\"bytes\":%s}\n", print_double(seconds).c_str(),
                std::to_string(total).c_str());
    return 0;
}
