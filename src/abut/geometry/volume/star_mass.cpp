#include "abut/geometry/volume/star_mass.hpp"

#include <algorithm>
#include <cmath>

#include "abut/math/gauss_rule.hpp"

namespace abut {

namespace {

constexpr int kNumPoints = 2 * kUpperGauss8.size();
/// 6 x 32^2 panels of 64 rays: 393,216, a second for six planes.
constexpr int kMaxPanels = 32;

/// Of the rule on [0, 1].
double node(int k) { return 0.5 + 0.5 * (k % 2 == 0 ? kUpperGauss8[k / 2].x : -kUpperGauss8[k / 2].x); }
double weight(int k) { return 0.5 * kUpperGauss8[k / 2].weight; }

struct Moments {
  double volume = 0.0;
  Vec3 first = Vec3::Zero();
  Mat3 second = Mat3::Zero();
};

/// Adds what lies behind the face of the cube |x| = 1 with the given axis and sign.
void add_face(const ImplicitSurface& surface, int axis, double sign, int num_panels, Moments& sum) {
  const double width = 2.0 / num_panels;
  double r = 1e-3;  // the next ray's is much the same
  for (int i = 0; i < num_panels * kNumPoints; ++i) {
    for (int j = 0; j < num_panels * kNumPoints; ++j) {
      const double a = -1.0 + width * (i / kNumPoints + node(i % kNumPoints));
      const double b = -1.0 + width * (j / kNumPoints + node(j % kNumPoints));
      Vec3 ray;
      ray[axis] = sign;
      ray[(axis + 1) % 3] = a;
      ray[(axis + 2) % 3] = b;
      const double length = ray.norm();
      ray /= length;
      const double angle = width * width * weight(i % kNumPoints) * weight(j % kNumPoints) / (length * length * length);
      r = surface.calc_reach(ray, r);
      const double r3 = r * r * r;
      sum.volume += angle * r3 / 3.0;
      sum.first += angle * r3 * r / 4.0 * ray;
      sum.second += angle * r3 * r * r / 5.0 * ray * ray.transpose();
    }
  }
}

Moments calc_moments(const ImplicitSurface& surface, int num_panels) {
  Moments sum;
  for (int axis = 0; axis < 3; ++axis) {
    for (const double sign : {1.0, -1.0}) add_face(surface, axis, sign, num_panels, sum);
  }
  return sum;
}

double calc_change(const Moments& a, const Moments& b) {
  const double size = std::sqrt(b.second.trace() / b.volume);
  return std::max({std::abs(a.volume - b.volume) / b.volume, (a.first - b.first).norm() / (b.volume * size),
                   (a.second - b.second).norm() / b.second.norm()});
}

}  // namespace

StarMass calc_star_mass(const ImplicitSurface& surface, double density, double tolerance) {
  StarMass result;
  Moments moments = calc_moments(surface, 2);
  for (int panels = 4; panels <= kMaxPanels; panels *= 2) {
    const Moments finer = calc_moments(surface, panels);
    result.relative_error = calc_change(moments, finer);
    result.num_rays = 6 * panels * panels * kNumPoints * kNumPoints;
    moments = finer;
    if (result.relative_error <= tolerance) break;
  }
  const Vec3 center = moments.first / moments.volume;
  const Mat3 central = moments.second - moments.volume * center * center.transpose();
  result.properties.mass = density * moments.volume;
  result.properties.center_of_mass = center;
  result.properties.inertia = density * (central.trace() * Mat3::Identity() - central);
  return result;
}

}  // namespace abut
