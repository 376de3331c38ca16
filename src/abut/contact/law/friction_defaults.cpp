#include "abut/contact/law/friction_defaults.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "abut/base/error.hpp"

namespace abut {
namespace {

enum class Range { not_negative, positive };

// Collects values with their origin and checks each as it passes.
class Resolver {
 public:
  explicit Resolver(std::string_view law) : law_(law) {}

  double add(std::string_view key, std::string_view unit, Range range, const std::optional<double>& given,
             double otherwise, std::string_view origin) {
    const double value = given.value_or(otherwise);
    const bool good = std::isfinite(value) && (range == Range::positive ? value > 0.0 : value >= 0.0);
    if (!good) {
      throw InputError(fmt::format("{}: {} is {}{}{}, must be finite and {}", law_, key, value, unit.empty() ? "" : " ",
                                   unit, range == Range::positive ? "positive" : "not negative"));
    }
    values_.push_back({std::string(key), value, std::string(unit), given ? "given" : std::string(origin)});
    return value;
  }

  // Sliding and static coefficient; one alone stands for both.
  std::pair<double, double> add_coefficients(std::string_view sliding_key, const std::optional<double>& sliding,
                                             const std::optional<double>& stuck) {
    if (!sliding && !stuck) throw InputError(fmt::format("{}: {} is missing", law_, sliding_key));
    const double mu_c = add(sliding_key, "", Range::not_negative, sliding, stuck.value_or(0.0), "rule: same as mu_s");
    const double mu_s = add("mu_s", "", Range::not_negative, stuck, mu_c, fmt::format("rule: same as {}", sliding_key));
    if (mu_s < mu_c)
      throw InputError(fmt::format("{}: mu_s is {}, must not be below {} = {}", law_, mu_s, sliding_key, mu_c));
    return {mu_c, mu_s};
  }

  // A direction that is blurred below v_eps leaves no room for stiction in less than ten times that.
  double add_v_stribeck(const std::optional<double>& given, double mu_s, double gravity, std::string_view gravity_text,
                        const std::optional<double>& v_eps = std::nullopt) {
    const double of_load = calc_default_v_stribeck(mu_s, gravity);
    if (v_eps && std::isfinite(*v_eps) && 10.0 * *v_eps > of_load)
      return add("v_stribeck", "m/s", Range::positive, given, 10.0 * *v_eps, "rule: 10 v_eps");
    return add("v_stribeck", "m/s", Range::positive, given, of_load,
               fmt::format("rule: sqrt(mu_s g 1e-4 m), the speed of taking up a load, {}", gravity_text));
  }

  double add_v_eps(const std::optional<double>& given, double v_stribeck) {
    const double v_eps = add("v_eps", "m/s", Range::positive, given, v_stribeck / 100.0, "rule: v_stribeck / 100");
    if (v_eps > v_stribeck / 10.0 * (1.0 + 1e-12)) {
      note(fmt::format(
          "v_eps = {:g} m/s is more than a tenth of v_stribeck = {:g} m/s: the sliding direction is blurred where "
          "stiction should act",
          v_eps, v_stribeck));
    }
    return v_eps;
  }

  void note(std::string text) { notes_.push_back(std::move(text)); }

  template <class Parameters>
  Resolved<Parameters> finish(const Parameters& parameters) {
    return {parameters, std::move(values_), std::move(notes_)};
  }

