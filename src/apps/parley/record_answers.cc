#include "apps/parley/record_answers.h"

#include "apps/parley/brains.h"
#include "base/file.h"
#include "layers/explanation/why_text.h"
#include "replay/why_not.h"

namespace parley::app {

Answers answers_from(const std::string& folder) {
    const auto open = [folder] {
        if (folder.empty()) {
            return Result<store::RunReader>(
                fail(ErrorCode::denied, "nothing is recorded, so nothing can be asked"));
        }
        return store::RunReader::open(real_disk(), folder);
    };
    const auto text = [](const auto& answer) {
        return answer ? text_of(*answer) : "error: " + answer.error().message + "\n";
    };
    return {.why =
                [=](std::uint64_t round) {
                    return text(open().and_then([&](store::RunReader reader) {
                        return explanation::why(reader, {.run = folder, .round = round});
                    }));
                },
            .why_not =
                [=](const std::string& action, std::uint64_t round) {
                    return text(open().and_then([&](store::RunReader reader) {
                        return recorded_brains(real_disk(), folder, reader.header().policy)
                            .and_then([&](const prediction::Brains& brains) {
                                return replay::why_not(reader, brains, action, round);
                            });
                    }));
                }};
}

}  // namespace parley::app
