#pragma once

#include <vector>

#include "abut/geometry/moments/volume_metrics.hpp"
#include "abut/geometry/volume/chord_integral.hpp"
#include "abut/geometry/volume/faceted_cone.hpp"
#include "abut/geometry/volume/mesh_region.hpp"
#include "abut/geometry/volume/region.hpp"
#include "abut/geometry/volume/region_piece.hpp"
#include "abut/geometry/volume/slice_components.hpp"
#include "abut/geometry/volume/slice_integral.hpp"

namespace abut {

enum class RegionSplit {
  none,       ///< one piece, known to be connected or taken so
  connected,  ///< its connected components
  joinable,   ///< these, with points on their surface by which components of neighbouring regions can be joined
};

/// Moments of a region. One with a mesh and at most one quadric by the divergence theorem (MeshRegion); one with more
/// than that tetrahedron by tetrahedron of the mesh: slow, and not split into components. Without meshes by slices in
/// the direction that suits it best. Where none cuts all its quadrics into ellipses (wide cones that cross), one of two
/// quadrics, a cone, is taken as a pyramid of ever more sides; more quadrics by chords: slower, not split into
/// components, and with the limits of ChordIntegral.
class RegionVolume {
 public:
  /// Appends the pieces of the region. Throws InputError if the region is unbounded.
  void calc(const Region& region, const QuadratureOptions& options, RegionSplit split,
            std::vector<RegionPiece>& pieces);

  /// The same in two steps, for those who know only after the first what they need: `split` there is the most that may
  /// be asked for in the second, which may be taken again.
  void integrate(const Region& region, const QuadratureOptions& options, RegionSplit split);
  bool is_empty() const;
  void add_pieces(RegionSplit split, std::vector<RegionPiece>& pieces);

  /// The same in slices across a given unit vector; requires that it cuts all quadrics into ellipses.
  void calc_along(const Vec3& axis, const Region& region, const QuadratureOptions& options, RegionSplit split,
                  std::vector<RegionPiece>& pieces);

  /// Points and weights of a cubature of the region, after calc(): see VolumePair::calc_samples().
  void add_samples(int detail, std::vector<VolumeSample>& samples);

  double relative_error() const { return relative_error_; }
  int num_slices() const { return integral_.num_slices(); }

 private:
  enum class Method { slices, chords, mesh, tetrahedra };
  void calc_by_tetrahedra(const Region& region, const QuadratureOptions& options);
  /// False where no cone can be taken as a pyramid.
  bool calc_by_facets(const Region& region, const QuadratureOptions& options, RegionSplit split);
  void calc_by_chords(const Region& region, const QuadratureOptions& options);
  void integrate_along(const Vec3& axis, const Region& region, const QuadratureOptions& options, RegionSplit split);
  void add_sliced_pieces(RegionSplit split, std::vector<RegionPiece>& pieces);

  SlicedRegion sliced_;
  Region local_;
  SliceIntegral integral_;
  ChordIntegral chords_;
  FacetedCone facets_;
  MeshRegion mesh_;
  Method method_ = Method::slices;
  double relative_error_ = 0.0;
  QuadratureOptions slicing_;
  std::vector<RegionPiece> own_;                   ///< by all methods but slices
  std::vector<VolumeSample> tetrahedron_samples_;  ///< one for each tetrahedron that took part
  SliceComponents splitter_;
  std::vector<SliceComponent> components_;
  Pose X_RF_;  ///< frame of the slices in that of the region
  double side_sign_ = 1.0;
};

/// Direction in which to slice, and how well it suits (calc_slice_quality() of the worst quadric).
struct SliceDirection {
  Vec3 axis = Vec3::UnitZ();
  double quality = 0.0;
};
SliceDirection choose_slice_direction(const Region& region);

}  // namespace abut