 private:
  std::string law_;
  std::vector<ResolvedValue> values_;
  std::vector<std::string> notes_;
};

struct GravityRule {
  double value;
  std::string text;
};

GravityRule make_gravity_rule(double gravity) {
  if (!(std::isfinite(gravity) && gravity >= 0.0)) {
    throw InputError(fmt::format("gravity is {} m/s^2, must be finite and not negative", gravity));
  }
  if (gravity > 0.0) return {gravity, fmt::format("g = {:.4g} m/s^2", gravity)};
  return {kStandardGravity, fmt::format("g = {:.4g} m/s^2, as the scene has no gravity", kStandardGravity)};
}

void note_damping(Resolver& r, const BristleParameters& p, const std::optional<double>& given, double critical) {
  const double ratio = p.sigma_1 / critical;
  if (given && ratio > 10.0) {
    r.note(fmt::format(
        "sigma_1 = {:g} s/m is {:.0f}x critical: stiction settles slowly (rule: 2 sqrt(sigma_0/g) = {:.3g})", p.sigma_1,
        ratio, critical));
  } else if (given && ratio < 0.1) {
    r.note(fmt::format("sigma_1 = {:g} s/m is {:.2g}x critical: stiction rings (rule: 2 sqrt(sigma_0/g) = {:.3g})",
                       p.sigma_1, ratio, critical));
  }
  const double tau_bristle = p.sigma_1 / p.sigma_0;
  if (p.tau_dwell > 0.0 && p.tau_dwell < 10.0 * tau_bristle * (1.0 - 1e-12)) {
    r.note(fmt::format(
        "tau_dwell = {:g} s is less than 10 sigma_1/sigma_0 = {:.3g} s: stiction returns before the bristles settle",
        p.tau_dwell, 10.0 * tau_bristle));
  }
}

/// Peak speed of bristles that take up a load near break-away: exp(-1) mu_s sqrt(g / sigma_0) at critical damping,
/// mu_s / sigma_1 far beyond it.
void note_charging(Resolver& r, const BristleParameters& p, double gravity) {
  const double charging = std::min(std::exp(-1.0) * p.mu_s * std::sqrt(gravity / p.sigma_0), p.mu_s / p.sigma_1);
  if (p.mu_s > 1.05 * p.mu_c && p.v_stribeck < charging) {
    r.note(fmt::format(
        "v_stribeck = {:g} m/s is below {:.2g} m/s, the speed at which the bristles take up a load that comes at once: "
        "that counts as slip, and a body set down may slide although mu_s would hold it",
        p.v_stribeck, charging));
  }
}

}  // namespace

double calc_default_v_stribeck(double mu_s, double gravity) {
  // Without friction nothing depends on it, but it must be positive.
  return std::sqrt(std::max(mu_s, 1e-6) * gravity * kPreslidingDistance);
}

Resolved<CoulombParameters> resolve_coulomb(const CoulombInput& input, double gravity) {
  const GravityRule g = make_gravity_rule(gravity);
  if (input.mu && (input.mu_c || input.mu_s)) throw InputError("coulomb: give mu, or mu_c and mu_s, not both");
  Resolver r("coulomb");
  CoulombParameters p;
  const std::optional<double> mu_c = input.mu ? input.mu : input.mu_c;
  std::tie(p.mu_c, p.mu_s) = r.add_coefficients("mu_c", mu_c, input.mu_s);
  p.v_stribeck = r.add_v_stribeck(input.v_stribeck, p.mu_s, g.value, g.text, input.v_eps);
  p.v_eps = r.add_v_eps(input.v_eps, p.v_stribeck);
  return r.finish(p);
}

Resolved<LugreParameters> resolve_lugre(const LugreInput& input, double gravity) {
  const GravityRule g = make_gravity_rule(gravity);
  Resolver r("lugre");
  LugreParameters p;
  std::tie(p.mu_d, p.mu_s) = r.add_coefficients("mu_d", input.mu_d, input.mu_s);
  if (!(p.mu_d > 0.0)) throw InputError("lugre: mu_d is 0, must be positive; take law = \"none\" for no friction");
  p.sigma_0 = r.add("sigma_0", "N/m", Range::positive, input.sigma_0, p.mu_s / (0.25 * kPreslidingDistance),
                    "rule: mu_s fn / 2.5e-5 m, fn the load that acts; here for 1 N");
  p.sigma_0_by_load = !input.sigma_0;
  p.sigma_1_by_mass = !input.sigma_1;
  p.sigma_1 =
      p.sigma_0_by_load
          ? r.add(
                "sigma_1", "N s/m", Range::not_negative, input.sigma_1, 2.0 * std::sqrt(p.sigma_0 / g.value),
                fmt::format("rule: critical damping of fn / g, at most of m of each contact; here for 1 N, {}", g.text))
          : r.add("sigma_1", "N s/m", Range::not_negative, input.sigma_1, 2.0 * std::sqrt(p.sigma_0),
                  "rule: critical damping, 2 sqrt(sigma_0 m), m of each contact; here for 1 kg");
  p.sigma_2 = r.add("sigma_2", "N s/m", Range::not_negative, input.sigma_2, 0.0, "default: no viscous friction");
  p.v_stribeck = r.add_v_stribeck(input.v_stribeck, p.mu_s, g.value, g.text);
  return r.finish(p);
}

Resolved<BristleParameters> resolve_bristle(const BristleInput& input, double gravity) {
  const GravityRule g = make_gravity_rule(gravity);
  Resolver r("bristle");
  BristleParameters p;
  p.regularisation = input.regularisation;
  std::tie(p.mu_c, p.mu_s) = r.add_coefficients("mu_c", input.mu_c, input.mu_s);
  if (!input.sigma_0 && !(p.mu_s > 0.0)) {
    throw InputError(
        "bristle: mu_s is 0, so that sigma_0 has no rule; give sigma_0, or law = \"none\" for no friction");
  }
  p.sigma_0 = r.add("sigma_0", "1/m", Range::positive, input.sigma_0, p.mu_s / kPreslidingDistance,
                    "rule: mu_s / 1e-4 m, pre-sliding of robotic payloads");
  const double critical = 2.0 * std::sqrt(p.sigma_0 / g.value);
  p.sigma_1 = r.add("sigma_1", "s/m", Range::positive, input.sigma_1, critical,
                    fmt::format("rule: critical damping, 2 sqrt(sigma_0/g) at {}", g.text));
  p.sigma_2 = r.add("sigma_2", "s/m", Range::not_negative, input.sigma_2, 0.0, "default: no viscous friction");
  p.v_stribeck = r.add_v_stribeck(input.v_stribeck, p.mu_s, g.value, g.text, input.v_eps);
  p.tau_dwell = r.add("tau_dwell", "s", Range::not_negative, input.tau_dwell, 0.0, "default: stiction returns at once");
  p.v_eps = r.add_v_eps(input.v_eps, p.v_stribeck);
  note_damping(r, p, input.sigma_1, critical);
  note_charging(r, p, g.value);
  return r.finish(p);
}

}  // namespace abut
