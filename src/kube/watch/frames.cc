#include "kube/watch/frames.h"

namespace parley::kube {

Result<void> Frames::add(std::string_view bytes) {
    if (begin_ > 0) {
        bytes_.erase(0, begin_);
        scanned_ -= begin_;
        begin_ = 0;
    }
    bytes_ += bytes;
    const bool ends = bytes.find('\n') != std::string_view::npos;
    if (!ends && bytes_.size() > line_max_) {
        return fail(ErrorCode::malformed,
                    "a line of a watch is over " + std::to_string(line_max_) + " bytes");
    }
    return {};
}

std::optional<std::string_view> Frames::next() {
    for (;;) {
        const std::size_t end = bytes_.find('\n', scanned_);
        if (end == std::string::npos) {
            scanned_ = bytes_.size();
            return std::nullopt;
        }
        std::string_view line(bytes_.data() + begin_, end - begin_);
        begin_ = scanned_ = end + 1;
        if (line.ends_with('\r')) line.remove_suffix(1);
        if (!line.empty()) return line;
    }
}

}  // namespace parley::kube
