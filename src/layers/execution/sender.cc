#include "layers/execution/sender.h"

#include "base/check.h"
#include "layers/execution/action_machine.h"

#include <utility>

namespace parley::execution {

using boost::asio::awaitable;

namespace {

model::Answered answer_of(const Error& error) {
    return {.ok = false,
            .code = error.code,
            .message = error.message,
            .retry_after = error.retry_after};
}

}  // namespace

Sender::Sender(cluster::Reader& reader, cluster::Writer& writer, const std::atomic<bool>& stop)
    : reader_(reader), writer_(writer), stop_(stop) {}

awaitable<model::ActionEvent> Sender::carry_out(model::Step step,
                                                std::shared_ptr<const guard::Facts> facts) {
    if (std::holds_alternative<model::Send>(step.next)) {
        const TimePoint at = facts->now();
        co_return co_await send(std::move(step), at);
    }
    PARLEY_CHECK(std::holds_alternative<model::Read>(step.next));
    co_return co_await look(std::move(step), std::move(facts));
}

awaitable<model::ActionEvent> Sender::send(model::Step step, TimePoint at) {
    const model::Send send = std::get<model::Send>(step.next);
    Result<void> applied = fail(ErrorCode::unavailable, "the kill switch is on");
    if (!stop_.load()) applied = co_await writer_.apply(send.request, send.only_if);
    model::Answered answer;
    if (!applied) answer = answer_of(applied.error());
    co_return model::ActionEvent{step.action.id, at, answer};
}

awaitable<model::ActionEvent> Sender::look(model::Step step,
                                           std::shared_ptr<const guard::Facts> facts) {
    model::Request subject = subject_of(step.action);
    const Result<model::Live> live = co_await reader_.read(std::move(subject));
    model::Seen seen;
    if (live) {
        seen.live = *live;
    } else if (live.error().code != ErrorCode::gone) {  // What is gone was seen to be.
        co_return model::ActionEvent{step.action.id, facts->now(), answer_of(live.error())};
    }
    // Nothing is sent while a workload is waited for, so there is nothing to allow.
    if (!step.action.awaiting) {
        const auto refused = guard::ask_again(*facts, step.action, seen.live);
        if (refused) seen.refused = refused->because;
    }
    co_return model::ActionEvent{step.action.id, facts->now(), seen};
}

}  // namespace parley::execution
