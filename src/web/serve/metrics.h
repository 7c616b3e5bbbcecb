// Web: counts what happens and prints it for Prometheus, by its conventions: one prefix, base
// units, bounded labels.

#pragma once

#include "base/time.h"
#include "model/round.h"

#include <cstdint>
#include <memory>
#include <string>

namespace parley::web {

/// Thread-safe.
class Metrics {
public:
    explicit Metrics(const std::string& version);
    ~Metrics();

    void answered(int status);
    void viewers(std::size_t now);
    void sent(std::size_t messages, std::size_t bytes);
    void cut();  ///< A client that fell behind was disconnected.
    void login(bool welcome);
    void left_out();  ///< A round was skipped because the server was too far behind.
    /// A round of the loop; `wall` is when it was published.
    void round(const model::RoundInput& input, const model::Decision& decision, bool trouble,
               TimePoint wall);

    std::string text() const;

private:
    struct Inside;
    std::unique_ptr<Inside> inside_;
};

}  // namespace parley::web
