// Kube, the stop of all processes of ours on a cluster: a ConfigMap that anybody with the right to
// can make by hand. Followed by a watch, so that it is known at once.

#pragma once

#include "base/clock_wait.h"
#include "base/result.h"
#include "kube/watch/api.h"

#include <boost/asio/awaitable.hpp>

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace parley::kube {

inline constexpr std::string_view kStopName = "parley-stop";

/// Who stopped or lifted it, when, in which run, and why it was lifted; each empty where the object
/// does not say.
struct StopWord {
    std::string who;
    std::string at;
    std::string run;
    std::string because = {};
    friend bool operator==(const StopWord&, const StopWord&) = default;
};

struct StopSeen {
    bool stops = false;  ///< It is there, and does not say "false".
    StopWord word;
    std::string version;  ///< Its resourceVersion; empty: there is no such object.
    friend bool operator==(const StopSeen&, const StopSeen&) = default;
};

/// The object in JSON. It stops also where nothing else in it can be understood.
[[nodiscard]] Result<StopSeen> read_stop(std::string_view object);
/// The same from a list with this object alone, or none; with the version to watch from.
struct StopListed {
    StopSeen seen;
    std::string from;
};
[[nodiscard]] Result<StopListed> read_stop_list(std::string_view list);
std::string stop_body(const std::string& home, bool stops, const StopWord& word,
                      const std::string& version);

/// Used on one executor; must outlive what it started.
class StopObject {
public:
    StopObject(std::shared_ptr<Api> api, std::string home)
        : api_(std::move(api)), home_(std::move(home)) {}

    /// Reads it once.
    boost::asio::awaitable<void> look();
    /// Reads it and watches it, for ever.
    boost::asio::awaitable<void> follow();

    /// What is there; nothing: that is not known, and trouble() says why.
    const std::optional<StopSeen>& now() const { return now_; }
    const std::string& trouble() const { return trouble_; }
    /// For whoever waits for an answer of write(): a loop may end it after us.
    std::shared_ptr<Api> api() const { return api_; }

    /// Writes that it stops, or that it does not any more. Somebody who was faster is a conflict.
    boost::asio::awaitable<Result<void>> write(bool stops, StopWord word);

private:
    boost::asio::awaitable<Result<std::string>> list();
    boost::asio::awaitable<Result<void>> watch(std::string from);
    Result<void> take(std::string_view line);
    void doubt(const Error& error);
    std::string path() const { return "/api/v1/namespaces/" + home_ + "/configmaps"; }
    std::string said() const { return "config map " + home_ + "/" + std::string(kStopName); }

    std::shared_ptr<Api> api_;
    std::string home_;
    std::optional<StopSeen> now_;
    std::optional<Deadline> sure_;  ///< Until when it counts without being read again.
    std::string trouble_ = "it was not read yet";
};

}  // namespace parley::kube
