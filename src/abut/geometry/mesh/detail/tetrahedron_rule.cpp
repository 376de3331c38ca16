#include "abut/geometry/mesh/detail/tetrahedron_rule.hpp"

#include <array>

#include "abut/base/error.hpp"
#include "abut/math/gauss_rule.hpp"

namespace abut::detail {
TetrahedronRule::TetrahedronRule(int n) {
  ABUT_REQUIRE(n >= 1 && n <= 5, "a tetrahedron rule of {} points a direction", n);
  // point = apex + r ((1 - s) a + s ((1 - t) b + t c)) has the volume element 6 V r^2 s dr ds dt
  for (const RuleNode& r : calc_jacobi_rule(n, 2)) {
    for (const RuleNode& s : calc_jacobi_rule(n, 1)) {
      for (const RuleNode& t : calc_jacobi_rule(n, 0)) {
        points_.push_back(
            {r.x * (1.0 - s.x), r.x * s.x * (1.0 - t.x), r.x * s.x * t.x, 6.0 * r.weight * s.weight * t.weight});
      }
    }
  }
}

const TetrahedronRule& TetrahedronRule::get(int n) {
  static const std::array<TetrahedronRule, 5> kRules = {TetrahedronRule(1), TetrahedronRule(2), TetrahedronRule(3),
                                                        TetrahedronRule(4), TetrahedronRule(5)};
  ABUT_REQUIRE(n >= 1 && n <= 5, "a tetrahedron rule of {} points a direction", n);
  return kRules[static_cast<std::size_t>(n - 1)];
}

void TetrahedronRule::add_samples(const Vec3& apex, const Vec3& a, const Vec3& b, const Vec3& c, double weight,
                                  const Pose& X_WA, std::vector<VolumeSample>& samples) const {
  const Vec3 u = a - apex, v = b - apex, w = c - apex;
  const double volume = weight * u.dot(v.cross(w)) / 6.0;
  if (volume == 0.0) return;
  for (const Point& point : points_) {
    samples.push_back({X_WA * Vec3(apex + point.a * u + point.b * v + point.c * w), point.share * volume});
  }
}

}  // namespace abut::detail
