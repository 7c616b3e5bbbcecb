// How many rows and how many rounds a second does the journal make durable? journal_peer.py writes
// the same rows into SQLite; table.py runs the two in turn.
//
// --check=N writes N rows, reads them back and prints their digest, which must equal the peer's.
// PARLEY_BENCH_DIR names a folder on the disk to be measured; by default the current one.

#include "base/file.h"
#include "base/hash.h"
#include "store/journal.h"
#include "store/journal_reader.h"

#include <benchmark/benchmark.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace parley;

constexpr std::size_t kBatch = 100;
constexpr std::size_t kRowBytes = 250;
constexpr std::size_t kRoundBytes = 2048;

template <class T>
T expect(Result<T> result) {
    if (!result) {
        std::fprintf(stderr, "journal_rows: %s\n", result.error().message.c_str());
        std::exit(1);
    }
    if constexpr (!std::is_void_v<T>) return std::move(*result);
}

std::string folder() {
    const char* base = std::getenv("PARLEY_BENCH_DIR");
    const std::string path = join(base != nullptr ? base : ".", "journal_rows.tmp");
    std::filesystem::remove_all(path);
    return path;
}

/// Row i: its number in ten digits, repeated to 250 bytes.
std::string row(std::uint64_t i) {
    char digits[16];
    std::snprintf(digits, sizeof digits, "%010llu", static_cast<unsigned long long>(i));
    std::string text;
    while (text.size() < kRowBytes) text += digits;
    return text;
}

class Writer {
public:
    explicit Writer(const std::string& path)
        : journal_(expect(store::Journal::open(real_disk(), path))) {}

    void append(const std::vector<std::string>& payloads) {
        std::array<store::Entry, kBatch> entries;
        for (std::size_t i = 0; i < payloads.size(); ++i) {
            entries[i] = {.kind = 1, .payload = payloads[i]};
        }
        entries[0].keyframe = journal_->wants_keyframe();
        expect(journal_->append(std::span(entries).first(payloads.size())));
        journal_->count_round();
    }
    void close() { expect(journal_->close()); }

private:
    std::unique_ptr<store::Journal> journal_;
};

std::vector<std::string> batch(std::uint64_t number) {
    std::vector<std::string> rows;
    for (std::size_t i = 0; i < kBatch; ++i) rows.push_back(row(number * kBatch + i));
    return rows;
}

// One write and one fdatasync for a hundred rows. Making the rows is not timed on either side.
void rows_by_hundred(benchmark::State& state) {
    const std::string path = folder();
    Writer writer(path);
    std::vector<std::vector<std::string>> batches;
    for (std::uint64_t i = 0; i < 64; ++i) batches.push_back(batch(i));
    std::size_t next = 0;
    for (auto _ : state) writer.append(batches[next++ % batches.size()]);
    writer.close();
    std::filesystem::remove_all(path);
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(kBatch));
}

// A round's record, durable before anything is sent.
void durable_rounds(benchmark::State& state) {
    const std::string path = folder();
    Writer writer(path);
    std::string payload;
    for (std::uint64_t i = 0; payload.size() < kRoundBytes; ++i) {
        payload += hex(sha256(std::to_string(i)));
    }
    payload.resize(kRoundBytes);
    for (auto _ : state) writer.append({payload});
    writer.close();
    std::filesystem::remove_all(path);
    state.SetItemsProcessed(state.iterations());
}

BENCHMARK(rows_by_hundred)->UseRealTime()->Unit(benchmark::kMicrosecond);
BENCHMARK(durable_rounds)->UseRealTime()->Unit(benchmark::kMicrosecond);

int check(std::uint64_t rows) {
    const std::string path = folder();
    {
        Writer writer(path);
        for (std::uint64_t i = 0; i < rows / kBatch; ++i) writer.append(batch(i));
        writer.close();
    }
    auto reader = expect(store::JournalReader::open(real_disk(), path));
    Sha256 digest;
    while (auto frame = expect(reader.next())) digest.update(frame->payload);
    std::printf("%s\n", hex(digest.finish()).c_str());
    std::filesystem::remove_all(path);
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    constexpr std::string_view kCheck = "--check=";
    if (argc == 2 && std::string_view(argv[1]).starts_with(kCheck)) {
        return check(std::strtoull(argv[1] + kCheck.size(), nullptr, 10));
    }
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
    benchmark::RunSpecifiedBenchmarks();
}
