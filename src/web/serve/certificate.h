// Web: names in, a certificate for them out, made here and vouched for by nobody: its fingerprint
// is what a person compares.

#pragma once

#include <string>
#include <vector>

namespace parley::web {

struct MadeCertificate {
    std::string certificate_pem;
    std::string key_pem;
    std::string fingerprint;  ///< SHA-256, "AB:CD:...", as browsers show it.
};

/// For these names and addresses, and localhost; P-256, good for 397 days.
MadeCertificate make_certificate(const std::vector<std::string>& names);

}  // namespace parley::web
