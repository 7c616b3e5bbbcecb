#include "kube/decode/decode.h"

#include "kube/decode/decode_json.h"
#include "kube/decode/decode_node.h"
#include "kube/decode/decode_pod.h"
#include "kube/decode/decode_work.h"

#include <utility>

namespace parley::kube {
namespace {

constexpr std::size_t kUsualBytes = 4096;  // Usual size of an object, to guess how many there are.
constexpr std::size_t kCausesMax = 16;
constexpr std::size_t kMessageBytesMax = 1024;  // For people; a server may send anything.

Object decode_object(JsonWalk& walk, RawMeta& raw, Kind kind) {
    switch (kind) {
        case Kind::space:
            return decode_space(walk, raw);
        case Kind::node:
            return decode_node(walk, raw);
        case Kind::lease:
            return decode_lease(walk, raw);
        case Kind::pod:
            return decode_pod(walk, raw);
        case Kind::deployment:
        case Kind::replica_set:
        case Kind::stateful_set:
        case Kind::daemon_set:
        case Kind::job:
        case Kind::cron_job:
            return decode_work(walk, raw, kind);
        case Kind::claim:
            return decode_claim(walk, raw);
        case Kind::budget:
            return decode_budget(walk, raw);
        case Kind::hpa:
        case Kind::vpa:
        case Kind::mpa:
        case Kind::scaled_object:
            return decode_autoscaler(walk, raw, kind);
        case Kind::limit_range:
            return decode_limit_range(walk, raw);
        case Kind::quota:
            return decode_quota(walk, raw);
        case Kind::priority_class:
            return decode_priority_class(walk, raw);
        case Kind::event:
            return decode_warning(walk, raw);
        case Kind::node_pool:
            return decode_node_pool(walk, raw);
        case Kind::node_claim:
            return decode_node_claim(walk, raw);
        case Kind::volume:
            return decode_volume(walk, raw);
    }
    return Space();
}

tl::unexpected<Error> broken_json() {
    return fail(ErrorCode::malformed, "no JSON: a bracket, comma or colon is missing, or it is " +
                                          std::string("nested deeper than ") +
                                          std::to_string(kDepthMax));
}

/// A fault of an item concerns that item only; what is left afterwards is a fault of the list.
void decode_items(JsonWalk& walk, Page& page) {
    const std::string fault_of_list = walk.fault();
    bool any = false;
    walk.items([&] {
        any = true;
        const JsonWalk::Place from = walk.place();
        walk.forget();
        RawMeta raw;
        Object object = decode_object(walk, raw, page.kind);
        if (walk.broken()) return;
        if (from == walk.place()) walk.blame("it is no object");
        if (!walk.at_fault() && walk.bytes_between(from, walk.place()) > kObjectBytesMax) {
            walk.blame("it is over 3 MiB");
        }
        if (!walk.at_fault()) {
            page.items.push_back(std::move(object));
            return;
        }
        ++page.unreadable_count;
        if (page.unreadable.size() < kUnreadableKept) {
            page.unreadable.push_back({page.kind, shown_name(raw), walk.fault()});
        }
    });
    if (any) walk.forget();
    walk.blame(fault_of_list);
}

void decode_list_meta(JsonWalk& walk, Page& page) {
    walk.fields([&](JsonKey key) {
        if (key == "resourceVersion") decode_into(walk, page.version);
        if (key == "continue") decode_into(walk, page.continue_token);
        if (key == "remainingItemCount") page.remaining = walk.whole();
    });
}

bool is_list_of(Kind kind, std::string_view name) {
    return name.ends_with("List") && name.substr(0, name.size() - 4) == facts_of(kind).name;
}

std::string shortened(std::string_view text) {
    return std::string(text.substr(0, kMessageBytesMax));
}

void decode_shortened(JsonWalk& walk, std::string& out) {
    if (const auto text = walk.text()) out = shortened(*text);
}

void decode_status_details(JsonWalk& walk, Status& out) {
    walk.fields([&](JsonKey key) {
        if (key == "retryAfterSeconds") {
            const auto after = decode_count(walk);
            if (after && *after > 0) out.retry_after = seconds(*after);
        }
        if (key != "causes") return;
        walk.items([&] {
            StatusCause cause;
            walk.fields([&](JsonKey name) {
                if (name == "reason") decode_shortened(walk, cause.reason);
                if (name == "message") decode_shortened(walk, cause.message);
                if (name == "field") decode_shortened(walk, cause.field);
            });
            if (out.causes.size() < kCausesMax) out.causes.push_back(std::move(cause));
        });
    });
}

/// The walk is at a Status; returns whether it was one.
bool decode_status_object(JsonWalk& walk, Status& out) {
    bool is_status = false;
    walk.fields([&](JsonKey key) {
        if (key == "kind") is_status = walk.text() == "Status";
        if (key == "code") out.code = decode_count(walk).value_or(0);
        if (key == "reason") decode_shortened(walk, out.reason);
        if (key == "message") decode_shortened(walk, out.message);
        if (key == "details") decode_status_details(walk, out);
    });
    return is_status && !walk.broken() && !walk.at_fault();
}

EventType event_type_of(std::string_view text) {
    return text == "ADDED"      ? EventType::added
           : text == "MODIFIED" ? EventType::modified
           : text == "DELETED"  ? EventType::deleted
           : text == "BOOKMARK" ? EventType::bookmark
           : text == "ERROR"    ? EventType::error
                                : EventType::unknown;
}

void decode_bookmark(JsonWalk& walk, WatchEvent& out) {
    RawMeta raw;
    walk.fields([&](JsonKey key) {
        if (key == "metadata") decode_meta(walk, raw);
    });
    out.version = raw.version;
    out.initial_events_end = raw.initial_events_end;
    if (raw.version.empty()) walk.blame("the bookmark names no resourceVersion");
}

void decode_event_object(JsonWalk& walk, Kind kind, WatchEvent& out) {
    RawMeta raw;
    Object object = decode_object(walk, raw, kind);
    out.uid = uid_of(raw.uid);
    out.version = raw.version;
    if (walk.at_fault()) {
        out.unreadable = Unreadable{kind, shown_name(raw), walk.fault()};
        walk.forget();
    } else {
        out.object = std::move(object);
    }
}

/// The walk is at the object of an event whose type is known.
void decode_event_body(JsonWalk& walk, Kind kind, WatchEvent& out) {
    const EventType type = out.type;
    out = {};  // A second object in a line replaces the first.
    out.type = type;
    switch (type) {
        case EventType::error:
            out.status.emplace();
            if (!decode_status_object(walk, *out.status)) walk.blame("its error is no Status");
            break;
        case EventType::bookmark:
            decode_bookmark(walk, out);
            break;
        case EventType::unknown:
            break;
        default:
            decode_event_object(walk, kind, out);
    }
}

}  // namespace

Result<Page> decode_page(Kind kind, std::string_view bytes) {
    const auto marks = mark_json(bytes, kPageBytesMax);
    if (!marks) return tl::unexpected(marks.error());
    JsonWalk walk(*marks);
    Page page;
    page.kind = kind;
    page.items.reserve(bytes.size() / kUsualBytes + 1);
    bool has_items = false;
    bool is_list = false;
    walk.fields([&](JsonKey key) {
        if (key == "kind") is_list = is_list_of(kind, walk.text().value_or(""));
        if (key == "metadata") decode_list_meta(walk, page);
        if (key == "items") {
            has_items = true;
            decode_items(walk, page);
        }
    });
    if (walk.broken() || !walk.at_end()) return broken_json();
    if (walk.at_fault()) return fail(ErrorCode::malformed, "no list: " + walk.fault());
    if (!has_items || !is_list) {
        return fail(ErrorCode::malformed,
                    "no list of kind " + std::string(facts_of(kind).name) + "List");
    }
    return page;
}

Result<WatchEvent> decode_event(Kind kind, std::string_view line) {
    const auto marks = mark_json(line, kObjectBytesMax);
    if (!marks) return tl::unexpected(marks.error());
    JsonWalk walk(*marks);
    WatchEvent event;
    JsonWalk::Place object = nullptr;
    EventType read_as = EventType::unknown;
    walk.fields([&](JsonKey key) {
        if (key == "type") event.type = event_type_of(walk.text().value_or(""));
        if (key != "object") return;
        object = walk.place();
        read_as = event.type;
        decode_event_body(walk, kind, event);
    });
    if (walk.broken() || !walk.at_end()) return broken_json();
    if (walk.at_fault()) return fail(ErrorCode::malformed, "no watch event: " + walk.fault());
    if (object == nullptr) return fail(ErrorCode::malformed, "no watch event: it has no object");
    if (read_as != event.type) {  // The server writes the type first, but does not have to.
        walk.go_to(object);
        decode_event_body(walk, kind, event);
    }
    if (walk.broken()) return broken_json();
    if (walk.at_fault()) return fail(ErrorCode::malformed, "no watch event: " + walk.fault());
    return event;
}

Result<Status> decode_status(std::string_view bytes) {
    const auto marks = mark_json(bytes, kObjectBytesMax);
    if (!marks) return tl::unexpected(marks.error());
    JsonWalk walk(*marks);
    Status status;
    const bool is_status = decode_status_object(walk, status);
    if (walk.broken() || !walk.at_end()) return broken_json();
    if (!is_status) return fail(ErrorCode::malformed, "no Status: " + walk.fault());
    return status;
}

}  // namespace parley::kube
