#include "http/inflate.h"

#include "base/check.h"

#include <array>
#include <zlib.h>

namespace parley::http {

struct Inflater::State {
    z_stream stream{};
    std::uint64_t plain_max = 0;
    std::uint64_t plain = 0;
    bool ended = false;
};

Inflater::Inflater(std::uint64_t plain_max) : state_(std::make_unique<State>()) {
    constexpr int kGzip = 16 + MAX_WBITS;
    state_->plain_max = plain_max;
    PARLEY_CHECK(inflateInit2(&state_->stream, kGzip) == Z_OK);
}

Inflater::~Inflater() { inflateEnd(&state_->stream); }

Result<std::string> Inflater::take(std::string_view piece) {
    State& s = *state_;
    std::string out;
    if (s.ended && !piece.empty()) {
        return fail(ErrorCode::malformed, "the compressed answer goes on behind its end");
    }
    std::array<char, 65'536> plain{};
    s.stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(piece.data()));
    s.stream.avail_in = static_cast<uInt>(piece.size());
    while (s.stream.avail_in > 0 && !s.ended) {
        s.stream.next_out = reinterpret_cast<Bytef*>(plain.data());
        s.stream.avail_out = plain.size();
        const int done = inflate(&s.stream, Z_NO_FLUSH);
        if (done != Z_OK && done != Z_STREAM_END) {
            return fail(ErrorCode::malformed, "the compressed answer is damaged");
        }
        const std::size_t count = plain.size() - s.stream.avail_out;
        s.plain += count;
        if (s.plain > s.plain_max) {
            return fail(ErrorCode::malformed, "the answer is over " + std::to_string(s.plain_max) +
                                                  " bytes when unpacked");
        }
        out.append(plain.data(), count);
        s.ended = done == Z_STREAM_END;
    }
    if (s.stream.avail_in > 0) {
        return fail(ErrorCode::malformed, "the compressed answer goes on behind its end");
    }
    return out;
}

bool Inflater::ended() const { return state_->ended; }

}  // namespace parley::http
