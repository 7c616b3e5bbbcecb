#include "apps/parley/record_answers.h"

#include "apps/parley/brains.h"
#include "base/file.h"
#include "layers/explanation/reasons.h"
#include "layers/explanation/why_text.h"
#include "replay/replay.h"
#include "replay/why_not.h"

namespace parley::app {
namespace {

/// Lines for people; why there are none, where that is not plain.
std::vector<std::string> believed_lines(const std::string& folder, const std::string& node,
                                        std::uint64_t round) {
    auto reader = store::RunReader::open(real_disk(), folder);
    if (!reader) return {"Not known: " + reader.error().message + "."};
    const model::Policy policy = reader->header().policy;
    if (policy.predictor != model::PredictorKind::xgboost) return {};
    const auto brains = recorded_brains(real_disk(), folder, policy);
    if (!brains) return {"Not known: " + brains.error().message + "."};
    const auto found = replay::believed(*reader, *brains, node, round);
    if (!found) return {"Not known: " + found.error().message + "."};
    if (!*found)
        return {
            "No model spoke of it: it was not Ready, or set aside, or nothing of the "
            "cluster was seen."};
    return explanation::reasons_of((*found)->forecast, (*found)->node);
}

}  // namespace

Result<explanation::WhyAnswer> answer_why(const std::string& folder,
                                          const explanation::WhyQuery& query) {
    auto answer = explanation::why(real_disk(), folder, query);
    if (answer && query.node) {
        answer->believed = believed_lines(folder, *query.node, answer->round);
    }
    return answer;
}

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
                    return text(open().and_then([&](const store::RunReader&) {
                        return explanation::why(real_disk(), folder,
                                                {.run = folder, .round = round});
                    }));
                },
            .why_not =
                [=](const std::string& action, std::uint64_t round) {
                    return text(open().and_then([&](const store::RunReader& reader) {
                        return recorded_brains(real_disk(), folder, reader.header().policy)
                            .and_then([&](const prediction::Brains& brains) {
                                return replay::why_not(real_disk(), folder, brains, action, round);
                            });
                    }));
                }};
}

}  // namespace parley::app
