#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

#include "abut/scene/field.hpp"
#include "abut/scene/lcp_spec.hpp"
#include "abut/scene/micro_spec.hpp"
#include "abut/scene/ncp_spec.hpp"

namespace abut {

/// The ways to move a scene on in time. What all rooms ask about a method stands in its row below; the code of a method
/// and what can only be said with a compiled model stand in its row in sim/method_row.hpp. A new one needs a name here,
/// a row here and a row there (CONTRIBUTING.md).
enum class MethodKind { adaptive, explicit_, lcp, ncp, micro };

/// Settings of the methods that have a table of their own.
struct MethodTables {
  LcpSpec lcp;
  NcpSpec ncp;
  MicroSpec micro;
};

template <class Visitor>
void visit_method_tables(Visitor& v, auto& s) {
  v(s.lcp, FieldInfo{.key = "lcp", .doc = "How contacts are stepped with method lcp."});
  v(s.ncp, FieldInfo{.key = "ncp", .doc = "Layers of the contacts with method ncp."});
  v(s.micro, FieldInfo{.key = "micro", .doc = "How finely contacts are followed inside of steps with method micro."});
}

/// What acts of the laws that a scene gives its contacts.
enum class LawUse {
  all,
  coefficients,  ///< of restitution and of friction: bodies do not yield
  friction,      ///< its coefficient: a layer of the method's own bears the load
};

struct MethodTraits {
  MethodKind kind;
  const char* name;  ///< in scenes
  char letter;       ///< in tables of what may meet
  const char* doc;
  const char* table = "";       ///< key of its own settings
  bool has_fixed_step = true;   ///< of a length that the scene gives; otherwise error control chooses it
  const char* automatic = "";   ///< what integrator = "auto" means; empty: the method chooses
  bool follows_laws = false;    ///< forces act in time, as functions of the state; otherwise as impulses of a step
  bool wants_smooth = false;    ///< of the forces that follow: they must be functions of the state alone
  bool is_limited = false;      ///< its steps must be shorter than what the laws' springs and dampers stand
  bool lets_overlap = true;     ///< by as much as the laws ask for
  bool only_at_points = false;  ///< it knows contact at points only
  double default_step = 0.0;    ///< where the scene gives none [s]; 0: it must
  LawUse (*find_law_use)(const MethodTables& tables) = [](const MethodTables&) { return LawUse::all; };
};

/// In the order of MethodKind.
inline constexpr auto kMethods = std::to_array<MethodTraits>({
    {.kind = MethodKind::adaptive,
     .name = "adaptive",
     .letter = 'a',
     .doc = "Error-controlled steps with located contact events",
     .has_fixed_step = false,
     .follows_laws = true,
     .wants_smooth = true},
    {.kind = MethodKind::explicit_,
     .name = "explicit",
     .letter = 'e',
     .doc = "Fixed steps",
     .automatic = "rk4",
     .follows_laws = true,
     .is_limited = true},
    {.kind = MethodKind::lcp,
     .name = "lcp",
     .letter = 'l',
     .doc = "Fixed steps on velocities with contacts as complementarity conditions",
     .table = "lcp",
     .lets_overlap = false,
     .find_law_use =
         [](const MethodTables& tables) {
           return tables.lcp.normal == LcpSpec::Normal::hard ? LawUse::coefficients : LawUse::all;
         }},
    {.kind = MethodKind::ncp,
     .name = "ncp",
     .letter = 'n',
     .doc = "Fixed steps that solve for motion, contact geometry and the deflection of soft layers at once",
     .table = "ncp",
     .lets_overlap = false,
     .find_law_use = [](const MethodTables&) { return LawUse::friction; }},
    {.kind = MethodKind::micro,
     .name = "micro",
     .letter = 'm',
     .doc = "Fixed steps inside of which stiff contacts are followed at their own pace",
     .table = "micro",
     .follows_laws = true,
     .only_at_points = true,
     .default_step = 1e-3},
});

constexpr const MethodTraits& method_traits(MethodKind kind) { return kMethods[static_cast<std::size_t>(kind)]; }
constexpr bool has_fixed_step(MethodKind kind) { return method_traits(kind).has_fixed_step; }

/// nullptr when there is no method of this name, or none whose settings are in this table.
const MethodTraits* find_method(std::string_view name);
const MethodTraits* find_method_of_table(std::string_view key);

/// "explicit, lcp and ncp": the methods whose steps are of fixed length, or those whose steps are not.
std::string list_methods(bool has_fixed_step, const char* last_word = "and");

template <>
struct EnumNames<MethodKind> {
  static constexpr EnumTable<MethodKind, kMethods.size()> values = [] {
    EnumTable<MethodKind, kMethods.size()> names{};
    for (std::size_t i = 0; i < kMethods.size(); ++i) names[i] = {kMethods[i].kind, kMethods[i].name};
    return names;
  }();
  static constexpr PlannedNames<0> planned{};
};

static_assert([] {
  for (std::size_t i = 0; i < kMethods.size(); ++i) {
    if (static_cast<std::size_t>(kMethods[i].kind) != i) return false;
  }
  return true;
}());

}  // namespace abut
