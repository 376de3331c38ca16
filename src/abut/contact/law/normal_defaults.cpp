#include "abut/contact/law/normal_defaults.hpp"

#include <cmath>
#include <string>
#include <string_view>
#include <utility>

#include "abut/base/error.hpp"

namespace abut {
namespace {

constexpr double kDefaultPoisson = 0.3;

class NormalResolver {
 public:
  explicit NormalResolver(const NormalInput& input) : in_(input), name_(normal_law_name(input.law)) {}

  NormalResolution run() {
    out_.parameters.law = in_.law;
    out_.parameters.renews = in_.renews;
    resolve_exponent();
    resolve_stiffness();
    resolve_damping();
    if (in_.law != NormalLaw::hertz) {
      out_.parameters.v_small = add("v_small", "m/s", in_.v_small, kDefaultVSmall, "default: 1 mm/s, robotic tasks");
    }
    resolve_yield();
    validate(out_.parameters);
    note_inexact_rule();
    return out_;
  }

 private:
  double add(std::string_view key, std::string unit, const std::optional<double>& given, double otherwise,
             std::string_view origin) {
    const double value = given.value_or(otherwise);
    out_.values.push_back({std::string(key), value, std::move(unit), given ? "given" : std::string(origin)});
    return value;
  }

  void resolve_exponent() {
    const bool linear = in_.law == NormalLaw::kelvin_voigt;
    out_.parameters.exponent = add("exponent", "", in_.exponent, linear ? 1.0 : 1.5,
                                   linear ? "default: linear spring" : "default: 3/2, Hertz");
  }

  void resolve_stiffness() {
    const bool material = in_.young || in_.poisson || in_.young_b || in_.poisson_b;
    if (in_.stiffness && material) {
      throw InputError(fmt::format("{}: give stiffness, or young and poisson, not both", name_));
    }
    const double p = out_.parameters.exponent;
    if (in_.stiffness) {
      out_.parameters.stiffness = add("stiffness", fmt::format("N/m^{:g}", p), in_.stiffness, 0.0, "");
      return;
    }
    if (!in_.young) throw InputError(fmt::format("{}: needs stiffness, or young (and poisson)", name_));
    if (p != 1.5) {
      throw InputError(
          fmt::format("{}: exponent is {}; a stiffness from young and poisson is Hertz's and needs 1.5", name_, p));
    }
    ElasticMaterial a, b;
    a.young = add("young", "Pa", in_.young, 0.0, "");
    a.poisson = add("poisson", "", in_.poisson, kDefaultPoisson, "default: 0.3, metals");
    b.young = add("young_b", "Pa", in_.young_b, a.young, "rule: same as young");
    b.poisson = add("poisson_b", "", in_.poisson_b, a.poisson, "rule: same as poisson");
    out_.contact_modulus = calc_contact_modulus(a, b);
  }

  void resolve_yield() {
    if (in_.yield_b && !in_.yield)
      throw InputError(fmt::format("{}: yield_b is that of the second body; yield of the first is missing", name_));
    if (!in_.yield) return;
    add("yield", "Pa", in_.yield, 0.0, "");
    add("yield_b", "Pa", in_.yield_b, *in_.yield, "rule: same as yield");
  }

  void resolve_damping() {
    const bool table = !in_.table_speed.empty() || !in_.table_restitution.empty();
    const int forms = int{in_.damping.has_value()} + int{in_.restitution.has_value()} +
                      int{in_.restitution_slope.has_value()} + int{table};
    if (forms > 1) {
      throw InputError(
          fmt::format("{}: give only one of damping, restitution, restitution_slope, restitution_table", name_));
    }
    const double r = calc_damping_exponent(in_.law, out_.parameters.exponent);
    if (in_.law == NormalLaw::hertz) {
      if (forms > 0) throw InputError("hertz: has no damping; remove damping or restitution, or choose another law");
      return;
    }
    if (in_.damping) {
      out_.parameters.damping = add("damping", fmt::format("N s/m^{:g}", r + 1.0), in_.damping, 0.0, "");
    } else if (in_.restitution_slope) {
      out_.parameters.restitution =
          Restitution::make_linear(add("restitution_slope", "s/m", in_.restitution_slope, 0.0, ""));
    } else if (table) {
      out_.parameters.restitution = Restitution::make_table(in_.table_speed, in_.table_restitution);
      out_.values.push_back({"restitution_table", static_cast<double>(in_.table_speed.size()), "points", "given"});
    } else {
      const double e =
          add("restitution", "", in_.restitution, 1.0, "default: elastic, as neither damping nor restitution is given");
      out_.parameters.restitution = Restitution::make_constant(e);
    }
  }

  void note_inexact_rule() {
    const NormalLawParameters& p = out_.parameters;
    if (p.damping || in_.law == NormalLaw::hertz || has_exact_restitution(in_.law)) return;
    const double e = p.restitution.min_coefficient();
    const double v = 1.0;  // the obtained restitution does not depend on it, only on e
    NormalLawParameters at_e = p;
    at_e.restitution = Restitution::make_constant(e);
    const double obtained = exact_restitution(make_normal_coefficients(at_e, 1.0, v, 1.0).damping * v);
    if (std::abs(obtained - e) > 0.02) {
      out_.notes.push_back(fmt::format(
          "{} gives restitution {:.3f} where {:.3g} is asked for; gonthier meets it exactly", name_, obtained, e));
    }
  }

  const NormalInput& in_;
  std::string_view name_;
  NormalResolution out_;
};

}  // namespace

NormalResolution resolve_normal(const NormalInput& input) { return NormalResolver(input).run(); }

}  // namespace abut
