#include "tuner/journal_storage.h"

#include "base/clock.h"
#include "base/json_read.h"
#include "base/number.h"
#include "tuner/journal_fold.h"
#include "tuner/journal_lines.h"
#include "tuner/journal_lock.h"
#include "tuner/json.h"
#include "tuner/study.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <functional>
#include <sys/stat.h>
#include <unistd.h>

namespace parley::tuner {
namespace {

constexpr std::size_t kChunk = std::size_t{1} << 20;

std::string worker_name() {
    static std::atomic<std::uint64_t> count{0};
    return "parley-" + std::to_string(::getpid()) + "-" + std::to_string(wall_now().us) + "-" +
           std::to_string(count++);
}

class JournalFile {
public:
    JournalFile() = default;
    JournalFile(int file, std::string path) : file_(file), path_(std::move(path)) {}
    ~JournalFile() {
        if (file_ >= 0) ::close(file_);
    }
    JournalFile(const JournalFile&) = delete;
    JournalFile& operator=(const JournalFile&) = delete;

    tl::unexpected<Error> failed(const char* doing) const {
        const int reason = errno;
        const bool full = reason == ENOSPC || reason == EDQUOT;
        return fail(full ? ErrorCode::unavailable : ErrorCode::denied,
                    std::string(doing) + " " + path_ + ": " + std::strerror(reason));
    }

    Result<std::uint64_t> size() const {
        struct stat about{};
        if (::fstat(file_, &about) != 0) return failed("looking at");
        const auto bytes = static_cast<std::uint64_t>(about.st_size);
        if (bytes > kJournalBytesMax) {
            return fail(ErrorCode::malformed, path_ + " is larger than a journal may be, 4 GiB");
        }
        return bytes;
    }

    Result<std::string> read(std::uint64_t from, std::size_t length) const {
        std::string bytes(length, '\0');
        std::size_t done = 0;
        while (done < length) {
            const ssize_t got =
                ::pread(file_, bytes.data() + done, length - done, static_cast<off_t>(from + done));
            if (got < 0 && errno == EINTR) continue;
            if (got < 0) return failed("reading");
            if (got == 0) break;
            done += static_cast<std::size_t>(got);
        }
        bytes.resize(done);
        return bytes;
    }

    /// Appends at the present end of the file; durable when it returns.
    Result<void> append(std::string_view bytes) const {
        std::size_t done = 0;
        while (done < bytes.size()) {
            const ssize_t put = ::write(file_, bytes.data() + done, bytes.size() - done);
            if (put < 0 && errno == EINTR) continue;
            if (put < 0) return failed("writing");
            done += static_cast<std::size_t>(put);
        }
        if (::fdatasync(file_) != 0) return failed("syncing");
        return {};
    }

    Result<void> cut(std::uint64_t size) const {
        if (::ftruncate(file_, static_cast<off_t>(size)) != 0) return failed("cutting");
        return {};
    }

    const std::string& path() const { return path_; }

private:
    int file_ = -1;
    std::string path_;
};

class JournalStorage : public Storage {
public:
    JournalStorage(int file, std::string path, StorageConfig config)
        : file_(file, std::move(path)), config_(std::move(config)), lines_(worker_name()) {}

    Result<void> open() {
        if (Result<void> done = refresh(); !done) return done;
        if (found() != nullptr) return {};
        if (!config_.create) {
            return fail(ErrorCode::gone, file_.path() + " has no study " +
                                             in_quotes(config_.study) + "; name another");
        }
        return change([this](const Study*) -> Result<std::string> {
            if (found() != nullptr) return std::string();
            return lines_.create_study(config_.study, config_.direction);
        });
    }

    const Study& study() const override { return *study_; }

