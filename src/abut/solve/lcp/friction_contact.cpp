#include "abut/solve/lcp/friction_contact.hpp"

#include <algorithm>

#include <Eigen/Eigenvalues>
#include <Eigen/LU>

#include "abut/math/bracketed_root.hpp"
#include "abut/solve/lcp/polygon_friction.hpp"
#include "abut/solve/lcp/solve_lcp.hpp"

namespace abut {

namespace {

using Mat2 = Eigen::Matrix2d;

/// A^-1 b of a symmetric positive semi-definite A, without its directions that a joint blocks: there is no slip along
/// them, and no impulse is needed to keep it so.
Vec2 solve_movable(const Mat2& A, const Vec2& b) {
  constexpr double kBlocked = 1e-10;  // of the mobility of the other; rounding leaves 1e-16
  const Eigen::SelfAdjointEigenSolver<Mat2> axes(A);
  Vec2 x = Vec2::Zero();
  for (int k = 0; k < 2; ++k) {
    if (axes.eigenvalues()[k] <= kBlocked * axes.eigenvalues()[1]) continue;
    x += axes.eigenvectors().col(k) * (axes.eigenvectors().col(k).dot(b) / axes.eigenvalues()[k]);
  }
  return x;
}

/// The impulses that end all motion at the contact, its tangential part eliminated last.
Vec3 solve_stick(const Mat3& W, const Vec3& b) {
  const Vec2 W_tn = W.block<2, 1>(1, 0);
  const Mat2 W_t = W.block<2, 2>(1, 1) - W_tn * W_tn.transpose() / W(0, 0);
  const Vec2 x_t = -solve_movable(W_t, b.tail<2>() - W_tn * (b[0] / W(0, 0)));
  return Vec3(-(b[0] + W_tn.dot(x_t)) / W(0, 0), x_t.x(), x_t.y());
}

/// The impulses of a slip of a times the friction impulse, x_t(a) = -(W_T + a)^-1 b_T, at the a > 0 at which |x_T| =
/// mu x_n. excess() is positive at `low` and no more at `high`.
template <class Calc>
Vec3 find_slip(const Calc& calc, double low, double high, double mu) {
  const auto excess = [&](const Vec3& x) { return x.tail<2>().norm() - mu * x[0]; };
  Vec3 x = calc(high);
  Chord chord{low, excess(calc(low)), high, excess(x)};
  for (int k = 0; k < 200 && chord.x_1 - chord.x_0 > 1e-16 * chord.x_1; ++k) {
    const double a = chord.root_between();
    if (!(a > chord.x_0 && a < chord.x_1)) break;
    x = calc(a);
    const double f = excess(x);
    if (std::abs(f) <= 1e-16 * std::abs(x[0])) break;
    f > 0.0 ? chord.pull_first(a, f) : chord.pull_second(a, f);
  }
  // On the circle to the last bit, whatever the root's.
  const double size = x.tail<2>().norm();
  if (size > 0.0) x.tail<2>() *= mu * std::max(0.0, x[0]) / size;
  return x;
}

/// Slip: with w_n = 0 eliminated, x_T = -(W_T + a)^-1 b_T for the a > 0 at which |x_T| = mu x_n; a is slip speed over
/// friction impulse. The difference of the two sides is positive at a = 0, where stick was found too strong, and
/// negative for large a.
Vec3 solve_slip(const Mat3& W, const Vec3& b, double mu) {
  const Vec2 W_tn = W.block<2, 1>(1, 0);
  const Mat2 W_t = W.block<2, 2>(1, 1) - W_tn * W_tn.transpose() / W(0, 0);
  const Vec2 b_t = b.tail<2>() - W_tn * (b[0] / W(0, 0));
  const auto calc = [&](double a) {
    // At a = 0 a direction that cannot move takes no part.
    const Vec2 x_t = a > 0.0 ? Vec2(-((W_t + a * Mat2::Identity()).inverse() * b_t)) : Vec2(-solve_movable(W_t, b_t));
    const double x_n = -(b[0] + W_tn.dot(x_t)) / W(0, 0);
    return Vec3(x_n, x_t.x(), x_t.y());
  };
  double low = 0.0, high = W_t.trace();
  for (int k = 0; k < 200; ++k) {
    const Vec3 x = calc(high);
    if (!(x.tail<2>().norm() > mu * x[0])) break;
    low = high;
    high *= 4.0;
  }
  return find_slip(calc, low, high, mu);
}

/// A joint may tie the slip to the normal motion, as a guide across which a body strikes an inclined face: once the
/// normal speed is given the slip is, and no friction changes it. Such a contact cannot stick.
class TiedSlip {
 public:
  TiedSlip(const Mat3& W, const Vec3& b)
      : W_nn_(W(0, 0)), b_n_(b[0]), W_tn_(W.block<2, 1>(1, 0)), axes_(make_tangential(W)) {
    constexpr double kRounding = 1e-12;  // of W, whose parts cancel
    const Vec2 b_t = b.tail<2>() - W_tn_ * (b_n_ / W_nn_);
    for (int k = 0; k < 2; ++k) {
      slip_[k] = axes_.eigenvectors().col(k).dot(b_t);
      if (axes_.eigenvalues()[k] > kRounding * W.trace()) {
        mobility_[k] = axes_.eigenvalues()[k];
      } else {
        tied_ += std::abs(slip_[k]);
      }
    }
  }

