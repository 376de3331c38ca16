#pragma once

#include <vector>

#include "abut/geometry/volume/mesh_region.hpp"

namespace abut {

/// What one mesh has in common with a shell: inside a ball or a round bar and outside of a smaller one about the same
/// centre or axis, as the walls of bowls and cups are, with any planes. Line integrals take one quadric, and with o the
/// part beyond the outer surface, h the part outside of the hollow, M the mesh
///   M in the shell = M h - M o     or     M inside the outer surface - M in the hollow,
/// where one of the two is subtracted from nothing but itself as long as the mesh does not stand on both sides of the
/// wall. Then pieces are told apart and nothing cancels; else all of it is one piece.
class MeshShell {
 public:
  /// Whether the region is of this kind.
  static bool fits(const Region& region);

  /// Appends the pieces; false where MeshRegion::calc() is. `mesh` is left at what the pieces were found in.
  bool calc(const Region& region, bool is_joinable, MeshRegion& mesh, std::vector<RegionPiece>& pieces);

  /// Of the last region: whether a part was subtracted, and the relative error that this leaves.
  bool has_subtracted() const { return has_subtracted_; }
  double relative_error() const { return relative_error_; }

 private:
  bool find(const Region& region, const Quadric& quadric, bool is_complement, bool is_joinable, MeshRegion& mesh,
            std::vector<RegionPiece>& pieces);

  Region part_;
  std::vector<RegionPiece> all_, less_;
  bool has_subtracted_ = false;
  double relative_error_ = 0.0;
};

}  // namespace abut
