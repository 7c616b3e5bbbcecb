#include "prometheus/source.h"

#include "base/clock.h"
#include "base/number.h"
#include "http/imposter.h"
#include "http/test_certificates.h"
#include "http/test_loop.h"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>

namespace parley::prometheus {
namespace {

using http::Reply;
using Manner = http::Reply::Manner;

constexpr double kTheirNow = 7000;  // Their clock is far off ours.

Directory two_nodes() {
    return {.nodes = {{{0, 1}, "worker", {"10.0.0.1"}}, {{0, 2}, "worker2", {"10.0.0.2"}}}};
}

/// `{"node":"worker"} 5` as a series.
std::string series(const std::string& labels, const std::string& value) {
    return R"({"metric":{)" + labels + R"(},"value":[)" + print_double(kTheirNow) + R"(,")" +
           value + R"("]})";
}

std::string vector_of(const std::string& result, const std::string& more = "") {
    return R"({"status":"success","data":{"resultType":"vector","result":[)" + result + "]}" +
           more + "}";
}

Reply json(const std::string& body, int status = 200) {
    return {.status = status, .headers = {{"Content-Type", "application/json"}}, .body = body};
}

std::string both(const std::string& first, const std::string& second) {
    return vector_of(series(R"("node":"worker")", first) + "," +
                     series(R"("node":"worker2")", second));
}

/// The value of a parameter of a target, as far as tests need it.
std::string parameter(const http::Request& request, const std::string& name) {
    const std::string start = name + "=";
    std::size_t at = request.target.find("?" + start);
    if (at == std::string::npos) at = request.target.find("&" + start);
    if (at == std::string::npos) return "";
    const std::size_t begin = at + 1 + start.size();
    std::string out;
    for (std::size_t i = begin; i < request.target.size() && request.target[i] != '&'; ++i) {
        if (request.target[i] != '%') {
            out += request.target[i];
            continue;
        }
        out += static_cast<char>(std::stoi(request.target.substr(i + 1, 2), nullptr, 16));
        i += 2;
    }
    return out;
}

using Answers = std::map<std::string, Reply>;

/// A Prometheus that knows these expressions; every other gives an empty vector.
struct Bench {
    explicit Bench(Answers answers, Options given = {.queries = {}}, std::string prefix = "")
        : known(std::move(answers)), server(loop.executor(), [this](const http::Request& request) {
              const auto found = known.find(parameter(request, "query"));
              return found == known.end() ? json(vector_of("")) : found->second;
          }) {
        if (given.queries.empty()) {
            given.queries = {{.name = "cpu", .expression = "cpu", .age = "age"}};
        }
        given.access.url = "http://127.0.0.1:" + std::to_string(server.port()) + prefix;
        given.limit = std::min(given.limit, milliseconds(300));
        auto made = Source::make(loop.executor(), given, [this] { return directory; });
        source = made ? *std::move(made) : nullptr;
    }

    /// One round, and what came of it.
    News round() {
        const auto asked = loop.ask(source->ask());
        News news = source->take();
        EXPECT_EQ(!asked, news.report.failed) << news.report.reason;
        return news;
    }
    std::vector<std::string> asked() const {
        std::vector<std::string> out;
        for (const http::Request& each : server.requests()) out.push_back(parameter(each, "query"));
        return out;
    }

    http::TestLoop loop;
    Answers known;
    std::optional<Directory> directory = two_nodes();
    http::Imposter server;
    std::unique_ptr<Source> source;
};

Answers fine() {
    return {{"cpu", json(both("1.5", "2"))},
            {"age", json(both(print_double(kTheirNow - 4), print_double(kTheirNow - 5)))}};
}

TEST(Source, gives_samples_with_their_true_age) {
    Bench bench(fine());
    const TimePoint before = wall_now();
    const News news = bench.round();
    EXPECT_FALSE(news.report.failed);
    EXPECT_EQ(news.report.source, model::Source::prometheus);
    EXPECT_EQ(news.report.reason, "memory of 0 of 2 nodes");
    ASSERT_EQ(news.nodes.size(), 2U);
    EXPECT_EQ(news.nodes[0].node, (model::Uid{0, 1}));
    EXPECT_EQ(news.nodes[0].cpu_m, 1500);
    EXPECT_EQ(news.nodes[0].source, model::Source::prometheus);
    EXPECT_GE(news.nodes[0].measured, before - seconds(4));
    EXPECT_LE(news.nodes[0].measured, wall_now() - seconds(4));
    EXPECT_TRUE(bench.source->take().nodes.empty()) << "what was handed out is forgotten";
}

