#include "http/inflate.h"

#include <gtest/gtest.h>

#include <zlib.h>

namespace parley::http {
namespace {

std::string packed(const std::string& plain) {
    z_stream stream{};
    deflateInit2(&stream, 9, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
    std::string out(deflateBound(&stream, plain.size()) + 64, '\0');
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(plain.data()));
    stream.avail_in = static_cast<uInt>(plain.size());
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = static_cast<uInt>(out.size());
    deflate(&stream, Z_FINISH);
    out.resize(out.size() - stream.avail_out);
    deflateEnd(&stream);
    return out;
}

TEST(Inflate, gives_back_what_was_packed_in_pieces_of_any_size) {
    std::string plain;
    for (int i = 0; i < 50'000; ++i) plain += std::to_string(i * 7919);
    const std::string bytes = packed(plain);
    for (const std::size_t size : {std::size_t{1}, std::size_t{7}, bytes.size()}) {
        Inflater inflater(plain.size());
        std::string out;
        for (std::size_t at = 0; at < bytes.size(); at += size) {
            const auto piece = inflater.take(std::string_view(bytes).substr(at, size));
            ASSERT_TRUE(piece) << piece.error().message;
            out += *piece;
        }
        EXPECT_TRUE(inflater.ended());
        EXPECT_EQ(out, plain);
    }
}

TEST(Inflate, a_bomb_is_refused_before_it_is_unpacked) {
    const std::string bytes = packed(std::string(100'000'000, 'a'));
    ASSERT_LT(bytes.size(), 200'000U);
    Inflater inflater(1'000'000);
    const auto out = inflater.take(bytes);
    ASSERT_FALSE(out);
    EXPECT_EQ(out.error().message, "the answer is over 1000000 bytes when unpacked");
}

TEST(Inflate, the_limit_itself_is_allowed) {
    EXPECT_TRUE(Inflater(1000).take(packed(std::string(1000, 'a'))));
    EXPECT_FALSE(Inflater(999).take(packed(std::string(1000, 'a'))));
}

TEST(Inflate, damage_and_more_behind_the_end_are_refused_and_a_cut_shows) {
    std::string bytes = packed("hello");
    Inflater cut(100);
    EXPECT_TRUE(cut.take(bytes.substr(0, bytes.size() - 1)));
    EXPECT_FALSE(cut.ended());
    EXPECT_FALSE(Inflater(100).take(bytes + "x"));
    bytes[bytes.size() - 6] = static_cast<char>(bytes[bytes.size() - 6] ^ 1);
    EXPECT_FALSE(Inflater(100).take(bytes));
    EXPECT_FALSE(Inflater(100).take("<html>"));
}

}  // namespace
}  // namespace parley::http
