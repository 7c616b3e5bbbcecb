// What the API server asks about a new object: any bytes are refused with a sentence or allowed,
// with the id that was asked; a patch is well-formed, touches only what is ours, and is there only
// for a new Job of a namespace that the order names.

#include "base/base64.h"
#include "base/check.h"
#include "base/json_read.h"
#include "fuzz/input.h"
#include "kube/webhook/admission_answer.h"

#include <string>

namespace {

using namespace parley;

constexpr TimePoint kNow{1'795'000'000'000'000};

const std::string& text_in(const Json* from, std::string_view name) {
    const Json* found = from != nullptr ? from->find(name) : nullptr;
    PARLEY_CHECK(found != nullptr && found->text() != nullptr);
    return *found->text();
}

void check_patch(std::string_view coded) {
    const auto text = decode_base64(coded);
    PARLEY_CHECK(text);
    const auto patch = parse_json(*text);
    PARLEY_CHECK(patch && patch->items() != nullptr && patch->items()->size() <= 6);
    for (const Json& each : *patch->items()) {
        const std::string& op = text_in(&each, "op");
        const std::string& path = text_in(&each, "path");
        const bool ours = path.starts_with("/metadata/annotations/parley.dev~1");
        PARLEY_CHECK(op == "add" || (op == "remove" && ours));
        PARLEY_CHECK(ours || path == "/metadata/annotations" || path == "/spec/suspend" ||
                     path == "/spec/template/spec/priorityClassName");
    }
}

void check(std::string_view bytes, const model::SetAdmission& order) {
    const auto answer = kube::admission_answer(bytes, order, kNow);
    if (!answer) {
        PARLEY_CHECK(fuzz::readable(answer.error().message));
        return;
    }
    const auto said = parse_json(*answer);
    const auto asked = parse_json(bytes);
    PARLEY_CHECK(said && asked);
    const Json* response = said->find("response");
    const Json* request = asked->find("request");
    PARLEY_CHECK(text_in(response, "uid") == text_in(request, "uid"));
    const Json* allowed = response->find("allowed");
    PARLEY_CHECK(allowed != nullptr && allowed->boolean() != nullptr && *allowed->boolean());
    if (response->find("patch") == nullptr) return;
    PARLEY_CHECK(order.mode == model::AdmissionWish::queue ||
                 order.mode == model::AdmissionWish::deprioritize);
    PARLEY_CHECK(kNow < order.until);
    PARLEY_CHECK(text_in(request, "operation") == "CREATE");
    PARLEY_CHECK(text_in(request, "namespace") == "batch");
    check_patch(text_in(response, "patch"));
    PARLEY_CHECK(kube::admission_answer(bytes, order, kNow) == answer);
    PARLEY_CHECK(!kube::admission_answer(bytes.substr(0, bytes.find_last_of('}')), order, kNow));
}

}  // namespace

void parley::fuzz::try_input(Input input) {
    const std::uint8_t what = input.byte();
    const auto mode = what % 4 == 0   ? model::AdmissionWish::admit
                      : what % 4 == 1 ? model::AdmissionWish::queue
                      : what % 4 == 2 ? model::AdmissionWish::deprioritize
                                      : model::AdmissionWish::reject;
    const TimePoint until = (what & 128U) != 0 ? kNow : kNow + minutes(1);
    check(input.rest(), {mode, {1, 2}, until, {Name::of("batch")}});
}
