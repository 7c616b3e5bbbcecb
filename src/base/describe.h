// Base: one description per struct. The codec, JSON, digest, diff and schema all walk it.
//
// A struct says BOOST_DESCRIBE_STRUCT(Type, (), (members...)) once, below its definition, an enum
// BOOST_DESCRIBE_ENUM(Type, enumerators...). Types that guard their inside (Reading) offer Parts:
// a described struct to take apart and to be built from. A type whose members are not written one
// by one (a value per enumerator) offers Members, a list of what MembersOf is made of.

#pragma once

#include "base/name.h"
#include "base/time.h"

#include <boost/describe.hpp>
#include <boost/mp11.hpp>

#include <array>
#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

namespace parley {

template <class T>
concept DescribedEnum = std::is_enum_v<T> && boost::describe::has_describe_enumerators<T>::value;

/// Made of Parts: parts() takes it apart, from_parts() builds it or says that it cannot be.
template <class T>
concept HasParts = requires(const T& value, typename T::Parts parts) {
    { value.parts() } -> std::same_as<typename T::Parts>;
    { T::from_parts(parts) } -> std::same_as<std::optional<T>>;
};

/// Provides the list of its members itself.
template <class T>
concept OffersMembers = requires { typename T::Members; };

template <class T>
concept DescribedStruct = !std::is_enum_v<T> && !HasParts<T> &&
                          (OffersMembers<T> || boost::describe::has_describe_members<T>::value);

/// A point or span of time counts as one integer, not as a struct of one.
template <class T>
concept TimeLike = std::same_as<T, TimePoint> || std::same_as<T, Duration>;

template <class T>
concept Integer = std::integral<T> && !std::same_as<T, bool>;

/// People and JSON see its text() instead of its members.
template <class T>
concept HasText = requires(const T& value) {
    { value.text() } -> std::same_as<std::string>;
};

template <class T>
inline constexpr bool is_optional = false;
template <class T>
inline constexpr bool is_optional<std::optional<T>> = true;

template <class T>
inline constexpr bool is_vector = false;
template <class T>
inline constexpr bool is_vector<std::vector<T>> = true;

template <class T>
inline constexpr bool is_array = false;
template <class T, std::size_t N>
inline constexpr bool is_array<std::array<T, N>> = true;

template <class T>
inline constexpr bool is_variant = false;
template <class... Ts>
inline constexpr bool is_variant<std::variant<Ts...>> = true;

template <class T>
inline constexpr bool is_table = false;

/// Flattens a member: its own members are shown in its place, {"round":3,"safety":1} instead of
/// {"round":3,"by":{"safety":1}}. Not for anything recorded: a member added to T would move those
/// that follow it, and old bytes could not be read.
template <class T>
struct InPlace : T {
    friend bool operator==(const InPlace&, const InPlace&) = default;
};

namespace describe {

/// A member as its struct names it.
template <class Descriptor>
struct Direct {
    static constexpr const char* name = Descriptor::name;
    template <class T>
    static constexpr auto& of(T& value) {
        return value.*Descriptor::pointer;
    }
};

/// A member of a flattened member (InPlace).
template <class Descriptor, class Inner>
struct Through {
    static constexpr const char* name = Inner::name;
    template <class T>
    static constexpr auto& of(T& value) {
        return Inner::of(value.*Descriptor::pointer);
    }
};

template <class Struct, class Member>
Member member_type(Member Struct::*);  // Never called.

template <class T>
struct Members;

/// What is shown for a member of type M: the member itself, or the members of a flattened one.
template <class Descriptor, class M>
struct Shown {
    using list = boost::mp11::mp_list<Direct<Descriptor>>;
};
template <class Descriptor, class T>
struct Shown<Descriptor, InPlace<T>> {
    template <class Inner>
    using Inside = Through<Descriptor, Inner>;
    using list = boost::mp11::mp_transform<Inside, typename Members<T>::list>;
};
template <class Descriptor>
using ShownOf = typename Shown<Descriptor, decltype(member_type(Descriptor::pointer))>::list;

template <class T>
struct Members {
    using described = boost::describe::describe_members<T, boost::describe::mod_public>;
    using list = boost::mp11::mp_append<
        boost::mp11::mp_list<>,
        boost::mp11::mp_apply<boost::mp11::mp_append,
                              boost::mp11::mp_transform<ShownOf, described>>>;
};
template <OffersMembers T>
struct Members<T> {
    using list = typename T::Members;
};

}  // namespace describe

/// The members of a described struct, in order, each with its `name` and with `of(value)`, which
/// refers to it.
template <DescribedStruct T>
using MembersOf = typename describe::Members<T>::list;

/// Calls f(name, member) for each member, in the order of the description.
template <class T, class F>
    requires DescribedStruct<std::remove_cvref_t<T>>
void for_each_member(T&& value, F&& f) {
    boost::mp11::mp_for_each<MembersOf<std::remove_cvref_t<T>>>(
        [&](auto member) { f(std::string_view(member.name), member.of(value)); });
}

/// The same members of two values side by side: f(name, a.member, b.member).
template <DescribedStruct T, class F>
void for_each_pair(const T& a, const T& b, F&& f) {
    boost::mp11::mp_for_each<MembersOf<T>>(
        [&](auto member) { f(std::string_view(member.name), member.of(a), member.of(b)); });
}

template <DescribedStruct T>
inline constexpr std::size_t member_count = boost::mp11::mp_size<MembersOf<T>>::value;

/// All enumerators, in order.
template <DescribedEnum E>
inline constexpr auto enumerators = []<class... Each>(boost::mp11::mp_list<Each...>) {
    return std::array<E, sizeof...(Each)>{Each::value...};
}(boost::mp11::mp_rename<boost::describe::describe_enumerators<E>, boost::mp11::mp_list>());

/// The enumerator's own name, or "?" for a value that has none.
template <DescribedEnum E>
std::string_view enum_name(E value) {
    const char* name = boost::describe::enum_to_string(value, "?");
    return name;
}

template <DescribedEnum E>
std::optional<E> enum_from_name(std::string_view text) {
    std::optional<E> found;
    boost::mp11::mp_for_each<boost::describe::describe_enumerators<E>>([&](auto enumerator) {
        if (text == enumerator.name) found = enumerator.value;
    });
    return found;
}

/// Whether a number from outside stands for one of its enumerators.
template <DescribedEnum E>
bool is_enumerator(std::uint64_t number) {
    bool found = false;
    boost::mp11::mp_for_each<boost::describe::describe_enumerators<E>>([&](auto enumerator) {
        if (number == static_cast<std::uint64_t>(enumerator.value)) found = true;
    });
    return found;
}

}  // namespace parley
