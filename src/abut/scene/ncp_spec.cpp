#include "abut/scene/ncp_spec.hpp"

#include <fmt/format.h>

#include "abut/scene/problem_list.hpp"

namespace abut {

void check_whole(const NcpSpec& ncp, const std::string& label, ProblemList& problems) {
  const auto refuse = [&](const char* key, const Vec3& value, const char* rule) {
    problems.add(ncp.location_of(key), fmt::format("{} must be {}, found [{}, {}, {}], in {}", key, rule, value.x(),
                                                   value.y(), value.z(), label));
  };
  if (!(ncp.stiffness.minCoeff() > 0.0)) refuse("stiffness", ncp.stiffness, "positive");
  if (ncp.damping && !(ncp.damping->minCoeff() >= 0.0)) refuse("damping", *ncp.damping, "not negative");
  if (!(ncp.ellipsoid.minCoeff() >= 0.0)) refuse("ellipsoid", ncp.ellipsoid, "not negative");
}

}  // namespace abut
