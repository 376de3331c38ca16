#include "abut/geometry/opposed_points.hpp"

#include <algorithm>
#include <cmath>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>

namespace abut {

namespace {

using Basis = Eigen::Matrix<double, 3, 2>;

/// Radii of curvature of a surface at one of its points, as a form on two world tangents [m]; flat or sharp spots are
/// limited to a range about the size of the body.
Eigen::Matrix2d calc_radii(const ImplicitSurface& surface, const Pose& X, const Vec3& point, const Basis& tangents) {
  const Vec3 p = X.inverse() * point;
  const Basis local = X.R.transpose() * tangents;
  const double size = std::max(p.norm(), 1e-300);
  const Eigen::Matrix2d bend = local.transpose() * surface.calc_hessian(p) * local / surface.gradient(p).norm();
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix2d> split(bend);
  const Vec2 radii = (split.eigenvalues() * size).cwiseMax(1e-3).cwiseMin(1e6).cwiseInverse() * size;
  return split.eigenvectors() * radii.asDiagonal() * split.eigenvectors().transpose();
}

class Search {
 public:
  Search(const ImplicitSurface& f, const Pose& X_W1, const ImplicitSurface& g, const Pose& X_W2)
      : f_(f), g_(g), X_W1_(X_W1), X_W2_(X_W2) {}

  OpposedPoints evaluate(const Vec3& n) const {
    OpposedPoints points;
    points.normal = n;
    points.a2 = X_W2_ * g_.calc_support(X_W2_.R.transpose() * n);
    points.a1 = X_W1_ * f_.calc_support(X_W1_.R.transpose() * -n);
    points.gap = (points.a1 - points.a2).dot(n);
    return points;
  }

  double calc_size(const OpposedPoints& at) const { return (at.a1 - X_W1_.p).norm() + (at.a2 - X_W2_.p).norm(); }

  static Vec3 calc_slope(const OpposedPoints& at) { return tangential(at.a1 - at.a2, at.normal); }

  /// Takes the trial if it is better. Near the maximum the gap no longer tells directions apart; its slope does.
  bool accept(const Vec3& n, OpposedPoints& best) const {
    const OpposedPoints trial = evaluate(n.normalized());
    const double noise = 1e-14 * calc_size(best);
    const bool is_level = trial.gap >= best.gap - noise && calc_slope(trial).norm() < calc_slope(best).norm();
    if (!(trial.gap > best.gap + noise) && !is_level) return false;
    best = trial;
    return true;
  }

  /// The slope changes by -(R1 + R2 + gap) with a small turn of the normal, R the radii of curvature. The damping, a
  /// length over the size, shortens the turn where these change on the way.
  bool try_newton(double damping, OpposedPoints& best) const {
    Basis tangents;
    tangents.col(0) = any_perpendicular(best.normal);
    tangents.col(1) = best.normal.cross(tangents.col(0));
    Eigen::Matrix2d change = calc_radii(f_, X_W1_, best.a1, tangents) + calc_radii(g_, X_W2_, best.a2, tangents);
    change.diagonal().array() += best.gap + damping * calc_size(best);
    const Eigen::LDLT<Eigen::Matrix2d> factors(change);
    if (!factors.isPositive() || factors.info() != Eigen::Success) return false;
    const Vec2 turn = factors.solve(Vec2(tangents.transpose() * calc_slope(best)));
    if (!turn.allFinite() || turn.norm() > 1.0) return false;
    return accept(best.normal + tangents * turn, best);
  }

 private:
  const ImplicitSurface &f_, &g_;
  const Pose &X_W1_, &X_W2_;
};

/// The conditions of opposed points themselves, in the points and their distance: flat spots and edges, where supports
/// jump with the direction, are smooth in them. Least squares with zero residual, by Levenberg and Marquardt's steps.
class PointEquations {
 public:
  using Unknowns = Eigen::Matrix<double, 7, 1>;  ///< a1, a2, gap [m]
  using Residual = Eigen::Matrix<double, 8, 1>;  ///< sum of normals, line between the points and surfaces over the size
  using Slopes = Eigen::Matrix<double, 8, 7>;

  PointEquations(const ImplicitSurface& f, const Pose& X_W1, const ImplicitSurface& g, const Pose& X_W2, double size)
      : f_(f), g_(g), X_W1_(X_W1), X_W2_(X_W2), size_(size) {}

  Residual calc(const Unknowns& z, Slopes* slopes) const {
    const Side one = calc_side(f_, X_W1_, z.head<3>(), slopes != nullptr);
    const Side two = calc_side(g_, X_W2_, z.segment<3>(3), slopes != nullptr);
    Residual r;
    r << one.normal + two.normal, (z.head<3>() - z.segment<3>(3) - z[6] * two.normal) / size_, one.height / size_,
        two.height / size_;
    if (slopes == nullptr) return r;
    slopes->setZero();
    slopes->block<3, 3>(0, 0) = one.bend;
    slopes->block<3, 3>(0, 3) = two.bend;
    slopes->block<3, 3>(3, 0) = Mat3::Identity() / size_;
    slopes->block<3, 3>(3, 3) = -(Mat3::Identity() + z[6] * two.bend) / size_;
    slopes->block<3, 1>(3, 6) = -two.normal / size_;
    slopes->block<1, 3>(6, 0) = one.normal.transpose() / size_;
    slopes->block<1, 3>(7, 3) = two.normal.transpose() / size_;
    return r;
  }

