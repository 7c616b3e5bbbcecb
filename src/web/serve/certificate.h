// Web: makes a self-signed certificate for some names. Nobody vouches for it, so a person compares
// its fingerprint.

#pragma once

#include <string>
#include <vector>

namespace parley::web {

struct MadeCertificate {
    std::string certificate_pem;
    std::string key_pem;
    std::string fingerprint;  ///< SHA-256, "AB:CD:...", as browsers show it.
};

/// For these names and addresses, and localhost; P-256, valid for 397 days.
MadeCertificate make_certificate(const std::vector<std::string>& names);

}  // namespace parley::web
