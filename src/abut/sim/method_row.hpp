#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "abut/geometry/shape.hpp"
#include "abut/scene/scene_spec.hpp"

namespace abut {

class Dynamics;
class Method;
class RunBook;
class RunClock;
struct ContactAdvice;
struct MethodAdvice;
struct Model;
struct State;

/// What can be said of a method beyond its row in scene/method_list.hpp, and the code that steps by it.
struct MethodRow {
  MethodKind kind;

  /// Binds it to a run.
  std::unique_ptr<Method> (*make)(Dynamics& dynamics, State& state, RunBook& book, RunClock& clock);

  /// "rk4, step 0.001 s": for the first line of a run.
  std::string (*describe)(const SceneSpec& scene);

  /// Throws InputError for what it cannot step in a scene that is right otherwise; null: nothing.
  void (*refuse)(const SceneSpec& scene) = nullptr;

  /// Why these two cannot meet at points, or an empty string; null: they can wherever a point pair exists.
  std::string (*find_point_obstacle)(const Shape& a, const Shape& b) = nullptr;

  /// The same where only the method's settings forbid it: what follows "no contact is possible between A and B ", with
  /// what to use instead; null: never.
  std::string (*find_setting_obstacle)(const SceneSpec& scene, const Shape& a, const Shape& b) = nullptr;

  /// Numbers it will use that the scene does not show, and warnings before a run; null: what is said of each contact is
  /// all. `contacts` as make_contact_advice() found them.
  void (*advise)(const Model& model, const std::vector<ContactAdvice>& contacts, MethodAdvice& advice) = nullptr;

  /// Region under which it is a way out of a run that would take hours, and whether all contacts must have it then.
  struct WayOut {
    ContactDefaultSpec::Region region;
    bool for_all;
  };
  std::optional<WayOut> way_out = std::nullopt;
};

/// Each stands beside the code of its method.
extern const MethodRow kAdaptiveRow, kExplicitRow, kLcpRow, kNcpRow, kMicroRow;

/// All of them, in the order of MethodKind.
std::span<const MethodRow* const> method_rows();
const MethodRow& method_row(MethodKind kind);

}  // namespace abut
