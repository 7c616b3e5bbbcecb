// HTTP, requests and answers as values.

#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace parley::http {

struct Header {
    std::string name;
    std::string value;
    friend bool operator==(const Header&, const Header&) = default;
};

struct Request {
    std::string method = "GET";
    std::string target = "/";  ///< Appended to the path of the server's address.
    std::vector<Header> headers;
    std::string body;
};

struct Response {
    int status = 0;
    std::vector<Header> headers;
    std::string body;

    /// The first header of this name, in any case; null: there is none.
    const std::string* header(std::string_view name) const;
    /// `application/json` of `application/json; charset=utf-8`, in lower case; empty: not said.
    std::string media_type() const;
};

}  // namespace parley::http
