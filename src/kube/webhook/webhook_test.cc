#include "kube/webhook/webhook.h"

#include "base/base64.h"
#include "base/clock.h"
#include "http/imposter.h"
#include "http/test_loop.h"

#include <gtest/gtest.h>

#include <atomic>
#include <map>
#include <set>

namespace parley::kube {
namespace {

using namespace model;
using http::Reply;
using Texts = std::vector<std::string>;

const std::vector<http::Header> kJson = {{"Content-Type", "application/json"}};
const std::string kHooks = "/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations";
const std::string kOurs = kHooks + "/parley-queue";
const std::string kOrder = "/api/v1/namespaces/home/configmaps/parley-admission";
const std::string kPolicy =
    "/apis/admissionregistration.k8s.io/v1/mutatingadmissionpolicies/parley-queue";
const std::string kClass = "/apis/scheduling.k8s.io/v1/priorityclasses/parley-batch";
constexpr const char* kReview =
    R"({"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","request":{"uid":"u",)"
    R"("kind":{"group":"batch","version":"v1","kind":"Job"},)"
    R"("resource":{"group":"batch","version":"v1","resource":"jobs"},"operation":"CREATE",)"
    R"("namespace":"batch","object":{"metadata":{},"spec":{"template":{"spec":{}}}}}})";

/// An API server that keeps objects by their paths, and asks a webhook that is registered there.
struct Bench {
    explicit Bench(Duration lasts = hours(24))
        : server(loop.executor(), [this](const http::Request& asked) { return answer(asked); }) {
        Access access;
        access.server = {.tls = false, .host = "127.0.0.1", .port = server.port()};
        auto api = Api::make(loop.executor(), access, {.user_agent = "parley/test"});
        EXPECT_TRUE(api);
        auto made = Webhook::start(
            *std::move(api), {.home = "home", .lasts = lasts, .run = "r"}, [this] { return term; },
            [this] { return stopped.load(); });
        EXPECT_TRUE(made);
        hook = *std::move(made);
    }

    Reply answer(const http::Request& asked) {
        const std::string path = asked.target.substr(0, asked.target.find('?'));
        if (asked.method == "GET") {
            const auto found = objects.find(path);
            if (found == objects.end()) return {.status = 404, .headers = kJson, .body = "{}"};
            return {.headers = kJson, .body = found->second};
        }
        const bool dry = asked.target.find("dryRun=All") != std::string::npos;
        said.push_back((dry ? "dry " : "") + asked.method + " " + path);
        if (dry) return {.headers = kJson, .body = "{}"};
        for (const http::Header& each : asked.headers) {
            if (each.name == "Audit-ID") audited.push_back(each.value);
        }
        if (asked.method == "DELETE") {
            objects.erase(path);
        } else {
            objects[kOurs] = asked.body;
            std::string& body = objects[kOurs];
            if (body.find("resourceVersion") == std::string::npos) {
                body.replace(body.find(R"("metadata":{)"), 12,
                             R"("metadata":{"uid":"u","resourceVersion":"7",)");
            }
        }
        return {.headers = kJson, .body = "{}"};
    }

    bool look(TimePoint now = wall_now()) {
        const auto once = [](Webhook* which, TimePoint at) -> boost::asio::awaitable<bool> {
            co_await which->look(at);
            co_return true;
        };
        return loop.ask(once(hook.get(), now));
    }

    bool end() {
        const auto once = [](Webhook* which) -> boost::asio::awaitable<bool> {
            co_await which->end();
            co_return true;
        };
        return loop.ask(once(hook.get()));
    }

    void order(const std::string& mode, TimePoint until) {
        const SetAdmission wanted{
            *enum_from_name<AdmissionWish>(mode), {1, 2}, until, {Name::of("batch")}};
        objects[kOrder] = admission_body("home", wanted, nullptr);
    }

    /// What a Job gets, as the API server would ask: "held", "let in", or "failed".
    std::string ask() {
        const auto seen = read_hook(objects[kOurs]);
        EXPECT_TRUE(seen);
        const auto url = http::parse_url(seen->says.place.url);
        const auto tls = http::Tls::make({.ca_pem = seen->says.bundle_pem});
        EXPECT_TRUE(url && tls);
        http::Client client(loop.executor(), {.url = {true, url->host, url->port, ""}, .tls = *tls},
                            "kube-apiserver");
        const http::Request request{.method = "POST", .target = url->path, .body = kReview};
        const auto reply = loop.ask(client.ask(request, {}));
        if (!reply || reply->status != 200) return "failed";
        return reply->body.find("JSONPatch") != std::string::npos ? "held" : "let in";
    }

