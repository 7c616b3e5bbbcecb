#include "store/journal_head.h"

#include "base/hash.h"
#include "base/number.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <utility>

namespace parley::store {
namespace {

constexpr const char* kName = "head";
constexpr std::size_t kNumberDigits = 20;
constexpr std::size_t kChainDigits = 2 * sizeof(Digest);
constexpr std::size_t kSumDigits = 8;
constexpr std::size_t kRoundAt = kNumberDigits + 1 + kChainDigits + 1;
constexpr std::size_t kBytesBefore = kRoundAt + kSumDigits + 1;  // Without a round.
constexpr std::size_t kBytes = kBytesBefore + kNumberDigits + 1;

std::string padded(std::uint64_t number) {
    std::string digits = std::to_string(number);
    return digits.insert(0, kNumberDigits - digits.size(), '0');
}

std::string sum_of(std::string_view text) {
    std::array<char, kSumDigits + 1> digits{};
    std::snprintf(digits.data(), digits.size(), "%08x", static_cast<unsigned>(crc32c(text)));
    return digits.data();
}

std::optional<std::uint64_t> unpadded(std::string_view number) {
    number.remove_prefix(std::min(number.find_first_not_of('0'), kNumberDigits - 1));
    const auto parsed = parse_uint64(number);
    return parsed ? std::optional(*parsed) : std::nullopt;
}

bool is_hexadecimal(std::string_view text) {
    return std::ranges::all_of(
        text, [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}

}  // namespace

std::string text_of(const JournalHead& head) {
    std::string text = padded(head.sequence) + ' ' + head.chain;
    if (head.round) text += ' ' + padded(*head.round);
    return text + ' ' + sum_of(text) + '\n';
}

std::optional<JournalHead> parse_head(std::string_view text) {
    if (text.size() != kBytes && text.size() != kBytesBefore) return std::nullopt;
    const std::string_view chain = text.substr(kNumberDigits + 1, kChainDigits);
    const auto sequence = unpadded(text.substr(0, kNumberDigits));
    if (!sequence || !is_hexadecimal(chain)) return std::nullopt;
    JournalHead head{*sequence, std::string(chain)};
    if (text.size() == kBytes) head.round = unpadded(text.substr(kRoundAt, kNumberDigits));
    if (text_of(head) != text) return std::nullopt;
    return head;
}

std::optional<JournalHead> read_head(Disk& disk, const std::string& folder) {
    const auto text = read_own_file(disk, join(folder, kName), kBytes);
    return text ? parse_head(*text) : std::nullopt;
}

Result<HeadWriter> HeadWriter::open(Disk& disk, const std::string& folder) {
    auto file = disk.open(join(folder, kName), OpenMode::create);
    if (!file) return tl::unexpected(file.error());
    return HeadWriter(*std::move(file));
}

Result<void> HeadWriter::write(const JournalHead& head) { return file_->write(0, text_of(head)); }

}  // namespace parley::store
