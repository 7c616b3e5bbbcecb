#include "fake/disk.h"

#include "base/check.h"
#include "fake/disk_model.h"

#include <algorithm>
#include <mutex>
#include <optional>
#include <set>
#include <utility>

namespace parley::fake {
namespace {

std::vector<std::string> parts_of(std::string_view path) {
    std::vector<std::string> parts;
    while (!path.empty()) {
        const std::size_t slash = std::min(path.find('/'), path.size());
        const auto part = path.substr(0, slash);
        if (!part.empty() && part != ".") parts.emplace_back(part);
        path.remove_prefix(std::min(slash + 1, path.size()));
    }
    return parts;
}

Error error_of(ErrorCode code, std::string_view what, const std::string& path,
               std::string_view why) {
    return {code, "cannot " + std::string(what) + " " + path + ": " + std::string(why), {}};
}

}  // namespace

struct Disk::State {
    std::mutex mutex;
    NodePtr root = std::make_shared<Node>();
    std::set<std::string> locks;
    std::uint64_t calls = 0;
    std::uint64_t syncs = 0;
    std::uint64_t ignored_sync = 0;
    std::uint64_t fail_first = 0;
    std::uint64_t fail_last = 0;
    Fault fault = Fault::io;
    bool power = true;
    std::optional<std::uint64_t> capacity;

    /// Counts a call that changes something; returns the fault that strikes it, if any.
    std::optional<Fault> meet() {
        ++calls;
        if (calls < fail_first || calls > fail_last) return std::nullopt;
        return fault;
    }

    Error describe(Fault met, std::string_view what, const std::string& path) {
        if (met == Fault::full) {
            return error_of(ErrorCode::unavailable, what, path, "disk full");
        }
        if (met == Fault::power) power = false;
        return error_of(ErrorCode::unknown_outcome, what, path, "Input/output error");
    }

    /// A call that changes something and is not a write: done completely or not begun, unless the
    /// power fails.
    template <class Do>
    Result<void> change(std::string_view what, const std::string& path, Do act) {
        if (!power) return off(what, path);
        const auto met = meet();
        if (met && *met != Fault::power) return tl::unexpected(describe(*met, what, path));
        Result<void> done = act();
        if (met) return tl::unexpected(describe(*met, what, path));
        return done;
    }

    tl::unexpected<Error> off(std::string_view what, const std::string& path) const {
        return tl::unexpected(
            error_of(ErrorCode::unknown_outcome, what, path, "Input/output error"));
    }

    NodePtr find(std::string_view path) const {
        NodePtr node = root;
        for (const std::string& part : parts_of(path)) {
            const auto found = node->names.find(part);
            if (found == node->names.end()) return nullptr;
            node = found->second;
        }
        return node;
    }

    NodePtr folder_of(const std::string& path) const {
        NodePtr node = find(parent_of(path));
        return node && node->folder ? node : nullptr;
    }

    static std::uint64_t bytes_in(const Node& node) {
        std::uint64_t sum = node.seen.size();
        for (const auto& [name, child] : node.names) sum += bytes_in(*child);
        return sum;
    }

    bool has_room(std::uint64_t more) const {
        return !capacity || bytes_in(*root) + more <= *capacity;
    }

    bool skips_this_sync() { return ++syncs == ignored_sync; }
};

namespace {

class OpenFile final : public File {
public:
    OpenFile(std::shared_ptr<Disk::State> state, NodePtr node, std::string path, bool writable)
        : state_(std::move(state)),
          node_(std::move(node)),
          path_(std::move(path)),
          writable_(writable) {}

    Result<void> write(std::uint64_t offset, std::string_view bytes) override {
        const std::lock_guard lock(state_->mutex);
        if (!writable_) {
            return tl::unexpected(
                error_of(ErrorCode::unknown_outcome, "write", path_, "Bad file descriptor"));
        }
        if (!state_->power) return state_->off("write", path_);
        const auto met = state_->meet();
        if (met && *met != Disk::Fault::power) bytes = bytes.substr(0, bytes.size() / 2);
        const std::uint64_t grown =
            offset + bytes.size() -
            std::min<std::uint64_t>(offset + bytes.size(), node_->seen.size());
        if (!state_->has_room(grown)) {
            return tl::unexpected(state_->describe(Disk::Fault::full, "write", path_));
        }
        node_->change(Change{Change::What::write, offset, std::string(bytes)});
        if (met) return tl::unexpected(state_->describe(*met, "write", path_));
        return {};
    }

    Result<void> write_zeros(std::uint64_t offset, std::uint64_t length) override {
        return write(offset, std::string(static_cast<std::size_t>(length), '\0'));
    }

