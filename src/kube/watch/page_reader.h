// Kube, the pages of one list, in order; each is requested before the one before it has arrived
// completely.
//
// A server names the next page in the head of a page, before it writes the objects, so it can write
// two pages at once: docs/decisions/0019.

#pragma once

#include "kube/watch/api.h"

#include <boost/asio/awaitable.hpp>

#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace parley::kube {

/// The token of the next page, from the beginning of a page (JSON or protobuf); empty if it does
/// not come before the items, or has not arrived yet. Only a guess: the complete page decides.
std::string next_in_head(std::string_view begun);

/// Borrows the API; used on its executor. One page is read at a time, and at most one is requested
/// ahead.
class PageReader {
public:
    /// The path of the page with this token (empty: the first); protobuf may come in larger pages.
    using PathOf = std::function<std::string(const std::string& token, bool proto)>;

    /// `proto`: ask for protobuf until a page cannot be decoded, and for JSON from then on.
    PageReader(Api& api, std::string what, http::Limits limits, bool proto, PathOf path_of);
    ~PageReader();

    /// The page of this token, as it arrived. A page requested ahead for another list is dropped.
    boost::asio::awaitable<Result<http::Response>> read(std::string token);

    /// A page could not be decoded: from now on JSON, which the decoders are made for.
    void ask_for_json();

private:
    struct Flight;
    struct Inside;
    std::shared_ptr<Inside> inside_;
};

}  // namespace parley::kube
