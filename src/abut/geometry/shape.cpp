#include "abut/geometry/shape.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "abut/geometry/implicit_surface.hpp"

namespace abut {
namespace {

/// Same order as the alternatives of Shape.
constexpr std::array<std::string_view, std::variant_size_v<Shape>> kNames = {
    "sphere",     "half-space", "box",  "cylinder",     "bore",         "cone",  "capsule", "ellipsoid", "wedge",
    "polyhedron", "mesh",       "cell", "superquadric", "intersection", "torus", "cavity",  "bowl"};

/// A direction read from decimal text is unit to about its number of digits; anything worse is a mistake.
constexpr double kUnitTolerance = 1e-9;

std::string check_positive(std::string_view field, double value, bool may_be_infinite = false) {
  if (value > 0.0 && (std::isfinite(value) || (may_be_infinite && value == kInfiniteLength))) return {};
  return fmt::format("{} must be positive{}, got {}", field, may_be_infinite ? "" : " and finite", value);
}

std::string check_positive(std::string_view field, const Vec3& value) {
  if (value.allFinite() && value.minCoeff() > 0.0) return {};
  return fmt::format("{} must be positive and finite, got ({}, {}, {})", field, value.x(), value.y(), value.z());
}

std::string check_unit(std::string_view field, const Vec3& value) {
  if (std::abs(value.norm() - 1.0) <= kUnitTolerance) return {};
  return fmt::format("{} must be a unit vector, got ({}, {}, {})", field, value.x(), value.y(), value.z());
}

std::string first_of(const std::string& a, const std::string& b) { return a.empty() ? b : a; }

struct DefectFinder {
  std::string operator()(const Sphere& s) const { return check_positive("radius", s.radius); }
  std::string operator()(const HalfSpace& s) const {
    const std::string offset = std::isfinite(s.offset) ? "" : fmt::format("offset must be finite, got {}", s.offset);
    return first_of(check_unit("normal", s.normal), offset);
  }
  std::string operator()(const Box& s) const { return check_positive("half_size", s.half_size); }
  std::string operator()(const Cylinder& s) const {
    return first_of(check_positive("radius", s.radius), check_positive("half_length", s.half_length, true));
  }
  std::string operator()(const Bore& s) const { return check_positive("radius", s.radius); }
  std::string operator()(const Cone& s) const {
    if (!(s.half_angle > 0.0 && s.half_angle < 0.5 * std::numbers::pi)) {
      return fmt::format("half_angle must be between 0 and pi/2, got {}", s.half_angle);
    }
    return check_positive("height", s.height, true);
  }
  std::string operator()(const Capsule& s) const {
    return first_of(check_positive("radius", s.radius), check_positive("half_length", s.half_length));
  }
  std::string operator()(const Ellipsoid& s) const { return check_positive("semi_axes", s.semi_axes); }
  std::string operator()(const Wedge& s) const {
    const std::string unit = first_of(check_unit("normal_1", s.normal_1), check_unit("normal_2", s.normal_2));
    if (!unit.empty()) return unit;
    // Opposite normals leave a sheet without volume; equal ones are a plane and welcome.
    return (s.normal_1 + s.normal_2).norm() > 1e-6 ? "" : "normal_1 and normal_2 are opposite: nothing solid is left";
  }
  // What these refer to was checked when it was made.
  std::string operator()(const Polyhedron& s) const { return s.solid != nullptr ? "" : "has no faces"; }
  std::string operator()(const Mesh& s) const { return s.solid != nullptr ? "" : "has no triangles"; }
  std::string operator()(const CutShape& s) const {
    if (s.parts == nullptr || s.parts->list.empty()) return "has no parts";
    for (const CellPart& part : s.parts->list) {
      const std::string defect = find_shape_defect(part.shape);
      if (!defect.empty()) return defect;
    }
    return {};
  }
  std::string operator()(const Superquadric& s) const {
    for (const double exponent : {s.exponent, s.calc_exponent_z()}) {
      if (exponent >= 2.0 && exponent <= kMaxSuperquadricExponent) continue;
      return fmt::format("exponents must be from 2 to {}, got {}", kMaxSuperquadricExponent, exponent);
    }
    return check_positive("semi_axes", s.semi_axes);
  }
  std::string operator()(const Torus& s) const {
    const std::string radii =
        first_of(check_positive("ring_radius", s.ring_radius), check_positive("tube_radius", s.tube_radius));
    if (!radii.empty() || s.tube_radius < s.ring_radius) return radii;
    return fmt::format("tube_radius must be below ring_radius, {}, got {}", s.ring_radius, s.tube_radius);
  }
  std::string operator()(const Cavity& s) const { return check_positive("radius", s.radius); }
  std::string operator()(const Bowl& s) const {
    const std::string sizes = first_of(check_positive("radius", s.radius), check_positive("thickness", s.thickness));
    const std::string depth = first_of(sizes, check_positive("depth", s.depth));
    if (!depth.empty() || s.depth < 2.0 * s.radius) return depth;
    return fmt::format("depth must be below twice the radius, {}, got {}", 2.0 * s.radius, s.depth);
  }
  std::string operator()(const Intersection& s) const {
    return s.parts != nullptr ? find_parts_defect(*s.parts) : "has no parts";
  }
};

}  // namespace

std::string_view shape_name(const Shape& shape) { return kNames[shape.index()]; }

std::string find_shape_defect(const Shape& shape) {
  const std::string defect = std::visit(DefectFinder{}, shape);
  return defect.empty() ? defect : fmt::format("{}: {}", shape_name(shape), defect);
}

bool is_finite(const Shape& shape) {
  if (const auto* cylinder = std::get_if<Cylinder>(&shape)) return std::isfinite(cylinder->half_length);
  if (const auto* cone = std::get_if<Cone>(&shape)) return std::isfinite(cone->height);
  if (const auto* cell = std::get_if<CutShape>(&shape)) {
    return std::any_of(cell->parts->list.begin(), cell->parts->list.end(),
                       [](const CellPart& part) { return !part.is_complement && is_finite(part.shape); });
  }
  if (const auto* common = std::get_if<Intersection>(&shape)) {
    return common->parts != nullptr && is_bounded(*common->parts);
  }
  return !(std::holds_alternative<HalfSpace>(shape) || std::holds_alternative<Bore>(shape) ||
           std::holds_alternative<Wedge>(shape) || std::holds_alternative<Cavity>(shape));
}

double calc_base_radius(const Cone& cone) { return cone.height * std::tan(cone.half_angle); }

bool may_have_several_pieces(const Shape& shape) {
  if (std::holds_alternative<Mesh>(shape) || std::holds_alternative<Bore>(shape)) return true;
  if (std::holds_alternative<Torus>(shape) || std::holds_alternative<Cavity>(shape)) return true;
  if (std::holds_alternative<Bowl>(shape)) return true;
  const auto* cell = std::get_if<CutShape>(&shape);
  if (cell == nullptr) return false;
  return std::any_of(cell->parts->list.begin(), cell->parts->list.end(),
                     [](const CellPart& part) { return part.is_complement || may_have_several_pieces(part.shape); });
}

}  // namespace abut
