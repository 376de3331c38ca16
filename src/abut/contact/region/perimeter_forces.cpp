// Forces of perimeter contact over one step.   [Moisio 2013, 5.2]

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "abut/contact/law/coulomb_friction.hpp"
#include "abut/contact/region/perimeter_site.hpp"

namespace abut {

namespace {

void add_force(const Vec3& force, const Vec3& arm, PerimeterLoad& load) {
  load.force += force;
  load.torque += arm.cross(force);
}

PerimeterLoad make_turned(const PerimeterLoad& load, const Mat3& R) { return {R * load.force, R * load.torque}; }

/// Bristles whose coefficients are not given are made for the weight of the effective mass [kg], and hold it after 1e-4
/// m, four times what calc_lugre_now() takes. Stiffness that followed the load would let stacks creep: the points of a
/// curve share one stiffness by length and the load by depth, and those with little of it are cut as it flickers.
LugreParameters make_lugre(const LugreParameters& p, double effective_mass) {
  constexpr double kGravity = 9.81;  // [m/s^2]
  LugreParameters own = calc_lugre_now(p, 0.25 * kGravity * effective_mass, effective_mass);
  if (p.sigma_0_by_load && p.sigma_1_by_mass) own.sigma_1 = 2.0 * std::sqrt(own.sigma_0 * effective_mass);
  return own;
}

/// Coulomb friction holds by a slope of the force at zero slip, 3/2 mu_s fn / v_eps, which steps of the usual length
/// cannot follow: made as weak as they can, it lets everything creep down a slope at 10 g tan(slope) h. Bristles that
/// yield by 1e-4 m under the weight hold at rest, and slide with the same mu.
LugreParameters make_bristles(const CoulombParameters& p, double effective_mass) {
  constexpr double kGravity = 9.81, kYield = 1e-4;  // [m/s^2], [m]
  LugreParameters own;
  own.mu_s = p.mu_s;
  own.mu_d = std::max(p.mu_c, 1e-6 * p.mu_s);  // the law divides by it
  own.v_stribeck = p.v_stribeck;
  own.sigma_0 = p.mu_s * kGravity * effective_mass / kYield;
  own.sigma_1 = 2.0 * std::sqrt(own.sigma_0 * effective_mass);
  return own;
}

/// Whether steps of h [s] are too long for the slope of Coulomb friction under the weight.
bool is_too_steep(const CoulombParameters& p, double h) {
  constexpr double kGravity = 9.81;  // [m/s^2]
  return p.mu_s > 0.0 && 1.5 * p.mu_s * kGravity * h > kFollowedDamping * p.v_eps;
}

/// Friction as the step can follow it.
struct FrictionStepper {
  bool is_lugre = false, is_coulomb = false;
  LugreParameters lugre{};
  CoulombParameters coulomb{};
  bool is_shared = false;  ///< coefficients belong to the whole contact and not to each point

  FrictionStepper(const ContactRule& rule, const PerimeterStep& step, double normal_force) {
    is_shared = std::get<PerimeterRule>(rule.region).memory == PerimeterRule::Memory::continuous;
    const auto* with_bristles = std::get_if<LugreParameters>(&rule.friction);
    const auto* without = std::get_if<CoulombParameters>(&rule.friction);
    is_lugre = with_bristles != nullptr;
    is_coulomb = without != nullptr;
    if (is_lugre) lugre = make_lugre(*with_bristles, step.effective_mass);
    if (is_coulomb) coulomb = *without;
    if (!is_shared) return;
    if (is_coulomb && is_too_steep(coulomb, step.step)) {
      lugre = make_bristles(coulomb, step.effective_mass);
      is_lugre = true;
    }
    const double most = kFollowedDamping * step.effective_mass / step.step;
    if (is_lugre && (is_coulomb || with_bristles->sigma_0_by_load)) stiffen(most, step);
    lugre.sigma_0 = std::min(lugre.sigma_0, most / step.step);
    lugre.sigma_1 = std::min(lugre.sigma_1, most);
    // The slope of the regularised law at zero slip is 3/2 mu_s fn / v_eps.
    coulomb.v_eps = std::max(coulomb.v_eps, 1.5 * coulomb.mu_s * normal_force / most);
  }

