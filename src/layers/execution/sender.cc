#include "layers/execution/sender.h"

#include <utility>

namespace parley::execution {

using boost::asio::awaitable;

awaitable<Result<void>> Sender::send(model::Request request, model::Precondition only_if,
                                     cluster::Stamp stamp) {
    if (!stamp.undo && stop_.load())
        co_return fail(ErrorCode::unavailable, "the kill switch is on");
    co_return co_await writer_.apply(std::move(request), only_if, stamp);
}

}  // namespace parley::execution
