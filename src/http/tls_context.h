// HTTP, inside of tls.h: what connection.cc and the tests' server need of it.

#pragma once

#include "http/tls.h"

#include <boost/asio/ssl/context.hpp>

namespace parley::http {

struct Tls::Context {
    // Asio wants a non-const reference to create a stream, but does not change it.
    mutable boost::asio::ssl::context ssl{boost::asio::ssl::context::tls_client};
    bool insecure = false;
};

}  // namespace parley::http
