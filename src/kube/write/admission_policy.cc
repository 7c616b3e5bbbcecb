#include "kube/write/admission_policy.h"

#include <utility>

namespace parley::kube {

namespace asio = boost::asio;

asio::awaitable<Result<bool>> has_policy(std::shared_ptr<Api> api, std::string policy,
                                         http::Limits limits) {
    const std::string what = "asking for the policy " + policy;
    for (const char* version : {"v1/", "v1beta1/"}) {
        std::string path = "/apis/admissionregistration.k8s.io/" + (version + policy);
        auto answer = co_await api->get(std::move(path), what, limits);
        if (answer) co_return true;
        if (answer.error().code != ErrorCode::gone) co_return tl::unexpected(answer.error());
    }
    co_return false;
}

}  // namespace parley::kube
