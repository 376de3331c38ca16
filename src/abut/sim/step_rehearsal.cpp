#include "abut/sim/step_rehearsal.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include <Eigen/Eigenvalues>

#include "abut/contact/law/friction_law.hpp"
#include "abut/contact/law/normal_law.hpp"
#include "abut/contact/patch_response.hpp"

namespace abut {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Fractions of a step at which the impact begins; the square of a half-step is the worst, where it is not symmetric.
constexpr std::array<double, 6> kPhases{0.02, 0.18, 0.35, 0.52, 0.69, 0.86};
constexpr double kShorter = 0.84;     ///< of one try to the next
constexpr double kReserve = 0.8;      ///< of what passed: bodies turn, and meet faster than at first
constexpr int kInARow = 3;            ///< tries that must pass: one may by luck
constexpr int kMostTries = 90;        ///< down to 4e-6 of the first
constexpr long kMostSteps = 80'000;   ///< of all tries of one contact and method: some hundredths of a second
constexpr double kRestPeriods = 5.0;  ///< of the oscillation under the load
constexpr double kLeastSlip = 1e-3;   ///< of the speed of approach

enum Work { damping, friction, relaxation, supplied, num_works };

/// y = [x | v | z, dwell], x of a relative to b; quadratures in the order of Work [J].
class LoneContact final : public OdeSystem {
 public:
  explicit LoneContact(const RehearsedContact& contact) : contact_(contact), patch_(contact.patch) {
    const Eigen::SelfAdjointEigenSolver<Mat3> solver(contact.inverse_mass);
    const Vec3 values = solver.eigenvalues();
    const Mat3& axes = solver.eigenvectors();
    for (int i = 0; i < 3; ++i) {
      if (values[i] <= 1e-9 * values[2]) continue;  // held: nothing moves it that way
      mass_ += axes.col(i) * axes.col(i).transpose() / values[i];
      free_ += axes.col(i) * axes.col(i).transpose();
    }
  }

  int size() const override { return 10; }
  int num_quadratures() const override { return num_works; }
  int position_size() const override { return 3; }
  int velocity_size() const override { return 3; }
  void calc_position_rates(const double* y, double* qdot) override { std::copy(y + 3, y + 6, qdot); }

  bool calc_rates(double t, const double* y, double* ydot, double* rates) override {
    respond(t, y);
    const Vec3 v(y[3], y[4], y[5]);
    const Vec3 force = response_.force;
    const Vec3 a = contact_.acceleration + contact_.inverse_mass * force;
    for (int i = 0; i < 3; ++i) {
      ydot[i] = v[i];
      ydot[3 + i] = a[i];
      ydot[6 + i] = response_.z_rate[i];
    }
    ydot[9] = response_.dwell_rate;
    if (rates == nullptr) return true;
    rates[damping] = response_.power.damping;
    rates[friction] = response_.power.friction;
    rates[relaxation] = response_.power.relaxation;
    rates[supplied] = force.dot(v - free_ * v);  // by whatever holds the directions that cannot move
    return true;
  }

  /// Begins or ends the contact by where it is now, as a run of fixed steps does between two of them.
  void update(double t, double* y) {
    const double gap = calc_gap(y), rate = contact_.normal.dot(Vec3(y[3], y[4], y[5]));
    if (!touches_ && gap < 0.0) {
      const NormalCoefficients& law = contact_.patch.by_depth;
      patch_ = contact_.patch;
      const NormalCoefficients fresh =
          make_normal_coefficients(contact_.rule->normal, law.stiffness, std::max(0.0, -rate), patch_.effective_mass);
      patch_.normal = law;
      // Of laws whose damping goes with the spring's force the ratio is what counts, whatever the measure.
      if (patch_.traits().is_law_of_depth) patch_.normal = fresh;
      patch_.touch_time = t;
      patch_.blow =
          make_blow(contact_.rule->normal, patch_.normal, law, std::max(0.0, -rate), patch_.effective_mass, t);
      patch_.blow.renews = patch_.blow.renews && !patch_.traits().is_held_over_steps;
      patch_.relaxation_measure = t > 0.0 ? -gap : 0.0;
      touches_ = true;
      std::fill(y + 6, y + 10, 0.0);
      if (t > 0.0) {
        const Vec3 z =
            calc_touch_deflection(contact_.rule->friction, tangential(Vec3(y[3], y[4], y[5]), contact_.normal));
        for (int k = 0; k < 3; ++k) y[6 + k] = z[k];
      }
    } else if (touches_ && gap >= 0.0) {
      touches_ = false;
      ++num_lifts_;
    }
  }
  int num_lifts() const { return num_lifts_; }
  double calc_gap(const double* y) const { return contact_.normal.dot(Vec3(y[0], y[1], y[2])); }

