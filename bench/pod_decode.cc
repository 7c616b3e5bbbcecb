// How many pods a second are decoded, and decoded and put into the picture? For comparison
// RapidJSON's tree with the same fields, if it is installed; pod_decode_peer.py does the same with
// Python's json. One thread; a page of 500 pods of about 6 KB, as a reflector lists them.
//
// --page prints the page, for the peer. --memory prints the bytes that 20,000 pods take, in the
// picture and in the snapshot, with their indexes.

#include "bench/pod_pages.h"
#include "kube/decode/decode.h"
#include "kube/picture/picture.h"
#include "layers/observation/snapshot_builder.h"

#include <benchmark/benchmark.h>

#ifdef PARLEY_HAS_RAPIDJSON
#include "base/quantity.h"
#include "base/time_text.h"

#include <rapidjson/document.h>
#endif

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <malloc.h>
#include <string>
#include <vector>

namespace {

using namespace parley;
using kube::Kind;

constexpr std::size_t kPods = 500;
constexpr std::size_t kManyPods = 20'000;
constexpr std::size_t kPodsPerSet = 10;

std::vector<kube::Object> decoded(std::string_view page) {
    auto result = kube::decode_page(Kind::pod, page);
    if (!result || result->unreadable_count > 0) {
        std::fprintf(stderr, "pod_decode: the page cannot be read\n");
        std::exit(1);
    }
    return std::move(result->items);
}

void decode_only(benchmark::State& state) {
    const std::string page = bench::pod_page(0, kPods);
    for (auto _ : state) benchmark::DoNotOptimize(decoded(page));
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(kPods));
    state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(page.size()));
}
BENCHMARK(decode_only);

/// The owners of one pod and its node, so that it finds its workload and its place.
void put_owners(kube::Picture& picture, const kube::Pod& pod, std::size_t number) {
    kube::Work work;
    work.meta.space = pod.space;
    work.meta.name = pod.name.stem.str();
    work.meta.uid = {pod.owner.high, ~pod.owner.low};
    work.meta.version = 1;
    picture.put(work, {1});
    kube::Work set = work;
    set.kind = Kind::replica_set;
    set.meta.uid = pod.owner;
    set.meta.owner = {kube::OwnerKind::deployment, work.meta.uid, work.meta.name};
    picture.put(set, {1});
    kube::Node node;
    node.meta.name = pod.node.str();
    node.meta.uid = {7, number};
    node.meta.version = 1;
    picture.put(node, {1});
}

void list_rest(kube::Picture& picture) {
    for (const kube::KindFacts& facts : kube::all_kinds()) {
        if (facts.kind == Kind::deployment || facts.kind == Kind::replica_set ||
            facts.kind == Kind::node) {
            continue;
        }
        picture.set_absent(facts.kind);
    }
}

/// A picture that knows all owners and no pods.
kube::Picture ready_picture(std::size_t pods) {
    kube::Picture picture;
    for (const Kind kind : {Kind::node, Kind::deployment, Kind::replica_set}) {
        picture.begin_list(kind);
    }
    for (std::size_t at = 0; at < pods; at += kPodsPerSet) {
        const auto first = decoded(bench::pod_page(at, 1));
        put_owners(picture, std::get<kube::Pod>(first[0]), at);
    }
    for (const Kind kind : {Kind::node, Kind::deployment, Kind::replica_set}) {
        picture.end_list(kind);
    }
    list_rest(picture);
    return picture;
}

/// From pages of 500 to the changes of the seam: the cost of a first list of 20,000 pods.
void decode_and_index(benchmark::State& state) {
    std::vector<std::string> pages;
    for (std::size_t at = 0; at < kManyPods; at += kPods)
        pages.push_back(bench::pod_page(at, kPods));
    for (auto _ : state) {
        state.PauseTiming();
        kube::Picture picture = ready_picture(kManyPods);
        state.ResumeTiming();
        picture.begin_list(Kind::pod);
        for (const std::string& page : pages) {
            for (kube::Object& object : decoded(page)) picture.put(std::move(object), {2});
        }
        picture.end_list(Kind::pod);
        cluster::Batch batch = picture.take({3});
        benchmark::DoNotOptimize(batch);
        state.PauseTiming();
        batch = {};
        picture = kube::Picture();
        state.ResumeTiming();
    }
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(kManyPods));
}
BENCHMARK(decode_and_index);

#ifdef PARLEY_HAS_RAPIDJSON
using Value = rapidjson::Value;

