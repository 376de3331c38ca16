#pragma once

#include <optional>
#include <vector>

#include "abut/geometry/moments/volume_metrics.hpp"
#include "abut/geometry/volume/mesh_boundary.hpp"
#include "abut/geometry/volume/quadric_patch.hpp"
#include "abut/geometry/volume/region_piece.hpp"
#include "abut/geometry/volume/surface_loops.hpp"

namespace abut {

/// Moments and connected pieces of what a closed mesh (or its outside), half-spaces and at most one quadric (or its
/// outside) have in common, by the divergence theorem over its boundary: flat parts exactly, curved parts and arcs by
/// line integrals that are exact to about 1e-12. See docs/theory/volume-curved.md.
class MeshRegion {
 public:
  /// Relative error of volumes that are not limited by rounding: that of the line integrals.
  static constexpr double kRelativeError = 1e-12;

  /// Appends the pieces, ordered by the first triangle on their boundary; if `is_joinable` with their corners on the
  /// region's planes, by which pieces of neighbouring cells are joined. False, and no pieces, where the boundary that
  /// was found does not close or encloses less than nothing: then rounding has decided wrongly somewhere, and what it
  /// says of the volume means nothing.
  bool calc(const Region& region, bool is_joinable, std::vector<RegionPiece>& pieces);

  /// Points and weights of a cubature of the last region, in its frame: cones from the centroid of each piece over its
  /// boundary, its curved parts taken as small flat ones. Weights sum to the volume; some are negative where a piece is
  /// not star-shaped about its centroid.
  void add_samples(int detail, std::vector<VolumeSample>& samples);

 private:
  /// A volume below this times coordinates times surface is rounding of positions.
  static constexpr double kVolumeRounding = 4e-16;
  /// A connected part of the boundary. Each has an origin of its own, on it, so that a small one beside a large one
  /// keeps its digits.
  struct Sum {
    VolumeMoments moments;  ///< unit coordinates, about `origin`
    Vec3 origin = Vec3::Zero(), area = Vec3::Zero();
    Vec3 closure = Vec3::Zero();        ///< area vector of all its faces: zero where it closes
    double surface = 0.0;               ///< bound of its area, the scale of rounding in the volume
    std::optional<QuadricPatch> patch;  ///< where it has a curved part
    bool has_source = false;            ///< and that holds the source of the line integrals
    int piece = -1;
  };
  void join_surfaces();
  void fill_chart(const QuadricPatch& patch);
  void find_sums(bool is_apex_in);
  void place_origins(bool is_apex_in);
  void place_fans();
  void add_flat(const FlatElement& flat, Sum& sum) const;
  void add_arc(const ArcElement& arc, Sum& sum) const;
  void add_source(Sum& sum) const;
  bool has_sound_arcs() const;
  bool is_closed() const;
  void attach_cavities();
  void add_joints();
  RegionPiece make_piece(const Sum& sum) const;
  Sum& sum_of(int node);

  MeshBoundary boundary_;
  SurfaceLoops loops_;
  std::optional<QuadricPatch> joint_;  ///< of all curved parts together
  int source_node_ = -1;  ///< of the quadric's part with the source of the joint patch; -1: not in the region
  std::vector<Sum> sums_;
  std::vector<int> sum_index_;
  std::vector<std::optional<Vec3>> fans_;  ///< of each sum's part of each plane
  std::vector<RegionPiece> last_;
};

}  // namespace abut
