#include "kube/exercise/exercise_stage.h"

#include "base/number.h"
#include "kube/access/kubeconfig_server.h"
#include "kube/decode/decode.h"
#include "kube/exercise/exercise_objects.h"
#include "kube/exercise/exercise_trouble.h"

#include <algorithm>
#include <array>
#include <utility>

namespace parley::kube {

namespace asio = boost::asio;

namespace {

constexpr std::size_t kPodsMax = 500;
constexpr const char* kOurs = "labelSelector=app.kubernetes.io%2Fpart-of%3Dparley-exerciser";
constexpr const char* kOthers = "labelSelector=app.kubernetes.io%2Fpart-of%21%3Dparley-exerciser";

/// Short, since a person waits for each of these.
constexpr http::Limits kLimits{.connect = seconds(3), .head = seconds(5), .whole = seconds(10)};

/// Kinds of objects by which others would use the namespace.
struct Kept {
    const char* group;
    const char* resource;
    const char* but;  ///< Exists in every namespace, created by Kubernetes or common add-ons.
};
constexpr std::array<Kept, 9> kKept{
    {{"/api/v1", "pods", ""},
     {"/apis/apps/v1", "deployments", ""},
     {"/apis/apps/v1", "statefulsets", ""},
     {"/apis/apps/v1", "daemonsets", ""},
     {"/apis/batch/v1", "jobs", ""},
     {"/apis/batch/v1", "cronjobs", ""},
     {"/api/v1", "services", ""},
     {"/api/v1", "persistentvolumeclaims", ""},
     {"/api/v1", "configmaps",
      "&fieldSelector=metadata.name%21%3Dkube-root-ca.crt%2Cmetadata.name%21%3Distio-ca-root-cert"
      "%2Cmetadata.name%21%3Dopenshift-service-ca.crt"}}};

}  // namespace

Result<void> usable_space(const std::string& space) {
    if (!is_label(space)) {
        return fail(ErrorCode::malformed, in_quotes(space) +
                                              " is no namespace: up to 63 of a-z, 0-9 and -, with "
                                              "a letter or digit first and last");
    }
    if (space == "default" || space.starts_with("kube-")) {
        return fail(ErrorCode::denied, "namespace " + space +
                                           " is not for exercises; name one of its own, such as "
                                           "parley-exercise");
    }
    return {};
}

ExerciseStage::ExerciseStage(std::shared_ptr<Api> api, StageOptions options)
    : api_(std::move(api)), options_(std::move(options)) {}

std::string ExerciseStage::inside(const std::string& group, const std::string& resource) const {
    return group + "/namespaces/" + options_.space + "/" + resource;
}

asio::awaitable<Result<cluster::StageOpened>> ExerciseStage::make_space() {
    const std::string path = "/api/v1/namespaces/" + options_.space;
    auto answer = co_await api_->get(path, "reading namespace " + options_.space, kLimits);
    if (answer) {
        auto seen = read_namespace(answer->body);
        if (!seen) co_return tl::unexpected(seen.error());
        co_return cluster::StageOpened{.going = seen->leaving};
    }
    if (answer.error().code != ErrorCode::gone) co_return tl::unexpected(answer.error());
    http::Request request{
        .method = "POST", .target = "/api/v1/namespaces", .body = namespace_body(options_.space)};
    auto made =
        co_await api_->change(std::move(request), "making namespace " + options_.space, kLimits);
    if (made) co_return cluster::StageOpened{.made = true};
    if (made.error().code != ErrorCode::conflict) co_return tl::unexpected(made.error());
    co_return cluster::StageOpened{};  // Somebody else was faster.
}

asio::awaitable<Result<cluster::StageOpened>> ExerciseStage::open() {
    auto space = co_await make_space();
    if (!space || space->made || space->going) co_return space;
    cluster::StageOpened opened = *space;
    std::string path = inside("/apis/apps/v1", "deployments") + "?" + kOurs;
    auto answer = co_await api_->get(std::move(path), "looking for leftovers", kLimits);
    if (!answer) co_return tl::unexpected(answer.error());
    const auto names = read_names(answer->body, kPodsMax);
    if (!names) co_return tl::unexpected(names.error());
    opened.leftovers = static_cast<std::int32_t>(names->size());
    if (opened.leftovers > 0) {
        if (auto cleared = co_await clear(); !cleared) co_return tl::unexpected(cleared.error());
    }
    co_return opened;
}

asio::awaitable<Result<void>> ExerciseStage::put(std::vector<cluster::Filler> fillers) {
    wanted_ = 0;
    heard_ = {};
    events_ = {};
    for (const cluster::Filler& filler : fillers) {
        http::Request request{.method = "POST",
                              .target = inside("/apis/apps/v1", "deployments"),
                              .body = deployment_body(filler, options_.image)};
        auto answer = co_await api_->change(std::move(request), "putting " + filler.name, kLimits);
        if (!answer) co_return tl::unexpected(answer.error());
        wanted_ += filler.pods;
    }
    co_return Result<void>{};
}

/// Asks for what its status does not say, such as a failing network on its node. Without the right
/// to read events, that stays unknown.
asio::awaitable<void> ExerciseStage::ask_events(std::string uid) {
    if (heard_.passed() < options_.events) co_return;
    std::string path = inside("/api/v1", "events") + "?fieldSelector=involvedObject.uid%3D" +
                       std::move(uid) + "&limit=" + std::to_string(kPodsMax);
    auto answer = co_await api_->get(std::move(path), "reading the exercise's events", kLimits);
    heard_ = {};
    events_ = answer ? read_event_trouble(answer->body) : cluster::Trouble{};
}

asio::awaitable<Result<cluster::Cast>> ExerciseStage::look() {
    std::string path =
        inside("/api/v1", "pods") + "?" + kOurs + "&limit=" + std::to_string(kPodsMax);
    auto answer = co_await api_->get(std::move(path), "looking at the exercise's pods", kLimits);
    if (!answer) co_return tl::unexpected(answer.error());
    auto page = decode_page(Kind::pod, answer->body);
    if (!page) co_return tl::unexpected(page.error());
    cluster::Cast cast;
    for (const Object& object : page->items) {
        const Pod& pod = std::get<Pod>(object);
        if (pod.terminating) {
            ++cast.leaving;
            continue;
        }
        ++cast.pods;
        cast.bound += pod.node.view().empty() ? 0 : 1;
        cast.ready += pod.ready ? 1 : 0;
    }
    if (cast.pods >= wanted_) {
        if (cast.ready >= cast.pods) co_return cast;
        PodsTold told = read_pods_told(answer->body);
        cast.trouble = std::move(told.trouble);
        if (cast.trouble.known() || told.silent.empty()) co_return cast;
        co_await ask_events(std::move(told.silent));
        cast.trouble = events_;
        co_return cast;
    }
    std::string deployments = inside("/apis/apps/v1", "deployments") + "?" + kOurs;
    auto said =
        co_await api_->get(std::move(deployments), "reading the exercise's Deployments", kLimits);
    if (said) cast.trouble = read_create_trouble(said->body);
    co_return cast;
}

asio::awaitable<Result<void>> ExerciseStage::clear() {
    wanted_ = 0;
    http::Request request{.method = "DELETE",
                          .target = inside("/apis/apps/v1", "deployments") + "?" + kOurs +
                                    "&propagationPolicy=Background"};
    auto answer = co_await api_->change(std::move(request), "deleting the phase before", kLimits);
    if (!answer) co_return tl::unexpected(answer.error());
    co_return Result<void>{};
}

/// The first thing in the namespace that is not an exerciser's; empty: there is none.
asio::awaitable<Result<std::string>> ExerciseStage::foreign() {
    for (const Kept& kept : kKept) {
        std::string path =
            inside(kept.group, kept.resource) + "?" + kOthers + "&limit=1" + kept.but;
        auto answer = co_await api_->get(std::move(path), "looking at " + options_.space, kLimits);
        if (!answer) co_return tl::unexpected(answer.error());
        const auto names = read_names(answer->body, 1);
        if (!names) co_return tl::unexpected(names.error());
        if (!names->empty()) co_return std::string(kept.resource) + " " + names->front();
    }
    co_return std::string();
}

asio::awaitable<Result<std::string>> ExerciseStage::close() {
    const std::string path = "/api/v1/namespaces/" + options_.space;
    auto answer = co_await api_->get(path, "reading namespace " + options_.space, kLimits);
    if (!answer && answer.error().code == ErrorCode::gone) co_return std::string();
    if (!answer) co_return tl::unexpected(answer.error());
    if (auto cleared = co_await clear(); !cleared) co_return tl::unexpected(cleared.error());
    const auto seen = read_namespace(answer->body);
    if (!seen) co_return tl::unexpected(seen.error());
    if (!seen->made_here || seen->leaving) co_return std::string();
    auto others = co_await foreign();
    if (!others) co_return tl::unexpected(others.error());
    if (!others->empty()) {
        co_return "namespace " + options_.space + " stays, as " + *others + " in it is not ours";
    }
    http::Request request{
        .method = "DELETE",
        .target = path,
        .body = R"({"apiVersion":"v1","kind":"DeleteOptions","preconditions":{"uid":")" +
                seen->uid + R"("}})"};
    auto gone =
        co_await api_->change(std::move(request), "deleting namespace " + options_.space, kLimits);
    if (!gone) co_return tl::unexpected(gone.error());
    co_return std::string();
}

}  // namespace parley::kube
