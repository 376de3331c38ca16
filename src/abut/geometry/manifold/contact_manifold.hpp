#pragma once

#include <array>

#include "abut/geometry/manifold/contact_solid.hpp"
#include "abut/geometry/point_contact.hpp"
#include "abut/math/pose.hpp"

namespace abut {

/// Points of contact of two convex solids: enough for any face on any other without loss of what they support, unless
/// the overlap has more corners than that, when the ones farthest apart are kept.
constexpr int kManifoldPoints = 8;

/// Of a convex solid and a mesh that is not: several places at once.
constexpr int kMeshManifoldPoints = 16;

/// What a pair remembers from one evaluation to the next: where to look for the normal first, and which corner holds
/// which place. Without it the points are the same, in another order.
struct ManifoldMemory {
  SeparationMemory separation;                        ///< in B's axes
  Vec3 normal = Vec3::Zero();                         ///< in B's axes; zero: none
  std::array<int, kMeshManifoldPoints> ids = {};      ///< of the corners at each place; 0: none
  std::array<Vec3, kMeshManifoldPoints> points = {};  ///< where they were, in B's frame [m]
};

/// Whether a place holds no corner at present: its gap is infinite.
inline bool is_vacant(const PointContact& contact) { return contact.gap > 1e300; }

/// Fills kManifoldPoints places: corners of the overlap of the two facing features, seen along the normal of contact
/// (from B into A), each with its own signed gap along that normal, midway between the surfaces. A corner keeps its
/// place while it exists. Solids farther apart than `reach` [m] have none. B may be a half-space, A not.
///
/// The normal is that of the flat face along which the solids are most apart, where the nearest corner lies over that
/// face; otherwise of the lines that cross, or of the nearest points. [docs/theory/complementarity.md]
void calc_manifold(const ContactSolid& a, const Pose& X_WA, const ContactSolid& b, const Pose& X_WB, double reach,
                   ManifoldMemory& memory, PointContact* out);

}  // namespace abut