TEST(Source, asks_for_ages_of_the_same_moment) {
    Bench bench(fine(), {.queries = {}}, "/prom");
    bench.round();
    const auto& requests = bench.server.requests();
    ASSERT_EQ(requests.size(), 2U);
    EXPECT_TRUE(requests[0].target.starts_with("/prom/api/v1/query?query=cpu"));
    EXPECT_EQ(requests[0].method, "GET");
    EXPECT_EQ(parameter(requests[0], "time"), "");
    EXPECT_EQ(parameter(requests[0], "timeout"), "0.300");
    EXPECT_EQ(parameter(requests[1], "query"), "age");
    EXPECT_EQ(parameter(requests[1], "time"), "7000.000");
    EXPECT_EQ(bench.source->requests(), 2U);
}

struct Trouble {
    const char* name;
    Answers answers;
    std::string reason;
};

class SourceFails : public testing::TestWithParam<Trouble> {};

TEST_P(SourceFails, and_says_why) {
    Bench bench(GetParam().answers);
    const News news = bench.round();
    EXPECT_TRUE(news.report.failed);
    EXPECT_NE(news.report.reason.find(GetParam().reason), std::string::npos) << news.report.reason;
    EXPECT_TRUE(news.nodes.empty());
    bench.known = fine();
    const News after = bench.round();
    EXPECT_FALSE(after.report.failed) << after.report.reason;
    EXPECT_EQ(after.nodes.size(), 2U);
}

Answers both_give(const Reply& reply) { return {{"cpu", reply}, {"age", reply}}; }

const Trouble kTroubles[] = {
    {"login_page", both_give({.headers = {{"Content-Type", "text/html"}}, .body = "<html>"}),
     "cpu: the answer is \"text/html\", not JSON"},
    {"refused", both_give(json(R"({"status":"error","errorType":"bad_data","error":"no"})", 422)),
     "cpu: 422, it refuses the query: no"},
    {"unavailable", both_give({.status = 503}), "cpu: 503"},
    {"not_let_in", both_give({.status = 401}), "cpu: 401, we are not let in"},
    {"redirect", both_give({.status = 302, .headers = {{"Location", "http://169.254.169.254/"}}}),
     "cpu: 302, it sends elsewhere"},
    {"silent", both_give({.manner = Manner::silent}), "in time"},
    {"slow",
     both_give({.headers = {{"Content-Type", "application/json"}},
                .body = vector_of(std::string(1000, ' ')),
                .manner = Manner::drip}),
     "in time"},
    {"reset", both_give({.manner = Manner::reset}), "cpu: "},
    {"cut",
     both_give({.headers = {{"Content-Type", "application/json"}},
                .body = both("1", "2"),
                .manner = Manner::cut}),
     "cpu: "},
    {"garbage", both_give({.body = "no HTTP at all\r\n\r\n", .manner = Manner::raw}), "cpu: "},
    {"warnings",
     both_give(json(vector_of(series(R"("node":"worker")", "1"), R"(,"warnings":["partial"])"))),
     "cpu: it warns that the answer is incomplete: partial"},
    {"age_alone", {{"cpu", json(both("1", "2"))}, {"age", {.status = 503}}}, "cpu: 503"},
};
INSTANTIATE_TEST_SUITE_P(All, SourceFails, testing::ValuesIn(kTroubles),
                         [](const auto& info) { return std::string(info.param.name); });

TEST(Source, nothing_that_is_no_number_becomes_zero) {
    Answers answers = fine();
    answers["cpu"] = json(both("NaN", "+Inf"));
    Bench bench(answers);
    const News news = bench.round();
    EXPECT_FALSE(news.report.failed);
    EXPECT_TRUE(news.nodes.empty());
    EXPECT_EQ(news.report.reason,
              "cpu of 0 of 2 nodes; memory of 0 of 2 nodes; 2 values are no numbers, such as cpu "
              "of worker");
}

TEST(Source, says_when_some_nodes_are_missing) {
    Answers answers = fine();
    answers["cpu"] = json(vector_of(series(R"("node":"worker2")", "2")));
    Bench bench(answers);
    const News news = bench.round();
    ASSERT_EQ(news.nodes.size(), 1U);
    EXPECT_EQ(news.nodes[0].node, (model::Uid{0, 2}));
    EXPECT_EQ(news.report.reason, "cpu of 1 of 2 nodes; memory of 0 of 2 nodes");
}

