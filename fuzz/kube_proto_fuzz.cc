// Protobuf from an API server. What is accepted always gives the same JSON, which the decoders
// accept or refuse with a sentence, and never as both a page and a Status.

#include "base/check.h"
#include "fuzz/input.h"
#include "kube/decode/decode.h"
#include "kube/decode/proto_json.h"

#include <string>

void parley::fuzz::try_input(Input input) {
    const std::string_view bytes = input.rest();
    PARLEY_CHECK(kube::next_in_proto(bytes).size() <= bytes.size());
    const auto json = kube::proto_to_json(bytes);
    if (!json) {
        PARLEY_CHECK(readable(json.error().message));
        return;
    }
    PARLEY_CHECK(*json == *kube::proto_to_json(bytes));
    const auto page = kube::decode_page(kube::Kind::pod, *json);
    const auto status = kube::decode_status(*json);
    PARLEY_CHECK(!(page && status));
    if (page) {
        for (const kube::Unreadable& each : page->unreadable) {
            PARLEY_CHECK(readable(each.why) && readable(each.name));
        }
    }
}
