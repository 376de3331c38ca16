#include "abut/sim/step_advice.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>

#include <Eigen/Eigenvalues>

#include "abut/sim/dynamics.hpp"
#include "abut/sim/step_trial.hpp"

namespace abut {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kPart = 0.05;   ///< of the energy of an oscillation that the steps of a run may miss [1]
constexpr int kMostSpeeds = 60;  ///< eigenvalues of larger systems take too long
constexpr double kRk4Real = 2.785, kEulerReal = 2.0;  ///< where decaying modes stop to decay, times their rate

/// Steps that one mode with the eigenvalue `rate` [1/s] bears over a run of this duration [s].
/// Swinging at w with y = w h, in energy: rk4 loses y^6 / 72 a step, explicit Euler makes y^2 a step, semi-implicit
/// Euler is off by y / 2 and back.
StepAdvice calc_mode_steps(std::complex<double> rate, double duration) {
  StepAdvice steps{kInfinity, kInfinity, kInfinity, {}};
  const double w = std::abs(rate.imag()), decay = std::max(0.0, -rate.real());
  if (decay > 0.0) {
    steps.rk4 = kRk4Real / std::abs(rate);
    steps.semi_implicit = kEulerReal / std::abs(rate);
    steps.euler = std::min(kEulerReal / std::abs(rate), 2.0 * decay / std::norm(rate));
  }
  if (w * duration < 1.0) return steps;
  const double time = decay > 0.0 ? std::min(duration, 0.5 / decay) : duration;
  const double turns = std::max(1.0, w * time);
  steps.rk4 = std::min(steps.rk4, std::min(2.0, std::pow(72.0 * kPart / turns, 0.2)) / w);
  steps.semi_implicit = std::min(steps.semi_implicit, 2.0 * kPart / w);
  // A damped mode that shrinks faster than Euler's rule lets it grow is safe at the limit above.
  if (!(decay > 0.1 * w)) steps.euler = std::min(steps.euler, kPart / (turns * w));
  return steps;
}

/// d(dv/dt)/dv and d(dv/dt)/dq along each speed, by differences at the start.
Eigen::MatrixXd calc_motion_jacobian(const Model& model) {
  ThreadPool threads(1);
  Dynamics dynamics(model, threads);
  State state = dynamics.make_initial_state();
  dynamics.bind(state);
  const int nq = dynamics.num_q(), nv = dynamics.num_v();
  std::vector<double> rates(dynamics.size()), direction(nq);
  const auto accelerate = [&](const std::vector<double>& y) {
    dynamics.calc_rates(0.0, y.data(), rates.data(), nullptr);
    return Eigen::VectorXd(Eigen::Map<const Eigen::VectorXd>(rates.data() + nq, nv));
  };
  constexpr double kShift = 1e-6;  // [m], [rad] and per second; far below the v_eps of joint friction
  Eigen::MatrixXd jacobian = Eigen::MatrixXd::Zero(2 * nv, 2 * nv);
  jacobian.topRightCorner(nv, nv).setIdentity();
  for (int i = 0; i < nv; ++i) {
    std::vector<double> unit = state.y;
    std::fill_n(unit.begin() + nq, nv, 0.0);
    unit[nq + i] = 1.0;
    dynamics.calc_position_rates(unit.data(), direction.data());
    std::vector<double> up = state.y, down = state.y;
    for (int k = 0; k < nq; ++k) {
      up[k] += kShift * direction[k];
      down[k] -= kShift * direction[k];
    }
    jacobian.block(nv, i, nv, 1) = (accelerate(up) - accelerate(down)) / (2.0 * kShift);
    up = down = state.y;
    up[nq + i] += kShift;
    down[nq + i] -= kShift;
    jacobian.block(nv, nv + i, nv, 1) = (accelerate(up) - accelerate(down)) / (2.0 * kShift);
  }
  return jacobian;
}

void take(const StepAdvice& other, const std::string& name, StepAdvice& steps) {
  if (other.rk4 < steps.rk4) steps.limited_by = name;
  steps.rk4 = std::min(steps.rk4, other.rk4);
  steps.semi_implicit = std::min(steps.semi_implicit, other.semi_implicit);
  steps.euler = std::min(steps.euler, other.euler);
}

void take_motion(const Model& model, StepAdvice& steps) {
  if (model.tree.num_v() == 0 || model.tree.num_v() > kMostSpeeds) return;
  const Eigen::MatrixXd jacobian = calc_motion_jacobian(model);
  if (!jacobian.allFinite()) return;
  const Eigen::EigenSolver<Eigen::MatrixXd> solver(jacobian, false);
  // Differences leave rates of this size where there is none [1/s].
  constexpr double kTrace = 1e-2;
  for (const std::complex<double>& rate : solver.eigenvalues()) {
    if (std::abs(rate) > kTrace)
      take(calc_mode_steps(rate, model.scene.run.duration), "springs, motors and joints", steps);
  }
}

/// No longer step is tried: an impact that is not followed by four, or an oscillation under its load by six, may close
/// its books by luck, as may a run of few steps.
double calc_longest_step(const Model& model, const std::vector<ContactAdvice>& contacts) {
  double longest = 0.05 * model.scene.run.duration;
  for (const ContactAdvice& contact : contacts) {
    if (contact.duration > 0.0) longest = std::min(longest, 0.25 * contact.duration);
    if (contact.forecast == ContactAdvice::Forecast::touching && contact.load > 0.0)
      longest = std::min(longest, std::sqrt(contact.static_depth * contact.effective_mass / contact.load));
  }
  return longest;
}

/// What contacts bear one by one is corrected by the scene: see find_step_of_scene.
void try_on_scene(const Model& model, const std::vector<ContactAdvice>& contacts, StepAdvice& steps) {
  if (contacts.empty() || !std::isfinite(steps.rk4)) return;
  // Held forces of perimeters are guarded: their books close at any step, so that these forbid nothing that is longer.
  const bool is_guarded = std::any_of(contacts.begin(), contacts.end(), [](const ContactAdvice& c) {
    return region_traits(c.region).is_held_over_steps;
  });
  const double longest = is_guarded ? steps.rk4 : std::max(steps.rk4, calc_longest_step(model, contacts));
  const double found = find_step_of_scene(model, {longest, steps.rk4});
  if (found != steps.rk4) {
    const double shorter = std::min(1.0, found / steps.rk4);
    steps = {found, shorter * steps.semi_implicit, shorter * steps.euler, "the scene as a whole"};
  }
  // The others are scaled, as trials cost a run each; the one that the scene runs by is tried as well.
  const RunSpec& run = model.scene.run;
  if (run.method != RunSpec::Method::explicit_) return;
  for (const auto& [integrator, step] : {std::pair(RunSpec::Integrator::semi_implicit_euler, &steps.semi_implicit),
                                         {RunSpec::Integrator::euler, &steps.euler}}) {
    if (run.integrator == integrator && std::isfinite(*step))
      *step = find_step_of_scene(model, {*step, *step}, integrator);
  }
}

}  // namespace

StepAdvice make_step_advice(const Model& model, const std::vector<ContactAdvice>& contacts) {
  StepAdvice steps{kInfinity, kInfinity, kInfinity, {}};
  for (const ContactAdvice& contact : contacts)
    take({contact.step_rk4, contact.step_semi_implicit, contact.step_euler, {}}, contact.contact, steps);
  take_motion(model, steps);
  try_on_scene(model, contacts, steps);
  return steps;
}

}  // namespace abut
