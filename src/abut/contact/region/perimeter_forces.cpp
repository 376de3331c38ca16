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

/// Friction as the step can follow it.
struct FrictionStepper {
  const ContactRule& rule;
  LugreParameters lugre{};
  CoulombParameters coulomb{};
  bool is_shared = false;  ///< coefficients belong to the whole contact and not to each point

  FrictionStepper(const ContactRule& r, const PerimeterStep& step, double normal_force) : rule(r) {
    is_shared = r.perimeter->memory == PerimeterRule::Memory::continuous;
    if (const auto* p = std::get_if<LugreParameters>(&r.friction)) lugre = *p;
    if (const auto* p = std::get_if<CoulombParameters>(&r.friction)) coulomb = *p;
    if (!is_shared) return;
    const double most = kFollowed * step.effective_mass / step.step;
    lugre.sigma_0 = std::min(lugre.sigma_0, most / step.step);
    lugre.sigma_1 = std::min(lugre.sigma_1, most);
    // The slope of the regularised law at zero slip is 3/2 mu_s fn / v_eps.
    coulomb.v_eps = std::max(coulomb.v_eps, 1.5 * coulomb.mu_s * normal_force / most);
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

void PerimeterSite::apply_forces(const PerimeterStep& step, PerimeterMemory& memory) {
  double elastic_sum = 0.0;
  Vec3 center = Vec3::Zero();
  for (std::size_t i = 0; i < pairs_.size(); ++i) {
    for (int end = 0; end < 2; ++end) {
      for (int k = 0; k < num_normals_; ++k) {
        elastic_sum += point(i, end, k).elastic;
        center += point(i, end, k).elastic * pairs_[i].position[end];
      }
    }
  }
  if (elastic_sum > 0.0) {
    center /= elastic_sum;
  } else {
    for (const PerimeterPair& pair : pairs_)
      center += (0.5 * (pair.position[1] - pair.position[0]).norm() / length_) * (pair.position[0] + pair.position[1]);
  }
  const double most_damping = !is_faithful() && elastic_sum > 0.0
                                  ? kFollowed * step.effective_mass / (step.step * elastic_sum)
                                  : std::numeric_limits<double>::infinity();
  const FrictionStepper friction(*rule_, step, elastic_sum);
  const bool is_lugre = std::holds_alternative<LugreParameters>(rule_->friction);
  const bool is_coulomb = std::holds_alternative<CoulombParameters>(rule_->friction);
  const double share_of_length = friction.is_shared ? 1.0 / (length_ * num_normals_) : 0.0;
  PerimeterLoad elastic, damping, tangential_load;  // in a's frame, about `center`
  double viscous = 0.0, bristle = 0.0, carried = 0.0, depth = 0.0;
  double sticking_force = 0.0, total_force = 0.0;
  if (is_lugre && friction.is_shared) {
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
      for (int end = 0; end < 2; ++end) {
        for (int k = 0; k < num_normals_; ++k) {
          const double share = share_of_length * point(i, end, k).length;
          carried += 0.5 * share * friction.lugre.sigma_0 * pairs_[i].side[end][k].z.squaredNorm();
        }
      }
    }
  }
  // Handing bristles on to other places must not make energy.
  const double shrink = carried > memory.bristle_energy ? std::sqrt(memory.bristle_energy / carried) : 1.0;
  for (std::size_t i = 0; i < pairs_.size(); ++i) {
    for (int end = 0; end < 2; ++end) {
      const Vec3 arm = pairs_[i].position[end] - center;
      const Vec3 velocity = calc_velocity(pairs_[i].position[end]);
      for (int k = 0; k < num_normals_; ++k) {
        const Point& p = point(i, end, k);
        PerimeterSide& side = pairs_[i].side[end][k];
        depth += p.length * p.depth;
        const double extra =
            std::max(-p.elastic, p.elastic * std::min(p.damping, most_damping) * p.damped_rate);  // no adhesion
        const double fn = p.elastic + extra;
        elastic.force += p.elastic * p.normal;
        elastic.torque += p.elastic * arm.cross(p.normal);
        damping.force += extra * p.normal;
        damping.torque += extra * arm.cross(p.normal);
        if (!(fn > 0.0)) {
          side.z.setZero();
          continue;
        }
        total_force += fn;
        const Vec3 slip = velocity + p.rate * p.normal;
        Vec3 f = Vec3::Zero();
        if (is_lugre) {
          const double share = friction.is_shared ? share_of_length * p.length : 1.0;
          const LugreStep next =
              step_lugre_friction(friction.lugre, share, Vec3(shrink * side.z), p.normal, fn, slip, step.step);
          side.z = next.z;
          f = next.force;
          viscous += next.viscous_power;
          bristle += 0.5 * share * friction.lugre.sigma_0 * next.z.squaredNorm();
          if (next.sticking) sticking_force += fn;
        } else if (is_coulomb) {
          f = calc_coulomb_friction(friction.coulomb, fn, slip).force;
        }
        tangential_load.force += f;
        tangential_load.torque += arm.cross(f);
      }
    }
  }
  PerimeterHold& hold = memory.hold;
  const auto turn = [this](const PerimeterLoad& load) {
    return PerimeterLoad{X_WA_.R * load.force, X_WA_.R * load.torque};
  };
  hold.elastic = turn(elastic);
  hold.damping = turn(damping);
  hold.friction = turn(tangential_load);
  hold.point = X_WA_ * center;
  const Vec3 push = hold.elastic.force + hold.damping.force;
  const double size = push.norm();
  if (size > 0.0) hold.normal = push / size;
  hold.perimeter = length_;
  hold.depth = length_ > 0.0 ? depth / (length_ * num_normals_) : 0.0;
  hold.viscous_power = viscous;
  hold.sticking = is_lugre && total_force > 0.0 && sticking_force >= 0.5 * total_force;
  memory.bristle_energy = bristle;
  memory.last_force = size;
}

}  // namespace abut
