#pragma once

#include <array>
#include <span>
#include <utility>
#include <vector>

#include "abut/geometry/mesh/exact_sign.hpp"
#include "abut/geometry/mesh/surface_mesh.hpp"
#include "abut/geometry/mesh/tree_traversal.hpp"
#include "abut/math/pose.hpp"
#include "abut/math/types.hpp"

namespace abut {

/// The segment in which a triangle of A and one of B cross, from start to end along n_a x n_b. In A's frame [m].
struct TriangleCrossing {
  int triangle_a = 0, triangle_b = 0;
  Vec3 start = Vec3::Zero(), end = Vec3::Zero();
};

/// The curve in which two surfaces cross, segment by segment.   [Moisio 2013, 5.1; docs/theory/perimeter-detection.md]
///
/// B is taken smaller by kShrinkage, so that walls which are meant to be flush do not cross at random: B's are inside,
/// and the curve of aligned cubes is one clean loop, the circumference. What is still coplanar, edge on edge or vertex
/// on face is decided as if B were displaced by an infinitesimal (e, e^2, e^3) along the axes of A, with exact signs.
/// So the curve of two closed surfaces consists of closed loops at any pose: over each end one more segment begins, at
/// the same point to the last bit. A segment may have no length where the displacement alone makes it.
///
/// An object serves one pair of bodies and keeps the pairs of triangles that are near each other; while the bodies have
/// moved less than what was kept in reserve, only these are tested. What comes out depends on the pose alone, not on
/// earlier queries. After a few queries none allocates. One thread at a time.
class MeshCrossing {
 public:
  /// X_AB: pose of B's frame in A's. Sorted by triangle_a, then triangle_b. The result stays until the next call; the
  /// meshes have to stay as they are as long as the object is used with them.
  std::span<const TriangleCrossing> calc(const SurfaceMesh& a, const SurfaceMesh& b, const Pose& X_AB);
  std::span<const TriangleCrossing> crossings() const { return crossings_; }
  /// The next query searches anew, as the first one did. Nothing but its cost changes.
  void forget() { margin_ = -1.0; }

  /// How much nearer to its centre B is taken, in parts of the smaller of the two bodies' radii: far below what a
  /// contact feels, far above rounding. Flush walls stay apart while tilt * depth is less than this part of the size.
  static constexpr double kShrinkage = 1e-7;
  /// What moves B's vertices to A's frame: X_AB with the shrinkage, so that R is no rotation but nearly one.
  static Pose calc_placement(const SurfaceMesh& a, const SurfaceMesh& b, const Pose& X_AB);

  /// What the queries so far cost.
  struct Counts {
    long num_queries = 0, num_searches = 0;  ///< those that went through the trees
    long num_tests = 0;                      ///< pairs of triangles tested
  };
  const Counts& counts() const { return counts_; }

 private:
  struct Candidate {
    int triangle_a, triangle_b;
    int slot_a, slot_b;  ///< of their planes
  };
  void search();
  void search_and_test();
  void test_candidates();
  double calc_motion(const Pose& X_AB) const;
  double choose_margin(double motion) const;
  void gather();
  void test(int triangle_a, const TrianglePlane& a, int triangle_b, const TrianglePlane& b);

  const SurfaceMesh *a_ = nullptr, *b_ = nullptr;
  Pose X_AB_;             ///< of this query
  Pose searched_;         ///< of the last search
  Pose previous_;         ///< of the last query
  Pose placement_;        ///< of this query, see calc_placement
  double margin_ = -1.0;  ///< reserve of the last search [m]; < 0: there was none
  PairStack stack_;
  std::vector<Candidate> candidates_;
  std::vector<TrianglePlane> planes_a_, planes_b_;
  /// Numbers in the order in which they were first met.
  class Numbering {
   public:
    void reset(std::size_t most);
    int find_or_add(int value);
    const std::vector<int>& values() const { return values_; }

   private:
    std::vector<int> values_, table_;  ///< table: open addressing, -1: free
  };
  Numbering triangles_b_, vertices_b_;         ///< of the candidates
  std::vector<std::array<int, 3>> corners_b_;  ///< of triangles_b_, in vertices_b_
  std::vector<Vec3> moved_;                    ///< vertices_b_ in A's frame [m]
  std::vector<TriangleCrossing> crossings_;
  Counts counts_;
};

}  // namespace abut
