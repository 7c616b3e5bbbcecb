// JSON from an API server, read as every kind. What is accepted goes through the picture into a
// snapshot, whose sums must be right; the same bytes give the same result, and truncated bytes are
// refused.

#include "base/check.h"
#include "fuzz/input.h"
#include "kube/decode/decode.h"
#include "kube/decode/decode_metrics.h"
#include "kube/picture/picture.h"
#include "layers/observation/snapshot_builder.h"

#include <string>

namespace {

using namespace parley;
using kube::Kind;

/// Checks the sums over pods in the rows of nodes. Foreign amounts may be huge, so that sums wrap.
void check(const model::Snapshot& snapshot) {
    snapshot.nodes.for_each([&](Slot slot, const model::NodeRow& node) {
        std::int32_t pods = 0;
        snapshot.pods.for_each([&](Slot, const model::PodRow& pod) {
            const bool ended =
                pod.phase == model::PodPhase::succeeded || pod.phase == model::PodPhase::failed;
            if (pod.node == slot && !ended) ++pods;
        });
        PARLEY_CHECK(node.pods == pods);
    });
    snapshot.pods.for_each([&](Slot, const model::PodRow& pod) {
        PARLEY_CHECK(snapshot.workloads.has(pod.workload));
        PARLEY_CHECK(pod.node == kNoSlot || snapshot.nodes.has(pod.node));
        PARLEY_CHECK(pod.cpu_request_m >= 0 && pod.memory_request >= 0 && pod.restarts >= 0);
    });
}

void check(const kube::Page& page) {
    PARLEY_CHECK(page.unreadable.size() <= kube::kUnreadableKept);
    PARLEY_CHECK(page.unreadable.size() <= page.unreadable_count);
    for (const kube::Unreadable& each : page.unreadable) {
        PARLEY_CHECK(fuzz::readable(each.why) && fuzz::readable(each.name));
    }
}

void try_page(Kind kind, std::string_view bytes) {
    const auto page = kube::decode_page(kind, bytes);
    if (!page) {
        PARLEY_CHECK(fuzz::readable(page.error().message));
        return;
    }
    check(*page);
    const auto again = kube::decode_page(kind, bytes);
    PARLEY_CHECK(again && again->items.size() == page->items.size());
    const std::size_t end = bytes.find_last_of('}');
    PARLEY_CHECK(!kube::decode_page(kind, bytes.substr(0, end)));

    kube::Picture picture;
    observation::SnapshotBuilder builder({});
    for (const kube::KindFacts& facts : kube::all_kinds()) {
        picture.begin_list(facts.kind);
        if (facts.kind == kind) {
            for (const kube::Object& object : page->items) picture.put(object, {1});
        }
        picture.end_list(facts.kind);
    }
    builder.take(picture.take({2}), {2});
    check(builder.finish(1, {2}));
    for (const kube::Object& object : page->items) picture.put(object, {3});
    builder.take(picture.take({3}), {3});
    picture.set_absent(kind);
    builder.take(picture.take({60'000'000}), {60'000'000});
    const model::Snapshot left = builder.finish(2, {60'000'000});
    check(left);
    if (kind == Kind::pod) PARLEY_CHECK(left.pods.empty() && left.workloads.empty());
}

void try_event(Kind kind, std::string_view line) {
    const auto event = kube::decode_event(kind, line);
    if (!event) {
        PARLEY_CHECK(fuzz::readable(event.error().message));
        return;
    }
    PARLEY_CHECK(!(event->object && event->unreadable));
    PARLEY_CHECK(!event->object || !event->uid.none());
    PARLEY_CHECK(event->type != kube::EventType::error || event->status);
}

}  // namespace

void parley::fuzz::try_input(Input input) {
    const auto kind = static_cast<Kind>(input.byte() % kube::kKindCount);
    const std::uint8_t what = input.byte() % 4;
    const std::string_view bytes = input.rest();
    if (what == 0) try_page(kind, bytes);
    if (what == 1) try_event(kind, bytes);
    if (what == 2) {
        const auto status = kube::decode_status(bytes);
        PARLEY_CHECK(status || fuzz::readable(status.error().message));
    }
    if (what == 3) {
        const auto nodes = kube::decode_node_metrics(bytes);
        const auto pods = kube::decode_pod_metrics(bytes);
        PARLEY_CHECK(!nodes || !pods);
    }
}
