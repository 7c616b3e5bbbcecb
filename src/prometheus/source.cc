#include "prometheus/source.h"

#include "base/clock_wait.h"
#include "base/number.h"
#include "base/random.h"
#include "prometheus/reply.h"

#include <algorithm>
#include <utility>

namespace parley::prometheus {

namespace asio = boost::asio;

namespace {

// How often to check whether the picture is complete.
constexpr Duration kGlance = milliseconds(100);
// After this many unanswered queries, the rest wait for the next round.
constexpr int kUnavailableMax = 3;

}  // namespace

struct Source::Round {
    Round(Directory directory, const Options& options)
        : known(std::move(directory)), join(known, options.stale), deadline(options.every) {}

    Directory known;
    Join join;
    Deadline deadline;
    int asked = 0, answered = 0, unavailable = 0;
    bool names_asked = false;
    bool over = false;  ///< Nothing more can be expected in this round.
    Tally failed;       ///< Failed queries.
    std::optional<Error> first_error;
};

Source::Source(Options options, Known known)
    : options_(std::move(options)), known_(std::move(known)) {
    news_.report = {.source = model::Source::prometheus, .off = off()};
    news_.report.reason = off() ? "off by choice" : "not asked yet";
}

Source::~Source() = default;

Result<std::unique_ptr<Source>> Source::make(const asio::any_io_executor& executor, Options options,
                                             Known known) {
    for (const Query& each : options.queries) {
        if (auto fine = check(each); !fine) return within("prometheus", fine.error());
    }
    std::unique_ptr<Source> source(new Source(std::move(options), std::move(known)));
    if (source->off()) return source;
    const Access& access = source->options_.access;
    const auto url = checked(access);
    if (!url) return within("prometheus", url.error());
    http::Endpoint to{.url = *url, .server_name = access.server_name};
    if (url->tls) {
        auto shown = read_files(access);
        if (!shown) return within("prometheus", shown.error());
        auto tls = tls_of(access, *shown);
        if (!tls) return within("prometheus", tls.error());
        to.tls = *std::move(tls);
        source->shown_ = *std::move(shown);
    }
    source->client_ =
        std::make_unique<http::Client>(executor, std::move(to), source->options_.user_agent, 1);
    return source;
}

std::uint64_t Source::requests() const { return client_ ? client_->requests() : 0; }

News Source::take() {
    News out{std::move(news_.nodes), std::move(news_.workloads), news_.report};
    news_.nodes.clear();
    news_.workloads.clear();
    return out;
}

asio::awaitable<void> Source::follow() {
    if (off()) co_return;
    while (!known_()) co_await pause(kGlance);
    for (;;) {
        auto asked = co_await ask();
        wait_ = asked ? Duration{} : asked.error().retry_after.value_or(Duration{});
        // Jitter of a tenth of the interval either way, so that many clients do not ask at once.
        const std::uint64_t bits =
            draw(options_.seed, Stream::jitter, entity_of("prometheus"), draws_++);
        const double share = random::uniform(bits, 0.9, 1.1);
        const double us = static_cast<double>(options_.every.us) * share;
        co_await pause(std::max(wait_, microseconds(static_cast<std::int64_t>(us))));
    }
}

/// Reads the files again; they may have been replaced.
Result<void> Source::refresh() {
    auto shown = read_files(options_.access);
    if (!shown) return tl::unexpected(shown.error());
    if (shown_ && *shown_ == *shown) return {};
    const bool tls = shown_ && client_->url().tls;
    const bool other_identity = tls && (shown->ca_pem != shown_->ca_pem ||
                                        shown->certificate_pem != shown_->certificate_pem ||
                                        shown->key_pem != shown_->key_pem);
    if (other_identity) {
        auto made = tls_of(options_.access, *shown);
        if (!made) return tl::unexpected(made.error());
        client_->use(*std::move(made));
    }
    shown_ = *std::move(shown);
    return {};
}

asio::awaitable<Result<void>> Source::ask() {
    auto known = known_();
    if (off() || !known) co_return Result<void>{};
    if (auto fresh = refresh(); !fresh) {
        news_.report.failed = true;
        news_.report.reason = fresh.error().message;
        co_return fresh;
    }
    Round round(*std::move(known), options_);
    for (const Query& query : options_.queries) {
        if (round.over || query.expression.empty() || round.join.covered(query)) continue;
        co_await ask(&query, &round);
    }
    conclude(round);
    if (round.first_error && round.answered == 0) co_return tl::unexpected(*round.first_error);
    co_return Result<void>{};
}

/// One request. An error may end the round.
asio::awaitable<Result<Answer>> Source::get(std::string expression, std::vector<std::string> labels,
                                            std::optional<TimePoint> at, Round* round) {
    const std::string time = at ? fixed(static_cast<double>(at->us) / 1e6, 3) : "";
    const std::string limit = fixed(in_seconds(options_.limit), 3);
    http::Request request{
        .target = "/api/v1/query" +
                  http::query({{"query", expression}, {"time", time}, {"timeout", limit}})};
    request.headers = shown_->headers;
    request.headers.push_back({"Accept", "application/json"});
    const http::Limits limits{.connect = options_.limit,
                              .head = options_.limit,
                              .whole = options_.limit,
                              .body_max = kAnswerBytesMax};
    auto reply = co_await client_->ask(std::move(request), limits);
    if (!reply) {
        // The server is not trusted.
        if (reply.error().code == ErrorCode::denied) round->over = true;
        co_return tl::unexpected(reply.error());
    }
    auto answer = read_reply(*reply, labels);
    if (!answer && concerns_all(*reply)) round->over = true;
    co_return answer;
}

asio::awaitable<void> Source::ask(const Query* query, Round* round) {
    ++round->asked;
    const TimePoint now = options_.now();
    auto values = co_await get(expanded(query->expression, options_.window), kept_labels(*query),
                               std::nullopt, round);
    Result<Answer> ages = Answer{};
    if (values && !values->series.empty()) {
        if (!round->names_asked && round->join.needs_names(*query, *values)) {
            round->names_asked = true;
            std::vector<std::string> labels(1, "instance");
            labels.emplace_back("nodename");
            auto names = co_await get("node_uname_info", std::move(labels), std::nullopt, round);
            if (names) round->join.learn_names(*names);
        }
        std::vector<std::string> none;
        ages = co_await get(age_of(*query, options_.window), std::move(none), values->at, round);
    }
    if (values && ages) {
        ++round->answered;
        round->join.add(*query, *values, *ages, now);
        if (round->deadline.over()) round->over = true;
        co_return;
    }
    const Error& error = values ? ages.error() : values.error();
    if (round->failed.count++ == 0) round->failed.first = query->name + ": " + error.message;
    if (!round->first_error) round->first_error = error;
    if (error.code == ErrorCode::unavailable) ++round->unavailable;
    const bool hopeless = round->answered == 0 && error.code == ErrorCode::unavailable;
    if (hopeless || round->unavailable >= kUnavailableMax || round->deadline.over()) {
        round->over = true;
    }
}

void Source::conclude(Round& round) {
    cluster::SourceReport& report = news_.report;
    report.failed = round.answered == 0 && round.asked > 0;
    if (report.failed) {
        report.reason = round.failed.first;
        return;
    }
    Joined joined = round.join.finish();
    report.reason = joined.remarks();
    if (round.failed.count > 0) {
        report.reason = std::to_string(round.failed.count) + " of " + std::to_string(round.asked) +
                        " queries failed, such as " + round.failed.first +
                        (report.reason.empty() ? "" : "; " + report.reason);
    }
    news_.nodes = std::move(joined.nodes);
    news_.workloads = std::move(joined.workloads);
}

}  // namespace parley::prometheus
