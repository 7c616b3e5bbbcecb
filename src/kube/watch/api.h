// Kube, requests to one API server: a path in, a checked answer or an Error out.

#pragma once

#include "http/client.h"
#include "kube/access/credentials.h"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include <cstdint>
#include <memory>
#include <string>

namespace parley::kube {

struct ApiOptions {
    std::string user_agent;
    CredentialOptions credentials;
    bool dry_run = false;  ///< Every change is sent as a dry run.
};

/// How an answer is wanted.
struct AnswerWish {
    http::Limits limits = {};
    http::Glance glance = {};  ///< Called with its beginning as it arrives.
    bool proto = false;        ///< Ask for protobuf; the answer is returned as JSON anyway.
    bool writes = false;       ///< It changes something: of what is not answered, nobody knows.
};

/// Authenticates every request. After a 401 the credential is renewed, and the request is sent once
/// more if there is a new one. Used on one executor.
class Api {
public:
    /// Refuses addresses, certificates and proxies that cannot be used.
    [[nodiscard]] static Result<std::unique_ptr<Api>> make(
        const boost::asio::any_io_executor& executor, const Access& access, ApiOptions options);
    ~Api();

    /// `what` begins the message of an error: "listing pods".
    boost::asio::awaitable<Result<http::Response>> get(std::string path, std::string what,
                                                       http::Limits limits = {});
    /// The same for a page of a list, which may be looked at while it arrives and be sent as
    /// protobuf.
    boost::asio::awaitable<Result<http::Response>> page(std::string path, std::string what,
                                                        AnswerWish wish);
    /// An answer without end; its head was checked.
    boost::asio::awaitable<Result<std::unique_ptr<http::Stream>>> open(std::string path,
                                                                       std::string what);
    /// Only for reviews of our own permissions.
    boost::asio::awaitable<Result<http::Response>> ask(std::string path, std::string body,
                                                       std::string what);

    /// Changes the cluster. Only writers call it, and observe mode has none. If no answer comes,
    /// the outcome is unknown; of a dry run it is known, since nothing can have changed.
    boost::asio::awaitable<Result<http::Response>> change(http::Request request, std::string what,
                                                          http::Limits limits);

    bool only_tries() const;  ///< It changes nothing: ApiOptions::dry_run.

    /// Waits for a running plugin; call it before the executor's context is destroyed.
    void quiet();

    std::uint64_t requests() const;  ///< Sent so far.
    std::string program() const;     ///< The plugin that logs in; empty: none was run.
    std::string credential_warning() const;
    const http::Url& url() const;

private:
    struct Inside;
    explicit Api(std::unique_ptr<Inside> inside);
    boost::asio::awaitable<Result<http::Response>> send(http::Request request, std::string what,
                                                        AnswerWish wish);
    std::unique_ptr<Inside> inside_;
};

}  // namespace parley::kube
