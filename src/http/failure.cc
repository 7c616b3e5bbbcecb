#include "http/failure.h"

#include <boost/asio/error.hpp>
#include <boost/asio/ssl/error.hpp>
#include <boost/beast/core/error.hpp>
#include <boost/beast/http/error.hpp>

namespace parley::http {

namespace asio = boost::asio;
namespace beast = boost::beast;
using boost::system::error_code;

namespace {

std::string text_of(const error_code& failed) {
    if (failed == beast::error::timeout) return "no answer in time";
    if (failed == beast::http::error::end_of_stream || failed == asio::error::eof) {
        return "the other side closed the connection";
    }
    return failed.message();
}

bool garbled(const error_code& failed) {
    return failed.category() ==
               beast::http::make_error_code(beast::http::error::bad_version).category() &&
           failed != beast::http::error::end_of_stream &&
           failed != beast::http::error::partial_message;
}

}  // namespace

bool untrusted(const error_code& failed) {
    return failed.category() == asio::error::get_ssl_category();
}

tl::unexpected<Error> failure(const std::string& what, const error_code& failed) {
    const ErrorCode code = untrusted(failed) ? ErrorCode::denied
                           : garbled(failed) ? ErrorCode::malformed
                                             : ErrorCode::unavailable;
    return fail(code, what + ": " + text_of(failed));
}

}  // namespace parley::http