  double calc_kinetic(const double* y) const {
    const Vec3 v(y[3], y[4], y[5]);
    return 0.5 * v.dot(mass_ * v);
  }
  /// Kinetic, that of the load, and of the spring [J].
  double calc_stored(double t, const double* y) const {
    const Vec3 x(y[0], y[1], y[2]);
    const double depth = touches_ ? std::max(0.0, -calc_gap(y) - patch_.hidden_measure(t)) : 0.0;
    return calc_kinetic(y) - x.dot(mass_ * contact_.acceleration) + calc_elastic_energy(patch_.normal, depth);
  }

 private:
  void respond(double t, const double* y) {
    response_ = PatchResponse{};
    if (!touches_) return;
    const std::array<Vec3, 2> zeros{Vec3::Zero(), Vec3::Zero()};
    const std::array<Vec3, 2> velocities{Vec3(y[3], y[4], y[5]), Vec3::Zero()};
    const std::array<Pose, 2> poses{};
    const BodyMotion motion{poses.data(), zeros.data(), velocities.data(), zeros.data()};
    const PointContact geometry{calc_gap(y), contact_.normal};
    const FrictionInput input{y + 6, max_rate_, patch_.effective_mass, 1.0 / max_rate_};
    const NormalLawParameters& normal = contact_.rule->normal;
    std::visit(
        [&](const auto& law) { calc_patch_response(patch_, normal, geometry, motion, 0, 1, t, law, input, response_); },
        contact_.rule->friction);
  }

 public:
  double max_rate_ = kInfinity;

 private:
  const RehearsedContact& contact_;
  Patch patch_;
  Mat3 mass_ = Mat3::Zero(), free_ = Mat3::Zero();
  PatchResponse response_;
  bool touches_ = false;
  int num_lifts_ = 0;
};

struct Outcome {
  double residual = 0.0;  ///< worst [J]
  double turnover = 0.0;  ///< [J]
  long num_steps = 0;
};

/// Follows the contact from where it starts for at most `duration`, or until it has come apart for good.
Outcome follow(const RehearsedContact& contact, FixedMethod method, double h, const Vec3& x, const Vec3& v,
               double duration, bool until_lift) {
  LoneContact system(contact);
  system.max_rate_ = 1.0 / h;
  FixedStepper stepper(system, method);
  std::array<double, 10> y{x.x(), x.y(), x.z(), v.x(), v.y(), v.z(), 0.0, 0.0, 0.0, 0.0};
  std::array<double, num_works> works{};
  Outcome out;
  const double start = system.calc_stored(0.0, y.data());
  const double most = 1e6 * (std::abs(start) + system.calc_kinetic(y.data()) + 1e-300);
  for (double t = 0.0; t < duration && out.num_steps < kMostSteps; t += h, ++out.num_steps) {
    system.update(t, y.data());
    if (out.num_steps > 0) {
      const double kinetic = system.calc_kinetic(y.data());
      const double lost = works[damping] + works[friction];
      const double total = system.calc_stored(t, y.data()) + lost - works[relaxation] - works[supplied];
      if (!std::isfinite(total) || (most > 1e-290 && kinetic > most)) {
        out.residual = kInfinity;
        return out;
      }
      out.residual = std::max(out.residual, std::abs(total - start));
      out.turnover = std::max({out.turnover, kinetic, lost + std::abs(works[relaxation])});
    }
    if (until_lift && system.num_lifts() > 0) break;
    if (!stepper.step(t, h, y.data(), works.data()).is_ok) {
      out.residual = kInfinity;
      return out;
    }
  }
  return out;
}

double calc_press(const RehearsedContact& contact) {
  return std::max(0.0, -contact.normal.dot(contact.acceleration));  // [m/s^2]
}

double calc_static_depth(const RehearsedContact& contact) {
  const NormalCoefficients& law = contact.patch.by_depth;
  return std::pow(contact.patch.effective_mass * calc_press(contact) / law.stiffness, 1.0 / law.exponent);
}

/// Period over 2 pi about the static depth [s].
double calc_rest_time(const RehearsedContact& contact) {
  const double depth = calc_static_depth(contact);
  const double slope = calc_normal_force_gradient(contact.patch.by_depth, depth, 0.0).by_depth;
  return slope > 0.0 ? std::sqrt(contact.patch.effective_mass / slope) : kInfinity;
}

double calc_impact_energy(const RehearsedContact& contact) {
  const double speed = std::max(0.0, -contact.normal.dot(contact.velocity));
  return contact.impact_duration > 0.0 ? 0.5 * contact.patch.effective_mass * speed * speed : 0.0;
}

/// No step need be shorter: an explicit rule follows even friction that sticks, two over its fastest rate under the
/// largest force.
double calc_stable_step(const RehearsedContact& contact) {
  const double speed = std::max(0.0, -contact.normal.dot(contact.velocity)), m = contact.patch.effective_mass;
  const NormalCoefficients& law = contact.patch.by_depth;
  const double p = law.exponent;
  const double depth = std::max(std::pow(0.5 * (p + 1.0) * m * speed * speed / law.stiffness, 1.0 / (p + 1.0)),
                                calc_static_depth(contact));
  const double force = law.stiffness * std::pow(depth, p), lightest = contact.inverse_mass.trace();
  double rate = std::sqrt(calc_normal_force_gradient(law, depth, 0.0).by_depth / m);
  rate = std::max(rate, calc_fastest_friction_rate(contact.rule->friction, force, m, lightest));
  return 2.0 / rate;
}

/// The direction across the normal in which the bodies are moved most easily.
Vec3 find_lightest_tangent(const RehearsedContact& contact) {
  const Vec3 first = any_perpendicular(contact.normal), second = contact.normal.cross(first);
  const double a = first.dot(contact.inverse_mass * first), b = first.dot(contact.inverse_mass * second),
               c = second.dot(contact.inverse_mass * second);
  const double angle = 0.5 * std::atan2(2.0 * b, a - c);  // of the larger eigenvalue of [a b; b c]
  return std::cos(angle) * first + std::sin(angle) * second;
}

Outcome follow_impact(const RehearsedContact& contact, FixedMethod method, double step) {
  Outcome worst;
  const double speed = -contact.normal.dot(contact.velocity);
  double ratio = 0.0;
  // Steps that are short against the impact begin it alike, wherever they meet it.
  const std::size_t stride = step < 0.02 * contact.impact_duration ? 3 : 1;
  // Friction that sticks under the force of the blow swings up from any slip where the step is too long for it.
  const Vec3 velocity = contact.velocity + kLeastSlip * speed * find_lightest_tangent(contact);
  for (std::size_t i = 0; i < kPhases.size(); i += stride) {
    const double phase = kPhases[i];
    const Vec3 start = phase * speed * step * contact.normal;
    const double duration = 3.0 * contact.impact_duration + 4.0 * step;
    const Outcome one = follow(contact, method, step, start, velocity, duration, true);
    worst.num_steps += one.num_steps;
    if (!std::isfinite(one.residual)) return one;
    if (one.residual < ratio * one.turnover) continue;
    ratio = one.residual / std::max(one.turnover, 1e-300);
    worst.residual = one.residual;
    worst.turnover = one.turnover;
  }
  return worst;
}

Outcome follow_rest(const RehearsedContact& contact, FixedMethod method, double step) {
  const double time = calc_rest_time(contact), depth = calc_static_depth(contact);
  // Set down without speed but for a little slip, of the speed with which it will swing.
  Vec3 slip = tangential(contact.velocity, contact.normal);
  const double swing = std::sqrt(calc_press(contact) * depth);
  slip = (slip.norm() > 0.0 ? slip.normalized() : any_perpendicular(contact.normal)) * swing;
  const Vec3 start = -1e-3 * depth * contact.normal;
  return follow(contact, method, step, start, slip, kRestPeriods * 2.0 * M_PI * time, false);
}

}  // namespace

