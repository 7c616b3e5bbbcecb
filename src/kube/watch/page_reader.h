// Kube, the pages of one list, in order, each asked for before the one before it has come to its
// end.
//
// A server names the next page in the head of this one and writes its objects afterwards, so that
// it can write two at once: docs/decisions/0019.

#pragma once

#include "kube/watch/api.h"

#include <boost/asio/awaitable.hpp>

#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace parley::kube {

/// The token of the next page, from the beginning of a page; empty where it does not stand before
/// the items, or has not come yet. JSON or protobuf. A guess: who has the whole page knows.
std::string next_in_head(std::string_view begun);

/// Borrows the API. On its executor; one page at a time is read, and at most one is on its way
/// ahead of it.
class PageReader {
public:
    /// Where the page of a token is, of an empty one the first; protobuf may come in larger pages.
    using PathOf = std::function<std::string(const std::string& token, bool proto)>;

    /// `proto`: until a page that came so cannot be understood; JSON then, for good.
    PageReader(Api& api, std::string what, http::Limits limits, bool proto, PathOf path_of);
    ~PageReader();

    /// The page of this token, as it came. What is ahead of another list is forgotten.
    boost::asio::awaitable<Result<http::Response>> read(std::string token);

    /// A page could not be decoded: from now on as JSON, which is what the decoders were made for.
    void ask_for_json();

private:
    struct Flight;
    struct Inside;
    std::shared_ptr<Inside> inside_;
};

}  // namespace parley::kube
