#include "kube/write/releaser.h"

#include "base/json_read.h"
#include "kube/write/json_parts.h"
#include "kube/write/order_objects.h"

#include <utility>
#include <vector>

namespace parley::kube {

namespace asio = boost::asio;

namespace {

constexpr http::Limits kLimits{.connect = seconds(5), .head = seconds(30), .whole = seconds(60)};
constexpr int kPage = 500;
constexpr Kind kMarkable[] = {Kind::node, Kind::deployment, Kind::stateful_set,
                              Kind::job,  Kind::pod,        Kind::quota};

/// The objects of a page that carry annotations of ours.
Result<void> take_page(const Json& page, Kind kind, std::vector<MarkedObject>& into) {
    const Json* list = page.find("items");
    const JsonItems* items = list != nullptr ? list->items() : nullptr;
    if (items == nullptr) {
        if (list != nullptr && list->numbers() != nullptr) return {};  // An empty list.
        return fail(ErrorCode::malformed, "it has no items");
    }
    for (const Json& item : *items) {
        auto seen = read_seen(item.raw);
        if (!seen) return tl::unexpected(seen.error());
        if (!seen->has_annotations) continue;
        const Json* meta = item.find("metadata");
        into.push_back({kind, std::string(text_or_none(meta, "namespace")),
                        std::string(text_or_none(meta, "name")), *std::move(seen)});
    }
    return {};
}

class Releaser {
public:
    Releaser(std::shared_ptr<Api> api, ReleaseHands hands, ReleaseWish wish, bool dry_run,
             TimePoint now, std::function<void(const Released&)> told)
        : api_(std::move(api)),
          hands_(std::move(hands)),
          wish_(wish),
          dry_run_(dry_run),
          now_(now),
          told_(std::move(told)) {}

    asio::awaitable<Result<ReleaseCounts>> run() {
        for (const Kind kind : kMarkable) {
            auto listed = co_await list(kind);
            if (!listed) co_return tl::unexpected(listed.error());
        }
        for (std::size_t i = 0; i < marked_.size(); ++i) {
            if (is_meant(marked_[i], wish_, now_)) co_await release(i);
        }
        co_await release_order();
        co_return counts_;
    }

private:
    /// An order ends by itself when its time is over, so that only one that stands is lifted, and
    /// whoever gives back what has expired need not be able to read orders.
    asio::awaitable<void> release_order() {
        if (wish_.expired_only) co_return;
        const model::SetAdmission admit;
        const auto live = co_await hands_.reader.read(admit);
        Released line{.object = "ConfigMap " + std::string(kAdmissionName)};
        if (!live) {
            line.how = Released::How::failed;
            line.what = live.error().message;
            ++counts_.failed;
            told_(line);
            co_return;
        }
        const bool meant = !wish_.decision || *wish_.decision == live->mark;
        if (live->applied || !meant) co_return;
        ++counts_.objects;
        line.decision = live->mark.text();
        line.what = text_of(model::Request(admit));
        if (dry_run_) {
            line.how = Released::How::would;
            told_(line);
            co_return;
        }
        const cluster::Stamp stamp{.decision = live->mark, .undo = true};
        const auto taken = co_await take_step(admit, stamp);
        line.how = taken ? Released::How::done : Released::How::failed;
        if (!taken) line.what += ": " + taken.error().message;
        ++(taken ? counts_.done : counts_.failed);
        told_(line);
    }

    asio::awaitable<Result<void>> list(Kind kind) {
        const std::string what = "listing " + std::string(facts_of(kind).plural);
        std::string token;
        do {
            std::string path = list_path(kind) + "?limit=" + std::to_string(kPage);
            if (!token.empty()) path += "&continue=" + token;
            auto answer = co_await api_->get(std::move(path), what, kLimits);
            if (!answer) co_return tl::unexpected(answer.error());
            const auto page = parse_json(answer->body);
            if (!page) co_return within(what, page.error());
            auto taken = take_page(*page, kind, marked_);
            if (!taken) co_return within(what, taken.error());
            token = text_or_none(page->find("metadata"), "continue");
        } while (!token.empty());
        co_return Result<void>{};
    }

    /// Carries out one step: looks, and changes what it saw.
    asio::awaitable<Result<void>> take_step(model::Request request, cluster::Stamp stamp) {
        auto live = co_await hands_.reader.read(request);
        if (!live && live.error().code == ErrorCode::gone) co_return Result<void>{};
        if (!live) co_return tl::unexpected(live.error());
        if (live->applied) co_return Result<void>{};
        const model::Precondition as_seen{live->uid, live->version};
        co_return co_await hands_.writer.apply(std::move(request), as_seen, stamp);
    }

    asio::awaitable<void> release(std::size_t place) {
        MarkedObject& object = marked_[place];
        if (hands_.ask && object.kind == Kind::node) {
            object.provided = co_await hands_.ask(object);
        }
        ++counts_.objects;
        const Release release = release_of(object);
        for (const std::string& each : release.left) {
            tell(object, release, each, Released::How::left);
            ++counts_.left;
        }
        cluster::Stamp stamp{.decision = release.decision, .undo = true};
        for (const model::Request& step : release.steps) {
            if (dry_run_) {
                tell(object, release, text_of(step), Released::How::would);
                continue;
            }
            auto taken = co_await take_step(step, stamp);
            if (!taken && taken.error().code == ErrorCode::conflict) {
                taken = co_await take_step(step, stamp);
            }
            ++stamp.step;
            if (!taken) {
                // What follows would take the mark away from what is not given back.
                tell(object, release, text_of(step) + ": " + taken.error().message,
                     Released::How::failed);
                ++counts_.failed;
                co_return;
            }
            tell(object, release, text_of(step), Released::How::done);
            ++counts_.done;
        }
    }

    void tell(const MarkedObject& object, const Release& release, std::string what,
              Released::How how) const {
        const std::string name =
            object.space.empty() ? object.name : object.space + "/" + object.name;
        told_({std::string(facts_of(object.kind).name) + " " + name,
               release.decision.none() ? "" : release.decision.text(), std::move(what), how});
    }

    std::shared_ptr<Api> api_;
    ReleaseHands hands_;
    ReleaseWish wish_;
    bool dry_run_;
    TimePoint now_;
    std::function<void(const Released&)> told_;
    std::vector<MarkedObject> marked_;  ///< Complete before the first is given back.
    ReleaseCounts counts_;
};

}  // namespace

asio::awaitable<Result<ReleaseCounts>> release_marks(std::shared_ptr<Api> api, ReleaseHands hands,
                                                     ReleaseWish wish, bool dry_run, TimePoint now,
                                                     std::function<void(const Released&)> told) {
    Releaser releaser(std::move(api), std::move(hands), wish, dry_run, now, std::move(told));
    co_return co_await releaser.run();
}

}  // namespace parley::kube
