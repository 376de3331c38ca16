#include "abut/geometry/volume/depth_field.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <Eigen/Geometry>

#include "abut/geometry/mesh/convex_mesh.hpp"
#include "abut/geometry/polyhedron/convex_clip.hpp"
#include "abut/geometry/volume/cut_field.hpp"
#include "abut/geometry/volume/volume_shape.hpp"

namespace abut {

namespace {

/// Radii of balls are found to this part of the size [1]; they weigh fields, nothing else.
constexpr double kRadiusError = 1e-13;

DepthField make_flat_field(std::shared_ptr<const ConvexPolyhedron> solid) {
  DepthField field;
  field.solids.push_back({1.0, solid->planes()});
  field.thickness = calc_inner_radius(*solid, solid->planes());
  field.polyhedron = std::move(solid);
  return field;
}

DepthField make_endless_field(std::vector<Plane> planes) {
  DepthField field;
  field.solids.push_back({1.0, std::move(planes)});
  field.thickness = kInfiniteLength;
  return field;
}

/// sign (R^2 - r^2) / 2R with r the distance from the axis that `across` projects along, or from the origin.
FieldLaw make_round_law(double radius, const Mat3& across, double sign) {
  return {0.5 * sign * radius, Vec3::Zero(), Mat3(-sign / radius * across)};
}

Mat3 across_z() { return Vec3(1.0, 1.0, 0.0).asDiagonal(); }

/// The end of a bar that looks along `axis`, `length` from the origin: t - t^2 / 2R with t = length - axis . x.
FieldLaw make_end_law(const Vec3& axis, double length, double radius) {
  const double slope = 1.0 - length / radius;
  return {length - 0.5 * length * length / radius, Vec3(-slope * axis), Mat3(-axis * axis.transpose() / radius)};
}

Pose turn_up_to(const Vec3& axis, const Vec3& position) {
  return {axis.z() > 0.0 ? Mat3(Mat3::Identity()) : Mat3(Vec3(1.0, -1.0, -1.0).asDiagonal()), position};
}

/// What lies nearer to an end than to the side: a cone of 45 degrees on the end, with its tip cut off at the middle of
/// bars shorter than wide.
FieldPart make_end_part(const Cylinder& bar, const Vec3& axis, const FieldLaw& side) {
  FieldPart part;
  part.axis = axis;
  part.low_cone = bar.half_length - bar.radius;
  part.low = std::max(0.0, part.low_cone);
  part.law = make_end_law(axis, bar.half_length, bar.radius) - side;
  const Cone cone{0.25 * std::numbers::pi, bar.radius};
  const Pose X_tip = turn_up_to(Vec3(-axis), Vec3(part.low_cone * axis));
  if (part.low_cone >= 0.0) {
    part.shape = cone;
    part.X = X_tip;
  } else {
    auto parts = std::make_shared<CellParts>();
    parts->list.push_back({cone, X_tip, false});
    parts->list.push_back({HalfSpace{Vec3(-axis), 0.0}, Pose(), false});
    part.shape = CutShape{parts};
  }
  return part;
}

FieldPart make_cap_part(const Capsule& capsule, const Vec3& axis) {
  const Vec3 center = capsule.half_length * axis;
  FieldPart part;
  part.axis = axis;
  part.low = capsule.half_length;
  part.low_cone = -kInfiniteLength;
  // The ball's law differs from the bar's by - (axis . x - half_length)^2 / 2R.
  const double h = capsule.half_length, R = capsule.radius;
  part.law = {-0.5 * h * h / R, Vec3(h / R * axis), Mat3(-axis * axis.transpose() / R)};
  auto parts = std::make_shared<CellParts>();
  parts->list.push_back({Sphere{R}, Pose(Mat3::Identity(), center), false});
  parts->list.push_back({HalfSpace{Vec3(-axis), -h}, Pose(), false});
  part.shape = CutShape{parts};
  return part;
}

/// With z the distance from the apex along the axis and r that from the axis, s and c sine and cosine of the
/// half-angle:
///   side  (z^2 s^2 - r^2 c^2) / 2L,  L = l h s: zero on the side, with the slope z / (l h) there
///   base  t - (l + 2 s) t^2 / (2 h s) at the depth t = h - z below it
/// The two are equal where c r = (s + l) (z - l h / (s + l)): a cone with the same base.
DepthField make_cone_field(const Cone& cone) {
  constexpr double kRimSlope = 2.0 / 3.0;  // l: the slope of the side is 1 in the mean over it
  const double s = std::sin(cone.half_angle), c = std::cos(cone.half_angle), h = cone.height;
  DepthField field;
  field.thickness = h * s / (1.0 + s);
  field.law = FieldLaw{0.0, Vec3::Zero(), Mat3((Vec3(-c * c, -c * c, s * s) / (kRimSlope * h * s)).asDiagonal())};
  const double bend = (kRimSlope + 2.0 * s) / (2.0 * h * s);
  Mat3 base_hessian = Mat3::Zero();
  base_hessian(2, 2) = -2.0 * bend;
  const FieldLaw base{h - bend * h * h, Vec3((1.0 - 2.0 * bend * h) * Vec3::UnitZ()), base_hessian};
  FieldPart part;
  part.axis = -Vec3::UnitZ();
  part.low = kRimSlope * h / (s + kRimSlope);
  part.low_cone = -kInfiniteLength;
  part.law = base - *field.law;
  part.shape = Cone{std::atan2(s + kRimSlope, c), h - part.low};
  part.X = Pose(Mat3::Identity(), Vec3(0.0, 0.0, -part.low));
  field.parts.push_back(std::move(part));
  return field;
}

struct FieldMaker {
  using Result = DepthField;

