// Kube, access: a text that is never shown.

#pragma once

#include <ostream>
#include <string>
#include <utility>

namespace parley::kube {

/// A text that logs, JSON and tests show as "(hidden)". Only reveal() returns it.
class Secret {
public:
    Secret() = default;
    explicit Secret(std::string value) : value_(std::move(value)) {}

    const std::string& reveal() const { return value_; }
    bool empty() const { return value_.empty(); }
    std::string text() const { return empty() ? "" : "(hidden)"; }

    friend bool operator==(const Secret&, const Secret&) = default;
    /// Otherwise GoogleTest prints the bytes.
    friend void PrintTo(const Secret& secret, std::ostream* out) { *out << secret.text(); }

private:
    std::string value_;
};

}  // namespace parley::kube