    Result<void> allocate(std::uint64_t offset, std::uint64_t length) override {
        const std::lock_guard lock(state_->mutex);
        return state_->change("allocate space for", path_, [&]() -> Result<void> {
            const std::uint64_t size = node_->seen.size();
            const std::uint64_t end = offset + length;
            if (end > size && !state_->has_room(end - size)) {
                return tl::unexpected(
                    state_->describe(Disk::Fault::full, "allocate space for", path_));
            }
            node_->change(Change{Change::What::allocate, end, {}});
            return {};
        });
    }

    Result<void> truncate(std::uint64_t size) override {
        const std::lock_guard lock(state_->mutex);
        return state_->change("truncate", path_, [&]() -> Result<void> {
            node_->change(Change{Change::What::truncate, size, {}});
            return {};
        });
    }

    Result<void> sync() override {
        const std::lock_guard lock(state_->mutex);
        if (!state_->power) return state_->off("sync", path_);
        const bool skipped = state_->skips_this_sync();
        const auto met = state_->meet();
        if (met == Disk::Fault::power) {
            return tl::unexpected(state_->describe(*met, "sync", path_));
        }
        if (met) {  // The kernel marks the pages clean, so they are never written again.
            Dice dice(state_->calls);
            node_->fail_sync(dice);
            return tl::unexpected(state_->describe(*met, "sync", path_));
        }
        if (skipped) return {};
        node_->sync();
        return {};
    }

    Result<std::string> read(std::uint64_t offset, std::uint64_t length) const override {
        const std::lock_guard lock(state_->mutex);
        if (!state_->power) return state_->off("read", path_);
        if (offset >= node_->seen.size()) return std::string();
        return node_->seen.substr(static_cast<std::size_t>(offset),
                                  static_cast<std::size_t>(length));
    }

    Result<std::uint64_t> size() const override {
        const std::lock_guard lock(state_->mutex);
        if (!state_->power) return state_->off("read the size of", path_);
        return std::uint64_t{node_->seen.size()};
    }

