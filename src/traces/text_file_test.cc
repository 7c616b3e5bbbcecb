#include "traces/text_file.h"

#include <gtest/gtest.h>

#include <string>
#include <unistd.h>
#include <zlib.h>

namespace parley::traces {
namespace {

std::string gzip(const std::string& text) {
    z_stream stream{};
    EXPECT_EQ(deflateInit2(&stream, 9, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY), Z_OK);
    std::string out(text.size() + 1'000, '\0');
    std::string in = text;
    stream.next_in = reinterpret_cast<Bytef*>(in.data());
    stream.avail_in = static_cast<uInt>(in.size());
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = static_cast<uInt>(out.size());
    EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
    out.resize(stream.total_out);
    deflateEnd(&stream);
    return out;
}

TEST(Gunzip, gives_the_text_back) {
    std::string text;
    for (int i = 0; i < 50'000; ++i) text += std::to_string(i) + "\n";
    EXPECT_EQ(*gunzip(gzip(text), 1 << 20), text);
    EXPECT_EQ(*gunzip(gzip(""), 10), "");
    EXPECT_EQ(*gunzip(gzip("one,") + gzip("two"), 10), "one,two");
}

TEST(Gunzip, refuses_what_is_no_gzip_or_too_large) {
    const std::string good = gzip(std::string(100'000, 'x'));
    EXPECT_FALSE(gunzip(good, 99'999));
    EXPECT_TRUE(gunzip(good, 100'000));
    for (std::size_t length = 0; length < good.size(); length += 7)
        EXPECT_FALSE(gunzip(good.substr(0, length), 1 << 20)) << length;
    for (std::size_t at = 0; at < good.size(); ++at) {  // Damage anywhere never ends the process.
        std::string bad = good;
        bad[at] = static_cast<char>(bad[at] ^ 0x55);
        const auto text = gunzip(bad, 1 << 20);
        if (text && at > 9) {
            EXPECT_NE(*text, "");
        }
    }
    EXPECT_FALSE(gunzip("plain", 100));
    EXPECT_FALSE(gunzip(good + "rubbish", 1 << 20));
}

TEST(ReadText, takes_plain_and_packed_files) {
    const std::string folder = testing::TempDir() + std::to_string(getpid()) + "_";
    ASSERT_TRUE(write_file_atomically(real_disk(), folder + "text_file_plain", "a,b\n"));
    ASSERT_TRUE(write_file_atomically(real_disk(), folder + "text_file_packed", gzip("c,d\n")));
    EXPECT_EQ(*read_text(real_disk(), folder + "text_file_plain"), "a,b\n");
    EXPECT_EQ(*read_text(real_disk(), folder + "text_file_packed"), "c,d\n");
    EXPECT_FALSE(read_text(real_disk(), folder + "text_file_plain", 3));
    EXPECT_FALSE(read_text(real_disk(), folder + "text_file_missing"));
}

TEST(ReadText, what_is_no_text_is_named) {
    const std::string path = testing::TempDir() + std::to_string(getpid()) + "_text_file_form";
    const std::pair<std::string, std::string> cases[] = {
        {std::string("PK\x03\x04", 4) + "rest", "it is a zip archive; unpack it"},
        {std::string("\xfd") + "7zXZ and more", "it is packed with xz; unpack it"},
        {"\xff\xfe\x61", "it is text in UTF-16; write it in UTF-8"},
        {gzip("PAR1 and more"), "it is a Parquet file; write it as CSV"},
    };
    for (const auto& [bytes, why] : cases) {
        ASSERT_TRUE(write_file_atomically(real_disk(), path, bytes));
        const auto text = read_text(real_disk(), path);
        ASSERT_FALSE(text) << why;
        EXPECT_EQ(text.error().message, path + ": " + why);
    }
}

}  // namespace
}  // namespace parley::traces
