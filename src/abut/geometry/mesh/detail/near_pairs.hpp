#pragma once

#include <vector>

#include "abut/geometry/mesh/closed_mesh.hpp"
#include "abut/geometry/mesh/exact_sign.hpp"
#include "abut/geometry/mesh/tree_traversal.hpp"
#include "abut/math/pose.hpp"

namespace abut::detail {

/// Two triangles that may meet.
struct NearPair {
  int triangle_a = 0, triangle_b = 0;
  int slot_a = 0, slot_b = 0;  ///< of what is kept for each of them
  double clearance = 0.0;      ///< they were at least that far apart when they were found [m]
  bool may_be_flush = false;   ///< they face the same way, more or less
};

/// The pairs of triangles of two solids that are near each other, kept from query to query: while nothing that could
/// touch has moved farther than a margin, only these need be looked at, and of these only those that were closer than
/// the motion since. They are sorted by triangle, and which others are listed beside those that meet changes nothing:
/// what is made of them depends on the pose alone. One thread at a time.
class NearPairs {
 public:
  /// Calls visit(pair) for every pair that may meet with B at X_AB. Both solids have to stay until the next query.
  template <class Visit>
  void visit(const ClosedMesh& a, const ClosedMesh& b, const Pose& X_AB, const Visit& visit) {
    const double motion = update(a, b, X_AB);
    for (const NearPair& pair : pairs_) {
      if (pair.clearance <= motion) visit(pair);
    }
  }

  /// Triangles of A in the pairs by their slots, with their planes; triangles of B.
  const std::vector<TrianglePlane>& planes_a() const { return planes_a_; }
  const std::vector<int>& triangles_b() const { return triangles_b_; }

  /// How often the trees were gone through.
  long num_searches() const { return num_searches_; }

 private:
  /// A solid as it is known again; its data outlive moves of the object.
  struct Identity {
    const Vec3* vertices = nullptr;
    std::size_t num_vertices = 0, num_triangles = 0;
    VolumeMoments moments;
    Vec3 center = Vec3::Zero();  ///< of the ball about it [m]
    double radius = 0.0;         ///< [m]
    double triangle_size = 0.0;  ///< root of the mean area [m]
    bool is(const ClosedMesh& solid) const;
    void set(const ClosedMesh& solid);
  };

  /// Searches anew where it has to; how far anything that may touch has moved since the search [m].
  double update(const ClosedMesh& a, const ClosedMesh& b, const Pose& X_AB);
  double calc_motion(const Pose& X_AB) const;
  void choose_margin(bool is_new, double motion);
  void search(const ClosedMesh& a, const ClosedMesh& b);
  void assign_slots(const ClosedMesh& a, const ClosedMesh& b);

  Identity a_, b_;
  Pose searched_;        ///< X_AB of the last search
  double margin_ = 0.0;  ///< of the last search [m]
  int num_served_ = 0;   ///< queries since
  long num_searches_ = 0;
  double rounding_ = 0.0;  ///< of the coordinates [m]
  PairStack stack_;
  std::vector<NearPair> pairs_;
  std::vector<TrianglePlane> planes_a_;
  std::vector<int> triangles_b_, slot_of_b_;
};

}  // namespace abut::detail