TEST(Source, one_query_that_fails_does_not_stop_the_others) {
    Answers answers = fine();
    answers["bad"] = json(R"({"status":"error","errorType":"bad_data","error":"no"})", 400);
    answers["mem"] = json(both("7", "8"));
    Bench bench(answers, {.queries = {{.name = "bad", .expression = "bad", .age = "age"},
                                      {.name = "off", .expression = ""},
                                      {.name = "cpu", .expression = "cpu", .age = "age"},
                                      {.name = "mem",
                                       .figure = Figure::node_memory,
                                       .unit = Unit::bytes,
                                       .expression = "mem",
                                       .age = "age"}}});
    const News news = bench.round();
    EXPECT_FALSE(news.report.failed);
    EXPECT_EQ(news.report.reason,
              "1 of 3 queries failed, such as bad: 400, it refuses the query: no");
    ASSERT_EQ(news.nodes.size(), 2U);
    EXPECT_EQ(news.nodes[1].cpu_m, 2000);
    EXPECT_EQ(news.nodes[1].memory_bytes, 8);
}

TEST(Source, asks_others_for_a_figure_only_if_somebody_is_left) {
    Answers answers = fine();
    answers["more"] = json(both("9", "9"));
    const Options options{.queries = {{.name = "cpu", .expression = "cpu", .age = "age"},
                                      {.name = "more", .expression = "more", .age = "age"}}};
    Bench covered(answers, options);
    EXPECT_EQ(covered.round().nodes.size(), 2U);
    EXPECT_EQ(covered.asked(), (std::vector<std::string>{"cpu", "age"}));

    answers["cpu"] = json(vector_of(series(R"("node":"worker2")", "2")));
    Bench left(answers, options);
    const News news = left.round();
    EXPECT_EQ(left.asked(), (std::vector<std::string>{"cpu", "age", "more", "age"}));
    ASSERT_EQ(news.nodes.size(), 2U);
    EXPECT_EQ(news.nodes[0].cpu_m, 9000);
    EXPECT_EQ(news.nodes[1].cpu_m, 2000) << "the first that knows it";
}

TEST(Source, asks_for_names_where_nothing_else_names_a_node) {
    const std::string own = R"("instance":"exporter:9100")";
    Answers answers = {
        {"cpu", json(vector_of(series(own, "3")))},
        {"age", json(vector_of(series(own, print_double(kTheirNow))))},
        {"node_uname_info", json(vector_of(series(own + R"(,"nodename":"worker2")", "1")))}};
    Bench bench(answers);
    const News news = bench.round();
    ASSERT_EQ(news.nodes.size(), 1U) << news.report.reason;
    EXPECT_EQ(news.nodes[0].node, (model::Uid{0, 2}));

    bench.known.erase("node_uname_info");
    EXPECT_EQ(bench.round().report.reason,
              "cpu of 0 of 2 nodes; memory of 0 of 2 nodes; 1 series match nothing, such as "
              "cpu{instance=exporter:9100}");
}

TEST(Source, what_hangs_is_not_asked_again_and_again_in_a_round) {
    std::vector<Query> queries;
    for (const char* name : {"a", "b", "c", "d", "e", "f"}) {
        queries.push_back({.name = name, .expression = name, .age = "age"});
    }
    Bench dead({{"a", {.manner = Manner::silent}}}, {.queries = queries});
    EXPECT_TRUE(dead.round().report.failed);
    EXPECT_EQ(dead.asked(), (std::vector<std::string>{"a"}));

    Answers answers;
    for (const char* name : {"b", "c", "d", "e"}) {
        answers[name] = json(R"({"status":"error","errorType":"timeout","error":"x"})", 503);
    }
    Bench slow(answers, {.queries = queries});
    const News news = slow.round();
    EXPECT_FALSE(news.report.failed);
    EXPECT_EQ(slow.asked(), (std::vector<std::string>{"a", "b", "c", "d"}));
    EXPECT_TRUE(news.report.reason.starts_with("3 of 4 queries failed, such as b: 503"));
}

TEST(Source, what_concerns_every_query_ends_the_round) {
    const std::vector<Query> queries = {{.name = "a", .expression = "a", .age = "age"},
                                        {.name = "b", .expression = "b", .age = "age"}};
    for (const int status : {302, 401, 403, 404, 429}) {
        Bench bench({{"a", {.status = status}}}, {.queries = queries});
        EXPECT_TRUE(bench.round().report.failed);
        EXPECT_EQ(bench.asked(), (std::vector<std::string>{"a"})) << status;
    }
    Bench refused({{"a", json("{}", 422)}}, {.queries = queries});
    EXPECT_FALSE(refused.round().report.failed);
    EXPECT_EQ(refused.asked(), (std::vector<std::string>{"a", "b"}));
}

TEST(Source, asks_nobody_before_the_cluster_is_known) {
    Bench bench(fine());
    bench.directory.reset();
    bench.round();
    EXPECT_TRUE(bench.asked().empty());
}

