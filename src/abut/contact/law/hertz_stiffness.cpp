#include "abut/contact/law/hertz_stiffness.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "abut/base/error.hpp"
#include "abut/contact/law/complete_elliptic.hpp"
#include "abut/math/bracketed_root.hpp"

namespace abut {
namespace {

double calc_compliance(const ElasticMaterial& m) {
  if (!(m.young > 0.0)) throw InputError(fmt::format("young is {} Pa, must be positive", m.young));
  if (!(m.poisson >= -1.0 && m.poisson <= 0.5)) {
    throw InputError(fmt::format("poisson is {}, must be from -1 to 0.5", m.poisson));
  }
  return (1.0 - m.poisson * m.poisson) / m.young;
}

// k' = b/a of the patch from c_1/c_2 = B / (k'^2 D) (Johnson (4.28) written with the associated
// integrals). The right side falls monotonically in k'; Newton in the logarithms of both, where it is
// nearly a straight line, inside a bracket.
double solve_axis_ratio(double curvature_ratio) {
  if (curvature_ratio == 1.0) return 1.0;
  const double target = std::log(curvature_ratio);
  const Bracket bracket{-target, 0.0};  // log k': the ellipse is never more slender than the curvatures
  constexpr double step = 1e-6;
  const auto miss = [target](double log_k) {
    const double k_prime = std::exp(std::min(0.0, log_k));
    const CompleteElliptic c = calc_complete_elliptic(k_prime);
    return std::log(c.b / c.d) - 2.0 * std::min(0.0, log_k) - target;
  };
  const auto look = [&miss](double t) {
    const double value = miss(t), slope = (value - miss(t - step)) / step;
    return NewtonLook{.is_low = value > 0.0, .is_high = !(value > 0.0), .next = t - value / slope};
  };
  const auto is_settled = [](double from, double to) { return std::abs(to - from) <= 1e-16 + 1e-15 * std::abs(from); };
  return std::exp(find_root_by_newton(bracket, -2.0 / 3.0 * target, BracketEnds::inside, look, is_settled));
}

}  // namespace

double calc_contact_modulus(const ElasticMaterial& a, const ElasticMaterial& b) {
  const double compliance = calc_compliance(a) + calc_compliance(b);
  if (!(compliance > 0.0))
    throw InputError("both bodies are rigid (infinite young): the contact has no finite stiffness");
  return 1.0 / compliance;
}

double calc_hertz_stiffness(double contact_modulus, double radius) {
  return 4.0 / 3.0 * contact_modulus * std::sqrt(radius);
}

HertzContact make_hertz_contact(double contact_modulus, double curvature_1, double curvature_2) {
  const double c_1 = std::max(curvature_1, curvature_2);
  const double c_2 = std::min(curvature_1, curvature_2);
  if (!std::isfinite(c_1) || !std::isfinite(c_2)) {
    throw InputError(fmt::format(
        "relative curvatures {} and {} 1/m: Hertz contact needs finite ones (no edge or corner)", c_1, c_2));
  }
  if (!(c_2 > 0.0)) {
    throw InputError(
        fmt::format("relative curvatures {} and {} 1/m: Hertz point contact needs both positive; a zero one is a line "
                    "contact (stiffness depends on its length), a negative one conforms; give stiffness instead",
                    c_1, c_2));
  }
  if (c_1 > kMaxCurvatureRatio * c_2) {
    throw InputError(
        fmt::format("relative curvatures {} and {} 1/m differ by more than {:g}: a line contact, whose stiffness "
                    "depends on its length; give stiffness instead",
                    c_1, c_2, kMaxCurvatureRatio));
  }
  HertzContact contact;
  contact.axis_ratio = solve_axis_ratio(c_1 / c_2);
  const CompleteElliptic c = calc_complete_elliptic(contact.axis_ratio);
  // Johnson (4.26): depth = p_0 b K / E*, (c_1 + c_2)/2 = p_0 E / (E* b), force = 2/3 pi a b p_0; eliminating p_0.
  contact.short_axis_rate = std::sqrt(2.0 * c.e / ((c_1 + c_2) * c.k));
  contact.stiffness =
      2.0 * std::numbers::pi * contact_modulus * contact.short_axis_rate / (3.0 * contact.axis_ratio * c.k);
  return contact;
}

HertzPatch calc_hertz_patch(const HertzContact& contact, double force) {
  HertzPatch patch;
  if (!(force > 0.0)) return patch;
  const double root = std::cbrt(force / contact.stiffness);
  patch.depth = root * root;
  patch.short_axis = contact.short_axis_rate * root;
  patch.long_axis = patch.short_axis / contact.axis_ratio;
  patch.peak_pressure = 1.5 * force / (std::numbers::pi * patch.long_axis * patch.short_axis);
  return patch;
}

double calc_hertz_shape_error(double r) {
  ABUT_REQUIRE(r >= 0.0 && r < 1.0, "patch ratio {} is outside [0, 1)", r);
  // With A = atanh(r) = r + r^3/3 + ...: F/(E* R^2) = (1 + r^2) A - r, Hertz 4/3 (r A)^1.5. Below 3e-3 the first
  // term of the expansion of their ratio, -r^2/10, is good to 1e-10, while the difference would cancel.
  if (r < 3e-3) return -0.1 * r * r;
  const double a = std::atanh(r);
  return ((1.0 + r * r) * a - r) / (4.0 / 3.0 * std::pow(r * a, 1.5)) - 1.0;
}

}  // namespace abut
