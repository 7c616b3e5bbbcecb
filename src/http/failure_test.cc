#include "http/failure.h"

#include <boost/asio/error.hpp>
#include <boost/asio/ssl/error.hpp>
#include <boost/beast/core/error.hpp>
#include <boost/beast/http/error.hpp>
#include <gtest/gtest.h>

namespace parley::http {
namespace {

using boost::system::error_code;
using HttpError = boost::beast::http::error;

TEST(Failure, says_what_and_why_and_whose_fault_it_is) {
    const auto of = [](const error_code& failed) {
        return failure("GET kube.test", failed).value();
    };
    const struct {
        error_code failed;
        ErrorCode code;
        std::string message;
    } table[] = {
        {boost::beast::error::timeout, ErrorCode::unavailable, "no answer in time"},
        {boost::asio::error::eof, ErrorCode::unavailable, "the other side closed the connection"},
        {HttpError::end_of_stream, ErrorCode::unavailable, "the other side closed the connection"},
        {HttpError::partial_message, ErrorCode::unavailable, "partial message"},
        {HttpError::bad_version, ErrorCode::malformed, "bad version"},
        {boost::asio::error::connection_refused, ErrorCode::unavailable, "Connection refused"},
    };
    for (const auto& row : table) {
        EXPECT_EQ(of(row.failed).code, row.code) << row.message;
        EXPECT_EQ(of(row.failed).message, "GET kube.test: " + row.message);
    }
    const error_code alert(1, boost::asio::error::get_ssl_category());
    EXPECT_TRUE(untrusted(alert));
    EXPECT_EQ(of(alert).code, ErrorCode::denied);
    EXPECT_FALSE(untrusted(boost::asio::error::eof));
}

}  // namespace
}  // namespace parley::http
