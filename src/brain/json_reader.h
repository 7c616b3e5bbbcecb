// Brain: the JSON reader of document.h.

#pragma once

#include "brain/document.h"

namespace parley::brain {

/// Reads one value and what is left must be blank. Used once.
class JsonReader {
public:
    explicit JsonReader(std::string_view bytes) : bytes_(bytes) {}

    [[nodiscard]] Result<Value> read();

private:
    bool value(Value& out, std::size_t depth);
    bool object(Value& out, std::size_t depth);
    bool array(Value& out, std::size_t depth);
    bool numbers(Value& out);
    bool number(double& out);
    bool text(std::string& out);
    bool escape(std::string& out);
    bool hex4(std::uint32_t& out);
    bool word(std::string_view expected);
    void blank();
    bool more() const { return at_ < bytes_.size(); }
    char here() const { return more() ? bytes_[at_] : '\0'; }
    /// Keeps the first reason; always false.
    bool wrong(const char* why);

    std::string_view bytes_;
    std::size_t at_ = 0;
    DocumentLimits limits_;
    const char* why_ = nullptr;
    std::size_t where_ = 0;
};

}  // namespace parley::brain
