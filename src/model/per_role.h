// Model: one figure for each agent. Recorded, printed, compared and put into schemas like a struct
// whose members are named after the roles, so that a new role needs no change here.

#pragma once

#include "base/describe.h"
#include "model/action.h"

#include <array>
#include <cstddef>
#include <utility>

namespace parley::model {

template <class T>
class PerRole {
public:
    constexpr PerRole() = default;
    /// Sets the figure of one role; the others are default-constructed.
    constexpr PerRole(Role role, T value) { (*this)[role] = std::move(value); }

    constexpr T& operator[](Role role) { return values_[static_cast<std::size_t>(role)]; }
    constexpr const T& operator[](Role role) const {
        return values_[static_cast<std::size_t>(role)];
    }
    friend bool operator==(const PerRole&, const PerRole&) = default;

    template <class Described>
    struct Member {
        static constexpr const char* name = Described::name;
        template <class Figures>
        static constexpr auto& of(Figures& figures) {
            return figures[Described::value];
        }
    };
    using Members = boost::mp11::mp_rename<
        boost::mp11::mp_transform<Member, boost::describe::describe_enumerators<Role>>,
        boost::mp11::mp_list>;

private:
    std::array<T, kRoles.size()> values_{};
};

}  // namespace parley::model
