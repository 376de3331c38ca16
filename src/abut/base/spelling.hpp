#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace abut {

/// Number of single-character insertions, deletions, substitutions and neighbour swaps that turn `a` into `b`.
int edit_distance(std::string_view a, std::string_view b);

/// The candidate that `word` is another name for, or the one closest to it; an empty string when none is close enough
/// to be a plausible misspelling.
std::string nearest_spelling(std::string_view word, const std::vector<std::string>& candidates);

}  // namespace abut
