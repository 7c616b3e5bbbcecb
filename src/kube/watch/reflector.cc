#include "kube/watch/reflector.h"

#include "base/clock_wait.h"
#include "base/random.h"

#include <algorithm>
#include <functional>
#include <utility>

namespace parley::kube {

namespace asio = boost::asio;

namespace {

constexpr std::size_t kExamples = 5;
constexpr Duration kAbsentWait = minutes(10);    // It may get installed.
constexpr Duration kGlance = milliseconds(500);  // How soon start_over() is noticed during a wait.

std::string plural(Kind kind) { return std::string(facts_of(kind).plural); }

std::string path_of(Kind kind, std::string_view space, std::string_view query) {
    std::string out = list_path(kind, space) + std::string(query);
    const std::string_view own = list_query(kind);
    if (own.empty()) return out;
    out += out.find('?') == std::string::npos ? '?' : '&';
    return out + std::string(own);
}

Error error_of(const Status& status, const std::string& what) {
    const ErrorCode code = status.code == 410                         ? ErrorCode::expired
                           : status.code == 401 || status.code == 403 ? ErrorCode::denied
                           : status.code >= 500 || status.code == 429 || status.code == 408
                               ? ErrorCode::unavailable
                               : ErrorCode::malformed;
    return {code, what + ": " + std::to_string(status.code) + ", " + status.message,
            status.retry_after};
}

/// A kind that is not served is asked for again only rarely.
Failed refused(Error error) {
    if (error.code == ErrorCode::gone) error.retry_after = kAbsentWait;
    return {std::move(error)};
}

}  // namespace

std::string one_path(Kind kind, std::string_view space) {
    return path_of(kind, space, http::query({{"limit", "1"}}));
}

struct Reflector::Clocks {
    std::optional<Stopwatch> opened;  ///< Since the stream was opened.
    std::optional<Deadline> verify;   ///< When to compare with a fresh list.
    std::optional<Deadline> line;     ///< For the rest of a line that has begun.
};

Reflector::Reflector(Api& api, Picture& picture, Kind kind, std::string space,
                     ReflectorOptions options, Scope scope)
    : api_(api),
      picture_(picture),
      scope_(scope),
      options_(std::move(options)),
      machine_(options_.rules),
      frames_(kObjectBytesMax),
      clocks_(std::make_unique<Clocks>()) {
    state_.kind = kind;
    state_.space = std::move(space);
    state_.since = options_.now();
    pages_.emplace(api_, "listing " + called(), options_.page_limits, kind == Kind::pod,
                   [kind, in = state_.space, page = options_.page, large = options_.proto_page](
                       const std::string& token, bool proto) {
                       const std::string limit = std::to_string(proto ? large : page);
                       return path_of(kind, in,
                                      http::query({{"limit", limit}, {"continue", token}}));
                   });
}
Reflector::~Reflector() = default;

std::string Reflector::called() const {
    const std::string name = plural(state_.kind);
    return state_.space.empty() ? name : name + " in " + state_.space;
}

Duration Reflector::drawn(Duration from, Duration to) {
    const std::uint64_t entity = std::hash<std::string>{}(called());
    const std::uint64_t bits = draw(options_.seed, Stream::jitter, entity, draws_++);
    const auto width = static_cast<std::uint64_t>(std::max<std::int64_t>(1, to.us - from.us));
    return from + microseconds(static_cast<std::int64_t>(random::below(bits, width)));
}

asio::awaitable<void> Reflector::follow() {
    for (;;) {
        start_over_ = false;
        revoked_.reset();
        machine_ = WatchMachine(options_.rules);
        Todo todo = machine_.resume(Begun{});
        while (!start_over_) {
            Happened happened = co_await carry_out(std::move(todo));
            if (start_over_) break;
            todo = machine_.resume(happened);
            note(happened);
        }
        state_.trouble.clear();
        become(Condition::starting);
    }
}

void Reflector::start_over() {
    start_over_ = true;
    if (stream_) stream_->close();
}

void Reflector::revoke(const Error& error) {
    if (state_.condition != Condition::in_step) return;
    state_.trouble = error.message;
    state_.refused = true;
    become(Condition::broken);
    if (!stream_) return;  // A list for verification is being read; that fails by itself.
    revoked_ = error;
    stream_->close();
}

asio::awaitable<Happened> Reflector::carry_out(Todo todo) {
    if (auto* page = std::get_if<List>(&todo)) co_return co_await list(std::move(page->token));
    if (std::holds_alternative<StreamList>(todo)) co_return co_await open("", true);
    if (auto* from = std::get_if<WatchFrom>(&todo)) {
        co_return co_await open(std::move(from->version), false);
    }
    if (std::holds_alternative<ReadOn>(todo)) co_return co_await read_on();
    const Wait wait = std::get<Wait>(todo);
    stream_.reset();
    co_await this->wait(drawn(wait.from, wait.to));
    co_return Waited{};
}

asio::awaitable<void> Reflector::wait(Duration length) {
    const Deadline deadline(length);
    while (!deadline.over() && !start_over_) co_await pause(std::min(kGlance, deadline.left()));
}

asio::awaitable<Result<void>> Reflector::confirmed() {
    Result<void> sure;
    if (options_.confirm && !start_over_) sure = co_await options_.confirm();
    if (start_over_) co_return fail(ErrorCode::unavailable, "it starts over");
    co_return sure;
}

asio::awaitable<Happened> Reflector::list(std::string token) {
    stream_.reset();
    if (token.empty()) listed_.clear();
    const std::string what = "listing " + called();
    auto answer = co_await pages_->read(std::move(token));
    if (!answer) co_return refused(answer.error());
    auto page = decode_page(state_.kind, answer->body);
    if (!page) {
        pages_->ask_for_json();
        auto context = within(what, page.error());
        co_return Failed{context.value()};
    }
    const bool last = page->continue_token.empty();
    if (last) {  // Before anything of it is applied: the same page may be requested again.
        if (auto sure = co_await confirmed(); !sure) co_return Failed{sure.error()};
    }
    for (const Unreadable& each : page->unreadable) note(each);
    state_.unreadable += page->unreadable_count - page->unreadable.size();
    std::ranges::move(page->items, std::back_inserter(listed_));
    if (last) {
        ++state_.lists;
        replace_all(options_.now());
    }
    co_return PageCame{std::move(page->continue_token), std::move(page->version)};
}

void Reflector::replace_all(TimePoint now) {
    picture_.begin_list(state_.kind, scope_);
    for (Object& object : listed_) picture_.put(std::move(object), now, scope_);
    const ListEnd end = picture_.end_list(state_.kind, scope_);
    listed_.clear();
    listed_.shrink_to_fit();
    const bool shrank = state_.lists > 1 && end.gone > 1 && end.gone * 5 > end.named + end.gone;
    state_.shrank = shrank ? std::optional(now) : std::nullopt;
    clocks_->verify.emplace(drawn(options_.verify_every, options_.verify_every * 2));
}

asio::awaitable<Happened> Reflector::open(std::string version, bool streaming) {
    stream_.reset();
    frames_ = Frames(kObjectBytesMax);
    clocks_->line.reset();
    if (streaming) listed_.clear();
    const std::int64_t lasts = drawn(seconds(300), seconds(600)).us / 1'000'000;
    const std::string query =
        http::query({{"watch", "1"},
                     {"allowWatchBookmarks", "true"},
                     {"timeoutSeconds", std::to_string(lasts)},
                     {"sendInitialEvents", streaming ? "true" : ""},
                     {"resourceVersionMatch", streaming ? "NotOlderThan" : ""},
                     {"resourceVersion", version}});
    auto opened =
        co_await api_.open(path_of(state_.kind, state_.space, query), "watching " + called());
    if (!opened) co_return refused(opened.error());
    if (auto sure = co_await confirmed(); !sure) co_return Failed{sure.error()};
    stream_ = *std::move(opened);
    clocks_->opened.emplace();
    ++state_.watches;
    co_return Opened{};
}

asio::awaitable<Happened> Reflector::read_on() {
    for (;;) {
        if (revoked_) co_return Failed{*std::exchange(revoked_, std::nullopt)};
        if (const auto line = frames_.next()) {
            Happened happened = take_line(*line);
            // Of a streamed list only the end, or an error, matters.
            if (machine_.listing() && std::holds_alternative<Changed>(happened)) continue;
            co_return happened;
        }
        if (machine_.in_step() && clocks_->verify && clocks_->verify->over()) {
            co_return VerifyDue{};
        }
        if (frames_.pending() == 0) clocks_->line.reset();
        if (frames_.pending() > 0 && !clocks_->line) clocks_->line.emplace(options_.line_max);
        const Duration limit = clocks_->line
                                   ? clocks_->line->left()
                                   : std::min(machine_.patience(),
                                              clocks_->verify ? clocks_->verify->left() : hours(1));
        auto bytes = co_await stream_->more(limit);
        if (start_over_) co_return Waited{};
        if (revoked_) continue;
        if (!bytes) {
            const bool due = clocks_->verify && clocks_->verify->over() && !clocks_->line;
            if (due && machine_.in_step()) co_return VerifyDue{};
            auto context = within("watching " + called(), bytes.error());
            co_return Failed{context.value()};
        }
        if (bytes->empty()) co_return Ended{clocks_->opened->passed()};
        state_.heard = options_.now();
        if (auto kept = frames_.add(*bytes); !kept) co_return Failed{kept.error()};
    }
}

Happened Reflector::take_line(std::string_view line) {
    auto event = decode_event(state_.kind, line);
    if (!event) {
        const auto context = within("watching " + called(), event.error());
        return Failed{context.value()};
    }
    ++state_.events;
    return take(*std::move(event), options_.now());
}

Happened Reflector::take(WatchEvent event, TimePoint now) {
    if (event.unreadable) note(*event.unreadable);
    switch (event.type) {
        case EventType::bookmark:
            if (event.initial_events_end && machine_.listing()) {
                ++state_.lists;
                replace_all(now);
            }
            return Bookmarked{std::move(event.version), event.initial_events_end};
        case EventType::error:
            return Failed{error_of(event.status.value_or(Status{}), "watching " + called())};
        case EventType::added:
        case EventType::modified:
            if (event.object && machine_.listing()) {
                listed_.push_back(*std::move(event.object));
            } else if (event.object) {
                picture_.put(*std::move(event.object), now, scope_);
            }
            return Changed{std::move(event.version)};
        case EventType::deleted:
            if (!event.uid.none()) picture_.remove(state_.kind, event.uid);
            return Changed{event.version};
        case EventType::unknown:
            break;
    }
    return Failed{{ErrorCode::malformed, "watching " + called() + ": an event of no known type",
                   std::nullopt}};
}

void Reflector::note(const Unreadable& each) {
    ++state_.unreadable;
    if (state_.examples.size() >= kExamples) state_.examples.erase(state_.examples.begin());
    state_.examples.push_back(each);
}

void Reflector::note(const Happened& happened) {
    if (const auto* failed = std::get_if<Failed>(&happened)) {
        state_.trouble = failed->error.message;
        state_.refused = failed->error.code == ErrorCode::denied;
        const bool known =
            state_.condition == Condition::in_step || state_.condition == Condition::broken;
        const ErrorCode code = failed->error.code;
        // What was read before is kept and ages; without it, we go on without this kind.
        if (known) return become(Condition::broken);
        if (code == ErrorCode::gone || code == ErrorCode::denied) {
            picture_.set_absent(state_.kind, scope_);
            return become(code == ErrorCode::gone ? Condition::absent : Condition::denied);
        }
        return;
    }
    if (std::holds_alternative<Waited>(happened)) return;
    state_.heard = options_.now();
    if (machine_.went_back() && !state_.went_back) state_.went_back = options_.now();
    if (!machine_.went_back()) state_.went_back.reset();
    if (machine_.in_step() && !machine_.listing()) {
        state_.trouble.clear();
        state_.refused = false;
        become(Condition::in_step);
    }
}

void Reflector::become(Condition condition) {
    if (state_.condition == condition) return;
    state_.condition = condition;
    state_.since = options_.now();
}

}  // namespace parley::kube
