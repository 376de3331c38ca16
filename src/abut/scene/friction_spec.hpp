#pragma once

#include <string>
#include <variant>

#include "abut/scene/bristle_spec.hpp"
#include "abut/scene/coulomb_spec.hpp"
#include "abut/scene/field.hpp"
#include "abut/scene/friction_law_row.hpp"
#include "abut/scene/lugre_spec.hpp"

namespace abut {

struct NoFrictionSpec {
  static constexpr FrictionLawRow kRow = {.text = {.name = "none",
                                                   .doc = "No tangential force.",
                                                   .equation = "force = 0",
                                                   .limits = "-",
                                                   .source = "-",
                                                   .page = "coulomb"},
                                          .has_volume_form = true,
                                          .has_perimeter_form = true};
  static constexpr const char* kTag = kRow.text.name;
  static constexpr const char* kDoc = kRow.text.doc;
};

template <class Visitor>
void visit_fields(Visitor&, SpecOf<NoFrictionSpec> auto&) {}

/// The friction laws. What turns each into forces stands in contact/law/friction_law.hpp; a new one needs a
/// specification with its row and a place here, and a law there (CONTRIBUTING.md).
using FrictionLawSpec = std::variant<NoFrictionSpec, CoulombSpec, LugreSpec, BristleSpec>;

struct FrictionSpec : Located {
  FrictionLawSpec law;
};

template <class Visitor>
void visit_fields(Visitor& v, SpecOf<FrictionSpec> auto& s) {
  v(s.law, FieldInfo{.key = "law", .doc = "Friction law.", .required = true});
}

/// Calls `function(law)` for a new specification of each law, in their order.
template <class Function>
void for_each_friction_law(Function function) {
  [&]<class... Laws>(const std::variant<Laws...>&) { (function(Laws{}), ...); }(FrictionLawSpec{});
}

inline const FrictionLawRow& friction_law_row(const FrictionSpec& friction) {
  return std::visit([](const auto& law) -> const FrictionLawRow& { return law.kRow; }, friction.law);
}

/// "none, coulomb, lugre": the laws that have a form.
inline std::string list_friction_laws(bool FrictionLawRow::*has_form) {
  std::string text;
  for_each_friction_law([&](const auto& law) {
    if (law.kRow.*has_form) text += (text.empty() ? "" : ", ") + std::string(law.kTag);
  });
  return text;
}

}  // namespace abut
