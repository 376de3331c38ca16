#include "variants.hpp"

#include <algorithm>
#include <optional>
#include <variant>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "abut/base/error.hpp"
#include "abut/base/spelling.hpp"
#include "abut/io/scene_reader.hpp"
#include "abut/io/scene_writer.hpp"
#include "abut/scene/problem_list.hpp"
#include "abut/scene/validate.hpp"

namespace abut {

namespace {

template <class Enum>
std::vector<std::string> enum_names() {
  std::vector<std::string> names;
  for (const EnumName<Enum>& entry : EnumNames<Enum>::values) names.emplace_back(entry.name);
  return names;
}

template <class Enum>
const EnumName<Enum>* find_name(const std::string& name) {
  for (const EnumName<Enum>& entry : EnumNames<Enum>::values) {
    if (name == entry.name) return &entry;
  }
  return nullptr;
}

[[noreturn]] void refuse(const char* option, const std::string& name, const std::vector<std::string>& allowed) {
  const std::string nearest = nearest_spelling(name, allowed);
  throw InputError(fmt::format("{}: there is no '{}'.{} Known: {}.\nNothing was run.", option, name,
                               nearest.empty() ? "" : fmt::format(" Did you mean '{}'?", nearest),
                               fmt::join(allowed, ", ")));
}

void set_normal(ContactDefaultSpec& contact, const std::string& name) {
  const auto* law = find_name<NormalSpec::Law>(name);
  if (law == nullptr) refuse("--normal", name, enum_names<NormalSpec::Law>());
  if (!contact.normal || contact.normal->law == law->value) return;
  // A damping coefficient has another unit under another law.
  contact.normal->damping.reset();
  if (!normal_law_row(law->value).has_damping) contact.normal->restitution.reset();  // it loses nothing
  contact.normal->law = law->value;
}

/// What the friction laws have in common.
struct Coefficients {
  std::optional<double> static_, kinetic, v_stribeck;
};

Coefficients read_coefficients(const FrictionSpec& friction) {
  return std::visit(
      [](const auto& law) {
        Coefficients out;
        if constexpr (requires { law.mu_s; }) out.static_ = law.mu_s, out.v_stribeck = law.v_stribeck;
        if constexpr (requires { law.mu_c; }) out.kinetic = law.mu_c;
        if constexpr (requires { law.mu_d; }) out.kinetic = law.mu_d;
        if constexpr (requires { law.mu; }) out.kinetic = law.mu ? law.mu : out.kinetic;
        return out;
      },
      friction.law);
}

template <class... Laws>
std::vector<std::string> tags(const std::variant<Laws...>&) {
  return {Laws::kTag...};
}

/// Assigns the alternative of that name, filled from the coefficients; false when there is none.
template <class... Laws>
bool assign_law(std::variant<Laws...>& law, const std::string& name, const Coefficients& from) {
  const auto assign = [&](auto made) {
    if (name != made.kTag) return false;
    if constexpr (requires { made.mu_s; }) made.mu_s = from.static_, made.v_stribeck = from.v_stribeck;
    if constexpr (requires { made.mu_c; }) made.mu_c = from.kinetic;
    if constexpr (requires { made.mu_d; }) made.mu_d = from.kinetic;
    law = made;
    return true;
  };
  return (assign(Laws{}) || ...);
}

void set_friction(ContactDefaultSpec& contact, const std::string& name) {
  const std::vector<std::string> known = tags(FrictionSpec{}.law);
  if (std::find(known.begin(), known.end(), name) == known.end()) refuse("--friction", name, known);
  if (!contact.friction) contact.friction = FrictionSpec{};
  const bool is_same = std::visit([&name](const auto& law) { return name == law.kTag; }, contact.friction->law);
  if (!is_same) assign_law(contact.friction->law, name, read_coefficients(*contact.friction));
}

/// A method, or an integrator, which brings its method along.
void set_method(RunSpec& run, const std::string& name, double step) {
  const auto* method = find_name<RunSpec::Method>(name);
  const auto* integrator = find_name<RunSpec::Integrator>(name);
  if (method == nullptr && integrator == nullptr) {
    std::vector<std::string> known = enum_names<RunSpec::Method>();
    for (const std::string& other : enum_names<RunSpec::Integrator>()) {
      if (other != "auto") known.push_back(other);
    }
    refuse("--method", name, known);
  }
  if (method != nullptr) {
    run.method = method->value;
    if (!is_integrator_of(run.method, run.integrator)) run.integrator = RunSpec::Integrator::automatic;
  } else {
    run.integrator = integrator->value;
    run.method = method_of(run.integrator).value_or(MethodKind::adaptive);
  }
  if (!has_fixed_step(run.method)) {
    run.step.reset();
  } else {
    run.max_step.reset();
    if (!run.step && method_traits(run.method).default_step == 0.0) run.step = 0.5 * step;
  }
}

template <class Change>
void change_contacts(SceneSpec& scene, Change change) {
  for (ContactSpec& contact : scene.contact) change(contact);
  if (scene.contact_default) change(*scene.contact_default);
}

/// The names to go through; one empty name where nothing varies.
template <class Name>
std::vector<Name> or_own(const std::vector<Name>& list) {
  return list.empty() ? std::vector<Name>{Name{}} : list;
}

/// The scene with the settings of one method, as if they had been given by --set.
SceneSpec apply_settings(const SceneSpec& scene, const MethodChoice& choice, const std::string& path) {
  if (choice.settings.empty()) return scene;
  try {
    SceneSpec changed = scene;
    for (const std::string& setting : choice.settings) {
      const std::optional<SceneChange> change = parse_scene_change(setting);
      // Whole tables are read.
      if (!change) return read_scene_text(scene_to_toml(scene), path, choice.settings);
      set(changed, change->path, change->value);
    }
    read_missing_meshes(changed, path);
    if (const std::vector<Problem> problems = validate(changed); !problems.empty()) throw to_input_error(problems);
    return changed;
  } catch (const InputError& error) {
    throw InputError(fmt::format("--method {}: {}", choice.label, error.what()));
  }
}

}  // namespace

std::vector<Variant> make_variants(const SceneSpec& scene, const VariantLists& lists, double step,
                                   const std::string& path) {
  std::vector<Variant> variants;
  for (const std::string& normal : or_own(lists.normal)) {
    for (const std::string& friction : or_own(lists.friction)) {
      for (const MethodChoice& method : or_own(lists.method)) {
        Variant variant{"", scene};
        if (!normal.empty())
          change_contacts(variant.scene, [&normal](ContactDefaultSpec& c) { set_normal(c, normal); });
        if (!friction.empty())
          change_contacts(variant.scene, [&friction](ContactDefaultSpec& c) { set_friction(c, friction); });
        if (!method.name.empty()) set_method(variant.scene.run, method.name, step);
        variant.scene = apply_settings(variant.scene, method, path);
        for (const std::string& part : {normal, friction, method.label}) {
          if (!part.empty()) variant.label += (variant.label.empty() ? "" : ", ") + part;
        }
        variants.push_back(std::move(variant));
      }
    }
  }
  return variants;
}

}  // namespace abut
