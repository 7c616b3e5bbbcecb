// HTTP, inside of tls.h: what connection.cc and the tests' server need of it.

#pragma once

#include "http/tls.h"

#include <boost/asio/ssl/context.hpp>

namespace parley::http {

struct Tls::Context {
    // Asio takes it by reference to non-const to make a stream, and does not change it.
    mutable boost::asio::ssl::context ssl{boost::asio::ssl::context::tls_client};
    bool insecure = false;
};

}  // namespace parley::http
