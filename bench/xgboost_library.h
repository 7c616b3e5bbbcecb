// Bench: XGBoost's C API from a shared library named at run time, so that the same program can ask
// Debian's version and the current release.

#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace parley::bench {

class XgboostLibrary {
public:
    /// Ends the program with a message if the library cannot be used.
    explicit XgboostLibrary(const std::string& path);
    ~XgboostLibrary();
    XgboostLibrary(const XgboostLibrary&) = delete;
    XgboostLibrary& operator=(const XgboostLibrary&) = delete;

    std::string version() const;
    void load(const std::string& model_path);
    /// Boosts `rounds` times on one thread; `parameters` are pairs of name and value.
    void train(std::span<const float> rows, std::span<const float> labels,
               std::span<const std::pair<const char*, const char*>> parameters, int rounds);
    void save(const std::string& path);

    /// Describes rows in memory for an in-place prediction; made before timing.
    static std::string interface_of(std::span<const float> rows, std::size_t columns);
    /// In place; valid until the next call.
    std::span<const float> margins(const std::string& interface);
    /// From a matrix made here, as every caller has to.
    std::span<const float> contributions(std::span<const float> rows, std::size_t columns);

private:
    struct Functions;
    void must(int status, const char* what) const;

    std::unique_ptr<Functions> api_;
    void* booster_ = nullptr;
    void* proxy_ = nullptr;
};

}  // namespace parley::bench
