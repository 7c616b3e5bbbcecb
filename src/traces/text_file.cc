#include "traces/text_file.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <zlib.h>

namespace parley::traces {
namespace {

constexpr int kGzip = 16 + MAX_WBITS;  // As zlib says: a gzip header and nothing else.

class Inflater {
public:
    Inflater() { good_ = inflateInit2(&stream_, kGzip) == Z_OK; }
    ~Inflater() {
        if (good_) inflateEnd(&stream_);
    }
    Inflater(const Inflater&) = delete;
    Inflater& operator=(const Inflater&) = delete;

    Result<std::string> run(const std::string& bytes, std::uint64_t text_max) {
        if (!good_) return fail(ErrorCode::unavailable, "gzip: no memory to read it");
        std::string text;
        std::size_t at = 0;
        std::array<char, 1 << 16> buffer;
        stream_.avail_in = 0;
        while (true) {
            if (stream_.avail_in == 0) {
                const std::size_t piece = std::min<std::size_t>(bytes.size() - at, 1U << 30);
                // zlib reads only, and takes no const.
                stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data() + at));
                stream_.avail_in = static_cast<uInt>(piece);
                at += piece;
            }
            stream_.next_out = reinterpret_cast<Bytef*>(buffer.data());
            stream_.avail_out = static_cast<uInt>(buffer.size());
            const int code = inflate(&stream_, Z_NO_FLUSH);
            text.append(buffer.data(), buffer.size() - stream_.avail_out);
            if (text.size() > text_max) {
                return fail(ErrorCode::malformed, "gzip: its text is larger than " +
                                                      std::to_string(text_max >> 20) +
                                                      " MiB; split the file");
            }
            const bool out_of_bytes = stream_.avail_in == 0 && at == bytes.size();
            if (code == Z_STREAM_END) {
                if (out_of_bytes) return text;
                if (inflateReset(&stream_) != Z_OK)
                    return fail(ErrorCode::malformed, "gzip: it is damaged");
                continue;
            }
            if (code != Z_OK && code != Z_BUF_ERROR)
                return fail(ErrorCode::malformed, "gzip: it is damaged; fetch it again");
            if (out_of_bytes && stream_.avail_out != 0)
                return fail(ErrorCode::malformed, "gzip: it is cut off; fetch it again");
        }
    }

private:
    z_stream stream_{};
    bool good_ = false;
};

/// Kinds of files that are not text, by their first bytes.
struct Form {
    std::string_view begins;
    const char* what;
};
constexpr Form kForms[] = {{"PK\x03\x04", "a zip archive; unpack it"},
                           {"\xfd\x37\x7aXZ", "packed with xz; unpack it"},
                           {"BZh", "packed with bzip2; unpack it"},
                           {"\x28\xb5\x2f\xfd", "packed with zstd; unpack it"},
                           {"PAR1", "a Parquet file; write it as CSV"},
                           {"\xff\xfe", "text in UTF-16; write it in UTF-8"},
                           {"\xfe\xff", "text in UTF-16; write it in UTF-8"}};

Result<std::string> known_as_text(const std::string& path, std::string text) {
    for (const Form& form : kForms) {
        if (text.starts_with(form.begins))
            return fail(ErrorCode::malformed, path + ": it is " + form.what);
    }
    return text;
}

}  // namespace

Result<std::string> gunzip(const std::string& bytes, std::uint64_t text_max) {
    return Inflater().run(bytes, text_max);
}

Result<std::string> read_text(Disk& disk, const std::string& path, std::uint64_t text_max) {
    auto bytes = read_file(disk, path, std::min(kFileBytesMax, text_max));
    if (!bytes) return tl::unexpected(bytes.error());
    if (!bytes->starts_with("\x1f\x8b")) return known_as_text(path, *std::move(bytes));
    auto text = gunzip(*bytes, text_max);
    if (!text) return within(path, text.error());
    return known_as_text(path, *std::move(text));
}

}  // namespace parley::traces
