// Config: the known word that a person most likely meant by an unknown one.

#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace parley::config {

/// How many letters must be added, dropped, replaced or swapped with their neighbour to turn one
/// word into the other. Words are cut at 64 letters.
int edit_distance(std::string_view a, std::string_view b);

/// The nearest of `known`, or nothing if none is near. Near means that at most a third of the
/// letters differ; one letter always may, and so may a unit at the end (`cpu` for `cpu_m`). `-` and
/// `_` count as equal. Among equally near words the first is taken.
std::string nearest(std::string_view word, std::span<const std::string> known);

/// "no trace is called "grid500"; did you mean grid5000?", or a list of the known words.
std::string none_called(std::string_view what, const std::string& word,
                        std::span<const std::string> known);

/// "a, b and c"; for a choice between them "a, b or c".
std::string listed(std::span<const std::string> words, std::string_view last = "and");

}  // namespace parley::config
