#include "apps/live/cluster_check.h"

#include "apps/live/providers.h"
#include "base/clock.h"
#include "base/clock_wait.h"
#include "base/file.h"
#include "base/run.h"
#include "base/time_text.h"
#include "kube/decode/decode.h"
#include "kube/decode/decode_metrics.h"
#include "kube/provider/desk.h"
#include "kube/watch/api.h"
#include "kube/watch/discovery.h"
#include "kube/watch/metrics_server.h"
#include "kube/watch/probe.h"
#include "layers/explanation/wording/wording.h"
#include "version.h"

#include <algorithm>
#include <set>
#include <utility>

namespace parley::app {
namespace {

using boost::asio::awaitable;
using kube::kSkewMax;

constexpr const char* kActRules = "deploy/rbac/act.yaml";
constexpr const char* kWebhookRules = "deploy/rbac/act-webhook.yaml";

/// One check after the other, each adding its lines.
class Examination {
public:
    Examination(kube::Api& api, const CheckOptions& options, Preflight& page)
        : api_(api), options_(options), page_(page) {}

    awaitable<bool> run();

private:
    awaitable<bool> access();
    awaitable<void> sizes();
    awaitable<void> permissions();
    awaitable<void> metrics();
    awaitable<void> acting();
    awaitable<void> telling(std::vector<kube::Need>& denied);
    awaitable<void> webhook(std::vector<kube::Need>& denied);
    awaitable<bool> rights(std::string what, std::vector<kube::Need> needs, std::string grants,
                           std::vector<kube::Need>& denied, bool leads = true);
    awaitable<bool> serves_mutating_policies();
    awaitable<void> providers();
    awaitable<void> provider(std::shared_ptr<kube::ProviderDesk> desk, kube::Ability ability,
                             std::vector<std::string> nodes);
    awaitable<Result<std::vector<kube::Need>>> denied_of(std::vector<kube::Need> needs);
    void add(const char* topic, Verdict verdict, std::string text) {
        page_.findings.push_back({topic, verdict, std::move(text)});
    }

