#pragma once

#include <algorithm>

#include "abut/geometry/manifold/contact_manifold.hpp"

namespace abut {

/// Two solids in the frame of B.
struct SolidPair {
  const ContactSolid& a;
  const ContactSolid& b;
  Pose X_BA;

  Vec3 calc_support_a(const Vec3& d) const { return X_BA * a.calc_support(X_BA.R.transpose() * d); }
  /// How far apart the solids are along n, from B into A; negative: how deep [m].
  double calc_gap(const Vec3& n) const {
    const Vec3 p = calc_support_a(-n);
    const HalfSpace* plane = b.half_space();
    return plane != nullptr ? n.dot(p) - plane->offset : n.dot(p - b.calc_support(n));
  }
  /// Length that tolerances are parts of [m].
  double size() const { return b.is_half_space() ? a.radius() : 2.0 * std::min(a.radius(), b.radius()); }
  ContactFeature calc_feature_a(const ContactFeature& own) const;
};

/// A direction of contact, from B into A, in B's axes.
struct ContactNormal {
  Vec3 n = Vec3::Zero();
  double gap = -1e300;           ///< along n [m]
  int face_a = -1, face_b = -1;  ///< whose face it belongs to, if any
};

/// The flat face along which the solids are most apart.
ContactNormal find_face_normal(const SolidPair& pair, const ManifoldMemory& memory);

/// Whether the solids have a face in one plane, in which they just touch, and are apart or just touch along another,
/// across it: a body that slides along a floor of several blocks comes to the next one so. What it will meet there is
/// the face that it slides on; the side of the block, which rounding hides or shows, is no obstacle.
bool is_grazing(const SolidPair& pair);

/// The direction along which they are most apart, among those of nearest points and of lines that cross.
ContactNormal find_free_normal(const SolidPair& pair, ManifoldMemory& memory);

}  // namespace abut
