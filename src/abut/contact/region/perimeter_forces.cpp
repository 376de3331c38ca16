// Forces of perimeter contact over one step, and the guard of their energy.   [spec 3, 2.6, 2.11-2.13, 2.15]

#include <algorithm>
#include <cmath>
#include <limits>

#include "abut/contact/law/coulomb_friction.hpp"
#include "abut/contact/region/perimeter_site.hpp"

namespace abut {

namespace {

/// Explicit steps follow rates of damping up to about 1 / step; with several contacts at one body, less. What is stronger
/// is weakened to this part of effective mass / step [1].
constexpr double kFollowed = 0.25;

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
    if (!r.perimeter->energy_guard) return;
    const double most = kFollowed * step.effective_mass / step.step;
    if (is_shared) {
      lugre.sigma_0 = std::min(lugre.sigma_0, most / step.step);
      lugre.sigma_1 = std::min(lugre.sigma_1, most);
    }
    // The slope of the regularised law at zero slip is 3/2 mu_s fn / v_eps.
    coulomb.v_eps = std::max(coulomb.v_eps, 1.5 * coulomb.mu_s * normal_force / most);
  }
};

}  // namespace

/// Factor of the elastic forces for which the step draws no more from the springs than was put in. With force F held over
/// a step h the contact gives back h P + h^2 F^2 / (2 m), where P is the power it has at the present velocities.
double PerimeterSite::guard_energy(const PerimeterStep& step, const PerimeterMemory& memory) const {
  const double reserve = memory.stored_at_touch + step.elastic_work;
  double power = 0.0;
  Vec3 force = Vec3::Zero();
  for (std::size_t i = 0; i < pairs_.size(); ++i) {
    for (int m = 0; m < 2; ++m) {
      for (int k = 0; k < num_normals_; ++k) {
        const Point& p = points_[4 * i + 2 * m + k];
        power -= p.elastic * p.rate;
        force += p.elastic * p.normal;
      }
    }
  }
  const double b = step.step * power;
  const double a = 0.5 * step.step * step.step * force.squaredNorm() / step.effective_mass;
  if (a + b <= reserve) return 1.0;
  if (!(a > 0.0)) return 0.0;
  const double discriminant = b * b + 4.0 * a * reserve;
  if (discriminant <= 0.0) return std::clamp(-b / (2.0 * a), 0.0, 1.0);
  return std::clamp((-b + std::sqrt(discriminant)) / (2.0 * a), 0.0, 1.0);
}

void PerimeterSite::apply_forces(const PerimeterStep& step, double scale, PerimeterMemory& memory) {
  const bool is_guarded = rule_->perimeter->energy_guard;
  double elastic_sum = 0.0;
  Vec3 center = Vec3::Zero();
  for (std::size_t i = 0; i < pairs_.size(); ++i) {
    for (int end = 0; end < 2; ++end) {
      for (int k = 0; k < num_normals_; ++k) {
        point(i, end, k).elastic *= scale;
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
  const double most_damping = is_guarded && elastic_sum > 0.0 ? kFollowed * step.effective_mass / (step.step * elastic_sum)
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
            std::max(-p.elastic, p.elastic * std::min(p.damping, most_damping) * p.rate);  // no adhesion
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
}

}  // namespace abut
