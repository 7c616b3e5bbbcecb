#include "apps/running/record_answers.h"

#include "apps/shelf/brains.h"
#include "base/file.h"
#include "layers/explanation/answers/course.h"
#include "layers/explanation/answers/why_text.h"
#include "layers/explanation/wording/reasons.h"
#include "replay/replay.h"
#include "replay/why_not.h"

namespace parley::app {
namespace {

/// Lines for people; if there are none, why, unless that is obvious.
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

/// Agents that never acted, each with what prevented it in the round with most to act on: the cause
/// may be a setting under which it can never act.
std::vector<std::string> untouched_lines(const std::string& folder,
                                         const explanation::Course& course) {
    const auto reader = store::RunReader::open(real_disk(), folder);
    if (!reader || course.untouched.empty()) return {};
    const auto brains = recorded_brains(real_disk(), folder, reader->header().policy);
    std::vector<std::string> lines;
    for (const explanation::Untouched& each : course.untouched) {
        std::string line = std::string(title_of(each.role)) + " did nothing: " + each.figure;
        const auto cause = brains.and_then([&](const prediction::Brains& served) {
            return replay::why_not_in_round(real_disk(), folder, served, each.action, each.round);
        });
        if (cause && !cause->first_cause.empty()) {
            line += "; against " + cause->action + " stood " + cause->first_cause;
        }
        lines.push_back(std::move(line));
    }
    return lines;
}

void add_whole_run(const explanation::Course& course, const std::string& folder, bool any_round,
                   explanation::WhyAnswer& answer) {
    constexpr std::size_t kNamed = 3;
    if (any_round) {
        const std::size_t stuck = course.stuck.size();
        const std::size_t from = stuck > kNamed ? stuck - kNamed : 0;
        for (std::size_t i = from; i < stuck; ++i) answer.whole_run.push_back(course.stuck[i].text);
        if (from > 0) answer.whole_run.push_back(std::to_string(from) + " more before them");
        for (std::string& line : untouched_lines(folder, course)) {
            answer.whole_run.push_back(std::move(line));
        }
    }
    std::string later = explanation::alarms_since(course, answer.round);
    if (!later.empty()) answer.whole_run.push_back(std::move(later));
}

}  // namespace

Result<explanation::WhyAnswer> answer_why(const std::string& folder,
                                          const explanation::WhyQuery& query) {
    if (query.node || query.workload) {
        auto answer = explanation::why(real_disk(), folder, query);
        if (answer && query.node) {
            answer->believed = believed_lines(folder, *query.node, answer->round);
        }
        return answer;
    }
    const auto course = explanation::course_of(real_disk(), folder, query.round.value_or(0));
    explanation::WhyQuery about = query;
    if (course && !query.round) {
        if (course->contested != 0) {
            about.round = course->contested;
        } else if (!course->stuck.empty()) {
            about.round = course->stuck.back().round;
        }
    }
    auto answer = explanation::why(real_disk(), folder, about);
    if (answer && course) add_whole_run(*course, folder, !query.round, *answer);
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
