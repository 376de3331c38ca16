#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "abut/contact/contact_rule.hpp"
#include "abut/contact/law/normal_defaults.hpp"
#include "abut/scene/record_column.hpp"
#include "abut/sim/combination.hpp"
#include "abut/sim/model.hpp"
#include "abut/sim/model_twin.hpp"
#include "abut/sim/run_summary.hpp"

namespace abut {

/// What can be said of a region beyond its row in contact/region/region_traits.hpp: with scenes, models and what a run
/// was. Null: nothing.
struct RegionRow {
  RegionKind kind;
  unsigned column_kinds = 0;  ///< whose columns of a record its contacts fill (scene/record_column.hpp)
  /// Steps are advised for bodies that lie on a face, pressing there with the stiffness of the face, and not on
  /// corners.
  bool lies_flush = false;
  bool wants_ring_facets = false;  ///< sees rings as flat facets (geometry/mesh/facets.hpp)

  /// Steps of one trial (sim/step_trial.hpp), at most a second or so: what a look at a contact costs differs by three
  /// orders of magnitude. `is_quick`: all shapes are simple.
  double (*count_trial_steps)(bool is_quick);

  /// Its options in a scene.
  RegionRule (*make_rule)(const ContactDefaultSpec& settings);
  /// Throws InputError where the scene gives keys that no other region has.
  void (*refuse_keys)(const NormalSpec& spec, const ContactDefaultSpec& settings) = nullptr;
  NormalResolution (*resolve_normal)(const NormalSpec& spec, const ContactDefaultSpec& settings);
  /// Why it cannot have this law of friction, with those that it takes, or an empty string.
  std::string (*find_friction_obstacle)(const FrictionLawRow& law) = nullptr;
  /// A legal option that is worth a word.
  std::optional<std::string> (*note_rule)(const ContactRule& rule) = nullptr;
  /// Why these two cannot meet under it, or an empty string.
  std::string (*find_pair_obstacle)(const CombinationSide& a, const CombinationSide& b, ContactMethod method);
  /// What the colliders of its contacts need beyond their shapes.
  void (*prepare)(const SceneSpec& scene, const ModelTwin& twin, Model& model) = nullptr;

  /// What a pair's law takes for granted, judged at its peak; `rule` null where none covers it any more, `size` of the
  /// smaller body [m].
  void (*judge_pair)(const PairSummary& pair, const ContactRule* rule, double size, std::vector<std::string>& notes);
  /// What of its options lets damping or friction give energy, or springs give back more than they took.
  std::string (*explain_heat)(const ContactRule& rule) = nullptr;
  std::string (*explain_springs)(const ContactRule& rule) = nullptr;
  /// Options to try first where a run by fixed steps fails, each followed by ", or ".
  std::string (*suggest_options)(const ContactRule& rule) = nullptr;
};

/// Each stands in a file of its own.
extern const RegionRow kPointRow, kVolumeRow, kPerimeterRow;

/// All of them, in the order of RegionKind.
std::span<const RegionRow* const> region_rows();
const RegionRow& region_row(RegionKind kind);

/// As scenes and as contacts name it.
constexpr RegionKind region_kind(ContactRegion region) { return static_cast<RegionKind>(region); }
inline ContactRegion region_of(const ContactRule& rule) { return static_cast<ContactRegion>(rule.kind()); }

}  // namespace abut
