// Tests of kube/write: a client of a server on loopback, and a server there that keeps one object
// as the API server does, with a version that every write must name.

#pragma once

#include "http/imposter.h"
#include "http/test_loop.h"
#include "kube/watch/api.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace parley::kube {

inline const std::vector<http::Header> kJsonType = {{"Content-Type", "application/json"}};

/// A client of a server on loopback.
inline std::shared_ptr<Api> api_of(http::TestLoop& loop, const http::Imposter& server) {
    Access access;
    access.server = {.tls = false, .host = "127.0.0.1", .port = server.port()};
    auto made = Api::make(loop.executor(), access, {.user_agent = "parley/test"});
    EXPECT_TRUE(made);
    return *std::move(made);
}

inline bool is_dry(const http::Request& request) {
    return request.target.find("dryRun=All") != std::string::npos;
}

/// Empty: it has none.
inline std::string header_of(const http::Request& request, std::string_view name) {
    for (const http::Header& each : request.headers) {
        if (each.name == name) return each.value;
    }
    return "";
}

struct OneObject {
    OneObject()
        : server(loop.executor(), [this](const http::Request& asked) { return answer(asked); }) {}

    std::shared_ptr<Api> api() { return api_of(loop, server); }

    http::Reply answer(const http::Request& asked) {
        if (down) return {.manner = http::Reply::Manner::reset};
        if (asked.method == "GET") {
            if (stored.empty()) return {.status = 404, .headers = kJsonType, .body = "{}"};
            return {.headers = kJsonType, .body = stored};
        }
        const std::string was = R"("resourceVersion":")" + std::to_string(version) + '"';
        const bool stale =
            asked.method == "POST" ? !stored.empty() : asked.body.find(was) == std::string::npos;
        if (stale) return {.status = 409, .headers = kJsonType, .body = "{}"};
        if (refuses != 0) return {.status = refuses, .headers = kJsonType, .body = "{}"};
        put(asked.body);
        if (silent) return {.manner = http::Reply::Manner::reset};
        return {.headers = kJsonType, .body = stored};
    }

    /// Stores what was sent, with a new resourceVersion.
    void put(const std::string& body) {
        ++version;
        stored = body;
        const std::string meta = R"("namespace":"parley-system")";
        const std::size_t at = stored.find(R"("resourceVersion":")");
        if (at != std::string::npos) {
            const std::size_t end = stored.find('"', at + 19);
            stored.replace(at + 19, end - at - 19, std::to_string(version));
        } else {
            stored.insert(stored.find(meta) + meta.size(),
                          R"(,"resourceVersion":")" + std::to_string(version) + '"');
        }
    }

    std::string stored;
    int version = 100;
    int refuses = 0;      ///< Status of every write; 0: they are taken.
    bool silent = false;  ///< Stores what is written, and does not answer.
    bool down = false;    ///< Answers nothing at all.
    http::TestLoop loop;
    http::Imposter server;
};

}  // namespace parley::kube
