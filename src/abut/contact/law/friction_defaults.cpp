#include "abut/contact/law/friction_defaults.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "abut/base/error.hpp"
#include "abut/scene/field_text.hpp"

namespace abut {
namespace {

/// The row of the table of fields that belongs to a member.
struct RowOfMember {
  const void* member;
  FieldInfo row{};
  void operator()(const auto& candidate, const FieldInfo& info) {
    if (static_cast<const void*>(&candidate) == member) row = info;
  }
};

/// Collects values with their origin and checks each against the table of fields as it passes.
template <class Spec>
class Resolver {
 public:
  explicit Resolver(const Spec& spec) : spec_(spec) {}

  /// `detail` says more of the rule that the table names.
  double add(const std::optional<double>& member, double otherwise, std::string_view detail = "") {
    return add_as(member, otherwise, fmt::format("rule: {}{}", find_row(member).otherwise, detail));
  }
  double add_default(const std::optional<double>& member, std::string_view detail) {
    const double otherwise = find_row(member).fallback;
    return add_as(member, otherwise, fmt::format("default: {:g}, {}", otherwise, detail));
  }
  double add_as(const std::optional<double>& member, double otherwise, const std::string& origin) {
    return take(member, find_row(member), otherwise, origin);
  }

  /// Sliding and static coefficient; one alone stands for both.
  std::pair<double, double> add_coefficients(const std::optional<double>& sliding, const std::optional<double>& stuck) {
    const FieldInfo sliding_row = find_row(sliding), stuck_row = find_row(stuck);
    if (!sliding && !stuck) throw InputError(fmt::format("{}: {} is missing", Spec::kTag, sliding_row.key));
    return add_coefficients(sliding, stuck, sliding_row, stuck_row);
  }
  std::pair<double, double> add_coefficients(const std::optional<double>& sliding, const std::optional<double>& stuck,
                                             const FieldInfo& sliding_row, const FieldInfo& stuck_row) {
    const double mu_c = take(sliding, sliding_row, stuck.value_or(0.0), fmt::format("rule: same as {}", stuck_row.key));
    const double mu_s = take(stuck, stuck_row, mu_c, fmt::format("rule: same as {}", sliding_row.key));
    if (mu_s < mu_c) {
      throw InputError(fmt::format("{}: {} is {}, must not be below {} = {}", Spec::kTag, stuck_row.key, mu_s,
                                   sliding_row.key, mu_c));
    }
    return {mu_c, mu_s};
  }

  FieldInfo find_row(const std::optional<double>& member) const {
    RowOfMember found{&member};
    visit_fields(found, spec_);
    return found.row;
  }

  void note(std::string text) { notes_.push_back(std::move(text)); }

  template <class Parameters>
  Resolved<Parameters> finish(const Parameters& parameters) {
    return {parameters, std::move(values_), std::move(notes_)};
  }

 private:
  double take(const std::optional<double>& given, const FieldInfo& row, double otherwise, const std::string& origin) {
    const double value = given.value_or(otherwise);
    if (const std::string defect = find_number_defect(value, row); !defect.empty())
      throw InputError(fmt::format("{}: {} {}", Spec::kTag, row.key, defect));
    const bool has_unit = std::string_view(row.unit) != "1";
    values_.push_back({row.key, value, has_unit ? row.unit : "", given ? "given" : origin});
    return value;
  }

