#include "kube/watch/dry_run.h"

#include <string>

namespace parley::kube {

http::Request as_dry_run(http::Request request) {
    const bool asked = request.target.find('?') != std::string::npos;
    request.target += asked ? "&dryRun=All" : "?dryRun=All";
    const std::size_t open = request.body.find('{');
    if (request.method != "DELETE" || open == std::string::npos) return request;
    const bool empty = request.body.find_first_not_of(" \n", open + 1) == request.body.find('}');
    request.body.insert(open + 1, empty ? R"("dryRun":["All"])" : R"("dryRun":["All"],)");
    return request;
}

}  // namespace parley::kube
