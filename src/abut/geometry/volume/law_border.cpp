#include "abut/geometry/volume/law_border.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <vector>

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>

#include "abut/geometry/volume/interference.hpp"

namespace abut {

namespace {

using Kind = LawBorder::Kind;

/// Coefficients below this part of the others are rounding of the poses that the laws were placed by [1].
constexpr double kRounding = 1e-10;
/// Quadrics thinner than this part of the polyhedron hold nothing that counts [1].
constexpr double kThinnest = 1e-6;
/// Common volumes below this part of the polyhedron are rounding where surfaces touch [1].
constexpr double kLeastShare = 1e-12;

double calc_value(const FieldLaw& law, const Vec3& x) {
  return law.value + law.gradient.dot(x) + 0.5 * x.dot(law.hessian * x);
}

/// A law about the middle of the polyhedron, along the principal axes of its hessian.
struct CentralLaw {
  Vec3 center;        ///< [m]
  double size = 0.0;  ///< farthest vertex from there [m]
  double value = 0.0;
  Vec3 slope;         ///< along the axes
  Vec3 bends;         ///< of second degree, in rising order
  Mat3 axes;          ///< right-handed
  double most = 0.0;  ///< largest bend
};

CentralLaw make_central(const FieldLaw& law, const ConvexPolyhedron& within) {
  CentralLaw own;
  own.center = Vec3::Zero();
  for (const Vec3& vertex : within.vertices()) own.center += vertex / static_cast<double>(within.vertices().size());
  for (const Vec3& vertex : within.vertices()) own.size = std::max(own.size, (vertex - own.center).norm());
  const Eigen::SelfAdjointEigenSolver<Mat3> solver(law.hessian);
  own.bends = solver.eigenvalues();
  own.axes = solver.eigenvectors();
  if (own.axes.determinant() < 0.0) own.axes.col(0) = -own.axes.col(0);
  own.value = calc_value(law, own.center);
  own.slope = own.axes.transpose() * (law.gradient + law.hessian * own.center);
  own.most = own.bends.cwiseAbs().maxCoeff();
  return own;
}

LawBorder make_certain(bool is_everywhere) { return {is_everywhere ? Kind::everywhere : Kind::nowhere, {}, {}}; }

bool are_equal(double a, double b) { return std::abs(a - b) <= kRounding * std::max(std::abs(a), std::abs(b)); }

/// Right-handed, with z along the given axis.
Mat3 make_frame(const Vec3& z) {
  Mat3 R;
  R.col(2) = z;
  R.col(0) = z.unitOrthogonal();
  R.col(1) = z.cross(Vec3(R.col(0)));
  return R;
}

LawBorder make_quadric(const Shape& shape, const Mat3& R, const Vec3& p, bool is_inside) {
  return {Kind::quadric, {}, {shape, Pose(R, p), !is_inside}};
}

/// Three bends of one sign: an ellipsoid about the place where the law is extreme.
LawBorder make_ellipsoid(const CentralLaw& law, const Vec3& apex, double extreme) {
  const bool is_inside = law.bends.x() < 0.0;
  const Vec3 squares = -2.0 * extreme * law.bends.cwiseInverse();
  if (!(squares.maxCoeff() > kThinnest * kThinnest * law.size * law.size)) return make_certain(!is_inside);
  const Vec3 radii = squares.cwiseSqrt();
  if (are_equal(radii.minCoeff(), radii.maxCoeff()))
    return make_quadric(Sphere{radii.mean()}, Mat3::Identity(), apex, is_inside);
  return make_quadric(Ellipsoid{radii}, law.axes, apex, is_inside);
}

/// Two equal bends and none along the third axis.
LawBorder make_cylinder(const CentralLaw& law, int along, const Vec3& apex, double extreme) {
  const double bend = law.bends[(along + 1) % 3];
  if (!are_equal(bend, law.bends[(along + 2) % 3])) return {};
  const double square = -2.0 * extreme / bend;
  const bool is_inside = bend < 0.0;
  if (!(square > kThinnest * kThinnest * law.size * law.size)) return make_certain(!is_inside);
  return make_quadric(Cylinder{std::sqrt(square)}, make_frame(law.axes.col(along)), apex, is_inside);
}

/// Two equal bends, one of the other sign, and zero at the apex: of the two halves that which holds the polyhedron.
LawBorder make_cone(const CentralLaw& law, int along, const Vec3& apex, const ConvexPolyhedron& within) {
  const double bend = law.bends[(along + 1) % 3];
  if (!are_equal(bend, law.bends[(along + 2) % 3])) return {};
  Vec3 axis = law.axes.col(along);
  if (axis.dot(law.center - apex) < 0.0) axis = -axis;
  for (const Vec3& vertex : within.vertices()) {
    if (axis.dot(vertex - apex) < -kRounding * law.size) return {};
  }
  const Cone cone{std::atan(std::sqrt(-law.bends[along] / bend))};
  return make_quadric(cone, make_frame(-axis), apex, bend < 0.0);
}

/// Of all space, up to the other half of a cone.
LawBorder find_surface(const FieldLaw& given, const ConvexPolyhedron& within) {
  const CentralLaw law = make_central(given, within);
  if (law.most * law.size <= kRounding * law.slope.norm()) {
    const Vec3 slope = law.axes * law.slope;
    const Vec3 normal = -slope.normalized();
    return {Kind::plane, {normal, normal.dot(law.center) + law.value / slope.norm()}, {}};
  }
  std::array<bool, 3> is_bent{};
  Vec3 apex = law.center;
  double extreme = law.value;
  int num_bent = 0, straight = 0;
  for (int i = 0; i < 3; ++i) {
    is_bent[i] = std::abs(law.bends[i]) > kRounding * law.most;
    if (!is_bent[i]) {
      if (std::abs(law.slope[i]) > kRounding * law.most * law.size) return {};
      straight = i;
      continue;
    }
    ++num_bent;
    apex -= law.slope[i] / law.bends[i] * law.axes.col(i);
    extreme -= 0.5 * law.slope[i] * law.slope[i] / law.bends[i];
  }
  const bool is_mixed = law.bends.minCoeff() < -kRounding * law.most && law.bends.maxCoeff() > kRounding * law.most;
  if (num_bent == 3 && !is_mixed) return make_ellipsoid(law, apex, extreme);
  if (num_bent == 2 && !is_mixed) return make_cylinder(law, straight, apex, extreme);
  const bool is_cone = num_bent == 3 && std::abs(extreme) <= kRounding * law.most * law.size * law.size;
  // In rising order the one of the other sign is the first or the last.
  if (is_cone) return make_cone(law, law.bends[1] > 0.0 ? 0 : 2, apex, within);
  return {};
}

}  // namespace

LawBorder find_border(const FieldLaw& law, const ConvexPolyhedron& within) {
  double least = HUGE_VAL, most = -HUGE_VAL;
  for (const Vec3& vertex : within.vertices()) {
    const double value = calc_value(law, vertex);
    least = std::min(least, value), most = std::max(most, value);
  }
  const double rounding = kRounding * std::max(std::abs(least), std::abs(most));
  LawBorder border = find_surface(law, within);
  if (border.kind == Kind::plane) {
    if (least >= -rounding) return make_certain(true);
    if (most <= rounding) return make_certain(false);
  }
  if (border.kind == Kind::unknown) {
    // A law that is bent one way only is extreme at a corner, whatever surface it vanishes on.
    const Vec3 bends = Eigen::SelfAdjointEigenSolver<Mat3>(law.hessian, Eigen::EigenvaluesOnly).eigenvalues();
    const double flat = kRounding * bends.cwiseAbs().maxCoeff();
    if (bends.maxCoeff() <= flat && least >= -rounding) return make_certain(true);
    if (bends.minCoeff() >= -flat && most <= rounding) return make_certain(false);
  }
  if (border.kind != Kind::quadric) return border;
  // Ellipsoids, cylinders and halves of cones are convex: what holds all corners holds the polyhedron.
  const bool is_inside = !border.part.is_complement;
  if (is_inside ? least >= -rounding : most <= rounding) return make_certain(is_inside);
  auto pair = Interference::make(Polyhedron{std::make_shared<const ConvexPolyhedron>(within)}, border.part.shape);
  std::vector<VolumeMetrics> pieces;
  pair.calc(Pose(), border.part.X_SP, pieces);
  double common = 0.0;
  for (const VolumeMetrics& piece : pieces) common += piece.volume;
  if (!(common > kLeastShare * calc_volume(within))) return make_certain(!is_inside);
  return border;
}

}  // namespace abut
