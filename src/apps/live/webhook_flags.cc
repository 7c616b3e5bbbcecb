#include "apps/live/webhook_flags.h"

#include "apps/dashboard/listen_flags.h"
#include "apps/terminal/cli.h"
#include "base/time_text.h"

#include <utility>

namespace parley::app {
namespace {

constexpr const char* kService = "parley";
constexpr Duration kLastsLeast = seconds(10);
constexpr Duration kLastsMost = hours(720);

tl::unexpected<Error> wrong(const std::string& why) { return fail(ErrorCode::denied, why); }

}  // namespace

void add_webhook_flags(Command& command, WebhookFlags& into) {
    const OptionGroup heading(command, "Webhook");
    add_text(command, "--webhook", into.listen, "ADDR:PORT",
             "Answer the API server about new Jobs here, where it has no policy for them (default: "
             "not at all)");
    add_text(
        command, "--webhook-url", into.url, "https://HOST:PORT",
        "Where the API server reaches that (default: Service parley in a pod, else ADDR:PORT)");
    add_text(command, "--webhook-certificate-lasts", into.lasts, "TIME",
             "How long a certificate made for it is good; replaced at half of it (default 24h)");
}

Result<std::optional<kube::WebhookOptions>> webhook_of(const WebhookFlags& flags, model::Mode mode,
                                                       const std::string& home, bool in_cluster) {
    if (flags.listen.empty()) {
        if (flags.url.empty() && flags.lasts.empty()) return std::nullopt;
        return wrong(
            "--webhook-url and --webhook-certificate-lasts mean nothing without --webhook");
    }
    if (mode != model::Mode::act) {
        return wrong("--webhook needs --mode act: in other modes no order is given");
    }
    auto place = parse_listen(flags.listen);
    if (!place) {
        return wrong("--webhook is no place to listen; write one such as 127.0.0.1:9443");
    }
    kube::WebhookOptions options{
        .address = std::move(place->address), .port = place->port, .url = flags.url, .home = home};
    if (!flags.url.empty()) {
        if (auto fine = kube::check_url(flags.url); !fine) {
            return within("--webhook-url", fine.error());
        }
    } else if (in_cluster) {
        options.service = kService;
    } else if (options.address == "0.0.0.0" || options.address == "::") {
        return wrong("--webhook on every address needs --webhook-url, by which it is reached");
    }
    if (!flags.lasts.empty()) {
        const auto lasts = parse_duration(flags.lasts);
        if (!lasts) return within("--webhook-certificate-lasts", lasts.error());
        if (*lasts < kLastsLeast || kLastsMost < *lasts) {
            return wrong("--webhook-certificate-lasts must be from 10s to 30d");
        }
        options.lasts = *lasts;
    }
    return options;
}

}  // namespace parley::app
