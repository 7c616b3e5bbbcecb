// Web: what happened in, the text that Prometheus reads out. Names as its conventions want them:
// one prefix, base units, bounded labels.

#pragma once

#include "base/time.h"
#include "model/round.h"

#include <cstdint>
#include <memory>
#include <string>

namespace parley::web {

/// May be used by several threads.
class Metrics {
public:
    explicit Metrics(const std::string& version);
    ~Metrics();

    void answered(int status);
    void viewers(std::size_t now);
    void sent(std::size_t messages, std::size_t bytes);
    void cut();  ///< A viewer that fell behind.
    void login(bool welcome);
    void left_out();  ///< A round that the server was too far behind for.
    /// A round of the loop; `wall` is when it was published.
    void round(const model::RoundInput& input, const model::Decision& decision, bool trouble,
               TimePoint wall);

    std::string text() const;

private:
    struct Inside;
    std::unique_ptr<Inside> inside_;
};

}  // namespace parley::web
