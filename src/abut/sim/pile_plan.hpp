#pragma once

#include <vector>

#include "abut/contact/contact_set.hpp"
#include "abut/multibody/tree.hpp"

namespace abut {

/// How a pile of free bodies is stepped while its list of candidates lasts.
///
/// Candidates stand in the order of their owners, the lower of two bodies. Whoever goes through the bodies in order,
/// and at each through the contacts that it owns, has all loads on the body together and may step it at once: nobody
/// comes back to it. So each body and each contact is fetched from memory once a step. For several threads the bodies
/// are cut into parts, each gone through in that way; bodies that have contacts owned in an earlier part wait for a
/// second round, as do those of contacts that begin or end.
struct PilePlan {
  struct alignas(64) Part {
    int begin = 0, end = 0;  ///< free leaves
    PointOutcome outcome;    ///< of the step under way
  };

  /// Puts the outcomes of the parts together, in their order, makes the parts ready for the next step, and lists who
  /// waits.
  PointOutcome take_outcome(const Tree& tree, const CandidateList& candidates, const std::vector<Collider>& colliders);

  std::vector<Part> parts;
  std::vector<int> border;  ///< free leaves that wait in every step
  /// Of each link: 0 unless it waits in the step under way, kBorder where it does in every step or cannot move.
  std::vector<unsigned char> waits;
  std::vector<int> waiting;  ///< free leaves that wait in the step under way, ascending
  double deepest = 0.0;      ///< largest depth of the last step [m]

  static constexpr unsigned char kBorder = 2;
};

/// `num_parts` with about the same work each, as the contacts are now.
PilePlan make_pile_plan(const Tree& tree, const ContactSet& contacts, const std::vector<Collider>& colliders,
                        int num_parts);

}  // namespace abut
