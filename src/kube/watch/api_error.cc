#include "kube/watch/api_error.h"

#include "base/number.h"
#include "kube/access/kubeconfig_text.h"
#include "kube/decode/decode.h"

#include <algorithm>

namespace parley::kube {
namespace {

/// Text of a proxy or a login page is not repeated. Text of the API server is, shortened and made
/// safe, since a webhook may have written it.
constexpr std::size_t kMessageMax = 300;

std::optional<Duration> retry_after(const http::Response& answer, const Status* status) {
    if (status != nullptr && status->retry_after) return status->retry_after;
    const std::string* header = answer.header("Retry-After");
    if (header == nullptr) return std::nullopt;
    // The other form, a date, does not occur here.
    const auto wait = parse_int64(*header, 0, 3600);
    return wait ? std::optional(seconds(*wait)) : std::nullopt;
}

bool by_budget(const Status* status) {
    return status != nullptr && std::ranges::any_of(status->causes, [](const StatusCause& cause) {
               return cause.reason == "DisruptionBudget";
           });
}

/// The server's words for it; there is no reason or cause to tell it by.
bool by_two_budgets(const http::Response& answer, const Status* status) {
    return answer.status == 500 && status != nullptr &&
           status->message.find("more than one PodDisruptionBudget") != std::string::npos;
}

ErrorCode code_of(int status) {
    switch (status) {
        case 401:
        case 403:
        case 405:
        case 406:
        case 422:
            return ErrorCode::denied;
        case 404:
            return ErrorCode::gone;
        case 409:
            return ErrorCode::conflict;
        case 410:
            return ErrorCode::expired;
        case 408:
        case 429:
            return ErrorCode::unavailable;
        default:
            return status >= 500 && status <= 599 ? ErrorCode::unavailable : ErrorCode::malformed;
    }
}

}  // namespace

Result<void> read_answer(const http::Response& answer, const std::string& what) {
    const std::string type = answer.media_type();
    if (answer.status >= 200 && answer.status <= 299) {
        if (type == "application/json") return {};
        return fail(ErrorCode::malformed, what + ": the answer is " +
                                              (type.empty() ? "of no type" : in_quotes(type)) +
                                              ", not JSON; is a proxy or a login page in between?");
    }
    const auto said = decode_status(answer.body);
    const Status* status = said ? &*said : nullptr;
    if (by_two_budgets(answer, status)) {
        return fail(ErrorCode::blocked, what +
                                            ": two or more disruption budgets select it, and the "
                                            "API server evicts no such pod; leave it one");
    }
    Error error{code_of(answer.status), what + ": " + std::to_string(answer.status), {}};
    if (status != nullptr && !status->message.empty()) {
        error.message += ", " + one_line(status->message, kMessageMax);
    }
    if (by_budget(status)) error.code = ErrorCode::blocked;
    if (error.code == ErrorCode::unavailable) error.retry_after = retry_after(answer, status);
    return tl::unexpected(std::move(error));
}

Result<void> write_answer(const http::Response& answer, const std::string& what) {
    Result<void> read = read_answer(answer, what);
    const bool late = answer.status == 408 || answer.status >= 500;
    if (!read && late && read.error().code != ErrorCode::blocked)
        read.error().code = ErrorCode::unknown_outcome;
    return read;
}

}  // namespace parley::kube