    std::map<std::string, std::string> objects;
    Texts said;  ///< Changes, and those that were only tried.
    Texts audited;
    Duration term = seconds(10);
    std::atomic<bool> stopped = false;
    http::TestLoop loop;
    http::Imposter server;
    std::unique_ptr<Webhook> hook;
};

TEST(Webhook, is_registered_once_by_who_leads_and_taken_away_at_the_end) {
    Bench bench;
    EXPECT_FALSE(bench.hook->serves());
    bench.look();
    bench.look();
    EXPECT_EQ(bench.said, (Texts{"dry POST " + kHooks, "POST " + kHooks}));
    EXPECT_EQ(bench.audited, (Texts{"parley-webhook-r-1"}));
    EXPECT_TRUE(bench.hook->serves());
    bench.term = {};
    EXPECT_FALSE(bench.hook->serves());
    bench.term = seconds(10);
    bench.end();
    EXPECT_EQ(bench.said.back(), "DELETE " + kOurs);
    EXPECT_FALSE(bench.hook->serves());
}

TEST(Webhook, of_a_follower_is_not_registered_and_says_so) {
    Bench bench;
    bench.term = {};
    bench.look();
    bench.end();
    EXPECT_TRUE(bench.said.empty());
    const auto serves = bench.hook->serves();
    ASSERT_FALSE(serves);
    EXPECT_NE(serves.error().message.find(kNoTerm), std::string::npos) << serves.error().message;
}

TEST(Webhook, steps_aside_for_the_policy) {
    Bench bench;
    bench.look();
    bench.objects[kPolicy] = "{}";
    bench.look(wall_now() + minutes(1));
    EXPECT_FALSE(bench.objects.contains(kOurs));
    EXPECT_FALSE(bench.hook->serves());
    bench.objects.erase(kPolicy);
    bench.look(wall_now() + minutes(2));
    EXPECT_TRUE(bench.objects.contains(kOurs));
    EXPECT_TRUE(bench.hook->serves());
}

TEST(Webhook, writes_again_what_somebody_changed_but_not_what_is_somebody_elses) {
    Bench bench;
    bench.look();
    std::string& body = bench.objects[kOurs];
    body.replace(body.find(R"("Ignore")"), 8, R"("Fail")");
    bench.look(wall_now() + minutes(1));
    EXPECT_NE(bench.objects[kOurs].find(R"("Ignore")"), std::string::npos);
    EXPECT_EQ(bench.said.back(), "PUT " + kOurs);
    const std::size_t sent = bench.said.size();
    bench.objects[kOurs] = "{}";
    bench.look(wall_now() + minutes(2));
    EXPECT_EQ(bench.said.size(), sent);
    EXPECT_FALSE(bench.hook->serves());
}

TEST(Webhook, follows_the_order_that_stands) {
    Bench bench;
    bench.look();
    EXPECT_EQ(bench.ask(), "let in") << "there is none";
    bench.order("queue", wall_now() + minutes(1));
    bench.look();
    EXPECT_EQ(bench.ask(), "held");
    bench.stopped = true;
    EXPECT_EQ(bench.ask(), "let in") << "the kill switch is on";
    bench.stopped = false;
    EXPECT_EQ(bench.ask(), "held");
    bench.order("queue", wall_now() - seconds(1));
    bench.look();
    EXPECT_EQ(bench.ask(), "let in") << "it is over";
    bench.hook->follow_order(
        {AdmissionWish::queue, {1, 2}, wall_now() + minutes(1), {Name::of("batch")}});
    EXPECT_EQ(bench.ask(), "held") << "it was not read yet";
    bench.objects.erase(kOrder);
    bench.look();
    EXPECT_EQ(bench.ask(), "let in");
}

TEST(Webhook, gives_no_class_that_does_not_exist) {
    Bench bench;
    bench.order("deprioritize", wall_now() + minutes(1));
    bench.look();
    EXPECT_EQ(bench.ask(), "let in");
    bench.objects[kClass] = "{}";
    bench.look();
    EXPECT_EQ(bench.ask(), "held");
}

TEST(Webhook, fails_no_request_while_its_certificates_rotate) {
    Bench bench(seconds(8));
    bench.order("queue", wall_now() + minutes(1));
    std::set<std::string> bundles;
    const Stopwatch since;
    while (since.passed() < seconds(7)) {
        bench.look();
        bundles.insert(read_hook(bench.objects[kOurs])->says.bundle_pem);
        ASSERT_EQ(bench.ask(), "held") << in_seconds(since.passed());
        ASSERT_TRUE(bench.hook->serves());
        nap(milliseconds(100));
    }
    EXPECT_GE(bundles.size(), 2U) << "the first, and the first two";
}

TEST(Webhook, refuses_addresses_that_no_certificate_can_be_for) {
    const auto start = [](const WebhookOptions& options) {
        return Webhook::start(nullptr, options, always(), [] { return false; });
    };
    EXPECT_FALSE(start({.url = "http://127.0.0.1:9443"}));
    EXPECT_FALSE(start({.url = "9443"}));
    EXPECT_FALSE(start({.address = "nowhere at all"}));
    const auto by_url = start({.url = "https://10.0.0.5:9443/"});
    ASSERT_TRUE(by_url) << by_url.error().message;
    EXPECT_EQ((*by_url)->place().url, "https://10.0.0.5:9443/admit");
    const auto by_service = start({.service = "parley", .home = "home"});
    ASSERT_TRUE(by_service);
    EXPECT_EQ((*by_service)->place(), (HookPlace{.space = "home", .service = "parley"}));
}

}  // namespace
}  // namespace parley::kube
