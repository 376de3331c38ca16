#include "abut/contact/region/principal_normal.hpp"

#include <algorithm>
#include <cmath>

#include <Eigen/Eigenvalues>

namespace abut {

namespace {

constexpr double kIllDefined = 0.02;
constexpr double kWellDefined = 0.1;

double calc_smooth_step(double x) {
  const double t = std::clamp(x, 0.0, 1.0);
  return t * t * (3.0 - 2.0 * t);
}

}  // namespace

PrincipalNormal calc_principal_normal(const Mat3& inertia, const Vec3& geometric, const Vec3& previous, double memory) {
  const double trace = inertia.trace();
  if (!(trace > 0.0)) return {geometric, 0.0};
  const Eigen::SelfAdjointEigenSolver<Mat3> axes(inertia / trace);
  const Vec3 guess = previous.isZero() ? geometric : Vec3((1.0 - memory) * geometric + memory * previous);
  int chosen = 0;
  (axes.eigenvectors().transpose() * guess).cwiseAbs().maxCoeff(&chosen);
  Vec3 axis = axes.eigenvectors().col(chosen);
  if (axis.dot(guess) < 0.0) axis = -axis;

  // Eigenvalues of the inertia are sums of two second moments: m_i = (tr J)/2 - J_i.
  const Vec3 moments = (Vec3::Constant(0.5) - axes.eigenvalues()).cwiseMax(0.0);
  double definition = 1.0;
  for (int k = 0; k < 3; ++k) {
    if (k == chosen) continue;
    const double sum = moments[k] + moments[chosen];
    definition = std::min(definition, sum > 0.0 ? std::abs(moments[k] - moments[chosen]) / sum : 0.0);
  }
  const double weight = calc_smooth_step((definition - kIllDefined) / (kWellDefined - kIllDefined));
  if (weight == 1.0) return {axis, definition};
  const Vec3 blend = weight * axis + (1.0 - weight) * geometric;
  return {blend.norm() > 0.0 ? Vec3(blend.normalized()) : geometric, definition};
}

}  // namespace abut
