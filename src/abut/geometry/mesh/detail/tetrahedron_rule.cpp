#include "abut/geometry/mesh/detail/tetrahedron_rule.hpp"

#include <array>
#include <cmath>

#include <Eigen/Eigenvalues>

#include "abut/base/error.hpp"

namespace abut::detail {
namespace {

struct Node {
  double x, weight;
};

/// Gauss rule on [0, 1] for the weight x^k, from the Jacobi matrix of its orthogonal polynomials (Golub and Welsch).
std::vector<Node> make_jacobi_rule(int n, int k) {
  MatX jacobi = MatX::Zero(n, n);
  const double b = k;  // Jacobi weight (1 + s)^b on [-1, 1]
  for (int i = 0; i < n; ++i) {
    const double m = 2.0 * i + b;
    jacobi(i, i) = i == 0 ? b / (b + 2.0) : b * b / (m * (m + 2.0));
    if (i == 0) continue;
    const double top = 4.0 * i * i * (i + b) * (i + b);
    const double off =
        i == 1 ? 4.0 * (1.0 + b) / ((2.0 + b) * (2.0 + b) * (3.0 + b)) : top / (m * m * (m + 1.0) * (m - 1.0));
    jacobi(i, i - 1) = jacobi(i - 1, i) = std::sqrt(off);
  }
  const Eigen::SelfAdjointEigenSolver<MatX> solver(jacobi);
  std::vector<Node> nodes;
  for (int i = 0; i < n; ++i) {
    const double first = solver.eigenvectors()(0, i);
    nodes.push_back({0.5 * (1.0 + solver.eigenvalues()[i]), first * first / (k + 1.0)});
  }
  return nodes;
}

}  // namespace

TetrahedronRule::TetrahedronRule(int n) {
  ABUT_REQUIRE(n >= 1 && n <= 5, "a tetrahedron rule of {} points a direction", n);
  // point = apex + r ((1 - s) a + s ((1 - t) b + t c)) has the volume element 6 V r^2 s dr ds dt
  for (const Node& r : make_jacobi_rule(n, 2)) {
    for (const Node& s : make_jacobi_rule(n, 1)) {
      for (const Node& t : make_jacobi_rule(n, 0)) {
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
