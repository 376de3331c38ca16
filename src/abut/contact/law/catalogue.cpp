#include "abut/contact/law/catalogue.hpp"

#include <utility>

namespace abut {
namespace {

using Parameters = std::vector<LawParameterInfo>;

/// No exponent: the law has one of its own.
Parameters make_stiffness_parameters(std::string exponent_default, std::string exponent_range) {
  Parameters all = {{"stiffness", "k", "N/m^p", "> 0", "from young and poisson", "force per depth^p"},
                    {"young", "E_a", "Pa", "> 0", "stiffness is given",
                     "Young's modulus of the first body, or of both; needs exponent 1.5"},
                    {"poisson", "nu_a", "-", "above -1, to 0.5", "stiffness is given",
                     "Poisson's ratio of the first body, or of both; goes with young"},
                    {"young_b", "E_b", "Pa", "> 0", "young", "Young's modulus of the second body"},
                    {"poisson_b", "nu_b", "-", "above -1, to 0.5", "poisson", "Poisson's ratio of the second body"},
                    {"yield", "Y_a", "Pa", "> 0", "pressure is not judged",
                     "yield stress of the first body, or of both: said where the pressure passes it, changes no force"},
                    {"yield_b", "Y_b", "Pa", "> 0", "yield", "yield stress of the second body"}};
  if (!exponent_range.empty()) {
    all.push_back({"exponent", "p", "-", std::move(exponent_range), std::move(exponent_default),
                   "3/2 for smooth elastic surfaces (Hertz)"});
  }
  return all;
}

/// No unit of damping: the law takes a restitution only.
Parameters make_normal_parameters(std::string exponent_default, std::string exponent_range, std::string damping_unit,
                                  std::string restitution_range) {
  Parameters all = make_stiffness_parameters(std::move(exponent_default), std::move(exponent_range));
  const bool takes_damping = !damping_unit.empty();
  if (takes_damping) {
    all.push_back({"damping", "lambda", std::move(damping_unit), ">= 0", "from restitution",
                   "damping coefficient, used as it is"});
  }
  const Parameters damping = {
      {"restitution", "e", "-", restitution_range, takes_damping ? "another form, or damping" : "another form",
       "speed of separation over speed of approach, the same at every speed"},
      {"restitution_slope", "alpha", "s/m", ">= 0", "another form",
       "e = 1 - alpha v, not below 0.01; steel, bronze, ivory 0.08 to 0.32"},
      {"restitution_table", "e(v)", "m/s, -", "speeds rising; " + restitution_range, "another form",
       "straight lines between points, constant beyond"},
      {"v_small", "v_small", "m/s", "> 0", "1e-3", "impact speeds below count as this"},
      {"damper", "v", "-", "blow, touch", "blow",
       "speed that makes the damping: of the blow that acts, or of the touch as long as the contact lasts"}};
  all.insert(all.end(), damping.begin(), damping.end());
  return all;
}

LawInfo make_proportional_law(std::string name, std::string rule, std::string restitution_range,
                              std::string damping_unit, std::string purpose, std::string limits, std::string source) {
  LawInfo law;
  law.page = "theory/" + name + ".md";
  law.name = std::move(name);
  law.family = "normal";
  law.equation = "f = max(0, k x^p + lambda x^p v),  " + std::move(rule);
  law.purpose = std::move(purpose);
  law.limits = std::move(limits);
  law.source = std::move(source);
  law.parameters = make_normal_parameters("1.5", "0.5 to 5", std::move(damping_unit), std::move(restitution_range));
  return law;
}

std::vector<LawInfo> make_normal_laws() {
  std::vector<LawInfo> laws;
  laws.push_back({"hertz", "normal", "f = k x^p,  k = 4/3 E* sqrt(R) for p = 3/2",
                  "elastic contact without loss; quasi-static work",
                  "homogeneous, isotropic, linear elastic, smooth, non-conformal; patch small against the bodies",
                  "G. (2.1)-(2.4); Johnson 1985, 4.2 for elliptical patches", "theory/hertz.md",
                  make_stiffness_parameters("1.5", "0.5 to 5")});
  laws.push_back(
      {"kelvin-voigt", "normal", "f = max(0, k x^p + lambda v),  lambda from the exact impact for the requested e",
       "linear spring and damper; restitution independent of speed",
       "force jumps to lambda v at touch; wants the effective mass to meet e", "A.F. (1) with n = q = 1, p = 0",
       "theory/kelvin-voigt.md", make_normal_parameters("1", "0.5 to 5", "N s/m", "0.01 to 1")});
  laws.push_back(make_proportional_law(
      "hunt-crossley", "lambda = 3/2 (1 - e) k / v0", "0 to 1", "N s/m^(p+1)", "the classical hysteretic damper",
      "obtained restitution is right only near e = 1 (0.663 for 0.5)", "G. (3.11); M. (3.5)-(3.6)"));
  laws.push_back({"lee-wang", "normal",
                  "f = max(0, k x^p + lambda x v),  lambda from the exact impact for the requested e",
                  "between hunt-crossley and azad-featherstone in its dependence on speed",
                  "wants the effective mass to meet e; exponent at least 1", "A.F. (1) with p = q = 1",
                  "theory/lee-wang.md", make_normal_parameters("1.5", "1 to 5", "N s/m^2", "0.01 to 1")});
  laws.push_back(make_proportional_law("lankarani-nikravesh", "lambda = 3/4 (1 - e^2) k / v0", "0 to 1", "",
                                       "widely used in multibody codes; for comparison",
                                       "obtained restitution is right only near e = 1 (0.725 for 0.5)",
                                       "M. (3.7)-(3.8)"));
  laws.push_back(make_proportional_law("flores", "lambda = 8 (1 - e) / (5 e) k / v0", "above 0 to 1", "",
                                       "usable at low restitution, close to e everywhere",
                                       "off by up to 0.05 (0.470 for 0.5); e = 0 impossible; stiff at small e",
                                       "M. (3.9)-(3.10)"));
  laws.push_back(make_proportional_law(
      "gonthier", "lambda = d(e) k / (e v0),  (1 + d/e)/(1 - d) = exp(d (1 + 1/e))", "0.01 to 1", "",
      "meets the requested restitution exactly for any mass, stiffness and exponent",
      "isolated impact; e = 0 is not representable; stiff at small e", "G. (3.19)-(3.25), (3.43)"));
  laws.push_back({"azad-featherstone", "normal",
                  "f = max(0, k x^p + lambda x^(1/2) v),  lambda given, or from the exact impact for the requested e",
                  "viscoelastic spheres and plates; e falls almost linearly with the logarithm of speed, as measured",
                  "linear viscoelastic solids with one recovery time; wants the effective mass to meet e; exponent 3/2",
                  "A.F. (8), (11)", "theory/azad-featherstone.md",
                  make_normal_parameters("", "", "N s/m^1.5", "0.01 to 1")});
  return laws;
}

LawParameterInfo make_v_stribeck() {
  return {"v_stribeck", "v_S", "m/s", "> 0", "sqrt(mu_s g 1e-4 m)", "Stribeck speed; twice this is full slip"};
}

LawParameterInfo make_v_eps() {
  return {"v_eps",
          "v_eps",
          "m/s",
          "> 0",
          "v_stribeck / 100",
          "slip direction is rounded off below this; meant for a tenth of v_stribeck at most"};
}

std::vector<LawInfo> make_friction_laws() {
  std::vector<LawInfo> laws;
  laws.push_back({"none", "friction", "force = 0", "frictionless contact", "-", "-", "theory/coulomb.md", {}});
  laws.push_back({"coulomb",
                  "friction",
                  "force = -fn mu(|vt|) dir(vt),  mu(v) = mu_c + (mu_s - mu_c) exp(-(v/v_stribeck)^2)",
                  "sliding friction without memory; cheapest",
                  "no stiction: a body on a slope creeps at a fraction of v_eps; stiff when v_eps is small",
                  "G. (3.30), (3.32), (3.33) in its smooth form",
                  "theory/coulomb.md",
                  {{"mu", "mu", "-", ">= 0", "mu_c is given", "short for mu_c = mu_s = mu"},
                   {"mu_c", "mu_C", "-", ">= 0", "mu, or mu_s", "sliding coefficient"},
                   {"mu_s", "mu_S", "-", ">= mu_c", "mu_c", "coefficient at small slip"},
                   make_v_stribeck(),
                   make_v_eps()}});
  laws.push_back(
      {"lugre",
       "friction",
       "z' = vt - (sigma_0 |vt| / g) z,  g = fn (mu_d + (mu_s - mu_d) exp(-(|vt|/v_stribeck)^2)),  "
       "force = -(sigma_0 z + sigma_1 s z' + sigma_2 vt),  s = exp(-(|vt|/v_stribeck)^2)",
       "stiction and pre-sliding, with absolute bristle stiffness where it is given",
       "a given stiffness does not follow the load: no friction in short impacts, relaxation stiff as fn -> 0; "
       "creeps under oscillating load",
       "M. (3.11)-(3.15)",
       "theory/lugre.md",
       {{"mu_d", "mu_d", "-", "> 0", "mu_s", "dynamic coefficient"},
        {"mu_s", "mu_s", "-", ">= mu_d", "mu_d", "static coefficient"},
        {"sigma_0", "sigma_0", "N/m", "> 0", "mu_s fn / 2.5e-5 m", "bristle stiffness; fn the load"},
        {"sigma_1", "sigma_1", "N s/m", ">= 0", "2 sqrt(sigma_0 m)",
         "bristle damping; m the effective mass of each contact, fn / g where that is less"},
        {"sigma_2", "sigma_2", "N s/m", ">= 0", "0", "viscous coefficient"},
        make_v_stribeck()}});
  laws.push_back(
      {"bristle",
       "friction",
       "z' = s vt + (1 - s)(mu_c/sigma_1 dir(vt) - sigma_0/sigma_1 z),  s = exp(-(|vt|/v_stribeck)^2),  "
       "force = -fn (sat(sigma_0 z + sigma_1 z', mu_max) + sigma_2 vt),  mu_max = mu_c + (mu_s - mu_c) dwell",
       "stick-slip with dwell time; force proportional to the load at all times; true rest",
       "isotropic; v_stribeck well below working speeds; tau_dwell, if any, at least 10 sigma_1/sigma_0",
       "G. (3.28)-(3.42), Table 3.1",
       "theory/bristle.md",
       {{"mu_c", "mu_C", "-", ">= 0", "mu_s", "sliding coefficient"},
        {"mu_s", "mu_S", "-", ">= mu_c", "mu_c", "stiction coefficient"},
        {"sigma_0", "sigma_0", "1/m", "> 0", "mu_s / 1e-4 m", "bristle stiffness per load"},
        {"sigma_1", "sigma_1", "s/m", "> 0", "2 sqrt(sigma_0 / g)", "bristle damping per load"},
        {"sigma_2", "sigma_2", "s/m", ">= 0", "0", "viscous coefficient per load"},
        make_v_stribeck(),
        {"tau_dwell", "tau_dw", "s", ">= 0", "0", "time in which stiction recovers; 0: at once"},
        make_v_eps(),
        {"regularisation", "dir", "-", "printed, smooth", "printed", "form of the rounded slip direction"}}});
  return laws;
}

}  // namespace

const std::vector<LawInfo>& law_catalogue() {
  static const std::vector<LawInfo> laws = [] {
    std::vector<LawInfo> all = make_normal_laws();
    const std::vector<LawInfo> friction = make_friction_laws();
    all.insert(all.end(), friction.begin(), friction.end());
    return all;
  }();
  return laws;
}

const LawInfo* find_law(std::string_view name) {
  for (const LawInfo& law : law_catalogue()) {
    if (law.name == name) return &law;
  }
  return nullptr;
}

}  // namespace abut
