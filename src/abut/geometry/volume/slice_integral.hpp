#pragma once

#include <cstdint>
#include <vector>

#include "abut/geometry/volume/slice_cutter.hpp"
#include "abut/geometry/volume/slice_events.hpp"
#include "abut/geometry/volume/volume_moments.hpp"

namespace abut {

/// What is integrated over t: area, first and second moments of the slice (x, y, t about a local origin), and the
/// integral of the outward normal over the surface of one of the two solids.
using SliceSums = Eigen::Array<double, 13, 1>;

/// Moments and surface integral from such sums.
VolumeMoments make_moments(const SliceSums& sums);
Vec3 make_area_vector(const SliceSums& sums);

/// One slice that was used, with its weight: integrals over the region are sums over these slices.
struct SliceNode {
  double t = 0.0, weight = 0.0;  ///< [m]
  double face = 0.0;  ///< -1 or 1 for an end face at the lower or upper limit of t: part of the area vector only
};

struct SliceIntegralOptions {
  double relative_error = 1e-6;  ///< of the volume, the moments (over their scale) and the area vector (over the area)
  int max_intervals = 400;       ///< a hard end; what is missing then is in the error estimate
};

/// Integrates over a region, slice by slice: between events by a Gauss rule in a variable that takes away the square
/// roots at both ends; where the 7-point and the 15-point rule disagree or the shape of the slices changes, it splits.
class SliceIntegral {
 public:
  /// `side` is the solid whose surface makes up the area vector. Throws InputError if the region is unbounded.
  void calc(const SlicedRegion& sliced, int side, const SliceIntegralOptions& options);

  const SliceSums& sums() const { return total_; }  ///< about origin()
  const Vec3& origin() const { return origin_; }    ///< in the frame of the slices [m]
  double relative_error() const { return error_; }  ///< estimated
  int num_slices() const { return num_slices_; }    ///< that were cut
  /// The slices whose weighted sum is the result, in the order of t.
  std::vector<SliceNode> calc_nodes() const;
  /// A coarser rule on the same stretches of t, with `count` slices in each; its weights only nearly sum to the volume.
  std::vector<SliceNode> calc_coarse_nodes(int count) const;
  SliceCutter& cutter() { return cutter_; }
  /// Sums over some pieces of the last slice cut at t.
  void add_piece(const SlicePiece& piece, double t, SliceSums& sums) const;

 private:
  struct Interval {
    double a = 0.0, b = 0.0;       ///< between two events
    double from = -1.0, to = 1.0;  ///< part of it, in the variable s of t = middle + half sin(s pi/2)
    SliceSums value = SliceSums::Zero();
    double error = 0.0;  ///< relative to the total scale
    int depth = 0;
  };

  void prepare_scene(const SlicedRegion& sliced);
  void find_breaks(const SlicedRegion& sliced);
  void refuse_unbounded(const SlicedRegion& sliced);
  void place_origin();
  void add_end_faces(const SlicedRegion& sliced);
  bool calc_slice(double t, SliceSums& sums);
  void evaluate(Interval interval);
  bool split_at_change(const Interval& interval, const std::vector<double>& t, const std::vector<std::uint64_t>& seen);
  void refine(const SliceIntegralOptions& options);
  double calc_error(const SliceSums& difference, const SliceSums& value) const;

  SliceCutter cutter_;
  SliceScene scene_;
  int side_ = 0;
  Vec3 origin_ = Vec3::Zero();
  double scale_ = 1.0;
  std::vector<double> breaks_;
  std::vector<Interval> intervals_;
  std::vector<double> node_t_;
  std::vector<std::uint64_t> node_signature_;
  int num_changes_ = 0;
  std::vector<SliceNode> end_nodes_;
  SliceSums total_ = SliceSums::Zero(), end_faces_ = SliceSums::Zero();
  double error_ = 0.0;
  int num_slices_ = 0;
};

}  // namespace abut
