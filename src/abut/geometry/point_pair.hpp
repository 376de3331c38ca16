#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "abut/geometry/point_contact.hpp"
#include "abut/geometry/shape.hpp"
#include "abut/math/pose.hpp"

namespace abut {

/// Pairs of shapes with a model of contact at points, first shape first.
enum class PointPairKind {
  kSphereSphere,
  kSphereHalfSpace,
  kSphereBox,
  kSphereCylinder,
  kSphereBore,
  kSphereCone,
  kSphereCapsule,
  kSphereEllipsoid,
  kSphereWedge,
  kSphereTorus,
  kSphereCavity,
  kSphereBowl,
  kCapsuleHalfSpace,
  kBoxHalfSpace,
  kCylinderHalfSpace,
  kConeHalfSpace,
  kEllipsoidHalfSpace,
  kTorusHalfSpace,
  kBowlHalfSpace,
  kCapsuleCavity,
  kBoxCavity,
  kCapsuleCapsule,
  kEllipsoidEllipsoid,
  kSmoothSmooth,  ///< by the functions of both (geometry/implicit_surface.hpp)
  kManifold,      ///< several points between convex solids (geometry/manifold), of hard contact only
  kMeshManifold,  ///< the same between a convex solid and a mesh that is not
};

constexpr bool is_manifold(PointPairKind kind) {
  return kind == PointPairKind::kManifold || kind == PointPairKind::kMeshManifold;
}

/// Of the pairs that calc_point_contacts() knows: all but manifolds.
constexpr int kMaxPairPoints = 8;

/// How a pair (A, B) is treated. The model is written for one order; `swapped` says that A is its second shape.
struct PointPair {
  PointPairKind kind = PointPairKind::kSphereSphere;
  bool swapped = false;
  int num_points = 1;
};

/// What a pair remembers from one evaluation to the next. It only makes the next one faster: results do not depend on
/// it beyond rounding, so that it may be copied, kept or cleared at will.
struct PointPairMemory {
  std::array<double, 3> normal = {0.0, 0.0, 0.0};
  bool is_valid = false;
};

/// The model of the pair (a, b), or nothing where there is none. Unbounded cylinders and cones meet spheres only.
std::optional<PointPair> find_point_pair(const Shape& a, const Shape& b);

/// Whether a ball is so wide that it may touch the ring, or the mouth of the bowl, all around at once. Its pair has
/// several points then, kept apart by their place on the ring; only hard contact can use them, since the nearest of
/// them turns about with the slightest shift of the ball. False for all other pairs.
bool touches_all_around(const Shape& a, const Shape& b);

/// Every pair with a model, for messages and documentation: "sphere and half-space", ...
std::vector<std::string> list_point_pairs();

/// Fills pair.num_points entries of `out`, in the world frame, normal from B into A. Entry k is the same feature of the
/// pair at all times. `pair` must be what find_point_pair(a, b) returned. Never allocates, never gives NaN for valid
/// shapes at finite poses.
void calc_point_contacts(const PointPair& pair, const Shape& a, const Pose& X_WA, const Shape& b, const Pose& X_WB,
                         PointPairMemory& memory, PointContact* out);

}  // namespace abut