double rehearse_impact(const RehearsedContact& contact, FixedMethod method, double step) {
  const Outcome out = follow_impact(contact, method, step);
  return out.residual / std::max(out.turnover, 1e-300);
}

double rehearse_rest(const RehearsedContact& contact, FixedMethod method, double step) {
  const Outcome out = follow_rest(contact, method, step);
  return out.residual / std::max({out.turnover, calc_impact_energy(contact), 1e-300});
}

double find_largest_step(const RehearsedContact& contact, FixedMethod method, double part) {
  const bool strikes = contact.impact_duration > 0.0, rests = calc_press(contact) > 0.0;
  if (!strikes && !rests) return kInfinity;
  // An impact that is not followed by four steps at least, or an oscillation by six, may close its books by luck; rules
  // of the first order miss too much long before.
  const double first = order_of(method) > 1 ? 1.0 : 0.1;
  double step = 0.0;
  if (strikes) step = 0.25 * first * contact.impact_duration;
  if (rests && !strikes) step = first * calc_rest_time(contact);
  if (!std::isfinite(step)) return kInfinity;
  int passed = 0;
  long num_steps = 0;
  double found = 0.0;
  for (int i = 0; i < kMostTries && num_steps < kMostSteps; ++i, step *= kShorter) {
    bool is_good = true;
    if (strikes) {
      const Outcome out = follow_impact(contact, method, step);
      num_steps += out.num_steps;
      is_good = out.residual <= part * out.turnover;
    }
    if (rests && is_good) {
      const Outcome out = follow_rest(contact, method, step);
      num_steps += out.num_steps;
      is_good = out.residual <= part * std::max(out.turnover, calc_impact_energy(contact));
    }
    if (!is_good) {
      passed = 0;
      continue;
    }
    if (passed++ == 0) found = step;
    if (passed == kInARow) return kReserve * found;
  }
  return passed > 0 ? kReserve * found : std::max(kReserve * step, calc_stable_step(contact));
}

}  // namespace abut
