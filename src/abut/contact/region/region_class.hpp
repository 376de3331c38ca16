#pragma once

#include <array>
#include <concepts>
#include <optional>
#include <vector>

#include "abut/contact/contact_memory.hpp"
#include "abut/contact/contact_table.hpp"
#include "abut/contact/patch_shape.hpp"

namespace abut {

/// What a region may be asked for beyond what every region must answer for itself (the concept RegionClass, below):
/// where it has nothing of the kind, these answer. Nothing is virtual: a contact set calls the class it knows, once for
/// each run of equal candidates.
struct RegionDefaults {
  // Of the list of candidates

  /// For what is found anew at each look, and for what is kept as long as the list is.
  void make_room() {}
  void take_candidates() {}
  /// Looks between the two, at the same candidates, leave no trace in looks to come.
  void remember(ContactMemory&) const {}
  void recall(const ContactMemory&) {}
  /// What the next look depends on beside poses and patches.
  template <class Archive>
  void visit(Archive&) {}

  // Of the life of a patch

  /// What a patch that breaks off from `kin` goes on with, `share` of its volume [1].
  void inherit(int /*point*/, const Patch& /*kin*/, double /*share*/, Patch&) const {}
  /// The patch that the one at this point breaks off from as it begins, or is joined to as it ends.
  PatchKin find_kin(int /*point*/, const BodyMotion&, PatchPool&) const { return {}; }
  /// A new patch has its place in the pool.
  void take_place(int /*place*/, PatchPool&) const {}
  void follow_begin(int /*point*/, double /*time*/, const PatchKin&, const CalcEffectiveMass&, PatchPool&) const {}
  /// What its bristles and works begin with, where that is not nothing.
  void begin_numbers(int /*point*/, int /*place*/, const BodyMotion&, double /*time*/, const PatchPool&,
                     const PatchNumbers&) const {}
  /// A patch takes its part of what its kin holds; it hands over what it holds to its heir.
  void split(int /*place*/, const PatchKin&, const BodyMotion&, const PatchPool&, const PatchNumbers&) const {}
  void merge(const Patch&, int /*place*/, int /*heir*/, const BodyMotion&, PatchPool&, const PatchNumbers&) const {}
  /// Takes what its springs still hold out of the work of a patch that ends, where it is lost with them [J].
  double end(int /*place*/, const PatchPool&, PatchWork&) const { return 0.0; }

  // Of steps

  /// Once a step, after patches have begun and ended by the geometry of this motion. `works`: kNumPatchWorks for each
  /// place of the pool [J].
  void begin_step(const BodyMotion&, double /*time*/, const double* /*works*/, PatchPool&) {}
  /// At its end, with the geometry of its last instant.
  void note_step(const BodyMotion&, const double* /*works*/, PatchPool&) const {}

  // Of grips: whether a patch that overlaps presses, which is an event

  /// Whether it is sure to press at the motion and gaps computed last; if not, the geometry is completed.
  bool grips_surely(int /*point*/, const Patch&, const BodyMotion&, double /*time*/, const PatchPool&) { return false; }
  /// Whether it presses well by its response; false where nobody asked for more than rates.
  bool presses(int /*point*/, const Patch&, const PatchResponse&) const { return false; }
  /// Positive while it presses.
  double calc_grip(int /*point*/, const Patch&, const BodyMotion&, double /*time*/) const { return 1.0; }

  // Of energy

  /// What its spring holds now and no work has booked: as it lets go, damping takes it, or gives it back [J].
  double calc_unbooked_energy(const Patch&, double /*gap*/, double /*time*/) const { return 0.0; }
  /// What its springs have given back beyond what they took up, by their work [J].
  double calc_overdraft(const PatchWork&) const { return 0.0; }

  // Of columns, summaries and advice

  /// The patch as it is now; false where nothing is known of it.
  bool describe(const Patch&, const BodyMotion&, const PatchResponse&, PatchShape&) const { return false; }
  /// The patch under its largest force, given its shape then.
  void describe_peak(const Patch&, const PatchShape&, PatchPeak&) const {}
  /// Hertz's patch under this response.
  std::optional<HertzEllipse> find_hertz_ellipse(const Patch&, const BodyMotion&, const PatchResponse&,
                                                 double /*time*/) const {
    return std::nullopt;
  }
  /// Pieces of the curve in which the surfaces cross, as found last.
  void list_curve(int /*point*/, std::vector<std::array<Vec3, 2>>&) const {}
  /// The volume that the bodies share, as found last.
  std::optional<PatchOverlap> find_overlap(int /*point*/) const { return std::nullopt; }
};

/// What every region must answer.
template <class R>
concept RegionClass = std::derived_from<R, RegionDefaults> &&
    requires(R& region, const R& seen, const BodyMotion& motion, PatchPool& pool, Patch& patch, double real, int index,
             const PatchResponse& response, const PatchWork& work, const PatchNumbers& numbers,
             const std::vector<Collider>& colliders, const ContactRule& rule, const RuleMatch& match,
             std::vector<PatchResponse>& responses) {
  typename R::Rule;
  { R::kKind } -> std::convertible_to<RegionKind>;
  /// The candidate that two colliders make, or nothing.
  { R::propose(colliders, rule, match, index, index) } -> std::same_as<std::optional<Candidate>>;
  /// Whether several points of the pair may have a patch, so that its name needs a number.
  { R::has_several_points(colliders, rule, patch.key) } -> std::same_as<bool>;
  /// Gaps, normals and points of a candidate.
  region.detect(index, motion, pool, Gaps::exact);
  /// Speed of approach that the point's damper sees [m/s].
  { seen.calc_approach_rate(index, motion) } -> std::same_as<double>;
  /// What relaxation hides of a patch that is found late, in the measure of its law.
  { seen.calc_hidden_measure(index) } -> std::same_as<double>;
  /// Completes a patch that has its law.
  region.begin(index, motion, patch);
  /// Responses of a run of active patches of one rule; where it ends.
  {
    seen.respond(std::declval<const ResponseInput&>(), index, index, responses, ConsumeResponse())
    } -> std::same_as<int>;
  /// What its spring holds [J], `work` done by it so far; the same as far as it was pressed in from the start.
  { seen.calc_elastic_energy(index, response, work, real, pool) } -> std::same_as<double>;
  { seen.calc_start_energy(index, response, work, real, pool) } -> std::same_as<double>;
  { seen.calc_bristle_energy(index, response, pool, numbers.friction_states, index) } -> std::same_as<double>;
};

}  // namespace abut
