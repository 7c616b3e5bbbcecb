// HTTP, for tests: certificates made on the spot.

#pragma once

#include <string>

namespace parley::http {

struct Certified {
    std::string certificate_pem;
    std::string key_pem;
};

/// An authority, or a certificate signed by the authority `by`. `names` is written like a
/// subjectAltName: `DNS:localhost,IP:127.0.0.1`. `days` says how long it is valid from now on;
/// below 0 it has expired.
Certified make_authority(const std::string& name);
Certified make_certificate(const Certified& by, const std::string& names, int days = 1);

}  // namespace parley::http
