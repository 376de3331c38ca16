// Forces of perimeter contact over one step, and the guard of their energy.   [spec 3, 2.6, 2.11-2.13, 2.15]

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "abut/contact/law/coulomb_friction.hpp"
#include "abut/contact/region/perimeter_site.hpp"

namespace abut {

namespace {

/// Explicit steps follow rates of damping up to about 1 / step; with several contacts at one body, less. What is
/// stronger is weakened to this part of effective mass / step [1].
constexpr double kFollowed = 0.1;

/// After this many half periods of the mass on its spring a contact is one at rest [1].
constexpr double kHalfPeriodsToRefill = 10.0;

void add_force(const Vec3& force, const Vec3& arm, PerimeterLoad& load) {
  load.force += force;
  load.torque += arm.cross(force);
}

PerimeterLoad make_turned(const PerimeterLoad& load, const Mat3& R) { return {R * load.force, R * load.torque}; }

/// Friction as the step can follow it.
struct FrictionStepper {
  bool is_lugre = false, is_coulomb = false;
  LugreParameters lugre{};
  CoulombParameters coulomb{};
  bool is_shared = false;  ///< coefficients belong to the whole contact and not to each point

  FrictionStepper(const ContactRule& rule, const PerimeterStep& step, double normal_force) {
    is_shared = rule.perimeter->memory == PerimeterRule::Memory::continuous;
    const auto* with_bristles = std::get_if<LugreParameters>(&rule.friction);
    const auto* without = std::get_if<CoulombParameters>(&rule.friction);
    is_lugre = with_bristles != nullptr;
    is_coulomb = without != nullptr;
    if (is_lugre) lugre = *with_bristles;
    if (is_coulomb) coulomb = *without;
    if (!is_shared) return;
    const double most = kFollowed * step.effective_mass / step.step;
    lugre.sigma_0 = std::min(lugre.sigma_0, most / step.step);
    lugre.sigma_1 = std::min(lugre.sigma_1, most);
    // The slope of the regularised law at zero slip is 3/2 mu_s fn / v_eps.
    coulomb.v_eps = std::max(coulomb.v_eps, 1.5 * coulomb.mu_s * normal_force / most);
  }

