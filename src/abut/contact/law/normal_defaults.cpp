#include "abut/contact/law/normal_defaults.hpp"

#include <cmath>
#include <string>
#include <string_view>
#include <utility>

#include "abut/base/error.hpp"

namespace abut {
namespace {

class NormalResolver {
 public:
  explicit NormalResolver(const NormalSpec& spec) : in_(spec), row_(normal_law_row(spec.law)), name_(row_.text.name) {}

  NormalResolution run() {
    out_.parameters.law = in_.law;
    out_.parameters.renews = in_.damper == NormalSpec::Damper::blow;
    resolve_exponent();
    resolve_stiffness();
    resolve_damping();
    if (row_.has_damping) resolve_v_small();
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
    const double usual = row_.exponent;
    out_.parameters.exponent = add("exponent", "", in_.exponent, usual,
                                   usual == 1.0   ? "default: linear spring"
                                   : usual == 1.5 ? "default: 3/2, Hertz"
                                                  : "default: that of the law");
  }

  void resolve_v_small() {
    // A scene built in code has no keys: there a value other than the default was given.
    const bool is_given = in_.has_key("v_small") || in_.v_small != NormalSpec{}.v_small;
    out_.parameters.v_small = in_.v_small;
    out_.values.push_back({"v_small", in_.v_small, "m/s", is_given ? "given" : "default: 1 mm/s, robotic tasks"});
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
    if (!in_.young || !in_.poisson) throw InputError(fmt::format("{}: needs stiffness, or young and poisson", name_));
    if (p != 1.5) {
      throw InputError(
          fmt::format("{}: exponent is {}; a stiffness from young and poisson is Hertz's and needs 1.5", name_, p));
    }
    ElasticMaterial a, b;
    a.young = add("young", "Pa", in_.young, 0.0, "");
    a.poisson = add("poisson", "", in_.poisson, 0.0, "");
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
    const int forms = int{in_.damping.has_value()} + int{in_.restitution.has_value()} +
                      int{in_.restitution_slope.has_value()} + int{in_.restitution_table.has_value()};
    if (forms > 1) {
      throw InputError(
          fmt::format("{}: give only one of damping, restitution, restitution_slope, restitution_table", name_));
    }
    if (!row_.has_damping) {
      if (forms > 0) {
        throw InputError(
            fmt::format("{}: has no damping; remove damping or restitution, or choose another law", name_));
      }
      return;
    }
    if (in_.damping) {
      const double r = calc_damping_exponent(in_.law, out_.parameters.exponent);
      out_.parameters.damping = add("damping", fmt::format("N s/m^{:g}", r + 1.0), in_.damping, 0.0, "");
    } else if (in_.restitution_slope) {
      out_.parameters.restitution =
          Restitution::make_linear(add("restitution_slope", "s/m", in_.restitution_slope, 0.0, ""));
    } else if (in_.restitution_table) {
      const std::vector<double>& speed = in_.restitution_table->speed;
      out_.parameters.restitution = Restitution::make_table(speed, in_.restitution_table->restitution);
      out_.values.push_back({"restitution_table", static_cast<double>(speed.size()), "points", "given"});
    } else {
      if (!in_.restitution) throw InputError(fmt::format("{}: restitution is missing", name_));
      out_.parameters.restitution = Restitution::make_constant(add("restitution", "", in_.restitution, 0.0, ""));
    }
  }

  void note_inexact_rule() {
    const NormalLawParameters& p = out_.parameters;
    if (p.damping || !row_.has_damping || row_.meets_restitution) return;
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

  const NormalSpec& in_;
  const NormalLawRow& row_;
  std::string_view name_;
  NormalResolution out_;
};

}  // namespace

NormalResolution resolve_normal(const NormalSpec& spec) { return NormalResolver(spec).run(); }

}  // namespace abut
