#pragma once

#include <memory>
#include <span>
#include <vector>

#include "abut/contact/collider.hpp"
#include "abut/contact/region/apart_watch.hpp"
#include "abut/geometry/polyhedron/convex_clip.hpp"
#include "abut/geometry/volume/depth_field.hpp"
#include "abut/geometry/volume/interference.hpp"

namespace abut {

/// The depth field of one cell of a body (the carrier) integrated over its interference with a cell of another.
///
/// Where the interference lies below one face, or one law, its volume, centroid and second moments are all that is
/// needed. Elsewhere the parts of the carrier that are nearest to other faces are cut out and their interference is
/// found by the same kernels; they are made when first met. One thread at a time.
class CarrierField {
 public:
  /// The colliders must outlive it. `field`: of the carrier's shape, or of what it is a part of; it exists.
  CarrierField(std::shared_ptr<const DepthField> field, const Collider& carrier, const Collider& other,
               double relative_error);

  /// Adds `weight` times the wrench on the other cell to that of each part of the interference, in the world frame;
  /// wrenches[i].point is given. `clip`: the interference itself where both are flat, else null.
  void add(const Pose& X_WC, const Pose& X_WO, std::span<const VolumeMetrics> parts, const PolyhedronClip* clip,
           double weight, std::span<FieldWrench> wrenches);

 private:
  /// A part of the carrier with its own law.
  struct Cell {
    std::unique_ptr<Interference> interference;  ///< null where there is no volume in it
    Pose X;                                      ///< in the carrier's frame
    ApartWatch watch{0.0};
    bool was_empty = false;  ///< at the last look
  };
  /// One part of the interference in the carrier's frame.
  struct LocalPart {
    VolumeMetrics metrics;
    Mat3 covariance;  ///< [m^2]
    int base = -1;    ///< plane whose depth was taken for all of it, -1 where none was
  };

  void add_clip(const PolyhedronClip& clip, const VolumeMetrics& metrics, const Pose& X_WC, double weight,
                FieldWrench& wrench);
  void add_nearest(const PolyhedronClip& clip, const VolumeMetrics& metrics, double weight, FieldWrench& wrench);
  void measure_depths(const PolyhedronClip& clip);
  void add_solid(std::size_t index, const Pose& X_WC, const Pose& X_WO, double weight);
  void add_curved(const Pose& X_WC, const Pose& X_WO, double weight);
  void add_regions(const Pose& X_WC, const Pose& X_WO, double weight);
  int choose_base() const;
  void mark_faces(const FieldSolid& solid, LocalPart& part, double weight, FieldWrench& wrench);
  double calc_reach(const LocalPart& part, const Vec3& direction) const;
  bool may_reach(const LocalPart& part, const FieldPart& cell) const;
  Cell& find_cell(std::size_t solid, std::size_t face);
  Cell make_cell(const Shape& shape, const Pose& X) const;
  Shape make_face_shape(const FieldSolid& solid, std::size_t face) const;
  void calc_cell(Cell& cell, const Pose& X_WC, const Pose& X_WO);
  bool is_part_of_all(std::span<const VolumeMetrics> pieces) const;
  std::size_t find_part_at(const Vec3& point) const;

  std::shared_ptr<const DepthField> held_;
  const DepthField& field_;
  const Collider& carrier_;
  const Collider& other_;
  double relative_error_;
  bool is_convex_;                                         ///< both: bounds of the interference follow from its moments
  std::vector<std::vector<std::unique_ptr<Cell>>> cells_;  ///< of each solid and face, or one list of parts
  std::vector<LocalPart> parts_;
  std::vector<FieldWrench> local_;
  std::vector<char> is_needed_;
  std::vector<VolumeMetrics> found_;
  // Of the clip in hand.
  PolyhedronClip inside_, piece_;
  std::vector<Plane> planes_;  ///< relative to the clip's origin, world axes
  std::vector<double> least_, most_;
  std::vector<int> nearest_;
};

}  // namespace abut
