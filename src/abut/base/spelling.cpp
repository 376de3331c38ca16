#include "abut/base/spelling.hpp"

#include <algorithm>
#include <cctype>
#include <utility>

namespace abut {

namespace {

std::string to_lower(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return lower;
}

/// What other programs and textbooks call it, and what it is called here; the first that is allowed counts.
constexpr std::pair<std::string_view, std::string_view> kOtherNames[] = {
    {"ball", "sphere"},       {"cube", "box"},
    {"cuboid", "box"},        {"brick", "box"},
    {"block", "box"},         {"plane", "half-space"},
    {"ground", "half-space"}, {"floor", "half-space"},
    {"rod", "cylinder"},      {"disc", "cylinder"},
    {"disk", "cylinder"},     {"pill", "capsule"},
    {"ring", "torus"},        {"donut", "torus"},
    {"hull", "polyhedron"},   {"convex", "polyhedron"},
    {"hole", "bore"},         {"hinge", "revolute"},
    {"slider", "prismatic"},  {"mu", "mu_c"},
    {"mu", "mu_k"},           {"friction", "mu"},
    {"mu_d", "mu_c"},         {"e", "restitution"},
    {"cor", "restitution"},   {"k", "stiffness"},
    {"pos", "position"},      {"euler", "explicit"},
    {"dt", "step"},           {"timestep", "step"},
    {"time_step", "step"},    {"end_time", "duration"},
    {"angle", "degrees"},     {"position", "coordinates"},
    {"angle", "coordinates"}, {"velocity", "velocities"},
};

std::string find_other_name(std::string_view word, const std::vector<std::string>& candidates) {
  for (const auto& [other, ours] : kOtherNames) {
    if (word == other && std::find(candidates.begin(), candidates.end(), ours) != candidates.end())
      return std::string(ours);
  }
  return {};
}

}  // namespace

int edit_distance(std::string_view a, std::string_view b) {
  const std::size_t columns = b.size() + 1;
  std::vector<int> before_last(columns), last(columns), current(columns);
  for (std::size_t j = 0; j < columns; ++j) last[j] = static_cast<int>(j);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    current[0] = static_cast<int>(i);
    for (std::size_t j = 1; j < columns; ++j) {
      const int substitution = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      current[j] = std::min({last[j] + 1, current[j - 1] + 1, substitution});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) current[j] = std::min(current[j], before_last[j - 2] + 1);
    }
    std::swap(before_last, last);
    std::swap(last, current);
  }
  return last[b.size()];
}

std::string nearest_spelling(std::string_view word, const std::vector<std::string>& candidates) {
  const std::string plain_word = to_lower(word);
  if (std::string other = find_other_name(plain_word, candidates); !other.empty()) return other;
  // Half of a short word changed is another word: 'ball' is no slip for 'cell'.
  const int limit = std::max(1, std::min(static_cast<int>(word.size()) / 3 + 1, static_cast<int>(word.size() - 1) / 2));
  std::string best;
  int best_distance = limit + 1;
  for (const std::string& candidate : candidates) {
    // A difference in case alone is the smallest slip of all.
    const int distance = edit_distance(plain_word, to_lower(candidate));
    if (distance < best_distance) {
      best = candidate;
      best_distance = distance;
    }
  }
  return best;
}

}  // namespace abut
