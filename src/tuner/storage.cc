#include "tuner/storage.h"

#include "base/number.h"
#include "tuner/journal_storage.h"
#include "tuner/sqlite_storage.h"

namespace parley::tuner {

Result<std::unique_ptr<Storage>> open_storage(std::string_view place, const StorageConfig& config) {
    constexpr std::string_view kJournal = "journal:";
    constexpr std::string_view kSqlite = "sqlite:";
    if (place.starts_with(kJournal) && place.size() > kJournal.size()) {
        return open_journal(std::string(place.substr(kJournal.size())), config);
    }
    // As Optuna writes it: the third slash ends an empty host, and what follows is the path.
    constexpr std::string_view kSqliteUrl = "sqlite:///";
    for (const std::string_view head : {kSqliteUrl, kSqlite}) {
        if (!place.starts_with(head)) continue;
        if (place.size() == head.size()) break;
        return open_sqlite(std::string(place.substr(head.size())), config);
    }
    return fail(ErrorCode::denied,
                "the storage " + in_quotes(place) + " is neither journal:FILE nor sqlite:FILE");
}

}  // namespace parley::tuner
