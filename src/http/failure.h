// HTTP, inside of connection.h: turns network errors into messages for people.

#pragma once

#include "base/result.h"

#include <boost/system/error_code.hpp>

#include <string>

namespace parley::http {

/// Whether the other side showed no certificate, or one that is not trusted.
bool untrusted(const boost::system::error_code& failed);

/// "WHAT: why", with code `denied`, `malformed` or `unavailable`.
tl::unexpected<Error> failure(const std::string& what, const boost::system::error_code& failed);

}  // namespace parley::http