TEST(Source, is_off_without_an_address) {
    http::TestLoop loop;
    auto source = Source::make(loop.executor(), {}, [] { return std::optional<Directory>(); });
    ASSERT_TRUE(source);
    EXPECT_TRUE(loop.ask((*source)->ask()));
    const News news = (*source)->take();
    EXPECT_TRUE(news.report.off);
    EXPECT_FALSE(news.report.failed);
    EXPECT_EQ(news.report.reason, "off by choice");
}

TEST(Source, refuses_what_cannot_be_used) {
    http::TestLoop loop;
    const auto trouble = [&](const Options& options) {
        const auto made =
            Source::make(loop.executor(), options, [] { return std::optional<Directory>(); });
        return made ? "" : made.error().message;
    };
    EXPECT_EQ(trouble({.access = {.url = "http://p", .token_file = "t"}}),
              "prometheus: credentials for Prometheus must not go over plain http; use https");
    EXPECT_EQ(trouble({.access = {.url = "http://p"}, .queries = {{.expression = "up"}}}),
              "prometheus: the query \"\" has no name");
    EXPECT_NE(trouble({.access = {.url = "https://p", .ca_file = "/none"}}), "");
}

/// Over TLS, with a client certificate and a token that is replaced meanwhile.
TEST(Source, shows_who_we_are_by_the_files_of_the_moment) {
    const std::string folder =
        testing::TempDir() + "/prometheus_source_" + std::to_string(::getpid());
    std::filesystem::create_directories(folder);
    const auto file = [&](const std::string& name, const std::string& text) {
        std::ofstream(folder + "/" + name) << text;
        return folder + "/" + name;
    };
    const http::Certified authority = http::make_authority("test");
    const http::Certified server = http::make_certificate(authority, "DNS:prometheus.test");
    const http::Certified own = http::make_certificate(authority, "DNS:me");
    http::TestLoop loop;
    const auto script = [](const http::Request& request) {
        return json(parameter(request, "query") == "age" ? both("7000", "7000") : both("1", "2"));
    };
    const http::Imposter imposter(
        loop.executor(), script,
        {server.certificate_pem, server.key_pem, authority.certificate_pem});
    const Options options{.access = {.url = "https://127.0.0.1:" + std::to_string(imposter.port()),
                                     .token_file = file("token", "one"),
                                     .certificate_file = file("crt", own.certificate_pem),
                                     .key_file = file("key", own.key_pem),
                                     .ca_file = file("ca", authority.certificate_pem),
                                     .server_name = "prometheus.test",
                                     .headers = {{"X-Scope-OrgID", "tenant"}}},
                          .queries = {{.name = "cpu", .expression = "cpu", .age = "age"}}};
    auto source = Source::make(loop.executor(), options, [] { return two_nodes(); });
    ASSERT_TRUE(source) << source.error().message;
    const auto shown = [&](const std::string& name) -> std::string {
        const auto asked = loop.ask((*source)->ask());
        if (!asked) return asked.error().message;
        for (const http::Header& each : imposter.requests().back().headers) {
            if (each.name == name) return each.value;
        }
        return "";
    };
    EXPECT_EQ(shown("Authorization"), "Bearer one");
    EXPECT_EQ(shown("X-Scope-OrgID"), "tenant");
    file("token", "two");
    EXPECT_EQ(shown("Authorization"), "Bearer two");
    EXPECT_EQ(imposter.connections(), 1);
    const http::Certified renewed = http::make_certificate(authority, "DNS:me");
    file("crt", renewed.certificate_pem);
    EXPECT_NE(shown("Authorization"), "Bearer two") << "half of a pair was replaced";
    file("key", renewed.key_pem);
    EXPECT_EQ(shown("Authorization"), "Bearer two");
    EXPECT_EQ(imposter.connections(), 2) << "with the new certificate";
    std::filesystem::remove_all(folder);
    EXPECT_NE(shown("Authorization"), "Bearer two");
    const News news = (*source)->take();
    EXPECT_TRUE(news.report.failed);
    EXPECT_EQ(news.report.reason.find("two"), std::string::npos) << news.report.reason;
}

TEST(Source, goes_on_at_its_pace) {
    Bench bench(fine(), {.queries = {}, .every = milliseconds(20)});
    boost::asio::co_spawn(bench.loop.context(), bench.source->follow(), boost::asio::detached);
    const Deadline deadline(seconds(20));
    while (bench.server.requests().size() < 10 && !deadline.over()) {
        bench.loop.context().run_one_for(std::chrono::seconds(1));
    }
    EXPECT_GE(bench.server.requests().size(), 10U);
}

}  // namespace
}  // namespace parley::prometheus
