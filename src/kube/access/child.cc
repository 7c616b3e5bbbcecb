#include "kube/access/child.h"

#include "kube/access/kubeconfig_text.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <fcntl.h>
#include <filesystem>
#include <poll.h>
#include <spawn.h>
#include <string_view>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace parley::kube {
namespace {

using How = ChildEnd::How;

constexpr std::size_t kErrorsKept = 4096;  // Bytes of its error output: the last ones.
constexpr std::size_t kErrorsShown = 400;  // How much of that goes into a message.
// How often to check whether it has ended, while others hold its pipes open.
constexpr int kLookEveryMs = 20;

std::string text_of(int number) { return std::generic_category().message(number); }

class Descriptor {
public:
    Descriptor() = default;
    explicit Descriptor(int number) : number_(number) {}
    Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
    Descriptor& operator=(Descriptor&& other) noexcept {
        std::swap(number_, other.number_);
        return *this;
    }
    ~Descriptor() { close(); }
    void close() {
        if (number_ >= 0) ::close(std::exchange(number_, -1));
    }
    int number() const { return number_; }
    bool open() const { return number_ >= 0; }

private:
    int number_ = -1;
};

struct Pipe {
    Descriptor ours;
    Descriptor theirs;
};

/// Only our end is non-blocking. Neither end is inherited, except by dup2.
std::optional<Pipe> make_pipe() {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) return std::nullopt;
    Pipe pipe{Descriptor(ends[0]), Descriptor(ends[1])};
    if (::fcntl(ends[0], F_SETFL, O_NONBLOCK) != 0) return std::nullopt;
    return pipe;
}

/// Becomes readable when the limit has passed, independent of the wall clock.
Descriptor make_timer(Duration limit) {
    Descriptor timer(::timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK));
    const std::int64_t us = std::max<std::int64_t>(1, limit.us);
    itimerspec when{};
    when.it_value = {.tv_sec = us / 1'000'000, .tv_nsec = us % 1'000'000 * 1'000};
    if (timer.open() && ::timerfd_settime(timer.number(), 0, &when, nullptr) != 0) timer.close();
    return timer;
}

/// How to start a process. These calls fail only for lack of memory, which aborts anyway.
class SpawnPlan {
public:
    SpawnPlan(const ChildRun& run, const Pipe& out, const Pipe& err) {
        ::posix_spawn_file_actions_init(&actions_);
        ::posix_spawnattr_init(&attributes_);
        if (!run.interactive) {
            ::posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
            ::posix_spawn_file_actions_adddup2(&actions_, err.theirs.number(), STDERR_FILENO);
        }
        ::posix_spawn_file_actions_adddup2(&actions_, out.theirs.number(), STDOUT_FILENO);
        // Asio's sockets would be inherited.
        ::posix_spawn_file_actions_addclosefrom_np(&actions_, STDERR_FILENO + 1);
        sigset_t none;
        sigset_t all;
        sigemptyset(&none);
        sigfillset(&all);
        ::posix_spawnattr_setsigmask(&attributes_, &none);
        ::posix_spawnattr_setsigdefault(&attributes_, &all);
        short flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF;
        // A session of its own: it has no terminal to ask at, and one signal ends everything it
        // starts. An interactive one stays in ours, or the terminal would stop it.
        if (!run.interactive) flags = static_cast<short>(flags | POSIX_SPAWN_SETSID);
        ::posix_spawnattr_setflags(&attributes_, flags);
    }
    ~SpawnPlan() {
        ::posix_spawn_file_actions_destroy(&actions_);
        ::posix_spawnattr_destroy(&attributes_);
    }
    SpawnPlan(const SpawnPlan&) = delete;
    SpawnPlan& operator=(const SpawnPlan&) = delete;

    const posix_spawn_file_actions_t* actions() const { return &actions_; }
    const posix_spawnattr_t* attributes() const { return &attributes_; }

private:
    posix_spawn_file_actions_t actions_{};
    posix_spawnattr_t attributes_{};
};

std::vector<char*> pointers(std::vector<std::string>& texts) {
    std::vector<char*> out;
    for (std::string& text : texts) out.push_back(text.data());
    out.push_back(nullptr);
    return out;
}

/// 0, or the error.
int start(const ChildRun& run, const SpawnPlan& plan, pid_t& child) {
    std::vector<std::string> args{run.path};
    for (const Secret& arg : run.args) args.push_back(arg.reveal());
    std::vector<std::string> variables;
    for (const auto& [name, value] : run.environment) variables.push_back(name + "=" + value);
    const std::vector<char*> argv = pointers(args);
    const std::vector<char*> envp = pointers(variables);
    return ::posix_spawn(&child, run.path.c_str(), plan.actions(), plan.attributes(), argv.data(),
                         envp.data());
}

