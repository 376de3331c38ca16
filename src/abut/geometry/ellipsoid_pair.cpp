#include "abut/geometry/ellipsoid_pair.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <Eigen/LU>

namespace abut {
namespace {

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
constexpr int kMaxNewton = 100;
constexpr int kMaxHalvings = 30;
constexpr double kMaxTurn = 0.5;  // [rad] of one step: a fraction of the distance between neighbouring maxima

using Vec2d = Eigen::Vector2d;
using Mat2d = Eigen::Matrix2d;

/// Two ellipsoids as maps of the unit ball: U = diag(a) R', so that h(n) = |U n| without cancellation.
struct Problem {
  Vec3 d;  // c_A - c_B
  Mat3 U_a, U_b;
  double size;  // rounding errors of g are a few eps of this [m]
};

/// g and its derivatives in the plane spanned by two tangents.
struct Slab {
  double g;
  Vec3 s_a, s_b;  // support vectors, gradients of h
  Vec3 gradient;  // d - s_a - s_b
};

Slab calc_slab(const Problem& problem, const Vec3& n) {
  const Vec3 u_a = problem.U_a * n;
  const Vec3 u_b = problem.U_b * n;
  const double h_a = u_a.norm();
  const double h_b = u_b.norm();
  Slab slab;
  slab.s_a = problem.U_a.transpose() * u_a / h_a;
  slab.s_b = problem.U_b.transpose() * u_b / h_b;
  slab.gradient = problem.d - slab.s_a - slab.s_b;
  slab.g = n.dot(problem.d) - h_a - h_b;
  return slab;
}

/// Hessian of h(n) = |U n| on the tangents T: the radii of curvature of the surface, (T'QT - (T's)(T's)') / h.
Mat2d calc_support_hessian(const Mat3& U, const Vec3& s, const Vec3& n, const Eigen::Matrix<double, 3, 2>& T) {
  const Eigen::Matrix<double, 3, 2> UT = U * T;
  const Vec2d Ts = T.transpose() * s;
  return (UT.transpose() * UT - Ts * Ts.transpose()) / s.dot(n);
}

/// Ascent step in the tangent plane: K^-1 gradient, with the eigenvalues of K made positive. At a saddle, where the
/// gradient says nothing, it leaves along the direction of growth.
Vec2d calc_ascent_step(const Mat2d& K, const Vec2d& gradient, double size) {
  const double mean = 0.5 * (K(0, 0) + K(1, 1));
  const double half_difference = 0.5 * (K(0, 0) - K(1, 1));
  const double spread = std::hypot(half_difference, K(0, 1));
  // Eigenvector of the larger eigenvalue, from the half angle.
  const double angle = 0.5 * std::atan2(K(0, 1), half_difference);
  const Vec2d e_1(std::cos(angle), std::sin(angle));
  const Vec2d e_2(-e_1.y(), e_1.x());
  const double floor = 1e-12 * size;
  const double k_1 = std::max(std::abs(mean + spread), floor);
  const double k_2 = std::max(std::abs(mean - spread), floor);
  Vec2d step = e_1 * (e_1.dot(gradient) / k_1) + e_2 * (e_2.dot(gradient) / k_2);
  if (mean - spread < -1e-9 * size && gradient.norm() < 1e-9 * size) {
    step += (e_2.dot(gradient) >= 0.0 ? 0.2 : -0.2) * e_2;
  }
  const double length = step.norm();
  return length > kMaxTurn ? Vec2d(step * (kMaxTurn / length)) : step;
}

struct Maximum {
  Vec3 n;
  Slab slab;
  int iterations;
};

/// Local maximum of g reached from n by ascent.
Maximum climb(const Problem& problem, const Vec3& start) {
  Maximum best{start, calc_slab(problem, start), 0};
  const double noise = 4.0 * kEpsilon * problem.size;
  for (; best.iterations < kMaxNewton; ++best.iterations) {
    Eigen::Matrix<double, 3, 2> T;
    T.col(0) = any_perpendicular(best.n);
    T.col(1) = best.n.cross(T.col(0));
    const Mat2d K = calc_support_hessian(problem.U_a, best.slab.s_a, best.n, T) +
                    calc_support_hessian(problem.U_b, best.slab.s_b, best.n, T) + best.slab.g * Mat2d::Identity();
    const Vec2d gradient = T.transpose() * best.slab.gradient;
    const bool is_converged = gradient.norm() <= 0.5 * noise;
    if (is_converged && K.determinant() > 0.0 && K.trace() > 0.0) break;
    Vec2d step = calc_ascent_step(K, gradient, problem.size);

    // Far from the maximum g must grow; next to it g is flat to rounding and the gradient must shrink instead.
    bool is_better = false;
    for (int k = 0; k < kMaxHalvings && !is_better; ++k, step *= 0.5) {
      const Vec3 n = (best.n + T * step).normalized();
      const Slab slab = calc_slab(problem, n);
      const bool is_flat = std::abs(slab.g - best.slab.g) <= noise;
      is_better = is_flat ? tangential(slab.gradient, n).norm() < 0.5 * gradient.norm() : slab.g > best.slab.g;
      if (is_better) {
        best.n = n;
        best.slab = slab;
      }
    }
    if (!is_better) break;
  }
  return best;
}

/// Normal at which the ellipsoids, scaled alike about their centres, touch. With G = (1-s) Q_A + s Q_B and n = G^-1
/// d, the function s (1-s) d.n is concave and stationary where (1-s) h_A(n) = s h_B(n).
Vec3 calc_scaled_contact_normal(const Problem& problem) {
  const Mat3 Q_a = problem.U_a.transpose() * problem.U_a;
  const Mat3 Q_b = problem.U_b.transpose() * problem.U_b;
  double low = 0.0;
  double high = 1.0;
  double s = 0.5;
  Vec3 n = problem.d;
  for (int i = 0; i < 60; ++i) {
    const Mat3 inverse = Mat3((1.0 - s) * Q_a + s * Q_b).inverse();
    n = inverse * problem.d;
    const double q_a = n.dot(Q_a * n);
    const double q_b = n.dot(Q_b * n);
    const double slope = (1.0 - s) * (1.0 - s) * q_a - s * s * q_b;
    (slope >= 0.0 ? low : high) = s;
    const Vec3 dn = inverse * Vec3((Q_a - Q_b) * n);
    const double curvature =
        2.0 * ((1.0 - s) * (1.0 - s) * n.dot(Q_a * dn) - s * s * n.dot(Q_b * dn) - (1.0 - s) * q_a - s * q_b);
    double next = s - slope / curvature;
    if (!(next > low && next < high)) next = 0.5 * (low + high);
    const double change = std::abs(next - s);
    s = next;
    if (change < 1e-13) break;
  }
  return n.normalized();
}

/// Best of the six axes, for ellipsoids without a direction between their centres.
Vec3 calc_best_axis(const Problem& problem, const Mat3& R_a, const Mat3& R_b) {
  Vec3 best = R_a.col(0);
  for (const Mat3* R : {&R_a, &R_b}) {
    for (int i = 0; i < 3; ++i) {
      const Vec3 axis = R->col(i);
      if (calc_slab(problem, axis).g > calc_slab(problem, best).g) best = axis;
    }
  }
  return best;
}

}  // namespace

EllipsoidContact calc_ellipsoid_ellipsoid(const Ellipsoid& a, const Pose& X_WA, const Ellipsoid& b, const Pose& X_WB,
                                          const Vec3* last_normal) {
  Problem problem;
  problem.d = X_WA.p - X_WB.p;
  problem.U_a = a.semi_axes.asDiagonal() * X_WA.R.transpose();
  problem.U_b = b.semi_axes.asDiagonal() * X_WB.R.transpose();
  problem.size = problem.d.norm() + a.semi_axes.maxCoeff() + b.semi_axes.maxCoeff();

  Maximum best;
  best.slab.g = -1.0;
  best.iterations = 0;
  if (last_normal != nullptr) best = climb(problem, *last_normal);
  if (!(best.slab.g > 0.0)) {
    const bool is_concentric = problem.d.norm() <= 1e-12 * problem.size;
    const Vec3 start = is_concentric ? calc_best_axis(problem, X_WA.R, X_WB.R) : calc_scaled_contact_normal(problem);
    const int spent = best.iterations;
    best = climb(problem, start);
    best.iterations += spent;
  }

  EllipsoidContact result;
  result.point_a = X_WA.p - best.slab.s_a;
  result.point_b = X_WB.p + best.slab.s_b;
  result.contact = {best.slab.g, best.n, 0.5 * (result.point_a + result.point_b)};
  result.iterations = best.iterations;
  return result;
}

}  // namespace abut