const Value* field(const Value& object, const char* name) {
    if (!object.IsObject()) return nullptr;
    const auto found = object.FindMember(name);
    return found == object.MemberEnd() ? nullptr : &found->value;
}

std::int64_t amount(const Value& object, const char* name, bool cpu) {
    const Value* value = field(object, name);
    if (value == nullptr || !value->IsString()) return 0;
    const std::string_view text(value->GetString(), value->GetStringLength());
    return (cpu ? parse_millicores(text) : parse_bytes(text)).value_or(0);
}

Name name(const Value& object, const char* key) {
    const Value* value = field(object, key);
    return value == nullptr ? Name() : Name::of({value->GetString(), value->GetStringLength()});
}

/// The fields of a pod that decode_page reads from this page.
kube::Pod taken_out(const Value& object) {
    kube::Pod pod;
    const Value& meta = *field(object, "metadata");
    pod.space = name(meta, "namespace");
    pod.name.stem = name(meta, "generateName");
    pod.version = std::strtoull(field(meta, "resourceVersion")->GetString(), nullptr, 10);
    pod.created = parse_time(field(meta, "creationTimestamp")->GetString()).value_or(TimePoint());
    const Value& spec = *field(object, "spec");
    pod.node = name(spec, "nodeName");
    for (const Value& container : field(spec, "containers")->GetArray()) {
        const Value& requests = *field(*field(container, "resources"), "requests");
        pod.request.cpu_m += amount(requests, "cpu", true);
        pod.request.memory += amount(requests, "memory", false);
    }
    const Value& status = *field(object, "status");
    pod.phase = std::strcmp(field(status, "phase")->GetString(), "Running") == 0
                    ? model::PodPhase::running
                    : model::PodPhase::pending;
    for (const Value& condition : field(status, "conditions")->GetArray()) {
        if (std::strcmp(field(condition, "type")->GetString(), "Ready") != 0) continue;
        pod.ready = std::strcmp(field(condition, "status")->GetString(), "True") == 0;
    }
    for (const Value& container : field(status, "containerStatuses")->GetArray()) {
        pod.restarts += field(container, "restartCount")->GetInt();
    }
    return pod;
}

void rapidjson_decode(benchmark::State& state) {
    const std::string page = bench::pod_page(0, kPods);
    for (auto _ : state) {
        rapidjson::Document document;
        document.Parse(page.data(), page.size());
        std::vector<kube::Pod> pods;
        for (const Value& object : field(document, "items")->GetArray()) {
            pods.push_back(taken_out(object));
        }
        if (pods.size() != kPods || pods[7].request.cpu_m != 250) std::exit(1);
        benchmark::DoNotOptimize(pods);
    }
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(kPods));
    state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(page.size()));
}
BENCHMARK(rapidjson_decode);
#endif

std::size_t heap_bytes() {
    malloc_trim(0);
    const struct mallinfo2 now = mallinfo2();
    return now.uordblks + now.hblkhd;
}

void print_memory() {
    kube::Picture picture = ready_picture(kManyPods);
    observation::SnapshotBuilder builder({});
    picture.begin_list(Kind::pod);
    picture.end_list(Kind::pod);
    builder.take(picture.take({2}), {2});
    // So that the decoder's scratch buffer is not counted as a pod's memory.
    decoded(bench::pod_page(0, kPods));
    const std::size_t before = heap_bytes();
    picture.begin_list(Kind::pod);
    for (std::size_t at = 0; at < kManyPods; at += kPods) {
        for (kube::Object& object : decoded(bench::pod_page(at, kPods))) {
            picture.put(std::move(object), {2});
        }
    }
    picture.end_list(Kind::pod);
    builder.take(picture.take({3}), {3});
    const model::Snapshot snapshot = builder.finish(1, {3});
    const std::size_t after = heap_bytes();
    std::printf("{\"pods\": %zu, \"bytes_per_pod\": %.0f}\n", snapshot.pods.size(),
                static_cast<double>(after - before) / static_cast<double>(kManyPods));
}

}  // namespace

int main(int argc, char** argv) {
    if (argc == 2 && std::strcmp(argv[1], "--page") == 0) {
        std::fputs(bench::pod_page(0, kPods).c_str(), stdout);
        return 0;
    }
    if (argc == 2 && std::strcmp(argv[1], "--memory") == 0) {
        print_memory();
        return 0;
    }
    benchmark::Initialize(&argc, argv);
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
