#include "abut/geometry/volume/mass_properties.hpp"

#include <cmath>
#include <numbers>

#include "abut/base/error.hpp"
#include "abut/geometry/distance/shape_bounds.hpp"
#include "abut/geometry/mesh/closed_mesh.hpp"
#include "abut/geometry/polyhedron/convex_polyhedron.hpp"
#include "abut/geometry/volume/star_mass.hpp"
#include "abut/geometry/volume/volume_pair.hpp"

namespace abut {
namespace {

constexpr double kPi = std::numbers::pi;

/// Volume, centroid and inertia about the centroid for unit mass [m^2]: all the density does not enter.
struct UnitMass {
  double volume = 0.0;
  Vec3 centroid = Vec3::Zero();
  Vec3 gyration = Vec3::Zero();
};

UnitMass calc_unit_mass(const Sphere& s) {
  const double i = 0.4 * s.radius * s.radius;
  return {4.0 / 3.0 * kPi * s.radius * s.radius * s.radius, Vec3::Zero(), Vec3(i, i, i)};
}

UnitMass calc_unit_mass(const Ellipsoid& s) {
  const Vec3 q = s.semi_axes.cwiseAbs2();
  return {4.0 / 3.0 * kPi * s.semi_axes.prod(), Vec3::Zero(), (Vec3::Constant(q.sum()) - q) / 5.0};
}

/// Beta function.
double beta(double x, double y) { return std::exp(std::lgamma(x) + std::lgamma(y) - std::lgamma(x + y)); }

/// Dirichlet's integrals: a slice at height z has the area of the unit slice times (1 - |z/c|^q)^(2/q), and its second
/// moments go with the square of that.
UnitMass calc_unit_mass(const Superquadric& s) {
  const double p = s.exponent, q = s.calc_exponent_z();
  const double area = 4.0 / (p * p) * beta(1.0 / p, 1.0 / p) / (2.0 / p);
  const double second = 4.0 / (p * p) * beta(3.0 / p, 1.0 / p) / (4.0 / p);
  const double height = 2.0 / q * beta(1.0 / q, 1.0 + 2.0 / q);
  const double fourth = 2.0 / q * beta(1.0 / q, 1.0 + 4.0 / q);
  const double lift = 2.0 / q * beta(3.0 / q, 1.0 + 2.0 / q);
  const Vec3 squares(second * fourth, second * fourth, area * lift);
  const Vec3 mean = squares.cwiseProduct(s.semi_axes.cwiseAbs2()) / (area * height);
  return {area * height * s.semi_axes.prod(), Vec3::Zero(), Vec3::Constant(mean.sum()) - mean};
}

UnitMass calc_unit_mass(const Box& s) {
  const Vec3 q = s.half_size.cwiseAbs2();
  return {8.0 * s.half_size.prod(), Vec3::Zero(), (Vec3::Constant(q.sum()) - q) / 3.0};
}

UnitMass calc_unit_mass(const Cylinder& s) {
  const double r2 = s.radius * s.radius;
  const double across = r2 / 4.0 + s.half_length * s.half_length / 3.0;
  return {2.0 * kPi * r2 * s.half_length, Vec3::Zero(), Vec3(across, across, r2 / 2.0)};
}

/// Solid cone: the centroid lies a quarter of the height above the base.
UnitMass calc_unit_mass(const Cone& s) {
  const double r = calc_base_radius(s);
  const double across = 0.15 * r * r + 3.0 / 80.0 * s.height * s.height;
  return {kPi * r * r * s.height / 3.0, Vec3(0.0, 0.0, -0.75 * s.height), Vec3(across, across, 0.3 * r * r)};
}

/// Bar plus two half balls. A half ball has central inertia (2/5 - 9/64) r^2 across its axis, at 3/8 r from its face.
UnitMass calc_unit_mass(const Capsule& s) {
  const double r = s.radius;
  const double bar = 2.0 * kPi * r * r * s.half_length;
  const double ball = 4.0 / 3.0 * kPi * r * r * r;
  const double lever = s.half_length + 0.375 * r;
  const double bar_across = r * r / 4.0 + s.half_length * s.half_length / 3.0;
  const double ball_across = (0.4 - 9.0 / 64.0) * r * r + lever * lever;
  const double volume = bar + ball;
  const double across = (bar * bar_across + ball * ball_across) / volume;
  return {volume, Vec3::Zero(), Vec3(across, across, (bar * 0.5 + ball * 0.4) * r * r / volume)};
}

/// By Pappus, V = 2 pi^2 R r^2; the section adds its own second moment, r^2 / 4 along each of its axes.
UnitMass calc_unit_mass(const Torus& s) {
  const double R2 = s.ring_radius * s.ring_radius, r2 = s.tube_radius * s.tube_radius;
  const double across = 0.5 * R2 + 0.625 * r2;
  return {2.0 * kPi * kPi * s.ring_radius * r2, Vec3::Zero(), Vec3(across, across, R2 + 0.75 * r2)};
}

/// Of a ball about the origin, what lies below the plane at height z: volume and integrals of z, z^2 and (x^2 + y^2).
struct BallSegment {
  double volume, first, second, around;
};

BallSegment calc_ball_segment(double radius, double z) {
  // Slices have the area pi (a^2 - z^2) and the polar moment pi (a^2 - z^2)^2 / 2; t = z / a runs from -1.
  const double t = z / radius, t2 = t * t;
  const double a3 = radius * radius * radius, a4 = a3 * radius, a5 = a4 * radius;
  return {kPi * a3 * (t - t * t2 / 3.0 + 2.0 / 3.0), kPi * a4 * (t2 / 2.0 - t2 * t2 / 4.0 - 0.25),
          kPi * a5 * (t * t2 / 3.0 - t * t2 * t2 / 5.0 + 2.0 / 15.0),
          0.5 * kPi * a5 * (t - 2.0 / 3.0 * t * t2 + 0.2 * t * t2 * t2 + 8.0 / 15.0)};
}

/// The segment of the outer ball without that of the hollow.
UnitMass calc_unit_mass(const Bowl& s) {
  const BallSegment outer = calc_ball_segment(s.calc_outer_radius(), s.calc_lip_height());
  const BallSegment inner = calc_ball_segment(s.radius, s.calc_lip_height());
  const double volume = outer.volume - inner.volume;
  const double middle = (outer.first - inner.first) / volume;
  const double around = (outer.around - inner.around) / volume;
  const double across = 0.5 * around + (outer.second - inner.second) / volume - middle * middle;
  return {volume, Vec3(0.0, 0.0, middle), Vec3(across, across, around)};
}

MassProperties make_properties(const VolumeMetrics& metrics, double density) {
  return {density * metrics.volume, metrics.centroid, Mat3(density * metrics.inertia)};
}

struct PropertiesMaker {
  double density;

