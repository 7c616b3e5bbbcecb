// Kube, kubeconfig: secrets that a text gives away by calling them one: `password=...`.

#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace parley::kube {

/// Bytes of a text, from `begin` to before `end`.
struct Stretch {
    std::size_t begin = 0;
    std::size_t end = 0;
    friend bool operator==(const Stretch&, const Stretch&) = default;
};

/// The values of what is called a token, password, key or the like, in the order of the text, none
/// empty: `token=VALUE`, `"token": "VALUE"`, `--token VALUE`, `the token is VALUE`, `Bearer VALUE`,
/// `user:VALUE@`. A value ends at white space or at the quote that closes it, so that whatever
/// characters it has, none is left over. `token: expired` and `the token is not valid` have none:
/// where a sentence may go on, words that sentences go on with are not taken for values.
std::vector<Stretch> named_secrets(std::string_view text);

}  // namespace parley::kube
