#pragma once

#include <optional>

#include "abut/math/types.hpp"

namespace abut {

/// What a contact of the velocity-stepping methods remembers from one step to the next.
struct StepContactMemory {
  double normal_force = 0.0;           ///< [N]
  Vec3 friction_force = Vec3::Zero();  ///< on a, in the tangent plane [N]
  Vec3 impact_force = Vec3::Zero();    ///< on a, of impacts, over the step that they began [N]
  Vec3 slip = Vec3::Zero();            ///< of a relative to b at the end of the last step [m/s]
  double depth_rate = 0.0;             ///< at the end of the last step, > 0 approaching [m/s]
  double arrival_speed = 0.0;          ///< of approach at the touch that the coming step rebounds from [m/s]
  double elastic = 0.0;                ///< energy in the normal spring when last looked at [J]
  bool is_sticking = false;
};

/// Two tangential rows of a contact: w_k = t_k . v+ + compliance_k x_k + offset_k, |x_k| <= bound.   [Peiret et
/// al. 2016 (25)-(28)] x are impulses [N s], w velocities [m/s].
struct FrictionRows {
  Vec3 axes[2] = {Vec3::Zero(), Vec3::Zero()};
  double compliance[2] = {0.0, 0.0};  ///< [1/kg]
  double offset[2] = {0.0, 0.0};      ///< [m/s]
  double bound = 0.0;                 ///< [N s]
  bool is_static = true;
};

/// What the regularised law needs to know of a contact at the start of a step.
struct RegularisedFrictionInput {
  Vec3 normal = Vec3::UnitZ();
  Vec3 slip = Vec3::Zero();            ///< D v: of the start of the step [m/s]
  Vec3 friction_force = Vec3::Zero();  ///< lambda_T of the step before [N]
  Vec3 along = Vec3::Zero();           ///< of the first axis while sticking; zero: that of friction_force
  double static_limit = 0.0;           ///< mu lambda_N while sticking [N]
  double kinetic_limit = 0.0;          ///< mu lambda_N while sliding [N]
  double step = 0.0;                   ///< h [s]
  double v_threshold = 0.0;            ///< v_th [m/s]
  std::optional<double> stiffness;     ///< k_T [N/m]; none: infinite
};

/// The regularised law.   [Peiret et al. 2016 (9)-(29)]
/// Slip up to v_th: bristles that hold the last force, lambda_T+ = lambda_T - h k_T D v+, in a basis along that force
/// (or along the one that is found, where it turns), where box and circle touch (11)-(13). Faster: -mu lambda_N along
/// the slip and the viscous -b_mu v_T2+ with b_mu = mu lambda_N / v_T1 across it, which turns the force with the slip
/// (18)-(20). Axes are unit, perpendicular to the normal.
FrictionRows make_regularised_rows(const RegularisedFrictionInput& input);

/// Axes of box and polygon: world x (y where the normal is nearly along x) and the direction completing it.
FrictionRows make_box_rows(const Vec3& normal, double limit, double step);

}  // namespace abut
