#pragma once

#include <algorithm>
#include <cmath>

#include "abut/contact/law/friction_law.hpp"

namespace abut {

/// Friction over a sub-step of length eta [s], in two tangents, in which the slip goes from u to u+ [m/s] under a mean
/// load fn [N]: implicit in u+. The force resists: it acts on A against the slip.   [docs/theory/micro.md]
///
/// v = (1 - theta) u + theta u+ is where the dissipative part is taken, theta = 1/2 where the row is mild, which keeps
/// what bristles hold, and 1 where it is stiff.
struct FrictionStepInput {
  double load = 0.0;            ///< fn [N]
  Vec2 z = Vec2::Zero();        ///< bristles at the start [m]
  double dwell = 0.0;           ///< [1]
  Vec2 slip = Vec2::Zero();     ///< u [m/s]
  double eta = 0.0;             ///< [s]
  double effective_mass = 1.0;  ///< [kg]
  double mobility = 0.0;        ///< the larger of the tangents' 1 / mass [1/kg]
  double load_before = 0.0;     ///< of the last sub-step [N]: theta must not depend on what is searched for
};

struct FrictionStep {
  Vec2 force = Vec2::Zero();   ///< mean of the sub-step [N]
  Vec2 z = Vec2::Zero();       ///< at its end [m]
  double dwell = 0.0;          ///< at its end [1]
  double viscous_power = 0.0;  ///< [W]
  bool sticking = false;
  Eigen::Matrix2d by_slip = Eigen::Matrix2d::Zero();  ///< d force / d u+ [N s/m]
  Vec2 by_load = Vec2::Zero();                        ///< d force / d fn [1]
};

/// Weight of a sub-step's end with which x' = -r x is met exactly, chi = eta r: 1/2 (mild) to 1 (stiff).
inline double calc_fitted_weight(double chi) {
  if (chi < 1e-3) return 0.5 + chi / 12.0;
  return chi > 700.0 ? 1.0 - 1.0 / chi : 1.0 / -std::expm1(-chi) - 1.0 / chi;
}

inline Vec2 calc_direction_2(const Vec2& u, double norm, double v_eps, Regularisation form) {
  if (norm >= v_eps) return u / norm;
  const double r = norm / v_eps;
  return u * ((form == Regularisation::printed ? r * (1.5 - 0.5 * r * r) : 1.5 - 0.5 * r * r) / v_eps);
}

// Each law's force, bristles and dwell at the end; the derivatives follow from these, or are written down.

inline FrictionStep step_friction_state(const NoFriction&, const FrictionStepInput&, const Vec2&) { return {}; }

inline FrictionStep step_friction_state(const CoulombParameters& p, const FrictionStepInput& in, const Vec2& slip_end) {
  FrictionStep out;
  const double square = slip_end.squaredNorm(), speed = std::sqrt(square);
  const double weight = calc_stribeck_weight(square, p.v_stribeck), mu = p.mu_c + (p.mu_s - p.mu_c) * weight;
  const double r = speed / p.v_eps;
  const double over = r >= 1.0 ? 1.0 / speed : (1.5 - 0.5 * r * r) / p.v_eps;  // direction = over * slip
  out.by_load = mu * over * slip_end;
  out.force = in.load * out.by_load;
  // over' / speed and mu' / speed, by the speed.
  const double over_slope = r >= 1.0 ? -1.0 / (speed * square) : -1.0 / (p.v_eps * p.v_eps * p.v_eps);
  const double mu_slope = -2.0 * (p.mu_s - p.mu_c) * weight / (p.v_stribeck * p.v_stribeck);
  out.by_slip = in.load * (mu * over * Eigen::Matrix2d::Identity() +
                           (mu * over_slope + mu_slope * over) * slip_end * slip_end.transpose());
  out.sticking = speed < p.v_eps;
  // A law without memory has nothing to give: its work over the sub-step is not negative. The v_eps^2 keeps the rule
  // continuous at rest, where it would have no solution.
  const Vec2 mean = 0.5 * (in.slip + slip_end);
  const double power = out.force.dot(mean);
  if (power < 0.0) out.force -= power / (mean.squaredNorm() + p.v_eps * p.v_eps) * mean;
  return out;
}

inline FrictionStep step_friction_state(const LugreParameters& p, const FrictionStepInput& in, const Vec2& slip_end) {
  FrictionStep out;
  out.z = in.z;
  if (!(in.load > 0.0)) return out;
  const LugreParameters now = calc_lugre_now(p, in.load, in.effective_mass);
  const double before = std::max(in.load_before, 0.0);
  const LugreParameters then = calc_lugre_now(p, before > 0.0 ? before : in.load, in.effective_mass);
  double theta = calc_fitted_weight(in.eta * in.mobility * (then.sigma_1 + 0.5 * in.eta * then.sigma_0));
  Vec2 v = (1.0 - theta) * in.slip + theta * slip_end;
  const double speed = v.norm(), s = calc_stribeck_weight(speed * speed, p.v_stribeck);
  const double mu = p.mu_d + (p.mu_s - p.mu_d) * s;
  const double rate = now.sigma_0 * speed / (mu * in.load);
  theta = std::max(theta, calc_fitted_weight(in.eta * rate));  // or fast sliding would overshoot
  const Vec2 z_rate = (v - rate * in.z) / (1.0 + theta * in.eta * rate);
  out.z = in.z + in.eta * z_rate;
  Vec2 bristles = now.sigma_0 * ((1.0 - theta) * in.z + theta * out.z) + now.sigma_1 * s * z_rate;
  const double limit = p.mu_s * in.load, size = bristles.norm();
  if (size > limit) bristles *= limit / size;
  out.force = bristles + p.sigma_2 * v;
  out.viscous_power = p.sigma_2 * v.squaredNorm();
  out.dwell = s;
  out.sticking = speed < p.v_stribeck && 4.0 * z_rate.squaredNorm() >= speed * speed;
  return out;
}

inline FrictionStep step_friction_state(const BristleParameters& p, const FrictionStepInput& in, const Vec2& slip_end) {
  FrictionStep out;
  const double theta =
      calc_fitted_weight(in.eta * std::max(in.load_before, 0.0) * in.mobility * (p.sigma_1 + 0.5 * in.eta * p.sigma_0));
  const Vec2 v = (1.0 - theta) * in.slip + theta * slip_end;
  const double square = v.squaredNorm(), s = calc_stribeck_weight(square, p.v_stribeck);
  const double rate = p.sigma_0 / p.sigma_1;
  Vec2 z_rate = s * v;
  if (s < 1.0) {
    const Vec2 direction = calc_direction_2(v, std::sqrt(square), p.v_eps, p.regularisation);
    z_rate += (1.0 - s) * (p.mu_c / p.sigma_1 * direction - rate * in.z);
  }
  z_rate /= 1.0 + (1.0 - s) * theta * in.eta * rate;
  // Dwell relaxes exactly.
  out.dwell = s;
  double mean_dwell = s;
  if (p.tau_dwell > 0.0) {
    const double pace = s >= in.dwell ? 1.0 / p.tau_dwell : rate;
    out.dwell = in.dwell + (s - in.dwell) * -std::expm1(-in.eta * pace);
    mean_dwell = 0.5 * (in.dwell + out.dwell);
  }
  const double mu_max = p.mu_c + (p.mu_s - p.mu_c) * mean_dwell;
  Vec2 b = p.sigma_0 * (in.z + theta * in.eta * z_rate) + p.sigma_1 * z_rate;
  const double size = b.norm();
  const bool saturated = size > mu_max;
  if (saturated) {
    b *= mu_max / size;
    z_rate = (b - p.sigma_0 * in.z) / (p.sigma_1 + theta * in.eta * p.sigma_0);
  }
  out.z = in.z + in.eta * z_rate;
  out.by_load = b + p.sigma_2 * v;
  out.force = in.load * out.by_load;
  out.viscous_power = in.load * p.sigma_2 * square;
  out.sticking = !saturated && s >= 0.5;
  return out;
}

/// The step with its derivatives. Those by the slip are forward differences where a law has memory: two more of the
/// same few lines.
template <class Law>
FrictionStep step_friction(const Law& law, const FrictionStepInput& in, const Vec2& slip_end) {
  FrictionStep out = step_friction_state(law, in, slip_end);
  if constexpr (requires { Law::kNumStates; }) {
    if (!(in.load > 0.0)) return out;
    const double d = 1e-7 * slip_end.norm() + 1e-10;
    for (int j = 0; j < 2; ++j) {
      Vec2 moved = slip_end;
      moved[j] += d;
      out.by_slip.col(j) = (step_friction_state(law, in, moved).force - out.force) / d;
    }
    if constexpr (std::is_same_v<Law, LugreParameters>) {
      FrictionStepInput heavier = in;
      heavier.load *= 1.0 + 1e-6;
      out.by_load = (step_friction_state(law, heavier, slip_end).force - out.force) / (1e-6 * in.load);
    }
  }
  return out;
}

/// Energy in the bristles under a load fn [J].
inline double calc_bristle_energy_2(const FrictionParameters& law, const Vec2& z, double fn) {
  return calc_friction_energy(law, {Vec3(z.x(), z.y(), 0.0), 0.0}, Vec3::UnitZ(), fn);
}

}  // namespace abut