  LugreStep step_point(double share, const Vec3& z, const Vec3& n, double fn, const Vec3& slip, double h) const {
    if (is_lugre) return step_lugre_friction(lugre, share, z, n, fn, slip, h);
    LugreStep out;
    if (is_coulomb && fn > 0.0) out.force = calc_coulomb_friction(coulomb, fn, slip).force;
    return out;
  }
};

}  // namespace

/// Weakens the elastic forces so that the step draws no more from the springs than was put in. A force F held over a
/// step h gives back -h F (v + dv / 2), where v is the rate of depth and dv its change. That is predicted from the last
/// step: what other forces do lasts, and F takes the place of the last force. What it misses makes the reserve negative
/// and is made up for by the next steps.
///
/// Under a lasting load the work along closed paths is not exactly zero, and the reserve may run dry although the
/// springs are deep. It is then filled up, slowly, from what the contact has turned into heat: all it has taken from
/// the bodies since the touch still exceeds all it has given.
void PerimeterSite::guard_energy(const PerimeterStep& step, PerimeterMemory& memory) {
  double power = 0.0, force = 0.0, nominal = 0.0;
  for (const Point& p : points_) {
    power += p.elastic * p.rate;
    force += p.elastic;
    nominal += 0.5 * p.elastic * p.depth;
  }
  if (!(force > 0.0)) return;
  const double h = step.step, mass = step.effective_mass, rate = power / force;
  const double age = loops_.empty() ? std::numeric_limits<double>::infinity() : loops_.front().age;
  const double half_period = std::numbers::pi * std::sqrt(mass / (rule_->normal.stiffness.value() * length_));
  double reserve = memory.calc_elastic_energy(step.elastic_work);
  if (reserve < nominal && age > kHalfPeriodsToRefill * half_period) {
    const double wanted = (nominal - reserve) * std::min(1.0, h / (kHalfPeriodsToRefill * half_period));
    const double refill = std::clamp(step.heat - memory.bristle_energy - memory.returned_heat, 0.0, wanted);
    memory.returned_heat += refill;
    reserve += refill;
  }
  const double last_change = memory.last_force > 0.0 ? rate - memory.last_rate : 0.0;
  const double a = 0.5 * h * h * force * force / mass;
  const double b = -h * force * (rate + 0.5 * (last_change + h * memory.last_force / mass));
  memory.last_rate = rate;
  if (a + b <= std::max(0.0, reserve)) return;
  const double root = std::sqrt(std::max(0.0, b * b + 4.0 * a * std::max(0.0, reserve)));
  const double scale = std::clamp((root - b) / (2.0 * a), 0.0, 1.0);
  for (Point& p : points_) p.elastic *= scale;
}

/// Centre of the elastic forces, or of the curve where there are none, in a's frame [m].
Vec3 PerimeterSite::calc_center() const {
  Vec3 center = Vec3::Zero();
  double weight = 0.0;
  for (std::size_t n = 0; n < points_.size(); ++n) {
    center += points_[n].elastic * pairs_[n / 4].position[n % 4 / 2];
    weight += points_[n].elastic;
  }
  if (weight > 0.0) return center / weight;
  for (const PerimeterPair& pair : pairs_)
    center += (0.5 * (pair.position[1] - pair.position[0]).norm() / length_) * (pair.position[0] + pair.position[1]);
  return center;
}

/// Factor of the deflections that have been handed on to other places, so that this makes no energy.
double PerimeterSite::calc_bristle_factor(const PerimeterMemory& memory, double stiffness_per_length) const {
  double carried = 0.0;
  for (std::size_t n = 0; n < points_.size(); ++n) {
    const PerimeterSide& side = pairs_[n / 4].side[n % 4 / 2][n % 2];
    carried += 0.5 * stiffness_per_length * points_[n].length * side.z.squaredNorm();
  }
  return carried > memory.bristle_energy ? std::sqrt(memory.bristle_energy / carried) : 1.0;
}

void PerimeterSite::apply_forces(const PerimeterStep& step, PerimeterMemory& memory) {
  double elastic_sum = 0.0;
  for (const Point& p : points_) elastic_sum += p.elastic;
  const double most_damping = !is_faithful() && elastic_sum > 0.0
                                  ? kFollowed * step.effective_mass / (step.step * elastic_sum)
                                  : std::numeric_limits<double>::infinity();
  const FrictionStepper friction(*rule_, step, elastic_sum);
  const double share_of_length = 1.0 / (length_ * num_normals_);
  const double factor =
      friction.is_shared ? calc_bristle_factor(memory, friction.lugre.sigma_0 * share_of_length) : 1.0;
  const Vec3 center = calc_center();
  PerimeterLoad elastic, damping, tangential_load;  // in a's frame, about `center`
  double viscous = 0.0, bristle = 0.0, depth = 0.0, sticking = 0.0, total = 0.0;
  for (std::size_t n = 0; n < points_.size(); ++n) {
    const Point& p = points_[n];
    if (!(p.length > 0.0)) continue;
    PerimeterPair& pair = pairs_[n / 4];
    PerimeterSide& side = pair.side[n % 4 / 2][n % 2];
    const Vec3& place = pair.position[n % 4 / 2];
    const Vec3 arm = place - center;
    const double extra =
        std::max(-p.elastic, p.elastic * std::min(p.damping, most_damping) * p.damped_rate);  // no adhesion
    const double fn = p.elastic + extra;
    depth += p.length * p.depth;
    total += fn;
    add_force(Vec3(p.elastic * p.normal), arm, elastic);
    add_force(Vec3(extra * p.normal), arm, damping);
    const double share = friction.is_shared ? share_of_length * p.length : 1.0;
    const LugreStep next = friction.step_point(share, Vec3(factor * side.z), p.normal, fn,
                                               Vec3(calc_velocity(place) + p.rate * p.normal), step.step);
    side.z = next.z;
    add_force(next.force, arm, tangential_load);
    viscous += next.viscous_power;
    bristle += 0.5 * share * friction.lugre.sigma_0 * next.z.squaredNorm();
    if (next.sticking) sticking += fn;
  }
  PerimeterHold& hold = memory.hold;
  hold.elastic = make_turned(elastic, X_WA_.R);
  hold.damping = make_turned(damping, X_WA_.R);
  hold.friction = make_turned(tangential_load, X_WA_.R);
  hold.point = X_WA_ * center;
  const Vec3 push = hold.elastic.force + hold.damping.force;
  if (push.norm() > 0.0) hold.normal = push.normalized();
  hold.perimeter = length_;
  hold.depth = depth * share_of_length;
  hold.viscous_power = viscous;
  hold.sticking = total > 0.0 && sticking >= 0.5 * total;
  memory.bristle_energy = bristle;
  memory.last_force = push.norm();
}

}  // namespace abut