    Result<void> refresh() override {
        const Result<std::uint64_t> size = file_.size();
        if (!size) return tl::unexpected<Error>(size.error());
        if (*size < read_) {
            return fail(ErrorCode::conflict,
                        file_.path() + " is shorter than it was; open the study anew");
        }
        while (read_ + tail_.size() < *size) {
            const std::uint64_t from = read_ + tail_.size();
            const std::size_t length =
                static_cast<std::size_t>(std::min<std::uint64_t>(kChunk, *size - from));
            const Result<std::string> bytes = file_.read(from, length);
            if (!bytes) return tl::unexpected<Error>(bytes.error());
            if (bytes->empty()) break;
            tail_ += *bytes;
            if (Result<void> done = take_lines(); !done) return done;
            if (tail_.size() > kJournalLineMax) {
                return fail(ErrorCode::malformed, place() + " is longer than 64 MiB");
            }
        }
        // A file without a complete line that does not look like a journal belongs to somebody
        // else: never cut it.
        if (read_ == 0 && !tail_.empty() && !tail_.starts_with('{')) {
            return fail(ErrorCode::malformed,
                        file_.path() + " is no journal of Optuna; name another file");
        }
        // The rest may be half a line, which is cut off before the next read.
        tail_.clear();
        return see_study();
    }

    Result<std::int64_t> ask(const Draw& draw) override {
        std::int64_t number = 0;
        const Result<void> done = change([&](const Study* now) -> Result<std::string> {
            for (const Trial& trial : now->trials) {
                if (trial.state != TrialState::waiting) continue;
                number = trial.number;
                const Draft draft = draw(*now, trial);
                if (auto fit = fits(*now, draft.params); !fit) {
                    return tl::unexpected<Error>(fit.error());
                }
                return claim(trial, draft);
            }
            Trial begun;
            begun.number = number = static_cast<std::int64_t>(now->trials.size());
            const Draft draft = draw(*now, begun);
            if (auto fit = fits(*now, draft.params); !fit) {
                return tl::unexpected<Error>(fit.error());
            }
            return lines_.create_trial(now->id, TrialState::running, draft, wall_now());
        });
        if (!done) return tl::unexpected<Error>(done.error());
        return number;
    }

    Result<std::int64_t> enqueue(const Attributes& fixed) override {
        std::int64_t number = 0;
        std::string json = "{";
        for (const auto& [name, value] : fixed) {
            json += (json.size() > 1 ? "," : "") + json_text(name) + ":" + value;
        }
        const Draft draft{.system_attributes = {{"fixed_params", json + "}"}}};
        const Result<void> done = change([&](const Study* now) -> Result<std::string> {
            number = static_cast<std::int64_t>(now->trials.size());
            return lines_.create_trial(now->id, TrialState::waiting, draft, std::nullopt);
        });
        if (!done) return tl::unexpected<Error>(done.error());
        return number;
    }

    Result<void> set_param(std::int64_t number, const Param& param) override {
        return change_trial(number, [&](const Trial& trial) -> Result<std::string> {
            if (auto fit = fits(*study_, {param}); !fit) return tl::unexpected<Error>(fit.error());
            return lines_.param(trial.id, param);
        });
    }

    Result<void> report(std::int64_t number, std::int64_t step, double value) override {
        return change_trial(number, [&](const Trial& trial) -> Result<std::string> {
            return lines_.intermediate(trial.id, step, value);
        });
    }

    Result<void> tell(std::int64_t number, TrialState state, std::optional<double> value) override {
        if (value && std::isnan(*value)) {
            state = TrialState::fail;
            value = std::nullopt;
        }
        return change_trial(number, [&](const Trial& trial) -> Result<std::string> {
            return lines_.state(trial.id, state, value, wall_now());
        });
    }

    Result<void> set_attribute(std::int64_t number, Owner owner, const std::string& key,
                               const std::string& json) override {
        const Result<Json> value = parse_python_json(json);
        if (!value) return within("the attribute " + in_quotes(key), value.error());
        return change_trial(number, [&](const Trial& trial) -> Result<std::string> {
            return lines_.attribute(trial.id, owner, key, canonical(*value));
        });
    }

    Result<void> set_study_attribute(Owner owner, const std::string& key,
                                     const std::string& json) override {
        const Result<Json> value = parse_python_json(json);
        if (!value) return within("the attribute " + in_quotes(key), value.error());
        return change([&](const Study* now) -> Result<std::string> {
            return lines_.study_attribute(now->id, owner, key, canonical(*value));
        });
    }

    Result<void> heartbeat(std::int64_t) override { return {}; }
    Result<std::vector<std::int64_t>> fail_stale(Duration) override {
        return std::vector<std::int64_t>();
    }

private:
    const Study* found() const { return fold_.find(config_.study); }

    std::string place() const {
        return "line " + std::to_string(line_ + 1) + " of " + file_.path();
    }

