#include <fmt/format.h>

#include "abut/scene/check_specs.hpp"

namespace abut {

void check_whole(const SpringSpec& spring, const std::string& label, ProblemList& problems) {
  if (spring.is_unusable("stiffness") || spring.is_unusable("damping")) return;
  if (spring.stiffness == 0.0 && spring.damping == 0.0) {
    problems.add(spring.where, fmt::format("{} has neither stiffness [N/m] nor damping [N s/m]", label));
  }
}

void check_whole(const ForceSpec& force, const std::string& label, ProblemList& problems) {
  const bool has_constant = !force.force.isZero(0.0) || !force.torque.isZero(0.0) || force.has_key("force") ||
                            force.has_key("torque") || force.is_unusable("force") || force.is_unusable("torque");
  const bool has_table = is_given(force, "table", force.table);
  if (has_table && has_constant) {
    problems.add(force.location_of("table"), fmt::format("{} is given both as constant and as table", label));
  } else if (!has_table && !has_constant) {
    problems.add(force.where, fmt::format("{} gives neither force [N] nor torque [N m] nor table", label));
  }
}

}  // namespace abut