  /// Bristles made for the weight would bend by centimetres before they brake a blow, or carry what lies on a light
  /// body: where the scene leaves it open they are as stiff as the step can follow and damp.
  void stiffen(double most_damping, const PerimeterStep& step) {
    constexpr double kPart = 0.25;
    lugre.sigma_0 = std::max(lugre.sigma_0, kPart * most_damping / step.step);
    lugre.sigma_1 = 2.0 * std::sqrt(lugre.sigma_0 * step.effective_mass);
  }

  LugreStep step_point(double share, const Vec3& z, const Vec3& n, double fn, const Vec3& slip, double h) const {
    if (is_coulomb && is_lugre) {
      // Under a load that falls bristles in slip straighten, and their damper would push along with it: Coulomb's law
      // has none in slip, as in calc_lugre_friction(). LuGre's own keeps that of the source.
      LugreParameters own = lugre;
      own.sigma_1 *= calc_stribeck_weight(slip.squaredNorm(), lugre.v_stribeck);
      return step_lugre_friction(own, share, z, n, fn, slip, h);
    }
    if (is_lugre) return step_lugre_friction(lugre, share, z, n, fn, slip, h);
    LugreStep out;
    if (is_coulomb && fn > 0.0) out.force = calc_coulomb_friction(coulomb, fn, slip).force;
    return out;
  }
};

}  // namespace

/// Sum of the elastic forces [N] and their centre, or that of the curve where there are none, in a's frame [m].
double PerimeterSite::calc_center(Vec3& center) const {
  center = Vec3::Zero();
  double weight = 0.0;
  const Point* p = points_.data();
  for (const PerimeterPlace& place : places_) {
    for (int k = 0; k < num_normals_; ++k, ++p) {
      center += p->elastic * place.position;
      weight += p->elastic;
    }
  }
  center = weight > 0.0 ? Vec3(center / weight) : curve_.center();
  return weight;
}

/// How far from the centre of its loop the friction of a point acts, in parts of the point's own distance [1]. A piece
/// of the curve stands for the sector between it and the centre. Under an even pressure, as below a flat face, the
/// centroid of a sector lies at 2/3; under Hertz's, which bulges, the mean arm of a disc is 3 pi / 16 of its radius.
/// Where nothing is pressed at the centre (a ring, an open sheet) friction acts on the curve.
double PerimeterSite::calc_friction_reach(int loop) const {
  if (is_faithful() || !means_[loop].has_tilt) return 1.0;
  constexpr double kEven = 2.0 / 3.0, kHertz = 3.0 * std::numbers::pi / 16.0;
  return kHertz + (kEven - kHertz) * means_[loop].flatness;
}

/// Energy of the deflections as they have been handed on [J].
double PerimeterSite::calc_bristle_energy(double stiffness_per_length) const {
  double energy = 0.0;
  const Point* p = points_.data();
  for (const PerimeterPlace& place : places_) {
    for (int k = 0; k < num_normals_; ++k, ++p)
      energy += 0.5 * stiffness_per_length * p->length * place.side[k].z.squaredNorm();
  }
  return energy;
}

/// Along the normals, about `center`; sets what each point is pressed with.
void PerimeterSite::push(const Vec3& center, double most_damping, PerimeterLoad& elastic, PerimeterLoad& damping) {
  Point* p = points_.data();
  for (const PerimeterPlace& place : places_) {
    const Vec3 arm = place.position - center;
    for (int k = 0; k < num_normals_; ++k, ++p) {
      if (!(p->length > 0.0)) continue;
      const double extra =
          std::max(-p->elastic, p->elastic * std::min(p->damping, most_damping) * p->damped_rate);  // no adhesion
      p->pressed = p->elastic + extra;
      add_force(Vec3(p->elastic * p->normal), arm, elastic);
      if (extra != 0.0) add_force(Vec3(extra * p->normal), arm, damping);
    }
  }
}

// Flattened: a call for each point would cost as much as the law of friction.
[[gnu::flatten]] void PerimeterSite::apply_forces(const PerimeterStep& step, PerimeterMemory& memory) {
  Vec3 center;
  const double elastic_sum = calc_center(center);
  const double most_damping = !is_faithful() && elastic_sum > 0.0
                                  ? kFollowedDamping * step.effective_mass / (step.step * elastic_sum)
                                  : std::numeric_limits<double>::infinity();
  const FrictionStepper friction(*rule_, step, elastic_sum);
  const double share_of_length = 1.0 / (curve_.length() * num_normals_);
  // Handing deflections on to other places makes no energy, by the stiffness that they had.
  const double carried =
      friction.is_shared ? calc_bristle_energy(memory.bristle_stiffness * share_of_length) : memory.next_bristle_energy;
  const double factor = friction.is_shared && carried > memory.next_bristle_energy
                            ? std::sqrt(memory.next_bristle_energy / carried)
                            : 1.0;
  PerimeterLoad elastic, damping, tangential_load;  // in a's frame, about `center`
  push(center, most_damping, elastic, damping);
  double viscous = 0.0, bristle = 0.0, depth = 0.0, sticking = 0.0, total = 0.0;
  const Point* p = points_.data();
  for (PerimeterPlace& place : places_) {
    const double reach = calc_friction_reach(place.loop);
    Vec3 position = place.position;
    if (reach != 1.0) position += (1.0 - reach) * (curve_.loops()[place.loop].center - position);
    const Vec3 arm = position - center, velocity = calc_velocity(position);
    for (int k = 0; k < num_normals_; ++k, ++p) {
      if (!(p->length > 0.0)) continue;
      PerimeterSide& side = place.side[k];
      const double fn = p->pressed;
      depth += p->length * p->depth;
      total += fn;
      const double share = friction.is_shared ? share_of_length * p->length : 1.0;
      const LugreStep next =
          friction.step_point(share, Vec3(factor * side.z), p->normal, fn, tangential(velocity, p->normal), step.step);
      side.z = next.z;
      add_force(next.force, arm, tangential_load);
      viscous += next.viscous_power;
      bristle += 0.5 * share * friction.lugre.sigma_0 * next.z.squaredNorm();
      if (next.sticking) sticking += fn;
    }
  }
  PerimeterHold& hold = memory.hold;
  // On the collider named first, in the world's axes.
  const Mat3 turn = is_reversed_ ? Mat3(-X_WA_.R) : X_WA_.R;
  hold.elastic = make_turned(elastic, turn);
  hold.damping = make_turned(damping, turn);
  hold.friction = make_turned(tangential_load, turn);
  hold.elastic_power = elastic.force.dot(calc_velocity(center)) + elastic.torque.dot(spin_);
  hold.point = X_WA_ * center;
  const Vec3 pushed = hold.elastic.force + hold.damping.force;
  if (pushed.norm() > 0.0) hold.normal = pushed.normalized();
  hold.perimeter = curve_.length();
  hold.depth = depth * share_of_length;
  hold.viscous_power = viscous;
  hold.sticking = total > 0.0 && sticking >= 0.5 * total;
  hold.strength = hold.damping_strength = hold.friction_strength = 1.0;
  // Held forces do not put in exactly what the deflections hold.
  const double put_in = memory.bristle_energy + step.friction_work - memory.friction_work;
  memory.bristle_energy = std::max(0.0, std::min({carried, memory.next_bristle_energy, put_in}));
  memory.next_bristle_energy = bristle;
  memory.bristle_stiffness = friction.lugre.sigma_0;
  memory.friction_work = step.friction_work;
}

}  // namespace abut