    Result<void> see_study() {
        const Study* now = found();
        if (now == nullptr && study_ != nullptr) {
            return fail(ErrorCode::gone, "the study " + in_quotes(config_.study) + " of " +
                                             file_.path() + " was deleted");
        }
        study_ = now;
        return {};
    }

    Result<void> take_lines() {
        std::size_t begin = 0;
        for (std::size_t end = tail_.find('\n'); end != std::string::npos;
             end = tail_.find('\n', begin)) {
            const std::string_view line = std::string_view(tail_).substr(begin, end - begin);
            if (Result<void> done = fold_.apply(line); !done) return within(place(), done.error());
            ++line_;
            begin = end + 1;
        }
        read_ += begin;
        tail_.erase(0, begin);
        return {};
    }

    /// Reads what others wrote and appends what `make` returns, while nobody else can write.
    Result<void> change(const std::function<Result<std::string>(const Study*)>& make) {
        const auto lock = JournalLock::acquire(file_.path(), config_.lock_grace,
                                               config_.busy_limit + config_.lock_grace);
        if (!lock) return tl::unexpected<Error>(lock.error());
        if (Result<void> done = refresh(); !done) return done;
        Result<std::string> text = make(study_);
        if (!text) return tl::unexpected<Error>(text.error());
        if (text->empty()) return {};
        const Result<std::uint64_t> size = file_.size();
        if (!size) return tl::unexpected<Error>(size.error());
        if (*size > read_) {
            // Nobody writes while we hold the lock, so the writer of that line is dead.
            if (Result<void> done = file_.cut(read_); !done) return done;
        }
        if (!lock->held()) {
            return fail(ErrorCode::unavailable,
                        "the lock of " + file_.path() + " was taken from us; try again");
        }
        // If it fails, a part may be there; the next writer cuts it off.
        if (Result<void> done = file_.append(*text); !done) return done;
        return refresh();
    }

    Result<void> change_trial(std::int64_t number,
                              const std::function<Result<std::string>(const Trial&)>& make) {
        return change([&](const Study* now) -> Result<std::string> {
            if (number < 0 || static_cast<std::size_t>(number) >= now->trials.size()) {
                return fail(ErrorCode::gone, "there is no trial " + std::to_string(number));
            }
            const Trial& trial = now->trials[static_cast<std::size_t>(number)];
            if (is_finished(trial.state)) {
                return fail(ErrorCode::conflict,
                            "trial " + std::to_string(number) + " is finished already");
            }
            return make(trial);
        });
    }

    std::string claim(const Trial& trial, const Draft& draft) const {
        std::string text = lines_.state(trial.id, TrialState::running, std::nullopt, wall_now());
        for (const auto& [key, json] : draft.system_attributes) {
            text += lines_.attribute(trial.id, Owner::system, key, json);
        }
        for (const auto& [key, json] : draft.user_attributes) {
            text += lines_.attribute(trial.id, Owner::user, key, json);
        }
        for (const Param& param : draft.params) text += lines_.param(trial.id, param);
        return text;
    }

    JournalFile file_;
    StorageConfig config_;
    JournalLines lines_;
    JournalFold fold_;
    const Study* study_ = nullptr;
    std::uint64_t read_ = 0;  ///< Bytes of complete lines that were applied.
    std::uint64_t line_ = 0;
    std::string tail_;  ///< Bytes after them.
};

}  // namespace

Result<std::unique_ptr<Storage>> open_journal(const std::string& path,
                                              const StorageConfig& config) {
    std::error_code failed;
    const std::string whole = std::filesystem::absolute(path, failed).string();
    if (failed) return fail(ErrorCode::denied, "finding " + path + ": " + failed.message());
    const int flags = O_RDWR | O_APPEND | O_CLOEXEC | (config.create ? O_CREAT : 0);
    const int file = ::open(whole.c_str(), flags, 0644);
    if (file < 0) {
        return fail(errno == ENOENT ? ErrorCode::gone : ErrorCode::denied,
                    "opening the journal " + whole + ": " + std::strerror(errno));
    }
    auto storage = std::make_unique<JournalStorage>(file, whole, config);
    if (Result<void> done = storage->open(); !done) return tl::unexpected<Error>(done.error());
    return storage;
}

}  // namespace parley::tuner
