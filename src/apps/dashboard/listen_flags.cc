#include "apps/dashboard/listen_flags.h"

#include "apps/terminal/cli.h"
#include "base/number.h"
#include "version.h"
#include "web/serve/certificate.h"

#include <utility>

namespace parley::app {
namespace {

constexpr std::uint16_t kPort = 8765;
constexpr std::uint16_t kProbePort = 8081;
constexpr std::uint16_t kMetricsPort = 8080;
constexpr std::uint64_t kPemBytesMax = std::uint64_t{1} << 20U;

Result<void> add_tls(Disk& disk, const ListenFlags& flags, ListenPlan& plan) {
    if (!flags.tls.empty() && flags.tls != "auto") {
        return fail(ErrorCode::denied,
                    "--tls knows only auto; a certificate of your own is named "
                    "by --tls-cert and --tls-key");
    }
    if (flags.certificate.empty() != flags.key.empty()) {
        return fail(ErrorCode::denied, "--tls-cert and --tls-key go together");
    }
    if (!flags.certificate.empty()) {
        auto certificate = read_file(disk, flags.certificate, kPemBytesMax);
        if (!certificate) return within("--tls-cert", certificate.error());
        auto key = read_file(disk, flags.key, kPemBytesMax);
        if (!key) return within("--tls-key", key.error());
        plan.options.tls = web::ServerTls{*std::move(certificate), *std::move(key)};
        return {};
    }
    if (flags.tls.empty()) return {};
    std::vector<std::string> names = flags.hosts;
    names.push_back(plan.options.address);
    web::MadeCertificate made = web::make_certificate(names);
    plan.said = "Certificate made for this run; your browser will ask about it. SHA-256 " +
                made.fingerprint + "\n";
    plan.options.tls = web::ServerTls{std::move(made.certificate_pem), std::move(made.key_pem)};
    return {};
}

const char* listen_help(ListenDefault otherwise) {
    switch (otherwise) {
        case ListenDefault::off:
            break;
        case ListenDefault::on:
            return "Serve the dashboard here (default 127.0.0.1:8765, else the next free port); "
                   "off: do not";
        case ListenDefault::always:
            return "Serve the dashboard here (default 127.0.0.1:8765, else the next free port)";
    }
    return "Serve the dashboard here (default: not at all)";
}

}  // namespace

void add_listen_flags(Command& command, ListenFlags& into, ListenDefault otherwise) {
    const OptionGroup group(command, "Dashboard");
    add_text(command, "--listen", into.listen, "ADDR:PORT", listen_help(otherwise));
    add_text(command, "--tls", into.tls, "auto",
             "Make a certificate and print its fingerprint; needed beyond this machine");
    add_text(command, "--tls-cert", into.certificate, "FILE", "A certificate of your own, PEM");
    add_text(command, "--tls-key", into.key, "FILE", "Its key, PEM");
    command
        .texts("--allow-host", into.hosts,
               "A further name under which browsers may call the dashboard")
        .type("NAME");
}

Result<ListenPlace> parse_listen(const std::string& text) {
    const auto wrong = [&] {
        return fail(ErrorCode::denied, "--listen " + in_quotes(text) +
                                           " is no place to listen; write 127.0.0.1:8765 or a "
                                           "port alone");
    };
    const auto colon = text.rfind(':');
    std::string address = colon == std::string::npos ? "127.0.0.1" : text.substr(0, colon);
    const auto port =
        parse_uint64(colon == std::string::npos ? text : text.substr(colon + 1), 0, 65'535);
    if (!port) return wrong();
    if (address.starts_with('[') && address.ends_with(']')) {
        address = address.substr(1, address.size() - 2);
    } else if (address.find(':') != std::string::npos) {
        return wrong();
    }
    if (address.empty()) address = "127.0.0.1";
    return ListenPlace{std::move(address), static_cast<std::uint16_t>(*port)};
}

Result<std::optional<ListenPlan>> listen_plan(Disk& disk, const ListenFlags& flags,
                                              ListenDefault otherwise, bool in_cluster) {
    const bool given = !flags.listen.empty();
    const bool tls = !flags.tls.empty() || !flags.certificate.empty() || !flags.key.empty();
    if (flags.listen == "off" && otherwise == ListenDefault::always) {
        return fail(ErrorCode::denied, "serve serves, so --listen off leaves nothing to do");
    }
    if (flags.listen == "off" || (!given && otherwise == ListenDefault::off)) {
        if (!tls) return std::nullopt;
        return fail(ErrorCode::denied,
                    "--tls is for a dashboard, and none is served; add --listen");
    }
    ListenPlan plan{.options = {.port = kPort, .next_free = true, .hosts = flags.hosts}};
    plan.options.version = kVersion;
    if (given) {
        const auto place = parse_listen(flags.listen);
        if (!place) return tl::unexpected(place.error());
        plan.options.address = place->address;
        plan.options.port = place->port;
        plan.options.next_free = false;
    }
    if (in_cluster) {
        plan.options.probe_port = kProbePort;
        plan.options.metrics_port = kMetricsPort;
    }
    if (auto done = add_tls(disk, flags, plan); !done) return tl::unexpected(done.error());
    return plan;
}

}  // namespace parley::app