  MassProperties operator()(const Polyhedron& s) const { return calc_mass_properties(*s.solid, density); }
  MassProperties operator()(const Intersection& s) const {
    return calc_star_mass(ImplicitSurface(s), density).properties;
  }
  MassProperties operator()(const Mesh& s) const { return calc_mass_properties(*s.solid, density); }
  /// What it has in common with a box about it, all of it.
  MassProperties operator()(const CutShape& s) const {
    constexpr double kRelativeError = 1e-10;
    const Aabb bounds = calc_aabb(s, Pose());
    constexpr const char* kNothing = "the parts of the cell have nothing in common: it has no volume";
    if (!((bounds.upper - bounds.lower).minCoeff() > 0.0)) throw InputError(kNothing);
    const Solid box = make_solid(Box{0.51 * (bounds.upper - bounds.lower)});
    VolumePair pair = VolumePair::make(make_solid(s), box, {.relative_error = kRelativeError});
    std::vector<VolumeMetrics> pieces;
    pair.calc(Pose(), Pose(Mat3::Identity(), 0.5 * (bounds.lower + bounds.upper)), pieces);
    std::vector<std::pair<MassProperties, Pose>> parts;
    for (const VolumeMetrics& piece : pieces) parts.emplace_back(make_properties(piece, density), Pose());
    if (parts.empty()) throw InputError(kNothing);
    return combine_mass_properties(parts);
  }
  template <class Unbounded>
  MassProperties operator()(const Unbounded& s) const {
    if constexpr (requires { calc_unit_mass(s); }) {
      const UnitMass unit = calc_unit_mass(s);
      const double mass = density * unit.volume;
      return {mass, unit.centroid, Mat3((mass * unit.gyration).asDiagonal())};
    }
    return {};  // never reached: is_finite() is checked first
  }
};

}  // namespace

double calc_volume(const Shape& shape) { return calc_mass_properties(shape, 1.0).mass; }

MassProperties calc_mass_properties(const Shape& shape, double density) {
  ABUT_REQUIRE(is_finite(shape), "an unbounded {} has no mass properties", shape_name(shape));
  return std::visit(PropertiesMaker{density}, shape);
}

MassProperties transform_mass_properties(const MassProperties& part, const Pose& X_BS) {
  return {part.mass, X_BS * part.center_of_mass, Mat3(X_BS.R * part.inertia * X_BS.R.transpose())};
}

MassProperties combine_mass_properties(const std::vector<std::pair<MassProperties, Pose>>& parts) {
  MassProperties total;
  Vec3 moment = Vec3::Zero();
  for (const auto& [part, X_BS] : parts) {
    total.mass += part.mass;
    moment += part.mass * (X_BS * part.center_of_mass);
  }
  if (total.mass > 0.0) total.center_of_mass = moment / total.mass;
  for (const auto& [part, X_BS] : parts) {
    const MassProperties placed = transform_mass_properties(part, X_BS);
    total.inertia += shifted_inertia(placed.inertia, placed.mass, total.center_of_mass - placed.center_of_mass);
  }
  return total;
}

}  // namespace abut
