#include "kube/access/exec_plugin.h"

#include "base/file.h"
#include "base/time_text.h"
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
    SpawnPlan(const PluginRun& run, const Pipe& out, const Pipe& err) {
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
int start(const PluginRun& run, const SpawnPlan& plan, pid_t& child) {
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

enum class End { ended, too_long, too_much };

struct Outcome {
    End end = End::ended;
    int status = 0;
    std::string output;
    std::string errors;
};

Outcome follow(Child& child, Pipe& out, Pipe& err, const PluginRun& run) {
    Outcome outcome;
    const Descriptor timer = make_timer(run.limit);
    const auto read_all = [&] {
        drain(out.ours, outcome.output, run.output_max);
        std::string errors;
        drain(err.ours, errors, run.output_max);
        outcome.errors += errors;
        if (outcome.errors.size() > kErrorsKept) {
            outcome.errors.erase(0, outcome.errors.size() - kErrorsKept);
        }
    };
    for (;;) {
        std::array<pollfd, 3> on = {{{out.ours.number(), POLLIN, 0},
                                     {err.ours.number(), POLLIN, 0},
                                     {timer.number(), POLLIN, 0}}};
        ::poll(on.data(), on.size(), kLookEveryMs);
        // Checked first: then everything it wrote before it ended is in the pipes.
        const auto status = child.look();
        read_all();
        if (outcome.output.size() > run.output_max) {
            outcome.end = End::too_much;
        } else if (status) {
            outcome.status = *status;
        } else if (!timer.open() || (on[2].revents & POLLIN) != 0) {
            outcome.end = End::too_long;
        } else {
            continue;
        }
        child.kill();
        return outcome;
    }
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

tl::unexpected<Error> failure(const PluginRun& run, const Outcome& outcome) {
    const std::string words = last_words(outcome.errors);
    if (outcome.end == End::too_long) {
        return fail(ErrorCode::unavailable, "it took longer than " + print_duration(run.limit) +
                                                "; run it by hand to see what it waits for" +
                                                words);
    }
    if (outcome.end == End::too_much) {
        return fail(ErrorCode::malformed, "it wrote more than " + std::to_string(run.output_max) +
                                              " bytes; is it a credential plugin?" + words);
    }
    if (WIFSIGNALED(outcome.status)) {
        return fail(ErrorCode::unavailable,
                    "it was ended by signal " + std::to_string(WTERMSIG(outcome.status)) + words);
    }
    const std::string code =
        outcome.status == -1 ? "unknown" : std::to_string(WEXITSTATUS(outcome.status));
    return fail(ErrorCode::unavailable,
                "it failed with exit status " + code + "; run it by hand to see why" + words);
}

bool can_run(const std::string& path) {
    std::error_code failed;
    return std::filesystem::is_regular_file(path, failed) && ::access(path.c_str(), X_OK) == 0;
}

/// The first program of that name in the absolute folders of PATH; empty if there is none. Relative
/// folders are skipped, since they would run whatever lies there.
std::string in_path(const std::string& name, const Environment& environment) {
    const auto found = environment.find("PATH");
    std::string_view rest = found == environment.end() ? "" : std::string_view(found->second);
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find(':'), rest.size());
        const std::string_view folder = rest.substr(0, end);
        rest.remove_prefix(std::min(end + 1, rest.size()));
        std::string path = join(folder, name);
        if (folder.starts_with('/') && can_run(path)) return path;
    }
    return "";
}

std::string plain(const std::string& path) {
    std::error_code failed;
    const auto whole = std::filesystem::absolute(path, failed);
    return failed ? path : whole.lexically_normal().string();
}

bool is_allowed(const std::string& path, const Environment& environment,
                const std::vector<std::string>& allowed) {
    return std::ranges::any_of(allowed, [&](const std::string& each) {
        const bool bare = each.find('/') == std::string::npos;
        return !each.empty() && plain(bare ? in_path(each, environment) : each) == path;
    });
}

}  // namespace

Result<std::string> find_program(const ExecPlugin& plugin, const Environment& environment,
                                 const AllowedPrograms& allowed) {
    const bool bare = plugin.command.find('/') == std::string::npos;
    const std::string name = in_marks(plugin.command);
    std::string path = bare ? in_path(plugin.command, environment) : plain(plugin.command);
    std::error_code failed;
    if (path.empty() || !std::filesystem::exists(path, failed)) {
        const std::string hint = one_line(plugin.install_hint, 500);
        return fail(ErrorCode::denied,
                    "the credential plugin " + name +
                        (bare ? " is in no folder of PATH" : " does not exist") + "; " +
                        (hint.empty() ? "install it" : "its kubeconfig says: " + hint));
    }
    path = plain(path);
    if (!can_run(path)) {
        return fail(ErrorCode::denied, "the credential plugin " + name +
                                           " is no program that can be run; try chmod +x");
    }
    if (allowed && !is_allowed(path, environment, *allowed)) {
        return fail(ErrorCode::denied, "the kubeconfig runs the program " + in_marks(path) +
                                           ", which is not allowed; allow it with --allow-exec " +
                                           path);
    }
    return path;
}

PluginRun plugin_run(std::string path, const ExecPlugin& plugin, Environment environment,
                     const std::string& info) {
    for (const Variable& each : plugin.env) environment[each.name] = each.value.reveal();
    environment["KUBERNETES_EXEC_INFO"] = info;
    return {.path = std::move(path), .args = plugin.args, .environment = std::move(environment)};
}

Result<Secret> run_plugin(const PluginRun& run) {
    auto out = make_pipe();
    auto err = make_pipe();
    if (!out || !err) {
        return fail(ErrorCode::unavailable, "it cannot be started: " + text_of(errno));
    }
    pid_t number = -1;
    const int failed = start(run, SpawnPlan(run, *out, *err), number);
    if (failed != 0) {
        return fail(ErrorCode::denied,
                    "it cannot be started: " + text_of(failed) + "; run it by hand to see why");
    }
    Child child(number, !run.interactive);
    out->theirs.close();
    err->theirs.close();
    Outcome outcome = follow(child, *out, *err, run);
    if (outcome.end != End::ended || outcome.status != 0) return failure(run, outcome);
    return Secret(std::move(outcome.output));
}

}  // namespace parley::kube