    kube::Api& api_;
    const CheckOptions& options_;
    Preflight& page_;
    std::string version_;
    std::string counts_;
    std::set<std::string> served_;
};

awaitable<bool> Examination::access() {
    const TimePoint asked = wall_now();
    const Stopwatch watch;
    auto answer = co_await api_.get("/version", "asking for the version");
    if (!answer) {
        add("access", Verdict::failed, answer.error().message);
        co_return false;
    }
    const Duration took = watch.passed();
    const auto version = kube::server_version(answer->body);
    version_ = version ? *version : "of unknown version";
    std::string text = "answers in " + std::to_string(took.us / 1000) + " ms, " +
                       (!api_.url().tls            ? "no TLS"
                        : options_.access.insecure ? "TLS not verified"
                                                   : "TLS verified");
    const auto ahead = kube::judge_probe(*answer, asked, wall_now()).ahead;
    Verdict verdict = Verdict::ok;
    if (ahead) {
        const Duration off = microseconds(std::abs(ahead->us));
        text += off.us == 0
                    ? ", clocks agree"
                    : ", its clock " + print_age(off) + (ahead->us > 0 ? " ahead" : " behind") +
                          " (limit " + print_age(kSkewMax) + ")";
        if (off > kSkewMax) verdict = Verdict::late;
    }
    add("access", verdict, text);
    if (!api_.program().empty()) add("access", Verdict::ok, "logs in by " + api_.program());
    co_return true;
}

/// `3 nodes`, `1 node`, or `? nodes` if they cannot be counted.
awaitable<void> Examination::sizes() {
    for (const kube::Kind kind : {kube::Kind::node, kube::Kind::pod}) {
        const std::string what(kube::facts_of(kind).plural);
        auto answer = co_await api_.get(kube::list_path(kind) + "?limit=1", "counting " + what);
        std::string count = "?";
        if (answer) {
            const auto page = kube::decode_page(kind, answer->body);
            if (page) {
                const auto here =
                    static_cast<std::int64_t>(page->items.size() + page->unreadable_count);
                count = std::to_string(here + page->remaining.value_or(0));
            }
        }
        counts_ += ", " + count + " " + (count == "1" ? what.substr(0, what.size() - 1) : what);
    }
}

awaitable<void> Examination::permissions() {
    auto groups = co_await api_.get("/apis", "asking what is served");
    if (groups) {
        if (auto served = kube::served_versions(groups->body)) served_ = *std::move(served);
    }
    std::vector<kube::Need> wanted;
    for (kube::Need& need : kube::needs_of_observing(options_.spaces)) {
        const bool served =
            need.group.empty() || std::ranges::any_of(served_, [&](const std::string& each) {
                return each.starts_with(need.group + "/");
            });
        // Rights on a kind that is not served do not matter.
        if (served || served_.empty()) wanted.push_back(std::move(need));
    }
    const std::size_t asked = wanted.size();
    const auto denied = co_await denied_of(std::move(wanted));
    if (denied) add_permissions(page_, asked, *denied);
}

/// Those that are not granted; an error was added to the page.
awaitable<Result<std::vector<kube::Need>>> Examination::denied_of(std::vector<kube::Need> needs) {
    std::vector<kube::Need> denied;
    for (kube::Need& need : needs) {
        auto answer =
            co_await api_.ask(kube::kReviewPath, kube::review_of(need), "asking what we may do");
        if (!answer) {
            add("permissions", Verdict::failed, answer.error().message);
            co_return tl::unexpected(answer.error());
        }
        const auto allowed = kube::allowed_by(answer->body);
        if (allowed && !*allowed) denied.push_back(std::move(need));
    }
    co_return denied;
}

/// For every kind of action and namespace that the policy names: whether it could act now.
awaitable<void> Examination::acting() {
    if (options_.mode != model::Mode::act) {
        add("capabilities", Verdict::refused,
            "every action: mode " + explanation::mode_text(options_.mode, false) +
                " sends nothing; --mode act --config FILE asks for what a policy allows");
        co_return;
    }
    if (options_.allow.empty()) {
        add("capabilities", Verdict::refused,
            "every action: policy.allow names no namespace; see docs/acting.md");
    }
    std::vector<kube::Need> denied;
    auto leading = kube::needs_of_leading(options_.home);
    const bool leads = co_await rights("leading and the ledger in " + options_.home,
                                       std::move(leading), kActRules, denied);
    for (const model::OptIn& opt_in : options_.allow) {
        for (const model::ActionKind kind : opt_in.kinds) {
            const std::string what = std::string(enum_name(kind)) + " in " + opt_in.space;
            auto needs = kube::needs_of_acting(kind, opt_in.space, options_.home);
            if (!needs) {
                add("capabilities", Verdict::refused,
                    what + ": this build cannot carry it out on a real cluster");
                continue;
            }
            if (const std::string lacks = lacks_provider(kind, options_.providers);
                !lacks.empty()) {
                add("capabilities", Verdict::refused, what + ": " + lacks);
                continue;
            }
            co_await rights(what, *std::move(needs), kActRules, denied, leads);
        }
    }
    co_await telling(denied);
    co_await webhook(denied);
    if (!denied.empty()) page_.missing_rules += kube::rules_yaml(denied);
}

/// One line: whether we have these rights, and else which we lack and what grants them.
awaitable<bool> Examination::rights(std::string what, std::vector<kube::Need> needs,
                                    std::string grants, std::vector<kube::Need>& denied,
                                    bool leads) {
    const auto missing = co_await denied_of(std::move(needs));
    if (!missing) co_return false;
    const bool fine = missing->empty() && leads;
    const std::string lacks = missing->empty() ? "who cannot lead sends nothing"
                                               : kube::lacking_text(*missing) + "; apply " + grants;
    add("capabilities", fine ? Verdict::ok : Verdict::missing, fine ? what : what + ": " + lacks);
    denied.insert(denied.end(), missing->begin(), missing->end());
    co_return fine;
}

/// Events about nodes are in `default`, those about workloads beside them.
awaitable<void> Examination::telling(std::vector<kube::Need>& denied) {
    if (options_.allow.empty()) co_return;
    std::set<std::string> spaces = {"default"};
    for (const model::OptIn& opt_in : options_.allow) spaces.insert(opt_in.space);
    std::vector<kube::Need> needs;
    for (const std::string& space : spaces) {
        for (kube::Need& need : kube::needs_of_telling(space)) needs.push_back(std::move(need));
    }
    co_await rights("telling of it by Events", std::move(needs), kActRules, denied);
}

awaitable<bool> Examination::serves_mutating_policies() {
    for (const char* version : {"v1", "v1beta1"}) {
        std::string path = std::string("/apis/admissionregistration.k8s.io/") + version;
        const auto kinds = co_await api_.get(std::move(path), "asking what is served");
        const bool there =
            kinds && kinds->body.find("\"mutatingadmissionpolicies\"") != std::string::npos;
        if (there) co_return true;
    }
    co_return false;
}

/// Where the API server has no policies that change new Jobs, it asks our webhook.
awaitable<void> Examination::webhook(std::vector<kube::Need>& denied) {
    const bool orders = std::ranges::any_of(options_.allow, [](const model::OptIn& opt_in) {
        return std::ranges::count(opt_in.kinds, model::ActionKind::admission) > 0;
    });
    if (!orders) co_return;
    const bool served = co_await serves_mutating_policies();
    if (served) co_return;
    co_await rights("queue and deprioritize by --webhook, as no MutatingAdmissionPolicy is served",
                    kube::needs_of_webhook(), kWebhookRules, denied);
}

awaitable<void> Examination::metrics() {
    add("sources", Verdict::ok, "api");
    auto group = co_await api_.get("/apis/metrics.k8s.io", "asking for metrics.k8s.io");
    const auto version = group ? kube::preferred_version(group->body)
                               : Result<std::string>(tl::unexpected(group.error()));
    if (!version) {
        const bool absent = version.error().code == ErrorCode::gone;
        add("sources", absent ? Verdict::missing : Verdict::failed,
            absent ? "metrics-server is not installed; use of CPU and memory is not known"
                   : version.error().message);
        co_return;
    }
    auto nodes = co_await api_.get("/apis/metrics.k8s.io/" + *version + "/nodes",
                                   "asking for the use of nodes");
    const auto page = nodes ? kube::decode_node_metrics(nodes->body)
                            : Result<kube::UsagePage>(tl::unexpected(nodes.error()));
    if (!page || page->samples.empty()) {
        add("sources", Verdict::failed,
            page ? "metrics-server has no sample of any node" : page.error().message);
        co_return;
    }
    TimePoint newest;
    for (const kube::UsageSample& each : page->samples) newest = std::max(newest, each.measured);
    const Duration age = wall_now() - newest;
    const bool late = age > options_.metrics_late;
    add("sources", late ? Verdict::late : Verdict::ok,
        "metrics-server " + print_age(age) + ", " + std::to_string(page->samples.size()) +
            " nodes" + (late ? " (limit " + print_age(options_.metrics_late) + ")" : ""));
}

/// Asks the commands what they would say; that changes nothing.
awaitable<void> Examination::providers() {
    constexpr int kNodesMost = 500;
    if (options_.providers.empty()) co_return;
    const auto path = kube::list_path(kube::Kind::node) + "?limit=" + std::to_string(kNodesMost);
    auto answer = co_await api_.get(path, "listing nodes");
    const auto page = answer ? kube::decode_page(kube::Kind::node, answer->body)
                             : Result<kube::Page>(tl::unexpected(answer.error()));
    if (!page) {
        add("providers", Verdict::failed, page.error().message);
        co_return;
    }
    const auto desk = std::make_shared<kube::ProviderDesk>(options_.providers);
    for (const kube::Ability ability : {kube::Ability::power, kube::Ability::clock}) {
        std::vector<std::string> names;
        for (const kube::Object& object : page->items) {
            const auto* node = std::get_if<kube::Node>(&object);
            if (node != nullptr && desk->serves(ability, node->meta.name)) {
                names.push_back(node->meta.name);
            }
        }
        co_await provider(desk, ability, std::move(names));
    }
    desk->quiet();
}

/// One line: of how many nodes it could be read, and why not of the first of which it could not.
awaitable<void> Examination::provider(std::shared_ptr<kube::ProviderDesk> desk,
                                      kube::Ability ability, std::vector<std::string> nodes) {
    constexpr std::size_t kAsked = 10;  // A person waits.
    const std::string what(enum_name(ability));
    const model::Uid any;
    if (nodes.empty()) {
        add("providers", Verdict::off, what + ": no node is served");
        co_return;
    }
    const std::size_t asked = std::min(kAsked, nodes.size());
    std::size_t read = 0;
    for (std::size_t i = 0; i < asked; ++i) {
        const auto value = co_await desk->read(ability, nodes[i], any);
        if (value) ++read;
        // A command may refuse nodes that are not its own.
        if (value || value.error().code == ErrorCode::denied) continue;
        add("providers", Verdict::failed, what + " of " + nodes[i] + ": " + value.error().message);
        co_return;
    }
    add("providers", read > 0 ? Verdict::ok : Verdict::refused,
        what + " of " + std::to_string(nodes.size()) + " nodes: read of " + std::to_string(read) +
            " of the " + std::to_string(asked) + " that were asked for");
}

awaitable<bool> Examination::run() {
    const bool reached = co_await access();
    if (!reached) {
        page_.runs = false;
        page_.title = options_.name + " at " + options_.access.server.text();
        co_return false;
    }
    co_await sizes();
    page_.title = options_.name + ", Kubernetes " + version_ + counts_ + ", for mode " +
                  explanation::mode_text(options_.mode, false);
    co_await permissions();
    co_await metrics();
    co_await acting();
    co_await providers();
    co_return true;
}

Finding record_of(const std::string& folder) {
    const std::string probe = join(folder, ".parley-check");
    auto made = make_directories(real_disk(), folder);
    if (made) made = write_file_atomically(real_disk(), probe, "");
    if (!made) return {"record", Verdict::failed, made.error().message};
    if (auto gone = real_disk().remove(probe); !gone) {
        return {"record", Verdict::failed, gone.error().message};
    }
    return {"record", Verdict::ok, folder + "/ can be written to"};
}

}  // namespace

Preflight check_cluster(const CheckOptions& options) {
    Preflight page{.title = options.name};
    boost::asio::io_context loop(1);
    auto api = kube::Api::make(
        loop.get_executor(), options.access,
        {.user_agent = std::string("parley/") + kVersion, .credentials = options.credentials});
    if (!api) {
        page.runs = false;
        page.findings.push_back({"access", Verdict::failed, api.error().message});
        return page;
    }
    Examination examination(**api, options, page);
    boost::asio::co_spawn(loop, examination.run(), [](const std::exception_ptr& thrown, bool) {
        PARLEY_CHECK(thrown == nullptr);
    });
    loop.run();
    page.findings.push_back(record_of(options.runs));
    return page;
}

}  // namespace parley::app
