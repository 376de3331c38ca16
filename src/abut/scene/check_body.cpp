#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "abut/scene/check_specs.hpp"

namespace abut {
namespace {

bool is_finite_vector(const Vec3& v) { return v.allFinite(); }

void require_direction(const Located& spec, const char* key, const Vec3& direction, const std::string& label,
                       ProblemList& problems) {
  if (spec.is_unusable(key) || !is_finite_vector(direction) || direction.norm() > 0.0) return;
  problems.add(spec.location_of(key), fmt::format("{} must not be zero in {}", key, label));
}

void check_shape_parameters(const HalfSpaceSpec& shape, const Located& spec, const std::string& label,
                            ProblemList& problems) {
  require_direction(spec, "normal", shape.normal, label, problems);
}

void check_shape_parameters(const WedgeSpec& shape, const Located& spec, const std::string& label,
                            ProblemList& problems) {
  if (spec.is_unusable("normal_1") || spec.is_unusable("normal_2")) return;
  require_direction(spec, "normal_1", shape.normal_1, label, problems);
  require_direction(spec, "normal_2", shape.normal_2, label, problems);
  const double lengths = shape.normal_1.norm() * shape.normal_2.norm();
  // Below 1e-6 rad the edge's direction is lost in rounding.
  if (lengths > 0.0 && shape.normal_1.cross(shape.normal_2).norm() < 1e-6 * lengths) {
    problems.add(spec.location_of("normal_2"), fmt::format("normal_1 and normal_2 are parallel in {}: no edge", label));
  }
}

void check_shape_parameters(const ConeSpec& shape, const Located& spec, const std::string& label,
                            ProblemList& problems) {
  const bool radians = is_given(spec, "angle", shape.angle);
  const bool degrees = is_given(spec, "angle_degrees", shape.angle_degrees);
  if (radians && degrees) {
    problems.add(spec.location_of("angle_degrees"), fmt::format("angle and angle_degrees are both given in {}", label));
  } else if (!radians && !degrees) {
    problems.add(spec.where, fmt::format("angle is missing in {}", label),
                 "a cone takes: angle [rad] or angle_degrees [deg], the full apex angle; height.");
  } else if (shape.calc_angle() >= std::numbers::pi) {
    problems.add(spec.location_of(radians ? "angle" : "angle_degrees"),
                 fmt::format("the full apex angle must be below 180 degrees in {}", label));
  }
}

void check_shape_parameters(const TorusSpec& shape, const Located& spec, const std::string& label,
                            ProblemList& problems) {
  if (spec.is_unusable("ring_radius") || spec.is_unusable("tube_radius")) return;
  if (!(shape.ring_radius > 0.0) || !(shape.tube_radius >= shape.ring_radius)) return;
  problems.add(spec.location_of("tube_radius"),
               fmt::format("tube_radius must be below ring_radius ({:.6g} m) in {}, got {:.6g}", shape.ring_radius,
                           label, shape.tube_radius),
               "ring_radius goes from the axis to the middle of the tube; a ring without a hole is a superquadric or "
               "an ellipsoid.");
}

void check_shape_parameters(const BowlSpec& shape, const Located& spec, const std::string& label,
                            ProblemList& problems) {
  if (spec.is_unusable("radius") || spec.is_unusable("depth") || !shape.depth) return;
  if (!(shape.radius > 0.0) || !(*shape.depth >= 2.0 * shape.radius)) return;
  problems.add(spec.location_of("depth"),
               fmt::format("depth must be below twice the radius ({:.6g} m) in {}, got {:.6g}: nothing is left open",
                           2.0 * shape.radius, label, *shape.depth),
               "A hole that is closed all around is a cavity.");
}

void check_shape_parameters(const PolyhedronSpec& shape, const Located& spec, const std::string& label,
                            ProblemList& problems) {
  if (spec.is_unusable("vertices") || shape.vertices.size() >= 4) return;
  problems.add(spec.location_of("vertices"),
               fmt::format("vertices holds {} points in {}: a solid needs at least 4", shape.vertices.size(), label));
}

void check_shape_parameters(const MeshSpec& shape, const Located& spec, const std::string& label,
                            ProblemList& problems) {
  if (shape.stretch && shape.stretch->allFinite() && shape.stretch->prod() == 0.0)
    problems.add(spec.location_of("stretch"), fmt::format("stretch must not be zero in {}: nothing is left", label));
  if (shape.hull && (shape.surface || shape.smooth)) {
    problems.add(spec.location_of("hull"),
                 fmt::format("hull and {} are both given in {}", shape.surface ? "surface" : "smooth", label));
  }
}

void check_shape_parameters(const CellSpec& shape, const Located& spec, const std::string& label,
                            ProblemList& problems) {
  const bool has_body = std::any_of(shape.part.begin(), shape.part.end(), [](const CellPartSpec& part) {
    return !part.complement && !std::holds_alternative<BoreSpec>(part.type);
  });
  if (has_body || spec.is_unusable("part")) return;
  problems.add(spec.location_of("part"), fmt::format("nothing is left of {}: every part is cut away", label),
               "A cell needs at least one part without complement = true.");
}

void check_shape_parameters(const IntersectionSpec& shape, const Located& spec, const std::string& label,
                            ProblemList& problems) {
  if (!shape.part.empty() || spec.is_unusable("part")) return;
  problems.add(spec.location_of("part"), fmt::format("{} has no parts", label));
}

template <class Shape>
void check_shape_parameters(const Shape&, const Located&, const std::string&, ProblemList&) {}

void refuse_two_orientations(const Located& spec, const std::optional<Quat>& orientation,
                             const std::optional<RotationSpec>& rotation, const std::string& label,
                             ProblemList& problems) {
  if (orientation && rotation) {
    problems.add(spec.location_of("rotation"), fmt::format("orientation and rotation are both given in {}", label));
  }
}

void check_shape_names(const BodySpec& body, const std::string& label, ProblemList& problems) {
  for (std::size_t i = 0; i < body.shape.size(); ++i) {
    const std::string& name = body.shape[i].name;
    const auto same_name = [&](const ShapeSpec& other) { return other.name == name; };
    const auto end = body.shape.begin() + static_cast<long>(i);
    if (name.empty() || std::none_of(body.shape.begin(), end, same_name)) continue;
    problems.add(body.shape[i].location_of("name"), fmt::format("duplicate shape name '{}' in {}", name, label));
  }
}

void check_inertia(const BodySpec& body, const std::string& label, ProblemList& problems) {
  if (!body.inertia || body.is_unusable("inertia")) return;
  const std::vector<double>& numbers = body.inertia->numbers;
  if (numbers.size() != 3 && numbers.size() != 6 && numbers.size() != 9) {
    problems.add(body.location_of("inertia"), fmt::format("inertia has {} numbers in {}", numbers.size(), label),
                 "inertia takes: 3 principal moments, or ixx, iyy, izz, ixy, ixz, iyz, or 3 rows of 3 [kg m^2].");
    return;
  }
  const Mat3 matrix = body.inertia->calc_matrix();
  if (!matrix.allFinite()) return;
  const std::string defect = find_inertia_defect(matrix);
  if (!defect.empty()) problems.add(body.location_of("inertia"), fmt::format("inertia {} in {}", defect, label));
}

/// What weighs nothing has none of what says how much it weighs.
void check_frame(const BodySpec& body, const std::string& label, ProblemList& problems) {
  const auto refuse = [&](const char* key, bool given) {
    if (given) problems.add(body.location_of(key), fmt::format("{} is a frame but has {}", label, key));
  };
  refuse("mass", body.mass.has_value());
  refuse("density", body.density.has_value());
  refuse("inertia", body.inertia.has_value());
  if (body.fixed) problems.add(body.location_of("frame"), fmt::format("{} is both fixed and a frame", label));
}

/// Mass of a moving body: given, or density (by default 1000 kg/m^3) times the volume of its shapes.
void check_mass(const BodySpec& body, const std::string& label, ProblemList& problems) {
  if (body.frame) return check_frame(body, label, problems);
  const bool has_mass = is_given(body, "mass", body.mass);
  if (has_mass && is_given(body, "density", body.density)) {
    problems.add(body.location_of("density"), fmt::format("mass and density are both given in {}", label),
                 "Give one of them; the other follows from the volume of the shapes.");
  }
  if (body.fixed || body.is_unusable("shape") || body.is_unusable("fixed")) return;
  const bool has_unread_shape =
      std::any_of(body.shape.begin(), body.shape.end(), [](const ShapeSpec& s) { return s.is_unusable("type"); });
  if (has_unread_shape || std::any_of(body.shape.begin(), body.shape.end(), is_finite)) return;
  const char* reason = body.shape.empty() ? "it has no shape" : "none of its shapes has a volume";
  if (!has_mass) {
    problems.add(body.where, fmt::format("{} moves but its mass is unknown: {}", label, reason),
                 "Give mass and inertia, a shape with a volume, or fixed = true.");
  } else if (!is_given(body, "inertia", body.inertia)) {
    problems.add(body.where, fmt::format("{} has a mass but its inertia is unknown: {}", label, reason),
                 "Give inertia [kg m^2], or a shape with a volume.");
  }
}

}  // namespace

void check_whole(const RotationSpec& rotation, const std::string& label, ProblemList& problems) {
  require_direction(rotation, "axis", rotation.axis, label, problems);
  const bool degrees = is_given(rotation, "degrees", rotation.degrees);
  const bool radians = is_given(rotation, "radians", rotation.radians);
  if (degrees == radians) {
    problems.add(rotation.where,
                 fmt::format("{} needs either degrees or radians{}", label, degrees ? ", not both" : ""));
  }
}

void check_whole(const ShapeSpec& shape, const std::string& label, ProblemList& problems) {
  refuse_two_orientations(shape, shape.orientation, shape.rotation, label, problems);
  if (shape.is_unusable("type")) return;
  std::visit([&](const auto& parameters) { check_shape_parameters(parameters, shape, label, problems); }, shape.type);
}

void check_whole(const CellPartSpec& part, const std::string& label, ProblemList& problems) {
  refuse_two_orientations(part, part.orientation, part.rotation, label, problems);
  if (part.is_unusable("type")) return;
  std::visit([&](const auto& parameters) { check_shape_parameters(parameters, part, label, problems); }, part.type);
}

void check_whole(const IntersectionPartSpec& part, const std::string& label, ProblemList& problems) {
  refuse_two_orientations(part, part.orientation, part.rotation, label, problems);
  if (part.is_unusable("type")) return;
  std::visit([&](const auto& parameters) { check_shape_parameters(parameters, part, label, problems); }, part.type);
}

void check_whole(const BodySpec& body, const std::string& label, ProblemList& problems) {
  refuse_two_orientations(body, body.orientation, body.rotation, label, problems);
  check_shape_names(body, label, problems);
  check_mass(body, label, problems);
  check_inertia(body, label, problems);
  if (!body.fixed) return;
  if (!body.velocity.isZero(0.0)) {
    problems.add(body.location_of("velocity"), fmt::format("{} is fixed but has a velocity", label));
  }
  if (!body.angular_velocity.isZero(0.0)) {
    problems.add(body.location_of("angular_velocity"), fmt::format("{} is fixed but has an angular_velocity", label));
  }
}

}  // namespace abut
