#include "abut/contact/law/blow.hpp"

namespace abut {

namespace {

/// An isolated impact of any law lasts less than 5 x_0 / (e v_0); twice that leaves room for bodies whose depth is only
/// known roughly, as that of volumes.
constexpr double kHold = 10.0;

/// eta of an impact with f = k x^p (1 + D v / v_0): m v dv/dx integrated from touch to rest [1]. [Gonthier 2007 (3.20)]
double calc_spring_part(double D) {
  if (D < 1e-3) return 1.0 - 2.0 / 3.0 * D;  // the series; its next term is D^2 / 2
  return 2.0 * (D - std::log1p(D)) / (D * D);
}

}  // namespace

Blow make_blow(const NormalLawParameters& rule, const NormalCoefficients& c, const NormalCoefficients& by_depth,
               double touch_speed, double effective_mass, double touch_time) {
  Blow blow;
  blow.touch_time = touch_time;
  blow.mass = effective_mass;
  blow.floor = rule.v_small;
  blow.speed = std::max(touch_speed, rule.v_small);
  blow.varies = !rule.restitution.is_constant();
  blow.exponent = 1.0 - 2.0 * (c.exponent - c.damping_exponent) / (c.exponent + 1.0);
  blow.renews =
      rule.renews && normal_law_row(rule.law).has_damping && !rule.damping && (blow.varies || blow.exponent != 0.0);
  const double p = by_depth.exponent;
  const double depth =
      std::pow((p + 1.0) * effective_mass * blow.speed * blow.speed / (2.0 * by_depth.stiffness), 1.0 / (p + 1.0));
  const double e = std::max(kMinRestitution, rule.restitution.calc_coefficient(blow.speed));
  blow.hold_time = kHold * depth / (e * blow.speed);
  if (!blow.renews) return blow;
  // Laws with r < p have no closed form; that of the ratio with the same restitution is close.
  const bool is_ratio = c.damping_exponent == c.exponent;
  const double D = is_ratio ? c.damping * blow.speed / c.stiffness : gonthier_damping(e) / e;
  const double obtained = normal_law_row(rule.law).meets_restitution ? e : exact_restitution(D);
  blow.spring = 2.0 / (effective_mass * calc_spring_part(D));
  blow.release = 1.0 / (obtained * obtained);
  return blow;
}

}  // namespace abut