  /// Whether some direction may be tied: cheap, and false for bodies that move freely.
  static bool may_tie(const Mat3& W) {
    constexpr double kNext = 1e-10;
    return make_tangential(W).determinant() <= kNext * W.trace() * W.trace();
  }
  bool is_tied(double speed) const { return tied_ > 1e-9 * speed; }

  /// Friction opposes the slip that there is. Where it would press the contact together without end (Painleve), there
  /// is no such impulse, and none is taken.
  Vec3 solve(double scale, double mu) const {
    const auto calc = [this](double a) {
      Vec2 x_t = Vec2::Zero();
      for (int k = 0; k < 2; ++k) x_t -= axes_.eigenvectors().col(k) * (slip_[k] / (mobility_[k] + a));
      return Vec3(-(b_n_ + W_tn_.dot(x_t)) / W_nn_, x_t.x(), x_t.y());
    };
    const auto is_outside = [&](double a) {
      const Vec3 x = calc(a);
      return x.tail<2>().norm() > mu * x[0];
    };
    double low = scale, high = scale;
    for (int k = 0; k < 100 && is_outside(high); ++k) high *= 4.0;
    for (int k = 0; k < 100 && !is_outside(low); ++k) low *= 0.25;
    if (is_outside(high) || !is_outside(low)) return Vec3(-b_n_ / W_nn_, 0.0, 0.0);
    return find_slip(calc, low, high, mu);
  }

 private:
  static Mat2 make_tangential(const Mat3& W) {
    const Vec2 W_tn = W.block<2, 1>(1, 0);
    return W.block<2, 2>(1, 1) - W_tn * W_tn.transpose() / W(0, 0);
  }

  double W_nn_, b_n_;
  Vec2 W_tn_;
  Eigen::SelfAdjointEigenSolver<Mat2> axes_;  ///< of the tangential mobility at a given normal speed
  Vec2 mobility_ = Vec2::Zero(), slip_ = Vec2::Zero();
  double tied_ = 0.0;  ///< slip that no friction changes [m/s]
};

Vec3 solve_circle(const Mat3& W, const Vec3& b, double mu) {
  if (b[0] >= 0.0) return Vec3::Zero();
  if (mu == 0.0) return Vec3(-b[0] / W(0, 0), 0.0, 0.0);
  if (TiedSlip::may_tie(W)) {
    if (const TiedSlip slip(W, b); slip.is_tied(b.norm())) return slip.solve(W.trace(), mu);
  }
  const Vec3 stick = solve_stick(W, b);
  if (stick[0] >= 0.0 && stick.tail<2>().norm() <= mu * stick[0]) return stick;
  return solve_slip(W, b, mu);
}

Vec3 solve_small_problem(const FrictionContact& contact, const Mat3& W, const Vec3& b) {
  BoundedLcp problem;
  problem.A = W;
  problem.b = b;
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  problem.lower = Vec3(0.0, -kInfinity, -kInfinity);
  problem.upper = Vec3::Constant(kInfinity);
  if (contact.cone == FrictionCone::box) {
    problem.couplings = {{1, 0, contact.mu}, {2, 0, contact.mu}};
    return solve_lcp(problem).x;
  }
  FrictionContact local = contact;
  local.row = 0;
  const PolygonProblem polygon = make_polygon_problem(problem, {&local, 1});
  return polygon.to_rows * solve_lcp(polygon.lcp).x;
}

}  // namespace

Vec3 solve_single_contact(const FrictionContact& contact, const Mat3& W, const Vec3& b) {
  if (contact.cone == FrictionCone::circle) return solve_circle(W, b, contact.mu);
  if (b[0] >= 0.0) return Vec3::Zero();
  return solve_small_problem(contact, W, b);
}

double calc_contact_residual(const FrictionContact& contact, const Vec3& x, const Vec3& w, double diagonal) {
  const double limit = contact.mu * std::max(0.0, x[0]);
  const double normal = std::abs(std::min(diagonal * x[0], w[0]));
  const Vec2 x_t = x.tail<2>(), w_t = w.tail<2>();
  double tangential = 0.0;
  switch (contact.cone) {
    case FrictionCone::box: {
      for (int k = 0; k < 2; ++k) {
        const double low = diagonal * (x_t[k] + limit), high = diagonal * (x_t[k] - limit);
        tangential = std::max(tangential, std::abs(std::clamp(w_t[k], high, std::max(high, low))));
      }
      break;
    }
    case FrictionCone::polygon: {
      // Missing dissipation for the most opposed corner, and distance outside the polygon along its normals.
      double most = 0.0, outside = 0.0;
      for (int k = 0; k < contact.facets; ++k) {
        const Vec2 corner = calc_facet_direction(contact, k), next = calc_facet_direction(contact, k + 1);
        most = std::max(most, -corner.dot(w_t));
        const Vec2 middle = 0.5 * (corner + next);
        outside = std::max(outside, x_t.dot(middle) / middle.norm() - limit * middle.norm());
      }
      const double missing = limit > 0.0 ? most + x_t.dot(w_t) / limit : 0.0;
      tangential = std::max(std::abs(missing), diagonal * outside);
      if (limit > 0.0) tangential = std::max(diagonal * outside, std::min(std::abs(missing), w_t.norm()));
      break;
    }
    case FrictionCone::circle: {
      const Vec2 shifted = diagonal * x_t - w_t;
      const double length = shifted.norm(), radius = diagonal * limit;
      const Vec2 projected = length > radius ? Vec2(shifted * (radius / length)) : shifted;
      tangential = (diagonal * x_t - projected).norm();
      break;
    }
  }
  return std::max(normal, tangential);
}

}  // namespace abut
