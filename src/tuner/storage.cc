#include "tuner/storage.h"

#include "base/file.h"
#include "base/number.h"
#include "tuner/journal_storage.h"
#include "tuner/sqlite_storage.h"

#include <filesystem>
#include <system_error>

namespace parley::tuner {
namespace {

bool begins_with(const std::string& file, std::string_view head) {
    const auto opened = real_disk().open(file, OpenMode::read);
    if (!opened) return false;
    const auto read = (*opened)->read(0, head.size());
    return read && *read == head;
}

Result<std::unique_ptr<Storage>> open_as_journal(const std::string& file,
                                                 const StorageConfig& config) {
    if (begins_with(file, "SQLite format 3")) {
        return fail(ErrorCode::denied, file + " is a SQLite file; name it sqlite:" + file);
    }
    return open_journal(file, config);
}

/// Looks into the file only after SQLite has refused it: closing another descriptor of the file
/// would release the locks of other connections in this process.
Result<std::unique_ptr<Storage>> open_as_sqlite(const std::string& file,
                                                const StorageConfig& config) {
    auto opened = open_sqlite(file, config);
    if (!opened && begins_with(file, R"({"op_code")")) {
        return fail(ErrorCode::denied, file + " is a journal; name it journal:" + file);
    }
    return opened;
}

}  // namespace

std::string storage_file(std::string_view place) {
    // As in Optuna: the third slash ends an empty host, and the path follows.
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
    std::error_code unknown;
    const auto there = std::filesystem::status(file, unknown);
    if (!file.empty() && exists(there) && !is_regular_file(there)) {
        return fail(ErrorCode::denied,
                    "cannot use " + file + " as storage: it is not a regular file; name another");
    }
    if (!file.empty()) {
        return place.starts_with("journal:") ? open_as_journal(file, config)
                                             : open_as_sqlite(file, config);
    }
    return fail(ErrorCode::denied,
                "the storage " + in_quotes(place) + " is neither journal:FILE nor sqlite:FILE");
}

}  // namespace parley::tuner