/// A started process; killed and waited for when destroyed, if it has not ended.
class Child {
public:
    Child(pid_t number, bool leads) : number_(number), leads_(leads) {}
    ~Child() {
        if (!status_) kill();
    }
    Child(const Child&) = delete;
    Child& operator=(const Child&) = delete;

    /// Its status once it has ended; -1 if somebody else has collected that.
    std::optional<int> look() { return wait(WNOHANG); }

    void kill() {
        if (status_) return;
        ::kill(leads_ ? -number_ : number_, SIGKILL);
        wait(0);
    }

private:
    std::optional<int> wait(int flags) {
        if (status_) return status_;
        int status = 0;
        pid_t done = 0;
        do {
            done = ::waitpid(number_, &status, flags);
        } while (done < 0 && errno == EINTR);
        if (done == number_) status_ = status;
        if (done < 0) status_ = -1;
        return status_;
    }

    pid_t number_;
    bool leads_;
    std::optional<int> status_;
};

/// Appends what has arrived to `out`; closes the pipe at its end.
void drain(Descriptor& pipe, std::string& out, std::uint64_t most) {
    std::array<char, 16'384> buffer;
    while (pipe.open() && out.size() <= most) {
        const ssize_t got = ::read(pipe.number(), buffer.data(), buffer.size());
        if (got > 0) {
            out.append(buffer.data(), static_cast<std::size_t>(got));
        } else if (got < 0 && errno == EINTR) {
            continue;
        } else {
            if (got == 0 || errno != EAGAIN) pipe.close();
            return;
        }
    }
}

/// How it ended by itself; -1 is the status of one that somebody else has collected.
void take_status(int status, ChildEnd& end) {
    if (status != -1 && WIFSIGNALED(status)) {
        end.how = How::signalled;
        end.code = WTERMSIG(status);
    } else {
        end.how = How::exited;
        end.code = status == -1 ? -1 : WEXITSTATUS(status);
    }
}

ChildEnd follow(Child& child, Pipe& out, Pipe& err, const ChildRun& run) {
    ChildEnd end;
    const Descriptor timer = make_timer(run.limit);
    const auto read_all = [&] {
        drain(out.ours, end.output, run.output_max);
        std::string errors;
        drain(err.ours, errors, run.output_max);
        end.errors += errors;
        if (end.errors.size() > kErrorsKept) end.errors.erase(0, end.errors.size() - kErrorsKept);
    };
    for (;;) {
        std::array<pollfd, 3> on = {{{out.ours.number(), POLLIN, 0},
                                     {err.ours.number(), POLLIN, 0},
                                     {timer.number(), POLLIN, 0}}};
        ::poll(on.data(), on.size(), kLookEveryMs);
        // Checked first: then everything it wrote before it ended is in the pipes.
        const auto status = child.look();
        read_all();
        if (end.output.size() > run.output_max) {
            end.how = How::too_much;
        } else if (status) {
            take_status(*status, end);
        } else if (!timer.open() || (on[2].revents & POLLIN) != 0) {
            end.how = How::too_long;
        } else if (run.stop && run.stop->load()) {
            end.how = How::stopped;
        } else {
            continue;
        }
        child.kill();
        return end;
    }
}

}  // namespace

bool can_run(const std::string& path) {
    std::error_code failed;
    return std::filesystem::is_regular_file(path, failed) && ::access(path.c_str(), X_OK) == 0;
}

std::string last_words(std::string_view errors) {
    // If it was cut at the front, the first word may be the rest of a secret.
    if (errors.size() >= kErrorsKept)
        errors.remove_prefix(std::min(errors.find_first_of(" \n"), errors.size()));
    std::string words = without_secrets(errors);
    if (words.size() > kErrorsShown) words.erase(0, words.size() - kErrorsShown);
    words = one_line(words, kErrorsShown);
    return words.empty() ? "" : ": " + words;
}

Result<ChildEnd> run_child(const ChildRun& run) {
    auto out = make_pipe();
    auto err = make_pipe();
    if (!out || !err) {
        return fail(ErrorCode::unavailable, "it cannot be started: " + text_of(errno));
    }
    pid_t number = -1;
    const int failed = start(run, SpawnPlan(run, *out, *err), number);
    if (failed != 0) {
        const bool passes = failed == EAGAIN || failed == ENOMEM;  // The machine is full.
        return fail(passes ? ErrorCode::unavailable : ErrorCode::denied,
                    "it cannot be started: " + text_of(failed) + "; run it by hand to see why");
    }
    Child child(number, !run.interactive);
    out->theirs.close();
    err->theirs.close();
    return follow(child, *out, *err, run);
}

}  // namespace parley::kube
