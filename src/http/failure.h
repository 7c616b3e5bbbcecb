// HTTP, inside of connection.h: what went wrong on the network, for people.

#pragma once

#include "base/result.h"

#include <boost/system/error_code.hpp>

#include <string>

namespace parley::http {

/// The other side has shown no certificate, or none that is trusted.
bool untrusted(const boost::system::error_code& failed);

/// "WHAT: why", as `denied`, `malformed` or `unavailable`.
tl::unexpected<Error> failure(const std::string& what, const boost::system::error_code& failed);

}  // namespace parley::http
