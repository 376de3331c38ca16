#pragma once

#include <optional>
#include <string>
#include <vector>

#include "abut/math/types.hpp"
#include "abut/scene/field.hpp"
#include "abut/scene/orientation_spec.hpp"
#include "abut/scene/shape_spec.hpp"

namespace abut {

/// Inertia as written: 3 numbers (principal moments), 6 (ixx, iyy, izz, ixy, ixz, iyz; products are entries of the
/// matrix, sign included) or 9 (rows of the 3 x 3 matrix). About the centre of mass, axes of the body frame [kg m^2].
struct InertiaSpec {
  std::vector<double> numbers;

  bool operator==(const InertiaSpec&) const = default;
  /// Requires 3, 6 or 9 numbers.
  Mat3 calc_matrix() const;
};

/// Why a matrix is not the inertia of any body (not symmetric, not positive definite, triangle inequality), or empty.
std::string find_inertia_defect(const Mat3& inertia);

struct BodySpec : Located {
  /// Used when neither mass nor density is given [kg/m^3].
  static constexpr double kDefaultDensity = 1000.0;

  std::string name;
  bool fixed = false;
  bool frame = false;                    ///< without mass, carried by its joint
  std::optional<double> mass;            ///< [kg]
  std::optional<double> density;         ///< [kg/m^3]
  std::optional<InertiaSpec> inertia;    ///< [kg m^2]
  std::optional<Vec3> center_of_mass;    ///< p_BCm [m]
  Vec3 position = Vec3::Zero();          ///< p_WB [m]
  std::optional<Quat> orientation;       ///< of B in W
  std::optional<RotationSpec> rotation;  ///< the same, by axis and angle
  Vec3 velocity = Vec3::Zero();          ///< v_WB of the body frame's origin [m/s]
  Vec3 angular_velocity = Vec3::Zero();  ///< w_WB, world axes [rad/s]
  std::vector<ShapeSpec> shape;
  std::vector<ShapeSpec> visual;  ///< drawn only

  Quat calc_orientation() const { return abut::calc_orientation(orientation, rotation); }
};

template <class Visitor>
void visit_fields(Visitor& v, SpecOf<BodySpec> auto& s) {
  v(s.name, FieldInfo{.key = "name", .doc = "Unique name; `world` is reserved.", .required = true});
  v(s.fixed, FieldInfo{.key = "fixed", .doc = "Held in place for the whole run."});
  v(s.frame, FieldInfo{.key = "frame",
                       .doc = "A body without mass on a joint, as frames of tools and dummy links of robots are; its "
                              "shapes may touch, but weigh nothing."});
  v(s.mass, FieldInfo{.key = "mass",
                      .unit = "kg",
                      .doc = "Mass; inertia follows from the shapes unless given.",
                      .minimum = 0,
                      .exclusive = true,
                      .otherwise = "from `density` and the shapes"});
  v(s.density, FieldInfo{.key = "density",
                         .unit = "kg/m^3",
                         .doc = "Density of the shapes; not together with mass.",
                         .minimum = 0,
                         .exclusive = true,
                         .otherwise = "1000 when neither it nor mass is given"});
  v(s.inertia,
    FieldInfo{.key = "inertia",
              .unit = "kg m^2",
              .doc = "About the centre of mass: 3 principal moments, or ixx, iyy, izz, ixy, ixz, iyz, or 3 rows "
                     "of 3.",
              .otherwise = "from the shapes"});
  v(s.center_of_mass, FieldInfo{.key = "center_of_mass",
                                .unit = "m",
                                .doc = "In the body frame.",
                                .otherwise = "from the shapes, or the origin"});
  v(s.position, FieldInfo{.key = "position", .unit = "m", .doc = "Origin of the body frame at the start."});
  v(s.orientation, FieldInfo{.key = "orientation",
                             .unit = "1",
                             .doc = "Unit quaternion (w, x, y, z) of the body frame at the start.",
                             .otherwise = "`rotation`, or no turn"});
  v(s.rotation, FieldInfo{.key = "rotation", .doc = "The same by axis and angle.", .otherwise = "`orientation`"});
  v(s.velocity, FieldInfo{.key = "velocity", .unit = "m/s", .doc = "Of the origin of the body frame at the start."});
  v(s.angular_velocity, FieldInfo{.key = "angular_velocity", .unit = "rad/s", .doc = "At the start, in world axes."});
  v(s.shape, FieldInfo{.key = "shape", .doc = "One inline table, or several [[body.shape]].", .single = true});
  v(s.visual, FieldInfo{.key = "visual",
                        .doc = "Shapes that are drawn in place of `shape`, and neither touch nor weigh anything.",
                        .otherwise = "`shape` is drawn",
                        .single = true});
}

}  // namespace abut
