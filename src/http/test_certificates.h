// HTTP, for tests: certificates made on the spot.

#pragma once

#include <string>

namespace parley::http {

struct Certified {
    std::string certificate_pem;
    std::string key_pem;
};

/// An authority of its own, or with `by` a certificate signed by one.
/// `names`: as in a subjectAltName, such as `DNS:localhost,IP:127.0.0.1`. `days`: how long from now
/// on; below 0 it has run out.
Certified make_authority(const std::string& name);
Certified make_certificate(const Certified& by, const std::string& names, int days = 1);

}  // namespace parley::http
