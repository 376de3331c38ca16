#pragma once

#include <optional>
#include <string>
#include <vector>

#include "abut/contact/hertz_site.hpp"
#include "abut/scene/record.hpp"
#include "abut/sim/model.hpp"

namespace abut {

/// What can be said of one pair of bodies before anything is simulated.
struct ContactAdvice {
  enum class Forecast {
    touching,  ///< from the start
    impact,    ///< as bodies, joints and loads move without contact forces, up to the first touch of each
    apart,     ///< they do not meet in the time of the run
    unknown    ///< contacts act on one of them before: impact_speed, if any, is that of free fall from the start
  };

  std::string contact;  ///< "ball-incline"
  int rule = -1;
  Forecast forecast = Forecast::unknown;
  double time = 0.0;            ///< of the touch forecast [s]
  double initial_gap = 0.0;     ///< [m]
  double impact_speed = 0.0;    ///< [m/s]
  double effective_mass = 0.0;  ///< at the touch [kg]
  double stiffness = 0.0;       ///< at the first touch [N/m^p]
  double depth = 0.0;           ///< [m]
  double force = 0.0;           ///< [N]
  double duration = 0.0;        ///< [s]
  double restitution = 1.0;     ///< that the law will produce
  double load = 0.0;            ///< that presses the effective mass on the other: weight, forces, springs, motors [N]
  double static_depth = 0.0;    ///< under it [m]
  PatchSize patch;              ///< of Hertz's law at the largest depth and force; zero where there is none
  double step_rk4 = 0.0;        ///< longest steps with which it keeps its books [s]; infinite where nothing acts
  double step_semi_implicit = 0.0;
  double step_euler = 0.0;
  std::vector<std::string> warnings;
  RegionKind region = RegionKind::point;
  std::optional<ContactSample> overlap;  ///< of volumetric contacts that overlap at the start: geometry only
};

/// Smallest radius of curvature of a round shape [m]; infinite for the others.
double calc_curvature_radius(const Shape& shape);

/// Advice for each pair of bodies a rule covers, at most `limit` pairs, nearest first. Trying out steps takes most of
/// the time; without it they are left at 0.
std::vector<ContactAdvice> make_contact_advice(const Model& model, std::size_t limit = 20, bool tries_steps = true);

/// What can be said of the bodies of a scene as they start: one inside another, shapes that count twice.
std::vector<std::string> make_start_advice(const Model& model);

}  // namespace abut
