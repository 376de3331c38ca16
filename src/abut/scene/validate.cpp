#include "abut/scene/validate.hpp"

#include <algorithm>
#include <string_view>

#include "abut/scene/check_fields.hpp"
#include "abut/scene/check_specs.hpp"
#include "abut/scene/problem_list.hpp"

namespace abut {
Defect split_defect(const std::string& text) {
  constexpr std::string_view kMust = "must be ", kFound = ", found ";
  const std::size_t begin = text.starts_with(kMust) ? kMust.size() : 0;
  const std::size_t end = std::min(text.find(kFound), text.size());
  return {text.substr(begin, end - begin), end == text.size() ? std::string() : text.substr(end + kFound.size())};
}

std::vector<Problem> validate(const SceneSpec& scene) {
  ProblemList list;
  FieldChecker checker(scene, "", list);
  visit_fields(checker, scene);
  check_names(scene, list);
  check_joint_tree(scene, list);
  check_couplings(scene, list);
  check_loads(scene, list);
  check_contacts(scene, list);
  check_controllers(scene, list);
  check_sensors(scene, list);
  check_fmu(scene, list);
  std::vector<Problem> problems = list.take();
  sort_problems(problems);
  return problems;
}

}  // namespace abut