    Result<void> in_place(std::uint64_t bytes) const override {
        const std::lock_guard lock(state_->mutex);
        if (!state_->power) return state_->off("find", path_);
        if (state_->find(path_) != node_) {
            return tl::unexpected(
                error_of(ErrorCode::gone, "find", path_, "another file is in its place"));
        }
        if (node_->seen.size() >= bytes) return {};
        return tl::unexpected(
            error_of(ErrorCode::gone, "find all of", path_, "the rest was cut off"));
    }

private:
    std::shared_ptr<Disk::State> state_;
    NodePtr node_;
    std::string path_;
    bool writable_;
};

class HeldLock final : public FileLock {
public:
    HeldLock(std::shared_ptr<Disk::State> state, std::string path)
        : state_(std::move(state)), path_(std::move(path)) {}
    HeldLock(const HeldLock&) = delete;
    HeldLock& operator=(const HeldLock&) = delete;
    ~HeldLock() override {
        const std::lock_guard lock(state_->mutex);
        state_->locks.erase(path_);
    }

private:
    std::shared_ptr<Disk::State> state_;
    std::string path_;
};

std::string last_part(const std::string& path) {
    const auto parts = parts_of(path);
    PARLEY_CHECK(!parts.empty());
    return parts.back();
}

tl::unexpected<Error> missing(std::string_view what, const std::string& path) {
    return tl::unexpected(error_of(ErrorCode::gone, what, path, "No such file or directory"));
}

}  // namespace

Disk::Disk() : state_(std::make_shared<State>()) { state_->root->folder = true; }
Disk::~Disk() = default;

std::uint64_t Disk::calls() const {
    const std::lock_guard lock(state_->mutex);
    return state_->calls;
}

std::uint64_t Disk::syncs() const {
    const std::lock_guard lock(state_->mutex);
    return state_->syncs;
}

void Disk::fail_at(std::uint64_t call, Fault fault) {
    const std::lock_guard lock(state_->mutex);
    state_->fail_first = call;
    state_->fail_last = call;
    state_->fault = fault;
}

void Disk::fail_from(std::uint64_t call, Fault fault) {
    fail_at(call, fault);
    const std::lock_guard lock(state_->mutex);
    state_->fail_last = UINT64_MAX;
}

void Disk::heal() {
    const std::lock_guard lock(state_->mutex);
    state_->fail_first = 0;
    state_->fail_last = 0;
}

void Disk::ignore_sync(std::uint64_t sync) {
    const std::lock_guard lock(state_->mutex);
    state_->ignored_sync = sync;
}

void Disk::set_capacity(std::uint64_t bytes) {
    const std::lock_guard lock(state_->mutex);
    state_->capacity = bytes;
}

std::unique_ptr<Disk> Disk::power_cut(std::uint64_t seed) const {
    const std::lock_guard lock(state_->mutex);
    auto after = std::make_unique<Disk>();
    Dice dice(seed);
    after->state_->root = after_power_cut(*state_->root, dice);
    return after;
}

Result<std::unique_ptr<File>> Disk::open(const std::string& path, OpenMode mode) {
    const std::lock_guard lock(state_->mutex);
    if (!state_->power) return state_->off("open", path);
    const NodePtr folder = state_->folder_of(path);
    NodePtr node = state_->find(path);
    if (node && node->folder) {
        return tl::unexpected(
            error_of(ErrorCode::denied, "open", path, "it is not a regular file"));
    }
    if (node && mode == OpenMode::create_new) {
        return tl::unexpected(error_of(ErrorCode::conflict, "open", path, "File exists"));
    }
    const bool creates = mode == OpenMode::create || mode == OpenMode::create_new;
    if (!folder || (!node && !creates)) return missing("open", path);
    if (!node) {
        node = std::make_shared<Node>();
        const auto created = state_->change("open", path, [&]() -> Result<void> {
            folder->change(Names{{last_part(path), node}});
            return {};
        });
        if (!created) return tl::unexpected(created.error());
    }
    return std::make_unique<OpenFile>(state_, std::move(node), path,
                                      mode != OpenMode::read && mode != OpenMode::read_own);
}

Result<std::unique_ptr<FileLock>> Disk::lock(const std::string& path) {
    const std::lock_guard lock(state_->mutex);
    if (!state_->power) return state_->off("lock", path);
    if (!state_->folder_of(path)) return missing("lock", path);
    if (!state_->locks.insert(path).second) {
        return tl::unexpected(
            error_of(ErrorCode::conflict, "lock", path, "another process holds it"));
    }
    return std::make_unique<HeldLock>(state_, path);
}

Result<void> Disk::rename(const std::string& from, const std::string& to) {
    const std::lock_guard lock(state_->mutex);
    PARLEY_CHECK(parts_of(parent_of(from)) == parts_of(parent_of(to)));
    return state_->change("replace", to, [&]() -> Result<void> {
        const NodePtr node = state_->find(from);
        if (!node) return missing("replace", to);
        state_->folder_of(from)->change(Names{{last_part(from), nullptr}, {last_part(to), node}});
        return {};
    });
}

Result<void> Disk::remove(const std::string& path) {
    const std::lock_guard lock(state_->mutex);
    return state_->change("remove", path, [&]() -> Result<void> {
        const NodePtr node = state_->find(path);
        if (!node) return missing("remove", path);
        if (!node->names.empty()) {
            return tl::unexpected(
                error_of(ErrorCode::conflict, "remove", path, "Directory not empty"));
        }
        state_->folder_of(path)->change(Names{{last_part(path), nullptr}});
        return {};
    });
}

Result<void> Disk::make_directory(const std::string& path) {
    const std::lock_guard lock(state_->mutex);
    return state_->change("create folder", path, [&]() -> Result<void> {
        const NodePtr folder = state_->folder_of(path);
        if (!folder) return missing("create folder", path);
        if (state_->find(path)) {
            return tl::unexpected(
                error_of(ErrorCode::conflict, "create folder", path, "File exists"));
        }
        auto node = std::make_shared<Node>();
        node->folder = true;
        folder->change(Names{{last_part(path), std::move(node)}});
        return {};
    });
}

Result<void> Disk::sync_directory(const std::string& path) {
    const std::lock_guard lock(state_->mutex);
    if (!state_->power) return state_->off("sync folder", path);
    const NodePtr folder = state_->find(path);
    if (!folder || !folder->folder) return missing("sync folder", path);
    const bool skipped = state_->skips_this_sync();
    const auto met = state_->meet();
    if (met) return tl::unexpected(state_->describe(*met, "sync folder", path));
    if (skipped) return {};
    folder->sync_names();
    return {};
}

Result<std::vector<std::string>> Disk::list(const std::string& path) {
    const std::lock_guard lock(state_->mutex);
    if (!state_->power) return state_->off("list", path);
    const NodePtr folder = state_->find(path);
    if (!folder || !folder->folder) return missing("list", path);
    std::vector<std::string> names;
    for (const auto& [name, node] : folder->names) names.push_back(name);
    return names;
}

Result<bool> Disk::exists(const std::string& path) {
    const std::lock_guard lock(state_->mutex);
    if (!state_->power) return state_->off("look for", path);
    return state_->find(path) != nullptr;
}

Result<PathKind> Disk::kind(const std::string& path) {
    const std::lock_guard lock(state_->mutex);
    if (!state_->power) return state_->off("look for", path);
    const NodePtr node = state_->find(path);
    if (!node) return PathKind::nothing;
    return node->folder ? PathKind::folder : PathKind::file;
}

Result<std::uint64_t> Disk::size(const std::string& path) {
    const std::lock_guard lock(state_->mutex);
    if (!state_->power) return state_->off("read the size of", path);
    const NodePtr node = state_->find(path);
    if (!node) return missing("read the size of", path);
    return std::uint64_t{node->seen.size()};
}

}  // namespace parley::fake
