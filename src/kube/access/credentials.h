// Kube, credentials: an Access in, the token or certificate that is valid now out.

#pragma once

#include "base/result.h"
#include "kube/access/access.h"
#include "kube/access/exec_credential.h"
#include "kube/access/exec_plugin.h"
#include "kube/access/kubeconfig_file.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace parley::kube {

struct CredentialOptions {
    Environment environment;     ///< For plugins.
    AllowedPrograms allow_exec;  ///< --allow-exec.
    bool terminal = false;       ///< Whether plugins may ask a person.
    Duration plugin_limit = seconds(60);
    Duration reread = seconds(60);  ///< Files are read again after this, changed or not.
    Duration pause = seconds(10);   ///< Between two runs of a plugin; doubled while it fails.
};

/// What to present to the API server. Empty: nothing.
struct Credential {
    Secret token;
    Secret certificate_pem;  ///< Set together with key_pem, or not at all.
    Secret key_pem;
    std::uint64_t version = 0;  ///< Changes with the credential; then connect again.
};

/// Ask it before each request. Used by one thread at a time. Token and certificate files are read
/// again when they change, every `reread`, and after a 401. A plugin's answer is kept until shortly
/// before it expires or until a 401. A credential that is still valid but cannot be renewed is used
/// further, and warning() says why. A plugin that fails, or whose answers are always refused, is
/// not run more often than `pause` allows.
class Credentials {
public:
    Credentials(Access access, CredentialOptions options);

    /// Reads files; runs a program if runs_program(now), which may take up to its limit. Errors
    /// contain no secret: `denied` and `malformed` need a person, `unavailable` may pass.
    [[nodiscard]] Result<Credential> current(TimePoint now);

    /// Whether current(now) would run a program; if so, call it from the pool thread.
    bool runs_program(TimePoint now) const;

    /// Tells that the API server answered 401 to the credential of this version. Older versions are
    /// ignored.
    void refused(std::uint64_t version);

    /// The program that was run, for people to see once; empty before.
    const std::string& program() const { return program_; }
    /// Why the last renewal failed while the old credential is still in use; else empty.
    const std::string& warning() const { return warning_; }

private:
    Result<Credential> from_files(TimePoint now);
    Result<Credential> from_plugin(TimePoint now);
    Result<Credential> read_files();
    Result<ExecAnswer> ask_plugin();
    bool files_changed() const;
    bool fresh(TimePoint now) const;
    std::optional<Duration> must_wait(TimePoint now) const;
    const Credential& adopt(Credential found);

    Access access_;
    CredentialOptions options_;
    std::optional<Credential> held_;
    std::uint64_t version_ = 0;
    bool refused_ = false;
    std::string warning_;

    std::vector<Stamp> stamps_;  // Of files(), when last read.
    TimePoint read_at_;

    std::string program_;
    std::optional<TimePoint> asked_at_;
    std::optional<TimePoint> renew_at_;
    std::optional<TimePoint> expires_;
    std::optional<Error> failed_;  // The error of the last run, if it failed.
    int failures_ = 0;
};

/// The certificates to trust; ask it before each request. A file is read again when it changes;
/// while it cannot be used, the old content stays in force and warning() says why.
class Trust {
public:
    explicit Trust(const Access& access);

    /// Certificates; empty: those that this machine trusts.
    const std::string& current(TimePoint now);
    const std::string& warning() const { return warning_; }

private:
    std::string file_;  ///< Empty: the certificates cannot change.
    std::string pem_;
    std::optional<Stamp> stamp_;
    TimePoint read_at_;
    std::string warning_;
};

}  // namespace parley::kube
