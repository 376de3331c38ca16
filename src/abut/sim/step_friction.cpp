#include "abut/sim/step_friction.hpp"

namespace abut {

namespace {

/// `along` made unit in the plane of n, or a fixed choice where it vanishes; and the direction across it.
void set_axes(const Vec3& n, const Vec3& along, FrictionRows& rows) {
  const Vec3 in_plane = tangential(along, n);
  const double length = in_plane.norm();
  if (length > 1e-300) {
    rows.axes[0] = in_plane / length;
  } else {
    const Vec3 reference = std::abs(n.x()) < 0.9 ? Vec3::UnitX() : Vec3::UnitY();
    rows.axes[0] = tangential(reference, n).normalized();
  }
  rows.axes[1] = n.cross(rows.axes[0]);
}

}  // namespace

FrictionRows make_regularised_rows(const RegularisedFrictionInput& in) {
  FrictionRows rows;
  const double h = in.step;
  const double spring = in.stiffness ? 1.0 / (h * h * *in.stiffness) : 0.0;
  const Vec3 slip = tangential(in.slip, in.normal);
  const double speed = slip.norm();
  rows.is_static = speed <= in.v_threshold;
  if (rows.is_static) {
    set_axes(in.normal, in.along.isZero() ? in.friction_force : in.along, rows);
    rows.bound = h * in.static_limit;
    for (int k = 0; k < 2; ++k) {
      rows.compliance[k] = spring;
      rows.offset[k] = -spring * h * in.friction_force.dot(rows.axes[k]);  // (26)
    }
    return rows;
  }
  set_axes(in.normal, slip, rows);
  rows.bound = h * in.kinetic_limit;
  rows.compliance[0] = spring;
  rows.offset[0] = spring * rows.bound;  // (27) with lambda~ = -mu lambda_N
  // 1 / (h b_mu); without load the bound is zero and any number will do.
  rows.compliance[1] = in.kinetic_limit > 0.0 ? speed / (h * in.kinetic_limit) : 0.0;
  return rows;
}

FrictionRows make_box_rows(const Vec3& normal, double limit, double step) {
  FrictionRows rows;
  set_axes(normal, Vec3::Zero(), rows);
  rows.bound = step * limit;
  return rows;
}

}  // namespace abut