  /// From a guess; the best found.
  OpposedPoints solve(const OpposedPoints& guess) const {
    Unknowns z;
    z << guess.a1, guess.a2, guess.gap;
    Slopes slopes;
    Residual r = calc(z, &slopes);
    double damping = 1e-3;
    for (int k = 0; k < 100 && r.norm() > 1e-14 && damping < 1e12; ++k) {
      Eigen::Matrix<double, 7, 7> normal = slopes.transpose() * slopes;
      normal.diagonal().array() += damping / (size_ * size_);
      const Unknowns trial = z - normal.ldlt().solve(Unknowns(slopes.transpose() * r));
      const Residual left = calc(trial, nullptr);
      if (left.norm() < r.norm()) {
        z = trial;
        r = calc(z, &slopes);
        damping *= 0.1;
      } else {
        damping = std::max(1e-9, 10.0 * damping);
      }
    }
    OpposedPoints points;
    points.a1 = z.head<3>();
    points.a2 = z.segment<3>(3);
    points.normal = X_W2_.R * g_.calc_normal(X_W2_.inverse() * points.a2);
    points.gap = (points.a1 - points.a2).dot(points.normal);
    // A flat spot leaves the place of the points to half the digits, and the normals to all.
    points.is_converged = r.norm() <= 1e-9;
    return points;
  }

 private:
  struct Side {
    Vec3 normal = Vec3::Zero();
    Mat3 bend = Mat3::Zero();  ///< of the normal [1/m]
    double height = 0.0;       ///< above the surface, to first order [m]
  };
  static Side calc_side(const ImplicitSurface& surface, const Pose& X, const Vec3& point, bool needs_bend) {
    const Vec3 p = X.inverse() * point;
    const Vec3 gradient = X.R * surface.gradient(p);
    const double slope = gradient.norm();
    Side side;
    side.normal = gradient / slope;
    side.height = surface.value(p) / slope;
    if (needs_bend) {
      const Mat3 hessian = X.R * surface.calc_hessian(p) * X.R.transpose() / slope;
      side.bend = hessian - side.normal * (side.normal.transpose() * hessian);
    }
    return side;
  }

  const ImplicitSurface &f_, &g_;
  const Pose &X_W1_, &X_W2_;
  double size_;
};

/// A plane decides the normal.
OpposedPoints find_on_plane(const ImplicitSurface& f, const Pose& X_W1, const ImplicitSurface& g, const Pose& X_W2) {
  const auto* plane_1 = std::get_if<HalfSpace>(&f.kind());
  const auto* plane_2 = std::get_if<HalfSpace>(&g.kind());
  OpposedPoints points;
  points.is_converged = true;
  if (plane_2 != nullptr) {
    points.normal = X_W2.R * plane_2->normal;
    points.a1 = X_W1 * f.calc_support(X_W1.R.transpose() * -points.normal);
    points.a2 = X_W2 * g.calc_support(plane_2->normal, 0.0, X_W2.inverse() * points.a1);
  } else {
    points.normal = -(X_W1.R * plane_1->normal);
    points.a2 = X_W2 * g.calc_support(X_W2.R.transpose() * points.normal);
    points.a1 = X_W1 * f.calc_support(plane_1->normal, 0.0, X_W1.inverse() * points.a2);
  }
  points.gap = (points.a1 - points.a2).dot(points.normal);
  return points;
}

}  // namespace

OpposedPoints find_opposed_points(const ImplicitSurface& f, const Pose& X_W1, const ImplicitSurface& g,
                                  const Pose& X_W2, const Vec3& start) {
  if (std::holds_alternative<HalfSpace>(f.kind()) || std::holds_alternative<HalfSpace>(g.kind())) {
    return find_on_plane(f, X_W1, g, X_W2);
  }
  const Search search(f, X_W1, g, X_W2);
  OpposedPoints best = search.evaluate(start.normalized());
  // The gradient of the gap over directions is the tangential part of a1 - a2.
  double step = 1.0 / std::max(1e-300, (best.a1 - best.a2).norm()), damping = 0.0;
  const auto equations = [&](const OpposedPoints& at) {
    return PointEquations(f, X_W1, g, X_W2, search.calc_size(at));
  };
  constexpr int kFewSteps = 12;
  for (int k = 0; k < 500; ++k) {
    const Vec3 slope = Search::calc_slope(best);
    if (slope.norm() <= 1e-11 * search.calc_size(best)) {
      best.is_converged = true;
      const OpposedPoints points = equations(best).solve(best);
      return points.is_converged && std::abs(points.gap - best.gap) <= 1e-9 * search.calc_size(best) ? points : best;
    }
    if (k % kFewSteps == kFewSteps - 1) {
      const OpposedPoints points = equations(best).solve(best);
      // There are opposed points on the far sides too; those sought have the greatest gap.
      if (points.is_converged && points.gap >= best.gap - 1e-9 * search.calc_size(best)) return points;
    }
    if (search.try_newton(damping, best)) {
      damping = damping > 1e-6 ? 0.1 * damping : 0.0;
      continue;
    }
    damping = std::max(1e-3, 4.0 * damping);
    if (search.accept(best.normal + step * slope, best)) {
      step *= 1.6;
    } else {
      step *= 0.4;
      if (step * slope.norm() < 1e-16) break;
    }
  }
  return best;
}

}  // namespace abut
