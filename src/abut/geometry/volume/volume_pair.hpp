#pragma once

#include <map>
#include <memory>
#include <vector>

#include "abut/geometry/moments/volume_metrics.hpp"
#include "abut/geometry/volume/cell.hpp"
#include "abut/geometry/volume/region_volume.hpp"
#include "abut/geometry/volume/solid.hpp"

namespace abut {

struct VolumeOptions {
  double relative_error = 1e-6;  ///< bound on the estimated error of curved pairs; time grows slowly as it falls
  int max_intervals = 400;       ///< of the quadrature, in each pair of cells; a guard against a bound out of reach
};

/// What is wanted of an interference: its connected pieces, or all of it as one, which is cheaper.
enum class Pieces { apart, together };

/// The volume of interference of two solids, A and B, in any pose. Chooses its algorithm once, keeps its scratch (one
/// thread at a time; copies are independent) and depends on the poses alone, not on earlier calls.
class VolumePair {
 public:
  /// Throws InputError when a solid has a defect or when the interference is unbounded in every pose.
  static VolumePair make(const Solid& a, const Solid& b, const VolumeOptions& options = {});

  /// The connected pieces of the interference, none when there is none. Two convex solids have at most one. Pieces come
  /// in an order that does not jump: by cells, then along the direction of slicing.
  /// Throws InputError when endless solids overlap without end in this pose.
  void calc(const Pose& X_WA, const Pose& X_WB, std::vector<VolumeMetrics>& pieces, Pieces wanted = Pieces::apart);

  /// Points and weights for integrals over the interference volume: weights sum to its volume. `detail` >= 1 sets how
  /// fine. Weights are positive except around holes and notches of a slice.
  void calc_samples(const Pose& X_WA, const Pose& X_WB, int detail, std::vector<VolumeSample>& samples);

  /// Largest estimated relative error of a piece in the last calc(); 0 where the computation is exact.
  double estimated_error() const { return estimated_error_; }

 private:
  enum class Method { sphere_cap, ellipsoid_cap, sphere_lens, sphere_crescent, sphere_shell, slices };

  void choose_method();
  void refuse_unbounded(const Solid& a, const Solid& b) const;
  bool calc_closed_form(const Pose& X_WA, const Pose& X_WB, VolumeMetrics& metrics) const;
  /// Of a ball that presses on the hollow of a shell: false where it also meets the outside or the lip.
  bool calc_shell_crescent(const Pose& X_ball, const Pose& X_shell, VolumeMetrics& metrics) const;
  /// The cells of the pair that may overlap, both in the frame of A. False when they cannot.
  bool make_region(const Cell& a, const Cell& b, const Pose& X_AB, Region& region) const;

  /// A tetrahedron about the region of two cells, for regions of planes and one quadric: it makes them exact. Null
  /// where the region has no bounds.
  std::shared_ptr<const ClosedMesh> make_enclosure(double radius) const;
  void calc_region_pieces(const Pose& X_AB, bool is_one);
  void join_pieces(bool is_one);
  bool is_joined(std::size_t i, std::size_t j) const;
  static bool touches(const RegionPiece& a, const RegionPiece& b, const Region& region_b, double slack);

  VolumeOptions options_;
  Solid solid_a_, solid_b_;
  std::vector<Cell> cells_a_, cells_b_;
  Method method_ = Method::slices;
  bool is_a_first_ = true;  ///< whether the closed form takes A as its first solid
  bool is_convex_ = false;  ///< both: at most one piece
  double estimated_error_ = 0.0;
  /// By the radius of the smaller cell [m].
  std::map<double, std::shared_ptr<const ClosedMesh>> enclosures_;
  Region region_;
  std::vector<RegionVolume> volumes_;  ///< one for each region, and more that wait
  std::vector<RegionPiece> region_pieces_;
  std::vector<std::size_t> piece_regions_;  ///< where each came from
  std::vector<Region> regions_;
};

}  // namespace abut
