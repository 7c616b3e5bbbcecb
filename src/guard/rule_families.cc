#include "guard/rule_families.h"

#include <vector>

namespace parley::guard {

std::span<const Rule> all_rules() {
    static const std::vector<Rule> kAll = [] {
        std::vector<Rule> rules;
        for (const auto family : {data_rules(), owner_rules(), pace_rules(), allowance_rules(),
                                  scale_rules(), pod_rules()}) {
            rules.insert(rules.end(), family.begin(), family.end());
        }
        return rules;
    }();
    return kAll;
}

}  // namespace parley::guard
