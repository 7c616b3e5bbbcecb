#include "tuner/storage.h"

#include "base/file.h"
#include "base/number.h"
#include "tuner/journal_storage.h"
#include "tuner/sqlite_storage.h"

namespace parley::tuner {
namespace {

/// Refuses a file of the other kind by its first bytes; what else is wrong its reader says.
Result<void> check_kind(const std::string& file, bool journal) {
    constexpr std::uint64_t kHead = 16;
    const auto opened = real_disk().open(file, OpenMode::read);
    if (!opened) return {};
    const auto head = (*opened)->read(0, kHead);
    if (!head) return {};
    if (journal && head->starts_with("SQLite format 3")) {
        return fail(ErrorCode::denied, file + " is a SQLite file; name it sqlite:" + file);
    }
    if (!journal && head->starts_with("{\"op_code\"")) {
        return fail(ErrorCode::denied, file + " is a journal; name it journal:" + file);
    }
    return {};
}

}  // namespace

std::string storage_file(std::string_view place) {
    // As Optuna writes it: the third slash ends an empty host, and what follows is the path.
    for (const std::string_view head : {"journal:", "sqlite:///", "sqlite:"}) {
        if (place.starts_with(head)) return std::string(place.substr(head.size()));
    }
    return "";
}

Result<std::unique_ptr<Storage>> open_storage(std::string_view place, const StorageConfig& config) {
    const std::string file = storage_file(place);
    if (place.starts_with("sqlite://") && !place.starts_with("sqlite:///")) {
        return fail(ErrorCode::denied,
                    "the storage " + in_quotes(place) +
                        " names a host; a file is sqlite:FILE or sqlite:///FILE");
    }
    if (place.starts_with("sqlite:///") && file.find('?') != std::string::npos) {
        return fail(ErrorCode::denied, "the storage " + in_quotes(place) +
                                           " has options behind '?', which are not understood; "
                                           "leave them out");
    }
    if (!file.empty()) {
        auto fine = check_kind(file, place.starts_with("journal:"));
        if (!fine) return tl::unexpected(fine.error());
        return place.starts_with("journal:") ? open_journal(file, config)
                                             : open_sqlite(file, config);
    }
    return fail(ErrorCode::denied,
                "the storage " + in_quotes(place) + " is neither journal:FILE nor sqlite:FILE");
}

}  // namespace parley::tuner
