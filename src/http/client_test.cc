#include "http/client.h"

#include "http/imposter.h"
#include "http/test_certificates.h"
#include "http/test_loop.h"

#include <boost/asio/experimental/awaitable_operators.hpp>
#include <gtest/gtest.h>

#include <zlib.h>

namespace parley::http {
namespace {

using Manner = Reply::Manner;

struct Bench {
    explicit Bench(Imposter::Script script, std::size_t connections = 8)
        : server(loop.executor(), std::move(script)),
          client(loop.executor(), {.url = {false, "127.0.0.1", server.port(), ""}},
                 "parley/test (x)", connections) {}

    Result<Response> get(Limits limits = {}) {
        return loop.ask(client.ask({.target = "/"}, limits));
    }

    TestLoop loop;
    Imposter server;
    Client client;
};

std::string gzip_of_zeros(std::size_t size) {
    z_stream stream{};
    deflateInit2(&stream, 9, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
    std::string plain(size, '0');
    std::string out(deflateBound(&stream, plain.size()) + 64, '\0');
    stream.next_in = reinterpret_cast<Bytef*>(plain.data());
    stream.avail_in = static_cast<uInt>(plain.size());
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = static_cast<uInt>(out.size());
    deflate(&stream, Z_FINISH);
    out.resize(out.size() - stream.avail_out);
    deflateEnd(&stream);
    return out;
}

TEST(Client, keeps_its_connection_and_says_who_it_is) {
    Bench bench([](const Request&) { return Reply{.body = "x"}; });
    for (int i = 0; i < 3; ++i) ASSERT_TRUE(bench.get());
    EXPECT_EQ(bench.server.connections(), 1);
    EXPECT_EQ(bench.client.requests(), 3U);
    const auto agents = std::ranges::count_if(
        bench.server.requests()[0].headers,
        [](const Header& h) { return h.name == "User-Agent" && h.value == "parley/test (x)"; });
    EXPECT_EQ(agents, 1);
}

// A server may close an idle connection at any time; that is common and not an error.
TEST(Client, a_kept_connection_that_was_closed_meanwhile_is_not_noticed) {
    Bench bench([](const Request&) { return Reply{.body = "x", .close = true}; });
    for (int i = 0; i < 3; ++i) {
        const auto answer = bench.get();
        ASSERT_TRUE(answer) << answer.error().message;
        EXPECT_EQ(answer->body, "x");
    }
    EXPECT_EQ(bench.server.connections(), 3);
}

TEST(Client, a_write_is_never_sent_twice) {
    int posts = 0;
    Bench bench([&](const Request& request) {
        if (request.method == "GET") return Reply{.body = "x"};
        ++posts;
        return Reply{.manner = Manner::reset};
    });
    ASSERT_TRUE(bench.get());
    EXPECT_FALSE(bench.loop.ask(bench.client.ask({.method = "POST", .body = "{}"}, {})));
    EXPECT_EQ(posts, 1);
}

TEST(Client, an_answer_has_a_size_and_a_time) {
    struct Case {
        Reply reply;
        Limits limits;
        ErrorCode code;
        const char* part;
    };
    const Case cases[] = {
        {{.body = std::string(1001, 'a')},
         {.body_max = 1000},
         ErrorCode::malformed,
         "over 1000 bytes"},
        {{.pieces = std::vector<std::string>(20, std::string(100, 'a')), .manner = Manner::chunked},
         {.body_max = 1000},
         ErrorCode::malformed,
         "over 1000 bytes"},
        {{.headers = {{"Content-Encoding", "gzip"}}, .body = gzip_of_zeros(10'000'000)},
         {.body_max = 1'000'000},
         ErrorCode::malformed,
         "over 1000000 bytes when unpacked"},
        {{.headers = {{"Content-Encoding", "br"}}, .body = "x"},
         {},
         ErrorCode::malformed,
         "not asked for"},
        {{.body = std::string(1000, 'a'), .manner = Manner::drip},
         {.whole = milliseconds(300)},
         ErrorCode::unavailable,
         "no answer in time"},
        {{.manner = Manner::silent},
         {.head = milliseconds(100)},
         ErrorCode::unavailable,
         "in time"},
        {{.body = std::string(100, 'a'), .manner = Manner::cut}, {}, ErrorCode::unavailable, ""},
    };
    for (const Case& c : cases) {
        Bench bench([&](const Request&) { return c.reply; });
        const auto answer = bench.get(c.limits);
        ASSERT_FALSE(answer) << c.part;
        EXPECT_EQ(answer.error().code, c.code) << answer.error().message;
        EXPECT_NE(answer.error().message.find(c.part), std::string::npos) << answer.error().message;
    }
}

TEST(Client, unpacks_what_is_packed) {
    Bench bench([&](const Request&) {
        return Reply{.headers = {{"content-encoding", "gzip"}}, .body = gzip_of_zeros(1000)};
    });
    EXPECT_EQ(bench.get()->body, std::string(1000, '0'));
    Bench cut([&](const Request&) {
        const std::string whole = gzip_of_zeros(1000);
        return Reply{.headers = {{"content-encoding", "gzip"}},
                     .body = whole.substr(0, whole.size() - 3)};
    });
    const auto answer = cut.get();
    ASSERT_FALSE(answer);
    EXPECT_EQ(answer.error().message, "the compressed answer is cut off");
}

TEST(Client, asks_no_more_than_so_many_things_at_a_time) {
    using namespace boost::asio::experimental::awaitable_operators;
    Bench bench([](const Request&) { return Reply{.body = "abc", .manner = Manner::drip}; }, 1);
    const auto both = [](Client* client) -> boost::asio::awaitable<Result<bool>> {
        auto first = client->ask({}, {});
        auto second = client->ask({}, {});
        const auto [one, two] = co_await (std::move(first) && std::move(second));
        co_return one.has_value() && two.has_value();
    };
    EXPECT_TRUE(*bench.loop.ask(both(&bench.client)));
    EXPECT_EQ(bench.server.connections(), 1);
}

TEST(Client, streams_piece_by_piece_until_the_other_side_ends_it) {
    Bench bench([](const Request&) {
        return Reply{.pieces = {"one\n", "two\n"}, .manner = Manner::chunked};
    });
    const auto stream = bench.loop.ask(bench.client.stream({}, {}));
    ASSERT_TRUE(stream) << stream.error().message;
    EXPECT_EQ((*stream)->head().status, 200);
    std::string all;
    for (;;) {
        const auto piece = bench.loop.ask((*stream)->more(seconds(5)));
        ASSERT_TRUE(piece) << piece.error().message;
        if (piece->empty()) break;
        all += *piece;
    }
    EXPECT_EQ(all, "one\ntwo\n");
}

TEST(Client, a_stream_that_goes_silent_is_given_up) {
    Bench bench(
        [](const Request&) { return Reply{.pieces = {"one\n"}, .manner = Manner::hang_after}; });
    const auto stream = bench.loop.ask(bench.client.stream({}, {}));
    ASSERT_TRUE(stream);
    EXPECT_EQ(*bench.loop.ask((*stream)->more(seconds(5))), "one\n");
    const auto rest = bench.loop.ask((*stream)->more(milliseconds(100)));
    ASSERT_FALSE(rest);
    EXPECT_EQ(rest.error().code, ErrorCode::unavailable);
}

TEST(Client, a_new_certificate_means_new_connections) {
    const Certified authority = make_authority("known");
    const Certified theirs = make_certificate(authority, "IP:127.0.0.1");
    TestLoop loop;
    const Imposter server(
        loop.executor(), [](const Request&) { return Reply{.body = "x"}; },
        ImposterTls{theirs.certificate_pem, theirs.key_pem, ""});
    Client client(loop.executor(),
                  {.url = {true, "127.0.0.1", server.port(), ""},
                   .tls = *Tls::make({.ca_pem = authority.certificate_pem})},
                  "tests");
    ASSERT_TRUE(loop.ask(client.ask({}, {})));
    client.use(*Tls::make({.ca_pem = make_authority("other").certificate_pem}));
    const auto answer = loop.ask(client.ask({}, {}));
    ASSERT_FALSE(answer);
    EXPECT_EQ(answer.error().code, ErrorCode::denied);
}

}  // namespace
}  // namespace parley::http
