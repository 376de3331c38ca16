#pragma once

#include <optional>
#include <string>
#include <vector>

#include "abut/scene/record.hpp"
#include "abut/sim/model.hpp"

namespace abut {

/// What can be said of one pair of bodies before anything is simulated.
struct ContactAdvice {
  std::string contact;  ///< "ball-incline"
  int rule = -1;
  double initial_gap = 0.0;     ///< [m]
  double impact_speed = 0.0;    ///< if it falls from where it is, with the speed it has [m/s]
  double effective_mass = 0.0;  ///< [kg]
  double stiffness = 0.0;       ///< at the first touch [N/m^p]
  double depth = 0.0;           ///< [m]
  double force = 0.0;           ///< [N]
  double duration = 0.0;        ///< [s]
  double restitution = 1.0;     ///< that the law will produce
  double static_depth = 0.0;    ///< under the weight of the effective mass [m]
  double patch_radius = 0.0;    ///< at the largest depth; 0 where the curvature is unknown [m]
  double body_radius = 0.0;     ///< of the smaller curved body [m]
  double step_rk4 = 0.0;        ///< longest stable steps [s]
  double step_semi_implicit = 0.0;
  double step_euler = 0.0;
  std::vector<std::string> warnings;
  bool is_volume = false;
  bool is_perimeter = false;
  std::optional<ContactSample> overlap;  ///< of volumetric contacts that overlap at the start: geometry only
};

/// Smallest radius of curvature of a round shape [m]; infinite for the others.
double calc_curvature_radius(const Shape& shape);

/// Advice for each pair of bodies a rule covers, at most `limit` pairs, nearest first.
std::vector<ContactAdvice> make_contact_advice(const Model& model, std::size_t limit = 20);

}  // namespace abut