  Result operator()(const HalfSpace& s) const { return make_endless_field({make_planes(s)[0]}); }
  Result operator()(const Wedge& s) const {
    const auto planes = make_planes(s);
    return make_endless_field({planes.begin(), planes.end()});
  }
  Result operator()(const Box& s) const {
    DepthField field;
    field.polyhedron = std::make_shared<const ConvexPolyhedron>(make_box_polyhedron(s.half_size));
    field.solids.push_back({1.0, field.polyhedron->planes()});
    field.thickness = s.half_size.minCoeff();
    return field;
  }
  Result operator()(const Polyhedron& s) const { return make_flat_field(s.solid); }
  Result operator()(const Mesh& s) const {
    auto solid = find_convex_polyhedron(*s.solid);
    if (solid == nullptr) return {};
    return make_flat_field(std::move(solid));
  }
  Result operator()(const Sphere& s) const {
    DepthField field;
    field.law = make_round_law(s.radius, Mat3::Identity(), 1.0);
    field.thickness = s.radius;
    return field;
  }
  Result operator()(const Bore& s) const {
    DepthField field;
    field.law = make_round_law(s.radius, across_z(), -1.0);
    field.thickness = kInfiniteLength;
    return field;
  }
  Result operator()(const Cavity& s) const {
    DepthField field;
    field.law = make_round_law(s.radius, Mat3::Identity(), -1.0);
    field.thickness = kInfiniteLength;
    return field;
  }
  Result operator()(const Cylinder& s) const {
    DepthField field;
    field.law = make_round_law(s.radius, across_z(), 1.0);
    field.thickness = std::min(s.radius, s.half_length);
    if (!std::isfinite(s.half_length)) return field;
    for (const double side : {1.0, -1.0}) field.parts.push_back(make_end_part(s, side * Vec3::UnitZ(), *field.law));
    return field;
  }
  Result operator()(const Capsule& s) const {
    DepthField field;
    field.law = make_round_law(s.radius, across_z(), 1.0);
    field.thickness = s.radius;
    for (const double side : {1.0, -1.0}) field.parts.push_back(make_cap_part(s, side * Vec3::UnitZ()));
    return field;
  }
  /// (1 - sum (x_i/a_i)^2) m/2: any polynomial of second degree that is zero on the surface is a multiple of it. The
  /// slope there is m/a_i at the poles; with m^2 the largest times the smallest semi-axis it is one in the mean.
  Result operator()(const Ellipsoid& s) const {
    const double least = s.semi_axes.minCoeff(), mean = std::sqrt(least * s.semi_axes.maxCoeff());
    DepthField field;
    field.law =
        FieldLaw{0.5 * mean, Vec3::Zero(), Mat3(-mean * s.semi_axes.array().square().inverse().matrix().asDiagonal())};
    field.thickness = least;
    return field;
  }
  Result operator()(const Cone& s) const { return std::isfinite(s.height) ? make_cone_field(s) : DepthField{}; }
  Result operator()(const CutShape& s) const { return make_cut_field(s); }
  Result operator()(const Bowl& s) const { return make_cut_field(std::get<CutShape>(make_volume_shape(s))); }
  template <class Other>
  Result operator()(const Other&) const {
    return {};
  }
};

Vec3 axial(const Mat3& P) { return {P(2, 1) - P(1, 2), P(0, 2) - P(2, 0), P(1, 0) - P(0, 1)}; }

}  // namespace

void FieldWrench::add(const FieldWrench& other, double weight) {
  force += weight * other.force;
  torque += weight * (other.torque + (other.point - point).cross(other.force));
  stored += weight * other.stored;
}

FieldWrench calc_field_wrench(const FieldLaw& law, const VolumeMetrics& metrics) {
  const Vec3& c = metrics.centroid;
  const Vec3 slope = law.hessian * c;
  const double depth = law.value + law.gradient.dot(c) + 0.5 * c.dot(slope);
  FieldWrench wrench;
  wrench.point = c;
  wrench.force = -metrics.volume * (law.gradient + slope);
  wrench.stored = metrics.volume * depth;
  if (law.hessian.isZero()) return wrench;
  const Mat3 second = 0.5 * metrics.inertia.trace() * Mat3::Identity() - metrics.inertia;
  const Mat3 product = law.hessian * second;
  wrench.torque = -axial(product);
  wrench.stored += 0.5 * product.trace();
  return wrench;
}

DepthField make_depth_field(const Shape& shape) { return std::visit(FieldMaker{}, shape); }

double calc_inner_radius(const ConvexPolyhedron& about, const std::vector<Plane>& planes) {
  PolyhedronClip clip;
  double low = 0.0, high = about.radius();
  while (high - low > kRadiusError * about.radius()) {
    const double middle = 0.5 * (low + high);
    clip.start(about, Pose(), ClipOwner::kA);
    for (const Plane& plane : planes) {
      if (clip.is_empty()) break;
      clip.cut({plane.normal, plane.offset - middle}, ClipOwner::kA, 0);
    }
    (clip.is_empty() ? high : low) = middle;
  }
  return low;
}

double calc_carrier_share(double thickness_a, double thickness_b) {
  const bool is_a_endless = !std::isfinite(thickness_a), is_b_endless = !std::isfinite(thickness_b);
  if (is_a_endless && is_b_endless) return 0.5;
  if (is_a_endless || is_b_endless) return is_b_endless ? 1.0 : 0.0;
  return std::clamp(0.5 + 0.5 * std::log2(thickness_b / thickness_a), 0.0, 1.0);
}

}  // namespace abut
