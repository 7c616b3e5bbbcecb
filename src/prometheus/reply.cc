#include "prometheus/reply.h"

#include "base/number.h"

namespace parley::prometheus {
namespace {

ErrorCode code_of(int status) {
    if (status == 408 || status == 429 || status >= 500) return ErrorCode::unavailable;
    if (status == 404) return ErrorCode::gone;
    return status >= 300 ? ErrorCode::denied : ErrorCode::malformed;
}

/// What the status probably means, for people.
std::string hint(int status) {
    if (status >= 300 && status < 400) {
        return ", it sends elsewhere, and that is not followed; give the address itself";
    }
    if (status == 401 || status == 403) return ", we are not let in; check token, user or headers";
    if (status == 404) return ", there is no Prometheus here; is a path missing in the address?";
    return "";
}

}  // namespace

bool concerns_all(const http::Response& reply) {
    const int status = reply.status;
    const bool about_the_query = status == 200 || status == 400 || status == 422 || status == 503;
    return !about_the_query || reply.media_type() != "application/json";
}

Result<Answer> read_reply(const http::Response& reply, const std::vector<std::string>& labels) {
    const std::string type = reply.media_type();
    if (reply.status == 200) {
        if (type != "application/json") {
            return fail(ErrorCode::malformed,
                        "the answer is " + (type.empty() ? "of no type" : in_quotes(type)) +
                            ", not JSON; is a proxy or a login page in between?");
        }
        auto answer = decode_answer(reply.body, labels);
        if (answer && !answer->warnings.empty()) {
            return fail(ErrorCode::malformed,
                        "it warns that the answer is incomplete: " + answer->warnings.front());
        }
        return answer;
    }
    Error error{code_of(reply.status), std::to_string(reply.status) + hint(reply.status), {}};
    if (type == "application/json") {
        // Only Prometheus' own words are repeated.
        const auto said = decode_answer(reply.body, {});
        const bool refused = !said && said.error().code != ErrorCode::malformed;
        if (refused) error.message += ", " + said.error().message;
    }
    if (error.code == ErrorCode::unavailable) {
        const std::string* after = reply.header("Retry-After");
        const auto wait =
            after == nullptr ? fail(ErrorCode::malformed, "") : parse_int64(*after, 0, 300);
        if (wait) error.retry_after = seconds(*wait);
    }
    return tl::unexpected(std::move(error));
}

}  // namespace parley::prometheus
