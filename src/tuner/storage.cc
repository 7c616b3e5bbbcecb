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
    if (place.starts_with(kSqlite) && place.size() > kSqlite.size()) {
        return open_sqlite(std::string(place.substr(kSqlite.size())), config);
    }
    return fail(ErrorCode::denied,
                "the storage " + in_quotes(place) + " is neither journal:FILE nor sqlite:FILE");
}

}  // namespace parley::tuner
