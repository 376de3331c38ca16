#pragma once

#include <string>
#include <vector>

#include "abut/scene/scene_spec.hpp"

namespace abut {

/// One mistake in a scene: where, what, and a line that helps to mend it (may be empty).
struct Problem {
  SourceLocation where;
  std::string message;
  std::string hint;
  std::string found{};                 ///< the word or value, where it matters
  std::vector<std::string> allowed{};  ///< the words that may stand there, or what may, in words
};

/// All mistakes of a scene, in file order. Checks values, names, references, joints, laws; simulates nothing.
std::vector<Problem> validate(const SceneSpec& scene);

/// Orders by place in the file; problems without a place come first.
void sort_problems(std::vector<Problem>& problems);

}  // namespace abut
