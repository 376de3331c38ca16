#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "abut/geometry/moments/volume_moments.hpp"
#include "abut/geometry/volume/event_quadrature.hpp"
#include "abut/geometry/volume/slice_cutter.hpp"
#include "abut/geometry/volume/slice_events.hpp"

namespace abut {

/// Moments and surface integral from such sums.
VolumeMoments make_moments(const SliceSums& sums);
Vec3 make_area_vector(const SliceSums& sums);

/// One slice that was used, with its weight: integrals over the region are sums over these slices.
struct SliceNode {
  double t = 0.0, weight = 0.0;  ///< [m]
  int face = 0;                  ///< -1 or 1: an end face at the lower or upper limit of t, without weight
  bool is_counted = false;       ///< whether that face is part of the area vector
  int stretch = -1;              ///< slices without an event between them have the same; -1: an end face
  int kept = -1;                 ///< among the slices that were kept; -1: nothing is there
};

/// A slice that was kept: what find_loops() and add_piece() told of it.
struct KeptSlice {
  std::span<const SlicePiece> pieces;
  std::span<const int> loops;       ///< of the pieces
  std::span<const SliceSums> sums;  ///< of the pieces, without the weight of the slice
  int num_loops = 0;
};

/// Integrates over a region, slice by slice.
class SliceIntegral : private EventQuadrature::Integrand {
 public:
  /// `side` is the solid whose surface makes up the area vector. `keeps_slices`: for get_kept(). Throws InputError if
  /// the region is unbounded.
  void calc(const SlicedRegion& sliced, int side, const QuadratureOptions& options, bool keeps_slices = false);
  /// False when the region is connected for sure: one loop in every slice, and no gap. Only where slices were kept.
  bool may_be_disconnected() const { return max_loops_ > 1 || quadrature_.has_gap(); }

  const SliceSums& sums() const { return total_; }                        ///< about origin()
  const Vec3& origin() const { return origin_; }                          ///< in the frame of the slices [m]
  double relative_error() const { return quadrature_.relative_error(); }  ///< estimated
  int num_slices() const { return quadrature_.num_evaluations(); }        ///< that were cut
  /// A slice of calc_nodes(), as it was cut.
  KeptSlice get_kept(const SliceNode& node) const;
  /// The slices whose weighted sum is the result, in the order of t.
  std::vector<SliceNode> calc_nodes() const;
  /// A coarser rule on the same stretches of t, with `count` slices in each; its weights only nearly sum to the volume.
  std::vector<SliceNode> calc_coarse_nodes(int count) const;
  SliceCutter& cutter() { return cutter_; }
  const SliceCutter& cutter() const { return cutter_; }
  /// Sums over some pieces of the last slice cut at t.
  void add_piece(const SlicePiece& piece, double t, SliceSums& sums) const;

 private:
  std::uint64_t calc(double t, SliceSums& sums) override;
  std::uint64_t calc_signature(double t) override;
  void prepare_scene(const SlicedRegion& sliced);
  void find_breaks(const SlicedRegion& sliced);
  void refuse_unbounded(const SlicedRegion& sliced);
  void place_origin();
  void add_end_faces(const SlicedRegion& sliced);
  void keep(int num_loops);

  SliceCutter cutter_;
  SliceScene scene_;
  EventQuadrature quadrature_;
  int side_ = 0;
  Vec3 origin_ = Vec3::Zero();
  std::vector<double> breaks_;
  std::vector<int> loops_;
  int max_loops_ = 0;
  std::vector<SliceNode> end_nodes_;
  struct KeptRange {
    std::size_t first = 0, count = 0;
    int num_loops = 0;
  };
  bool keeps_slices_ = false;
  std::vector<KeptRange> kept_;  ///< one for each call of calc(t), in order
  std::vector<SlicePiece> kept_pieces_;
  std::vector<int> kept_loops_;
  std::vector<SliceSums> kept_sums_;
  SliceSums total_ = SliceSums::Zero();
};

}  // namespace abut
