#include "kube/access/credentials.h"

#include "kube/access/kubeconfig_text.h"

#include <algorithm>
#include <utility>

namespace parley::kube {
namespace {

constexpr Duration kEarlier = seconds(30);  // Before it expires: a request takes its time.
constexpr Duration kPauseMax = minutes(2);

std::vector<std::string> files_of(const Identity& identity) {
    std::vector<std::string> files;
    const auto add = [&](const std::string& path) {
        if (!path.empty()) files.push_back(path);
    };
    add(identity.token_file);
    if (identity.certificate) {
        add(identity.certificate->certificate_file);
        add(identity.certificate->key_file);
    }
    return files;
}

/// Completes an error message that lacks its subject.
Error about(const std::string& what, Error error) {
    error.message = what + " " + error.message;
    return error;
}

/// The text given, or that of the file.
Result<Secret> text_of(const Secret& given, const std::string& path) {
    if (!given.empty()) return given;
    auto file = read_small_file(path);
    if (!file) return tl::unexpected(file.error());
    return Secret(std::move(file->text));
}

Result<Secret> token_in(const std::string& path) {
    const auto file = read_small_file(path);
    if (!file) return tl::unexpected(file.error());
    auto token = clean_token(file->text);
    if (!token) return tl::unexpected(about("the token file " + one_line(path), token.error()));
    return Secret(*std::move(token));
}

}  // namespace

Credentials::Credentials(Access access, CredentialOptions options)
    : access_(std::move(access)), options_(std::move(options)) {}

Result<Credential> Credentials::current(TimePoint now) {
    return access_.identity.exec ? from_plugin(now) : from_files(now);
}

bool Credentials::runs_program(TimePoint now) const {
    return access_.identity.exec && !fresh(now) && !must_wait(now);
}

void Credentials::refused(std::uint64_t version) {
    if (held_ && version == held_->version) refused_ = true;
}

/// Keeps what was found; gives it a new version if it differs.
const Credential& Credentials::adopt(Credential found) {
    const bool same = held_ && held_->token == found.token &&
                      held_->certificate_pem == found.certificate_pem &&
                      held_->key_pem == found.key_pem;
    if (!same) ++version_;
    found.version = version_;
    held_ = std::move(found);
    refused_ = false;
    warning_.clear();
    return *held_;
}

bool Credentials::files_changed() const {
    const std::vector<std::string> files = files_of(access_.identity);
    for (std::size_t i = 0; i < files.size(); ++i) {
        const auto stamp = stamp_of(files[i]);
        if (!stamp || i >= stamps_.size() || *stamp != stamps_[i]) return true;
    }
    return false;
}

Result<Credential> Credentials::from_files(TimePoint now) {
    const bool old = now < read_at_ || now - read_at_ >= options_.reread;
    if (held_ && !refused_ && !old && !files_changed()) return *held_;
    // Taken before the text, so that a change in between is read again.
    std::vector<Stamp> stamps;
    for (const std::string& path : files_of(access_.identity)) {
        stamps.push_back(stamp_of(path).value_or(Stamp{}));
    }
    auto found = read_files();
    if (found) {
        stamps_ = std::move(stamps);
        read_at_ = now;
        return adopt(*std::move(found));
    }
    if (!held_ || refused_) return tl::unexpected(found.error());
    warning_ = found.error().message;
    return *held_;
}

Result<Credential> Credentials::read_files() {
    const Identity& identity = access_.identity;
    Credential out{.token = identity.token};
    if (!identity.token_file.empty()) {
        auto token = token_in(identity.token_file);
        // A token beside the file is used only if the file was never there.
        if (!token && (identity.token.empty() || held_)) return tl::unexpected(token.error());
        if (token) out.token = *std::move(token);
    }
    if (!identity.certificate) return out;
    const ClientCertificate& given = *identity.certificate;
    auto certificate = text_of(given.certificate_pem, given.certificate_file);
    if (!certificate) return within("client-certificate", certificate.error());
    if (auto fine = check_certificates(certificate->reveal()); !fine) {
        return tl::unexpected(
            about(one_line("client-certificate " + given.certificate_file), fine.error()));
    }
    auto key = text_of(given.key_pem, given.key_file);
    if (!key) return within("client-key", key.error());
    if (auto fine = check_key(key->reveal()); !fine) {
        return tl::unexpected(about(one_line("client-key " + given.key_file), fine.error()));
    }
    out.certificate_pem = *std::move(certificate);
    out.key_pem = *std::move(key);
    return out;
}

/// Whether what a plugin answered can be used without asking it again.
bool Credentials::fresh(TimePoint now) const {
    if (!held_ || refused_) return false;
    return !renew_at_ || now < *renew_at_;
}

/// How long until a plugin may be run again, if not now.
std::optional<Duration> Credentials::must_wait(TimePoint now) const {
    if (!asked_at_ || now < *asked_at_) return std::nullopt;
    const Duration pause =
        std::min(kPauseMax, options_.pause * (std::int64_t{1} << std::clamp(failures_ - 1, 0, 10)));
    const Duration left = *asked_at_ + pause - now;
    return left.us > 0 ? std::optional(left) : std::nullopt;
}

Result<Credential> Credentials::from_plugin(TimePoint now) {
    if (fresh(now)) return *held_;
    if (const auto wait = must_wait(now)) {
        if (held_) return *held_;  // Perhaps too old, or refused: the server will say so.
        Error error = failed_.value_or(Error{ErrorCode::unavailable, "not tried again yet", {}});
        error.retry_after = wait;
        return tl::unexpected(std::move(error));
    }
    auto answer = ask_plugin();
    const bool usable = held_ && !refused_ && expires_ && now < *expires_;
    asked_at_ = now;
    if (answer) {
        failures_ = 0;
        failed_.reset();
        expires_ = answer->expires;
        renew_at_ = expires_;
        if (expires_)
            renew_at_ = *expires_ - std::clamp((*expires_ - now) / 10, Duration{}, kEarlier);
        return adopt({.token = std::move(answer->token),
                      .certificate_pem = std::move(answer->certificate_pem),
                      .key_pem = std::move(answer->key_pem)});
    }
    ++failures_;
    failed_ = answer.error();
    if (usable) {
        warning_ = failed_->message;
        return *held_;
    }
    held_.reset();
    return tl::unexpected(*failed_);
}

Result<ExecAnswer> Credentials::ask_plugin() {
    const ExecPlugin& plugin = *access_.identity.exec;
    auto path = find_program(plugin, options_.environment, options_.allow_exec);
    if (!path) return tl::unexpected(path.error());
    program_ = *path;
    const std::string whom = "the credential plugin " + one_line(program_);
    const auto interactive = is_interactive(plugin, options_.terminal);
    if (!interactive) return within(whom, interactive.error());
    PluginRun run =
        plugin_run(*path, plugin, options_.environment, exec_info(access_, plugin, *interactive));
    run.interactive = *interactive;
    run.limit = options_.plugin_limit;
    const auto output = run_plugin(run);
    if (!output) return within(whom, output.error());
    auto answer = parse_exec_answer(output->reveal(), plugin.api_version);
    if (!answer) return within(whom, answer.error());
    return answer;
}

Trust::Trust(const Access& access) : file_(access.ca_file), pem_(access.ca_pem) {}

const std::string& Trust::current(TimePoint now) {
    if (file_.empty()) return pem_;
    const auto stamp = stamp_of(file_);
    const bool old = now < read_at_ || now - read_at_ >= minutes(1);
    if (stamp && stamp_ == *stamp && !old) return pem_;
    const auto file = read_small_file(file_);
    const auto fine = file ? check_certificates(file->text) : tl::unexpected(file.error());
    if (fine) {
        pem_ = file->text;
        stamp_ = file->stamp;
        read_at_ = now;
        warning_.clear();
    } else {
        warning_ = file ? one_line("certificate-authority " + file_) + " " + fine.error().message
                        : file.error().message;
    }
    return pem_;
}

}  // namespace parley::kube
