#include "abut/multibody/turning.hpp"

#include <cmath>
#include <optional>

#include <Eigen/LU>

namespace abut {
namespace {

Mat3 make_cross_matrix(const Vec3& a) {
  Mat3 m;
  m << 0.0, -a.z(), a.y(), a.z(), 0.0, -a.x(), -a.y(), a.x(), 0.0;
  return m;
}

/// Newton's method from the explicit step; nothing where it does not settle.
std::optional<Vec3> solve_midpoint(const Mat3& inertia, const Vec3& w, const Vec3& torque, double h) {
  constexpr int kMost = 15;
  constexpr double kSettled = 4.0e-16;  // a few units in the last place
  Vec3 end = w + h * inertia.inverse() * (Vec3(inertia * w).cross(w) + torque);
  double last = HUGE_VAL;
  for (int k = 0; k < kMost; ++k) {
    const Vec3 mean = 0.5 * (w + end);
    const Vec3 residual = inertia * (end - w) - calc_gyroscopic_impulse(inertia, w, end, h) - h * torque;
    const Mat3 slope = inertia - 0.5 * h * (make_cross_matrix(inertia * mean) - make_cross_matrix(mean) * inertia);
    const Vec3 change = slope.inverse() * residual;
    if (!change.allFinite()) return std::nullopt;
    end -= change;
    const double size = change.norm();
    // Below the root of rounding a step that no longer shrinks has arrived.
    if (size <= kSettled * end.norm() || (size >= last && size <= 1e-12 * end.norm())) return end;
    last = size;
  }
  return std::nullopt;
}

}  // namespace

Vec3 calc_turned_spin(const Mat3& inertia, const Vec3& w, const Vec3& torque, double h) {
  constexpr double kMostTurn = 1.0;  // [rad] in a part of a step
  constexpr int kMostHalvings = 12;
  int parts = 1;
  while (h * w.norm() > kMostTurn * parts && parts < (1 << kMostHalvings)) parts *= 2;
  for (; parts <= (1 << kMostHalvings); parts *= 2) {
    std::optional<Vec3> end = w;
    for (int k = 0; k < parts && end; ++k) end = solve_midpoint(inertia, *end, torque, h / parts);
    if (end) return *end;
  }
  return w + h * inertia.inverse() * (Vec3(inertia * w).cross(w) + torque);
}

}  // namespace abut
