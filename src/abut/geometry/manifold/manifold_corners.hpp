#pragma once

#include <array>
#include <limits>

#include "abut/geometry/manifold/contact_normal.hpp"
#include "abut/geometry/manifold/footprint.hpp"

namespace abut {

/// Corners nearer to each other, outlines nearer to a corner than this part of the size are one.
constexpr double kSameCorner = 1e-6;

/// The gap over a face and the one along the normal of lines that cross agree to this part of the size, and to this
/// part of themselves where faces lean by up to 3.6 degrees, when the face is the better description.
constexpr double kAgree = 1e-7, kLean = 2e-3;

/// Corners within this part of the size of a side of the face lie on it, where no others touch.
constexpr double kSideBand = 1e-4;

/// Deeper than this part of the size a face is taken only if no other direction is better.
constexpr double kShallow = 1e-3;

/// A point of contact before it has its place.
struct ManifoldCorner {
  Vec3 point = Vec3::Zero(), normal = Vec3::UnitZ();  ///< in B's frame
  double gap = 0.0;                                   ///< [m]
  int id = 0;                                         ///< not 0
};

struct ManifoldCorners {
  std::array<ManifoldCorner, kMostOverlapCorners + 2> list;
  int size = 0;
  double least = std::numeric_limits<double>::infinity();  ///< gap [m]

  bool is_full() const { return size == static_cast<int>(list.size()); }
  void add(const ManifoldCorner& corner);
  /// Leaves those whose gap is above `gap` [m].
  void drop_nearest(double gap);
};

/// Adds the corners of the overlap over the face that the normal belongs to.
void add_face_corners(const SolidPair& pair, const ContactNormal& normal, ManifoldCorners& out);
/// Adds those of the points or lines that are farthest along n on either side.
void add_free_corners(const SolidPair& pair, const Vec3& n, ManifoldCorners& out);

/// Whether the nearest corner lies over the face that the normal belongs to.
inline bool is_over_face(const SolidPair& pair, const ContactNormal& normal, const ManifoldCorners& corners) {
  return normal.gap > -kShallow * pair.size() && corners.least <= normal.gap + kAgree * pair.size();
}
/// Whether the solids touch along one side of that face only: edge on edge, where the face decides nothing.
bool is_on_one_side(const SolidPair& pair, const ContactNormal& normal, const ManifoldCorners& corners);
/// How far two gaps may differ that describe one distance [m].
inline double calc_slack(const SolidPair& pair, double gap) { return kAgree * pair.size() + kLean * std::abs(gap); }

/// Keeps the deepest corner and then, one by one, the one farthest from those kept, nearly as deep ones first.
void thin_out(double size, int most, ManifoldCorners& corners);

/// Gives corners their places, `count` of them. Corners known by name keep theirs, then those that are where another
/// was; new ones take a place that was free.
void assign_places(const ManifoldCorners& corners, double size, int count, const Pose& X_WB, ManifoldMemory& memory,
                   PointContact* out);

}  // namespace abut
