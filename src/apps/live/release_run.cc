#include "apps/live/release_run.h"

#include "apps/live/providers.h"
#include "apps/terminal/terminal.h"
#include "base/clock.h"
#include "base/json.h"
#include "base/run.h"
#include "kube/decode/mark_text.h"
#include "kube/provider/provider_hand.h"
#include "kube/write/hand.h"
#include "kube/write/orders.h"
#include "kube/write/releaser.h"
#include "version.h"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>

#include <cstdio>
#include <optional>
#include <utility>

namespace parley::app {
namespace {

using How = kube::Released::How;

const char* word_of(How how) {
    switch (how) {
        case How::done:
            return "done";
        case How::would:
            return "would";
        case How::left:
            return "left";
        case How::failed:
            break;
    }
    return "failed";
}

void print_line(const kube::Released& line, Format format) {
    if (format == Format::json) {
        std::string out = R"({"object":)";
        append_json_text(out, line.object);
        out += R"(,"decision":)";
        append_json_text(out, line.decision);
        out += R"(,"how":")" + std::string(word_of(line.how)) + R"(","what":)";
        append_json_text(out, line.what);
        std::printf("%s}\n", out.c_str());
    } else {
        std::printf("%-7s %s: %s\n", word_of(line.how), for_terminal(line.object).c_str(),
                    for_terminal(line.what).c_str());
    }
    std::fflush(stdout);
}

std::string summary_of(const kube::ReleaseCounts& counts, bool dry_run) {
    if (counts.objects == 0) return "Nothing carries a mark of Parley's that is meant.";
    const auto many = [](int n, const char* one, const char* more) {
        return std::to_string(n) + " " + (n == 1 ? one : more);
    };
    std::string text = many(counts.objects, "object carries", "objects carry") + " a mark";
    if (dry_run) return text + "; nothing was changed.";
    text += "; " + many(counts.done, "step was", "steps were") + " taken";
    if (counts.left > 0) text += ", " + std::to_string(counts.left) + " left as it is";
    if (counts.failed > 0) text += ", " + std::to_string(counts.failed) + " failed";
    return text + ".";
}

/// What the provider of a node says of each thing that its mark names.
boost::asio::awaitable<kube::Provided> ask_provider(std::shared_ptr<kube::ProviderDesk> desk,
                                                    kube::MarkedObject node) {
    kube::Provided out;
    if (!node.seen.mark) co_return out;
    for (const model::MarkedChange& change : node.seen.mark->changes) {
        const bool power = change.field == model::MarkedField::power;
        if (!power && change.field != model::MarkedField::clock_ppm) continue;
        const auto ability = power ? kube::Ability::power : kube::Ability::clock;
        const auto now = co_await desk->read(ability, node.name, node.seen.uid);
        if (!now) {
            out.why_not = "is not given back: " + now.error().message;
        } else if (power) {
            const auto wish = kube::wish_of(static_cast<model::Power>(*now));
            out.power = static_cast<std::int64_t>(wish);
        } else {
            out.clock_ppm = *now;
        }
    }
    co_return out;
}

/// Gives back through the providers, too, if any are named.
boost::asio::awaitable<Result<kube::ReleaseCounts>> give_back(
    std::shared_ptr<kube::Api> api, std::shared_ptr<kube::ProviderDesk> desk,
    kube::ReleaseWish wish, ReleaseFlags flags) {
    kube::Hand hand(api);
    kube::Orders orders(api, flags.home, hand, hand, kube::always(), wall_now);
    const auto told = [&](const kube::Released& line) { print_line(line, flags.format); };
    if (!desk) {
        kube::ReleaseHands plain{orders, orders};
        co_return co_await kube::release_marks(api, plain, wish, flags.dry_run, wall_now(), told);
    }
    kube::ProviderHand provided(desk, api, orders, orders);
    kube::ReleaseHands hands{provided, provided, [desk](kube::MarkedObject node) {
                                 return ask_provider(desk, std::move(node));
                             }};
    co_return co_await kube::release_marks(api, hands, wish, flags.dry_run, wall_now(), told);
}

/// The desk of the providers that the settings name; null: none are named.
Result<std::shared_ptr<kube::ProviderDesk>> desk_of(const std::string& config) {
    if (config.empty()) return nullptr;
    const auto loaded = load_settings(real_disk(), config, {}, default_live_settings());
    if (!loaded) return tl::unexpected(loaded.error());
    auto providers = providers_of(*loaded);
    if (!providers) return tl::unexpected(providers.error());
    if (providers->empty()) return nullptr;
    return std::make_shared<kube::ProviderDesk>(*std::move(providers));
}

}  // namespace

int release_run(const ChosenCluster& cluster, const ReleaseFlags& flags) {
    kube::ReleaseWish wish{.expired_only = flags.expired};
    if (!flags.decision.empty()) {
        wish.decision = kube::parse_decision(flags.decision);
        if (!wish.decision) {
            return report({ErrorCode::denied,
                           "--decision is 32 hexadecimal digits, as in `why` and in the mark"},
                          kWrongUse, "Nothing was changed.");
        }
    }
    const auto desk = desk_of(flags.config);
    if (!desk) return report(desk.error(), kWrongUse, "Nothing was changed.");
    boost::asio::io_context loop(1);
    auto api = kube::Api::make(
        loop.get_executor(), cluster.access,
        {.user_agent = std::string("parley/") + kVersion, .credentials = cluster.credentials});
    if (!api) return report(api.error(), kFailed, "Nothing was changed.");
    const std::shared_ptr<kube::Api> shared = *std::move(api);
    std::optional<Result<kube::ReleaseCounts>> done;
    boost::asio::co_spawn(
        loop, give_back(shared, *desk, wish, flags),
        [&](const std::exception_ptr& thrown, Result<kube::ReleaseCounts> counts) {
            PARLEY_CHECK(thrown == nullptr);
            done = std::move(counts);
        });
    loop.run();
    shared->quiet();
    if (*desk) (*desk)->quiet();
    if (!*done) return report(done->error(), kFailed, "What is not listed above was not changed.");
    std::fprintf(stderr, "%s\n", summary_of(**done, flags.dry_run).c_str());
    return (*done)->failed > 0 ? kFailed : kDone;
}

}  // namespace parley::app