  const Spec& spec_;
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

/// A direction that is blurred below v_eps leaves no room for stiction in less than ten times that.
template <class Spec>
double add_v_stribeck(Resolver<Spec>& r, const Spec& spec, double mu_s, const GravityRule& gravity) {
  const double of_load = calc_default_v_stribeck(mu_s, gravity.value);
  if constexpr (requires { spec.v_eps; }) {
    if (spec.v_eps && std::isfinite(*spec.v_eps) && 10.0 * *spec.v_eps > of_load)
      return r.add_as(spec.v_stribeck, 10.0 * *spec.v_eps, "rule: 10 v_eps");
  }
  return r.add(spec.v_stribeck, of_load, fmt::format(", {}", gravity.text));
}

template <class Spec>
double add_v_eps(Resolver<Spec>& r, const Spec& spec, double v_stribeck) {
  const double v_eps = r.add(spec.v_eps, v_stribeck / 100.0);
  if (v_eps > v_stribeck / 10.0 * (1.0 + 1e-12)) {
    r.note(fmt::format(
        "v_eps = {:g} m/s is more than a tenth of v_stribeck = {:g} m/s: the sliding direction is blurred where "
        "stiction should act",
        v_eps, v_stribeck));
  }
  return v_eps;
}

void note_damping(Resolver<BristleSpec>& r, const BristleParameters& p, const std::optional<double>& given,
                  double critical) {
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
void note_charging(Resolver<BristleSpec>& r, const BristleParameters& p, double gravity) {
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

Resolved<CoulombParameters> resolve_friction(const CoulombSpec& spec, double gravity) {
  const GravityRule g = make_gravity_rule(gravity);
  if (spec.mu && (spec.mu_c || spec.mu_s)) throw InputError("coulomb: give mu, or mu_c and mu_s, not both");
  Resolver r(spec);
  CoulombParameters p;
  const std::optional<double>& mu_c = spec.mu ? spec.mu : spec.mu_c;
  if (!mu_c && !spec.mu_s) throw InputError("coulomb: mu_c is missing");
  std::tie(p.mu_c, p.mu_s) = r.add_coefficients(mu_c, spec.mu_s, r.find_row(spec.mu_c), r.find_row(spec.mu_s));
  p.v_stribeck = add_v_stribeck(r, spec, p.mu_s, g);
  p.v_eps = add_v_eps(r, spec, p.v_stribeck);
  return r.finish(p);
}

Resolved<LugreParameters> resolve_friction(const LugreSpec& spec, double gravity) {
  const GravityRule g = make_gravity_rule(gravity);
  Resolver r(spec);
  LugreParameters p;
  std::tie(p.mu_d, p.mu_s) = r.add_coefficients(spec.mu_d, spec.mu_s);
  if (!(p.mu_d > 0.0)) throw InputError("lugre: mu_d is 0, must be positive; take law = \"none\" for no friction");
  p.sigma_0 = r.add(spec.sigma_0, p.mu_s / (0.25 * kPreslidingDistance), "; here for 1 N");
  p.sigma_0_by_load = !spec.sigma_0;
  p.sigma_1_by_mass = !spec.sigma_1;
  p.sigma_1 = p.sigma_0_by_load
                  ? r.add(spec.sigma_1, 2.0 * std::sqrt(p.sigma_0 / g.value), fmt::format("; here for 1 N, {}", g.text))
                  : r.add(spec.sigma_1, 2.0 * std::sqrt(p.sigma_0), "; here for 1 kg");
  p.sigma_2 = r.add_default(spec.sigma_2, "no viscous friction");
  p.v_stribeck = add_v_stribeck(r, spec, p.mu_s, g);
  return r.finish(p);
}

Resolved<BristleParameters> resolve_friction(const BristleSpec& spec, double gravity) {
  const GravityRule g = make_gravity_rule(gravity);
  Resolver r(spec);
  BristleParameters p;
  p.regularisation = spec.regularisation;
  std::tie(p.mu_c, p.mu_s) = r.add_coefficients(spec.mu_c, spec.mu_s);
  if (!spec.sigma_0 && !(p.mu_s > 0.0)) {
    throw InputError(
        "bristle: mu_s is 0, so that sigma_0 has no rule; give sigma_0, or law = \"none\" for no friction");
  }
  p.sigma_0 = r.add(spec.sigma_0, p.mu_s / kPreslidingDistance, ", pre-sliding of robotic payloads");
  const double critical = 2.0 * std::sqrt(p.sigma_0 / g.value);
  p.sigma_1 = r.add(spec.sigma_1, critical, fmt::format(" at {}", g.text));
  p.sigma_2 = r.add_default(spec.sigma_2, "no viscous friction");
  p.v_stribeck = add_v_stribeck(r, spec, p.mu_s, g);
  p.tau_dwell = r.add_default(spec.tau_dwell, "stiction returns at once");
  p.v_eps = add_v_eps(r, spec, p.v_stribeck);
  note_damping(r, p, spec.sigma_1, critical);
  note_charging(r, p, g.value);
  return r.finish(p);
}

}  // namespace abut
