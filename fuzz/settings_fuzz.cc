// Settings from a file or from --set: what is accepted is within its bounds, prints and reads back
// the same.

#include "apps/terminal/settings.h"
#include "base/check.h"
#include "base/same.h"
#include "config/print.h"
#include "fuzz/input.h"
#include "fuzz/scratch_file.h"

#include <cmath>
#include <string>

namespace {

using namespace parley;

/// No setting that decisions use may be NaN or infinite.
template <class T>
bool all_finite(const T& value) {
    if constexpr (std::same_as<T, double>) {
        return std::isfinite(value);
    } else if constexpr (is_optional<T>) {
        return !value || all_finite(*value);
    } else if constexpr (is_vector<T>) {
        bool finite = true;
        for (const auto& item : value) finite = finite && all_finite(item);
        return finite;
    } else if constexpr (DescribedStruct<T>) {
        bool finite = true;
        for_each_member(value,
                        [&](auto, const auto& member) { finite = finite && all_finite(member); });
        return finite;
    } else {
        return true;
    }
}

void check(const fuzz::Scratch& scratch, const Result<app::LoadedSettings>& loaded) {
    if (!loaded) {
        PARLEY_CHECK(fuzz::readable(loaded.error().message));
        return;
    }
    PARLEY_CHECK(all_finite(loaded->settings));
    PARLEY_CHECK(loaded->settings.run.interval.us > 0 && loaded->settings.run.pace.us >= 0);
    for (const config::Origins* origins :
         {static_cast<const config::Origins*>(nullptr), &loaded->origins}) {
        const std::string text = config::print_yaml(loaded->settings, origins);
        const auto again = app::load_settings(real_disk(), scratch.write("again.yaml", text), {});
        PARLEY_CHECK(again && same(again->settings, loaded->settings));
    }
}

}  // namespace

void parley::fuzz::try_input(Input input) {
    static const fuzz::Scratch scratch;
    if (input.rest().starts_with("--set ")) {
        const auto flag = app::parse_set(std::string(input.rest().substr(6)));
        if (flag) check(scratch, app::load_settings(real_disk(), "", {*flag}));
    } else {
        const std::string path = scratch.write("input.yaml", input.rest());
        check(scratch, app::load_settings(real_disk(), path, {}));
    }
}
