#pragma once

#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "abut/geometry/mesh/closed_mesh.hpp"
#include "abut/geometry/mesh/mesh_interference.hpp"
#include "abut/geometry/moments/volume_metrics.hpp"
#include "abut/geometry/polyhedron/clip_samples.hpp"
#include "abut/geometry/polyhedron/convex_clip.hpp"
#include "abut/geometry/shape.hpp"
#include "abut/geometry/volume/shape_separation.hpp"
#include "abut/geometry/volume/volume_pair.hpp"

namespace abut {

/// The volume in which two shapes A and B interfere, in any pose: the one door to the kernels.
///
/// - box, polyhedron, half-space, wedge with each other: clipping, exact to rounding (docs/theory/volume-polyhedra.md);
/// - meshes with any of these and with meshes: divergence theorem, exact (docs/theory/volume-meshes.md);
/// - everything else: closed forms where they exist; flat faces and meshes with one quadric by line integrals, to about
///   1e-12; more quadrics by slices, to the error bound (docs/theory/volume-curved.md).
///
/// Chooses once, keeps its work space (one thread at a time) and depends on the poses alone, not on earlier calls.
class Interference {
 public:
  /// Throws InputError where no kernel fits, or where the interference has no bounds in any pose.
  static Interference make(const Shape& a, const Shape& b, const VolumeOptions& options = {});

  /// The connected pieces, none when there is no overlap; world frame. `pieces` is replaced. `wanted`: sliced regions
  /// save the work of telling pieces apart where all of it may be one.
  void calc(const Pose& X_WA, const Pose& X_WB, std::vector<VolumeMetrics>& pieces, Pieces wanted = Pieces::apart);

  /// The common part itself as calc() found it last, where both have flat faces and none is a mesh; else null.
  const PolyhedronClip* clip_found() const { return method_ == Method::clip ? &clip_ : nullptr; }

  /// How far apart the shapes are; of use where calc() finds nothing.
  SeparationBound calc_separation(const Pose& X_WA, const Pose& X_WB);

  /// Points and weights for integrals over the interference: weights sum to its volume. `detail` >= 1 sets how fine.
  /// `samples` is replaced.
  void calc_samples(const Pose& X_WA, const Pose& X_WB, int detail, std::vector<VolumeSample>& samples);

 private:
  enum class Method { clip, meshes, slices };

  /// A solid of flat faces: bounded, or a set of planes.
  struct FlatSolid {
    std::shared_ptr<const ConvexPolyhedron> polyhedron;
    std::vector<Plane> planes;
  };
  static std::optional<FlatSolid> find_flat(const Shape& shape);

  Interference(const Shape& a, const Shape& b) : separation_(a, b) {}
  void make_meshes(const Shape& a, const Shape& b);
  void clip(const Pose& X_WA, const Pose& X_WB);
  /// Pose of a mesh: that of its shape, or for an unbounded shape of a part of it that lies where the other one is.
  struct MeshSide {
    std::shared_ptr<const ClosedMesh> mesh;
    bool follows = false;            ///< a part of an unbounded shape, moved along with the other one
    Vec3 origin = Vec3::Zero();      ///< of the mesh in the shape's frame [m]
    Mat3 directions = Mat3::Zero();  ///< projects on the directions in which it may be moved, in the shape's frame
    bool has_one_face = false;       ///< a half-space, with this normal
    Vec3 normal = Vec3::UnitZ();
    double reach = 0.0;  ///< half the length of the part that stands for it [m]
  };
  Pose calc_mesh_pose(const MeshSide& side, const Pose& X_WS, const MeshSide& other, const Pose& X_WO) const;

  Method method_ = Method::slices;
  Separator separation_;
  std::array<FlatSolid, 2> flat_;
  PolyhedronClip clip_;
  std::array<MeshSide, 2> mesh_;
  MeshInterference meshes_;
  MeshQueryScratch scratch_;
  std::optional<TetrahedronRule> rule_;
  int rule_detail_ = 0;
  std::optional<VolumePair> slices_;
};

}  // namespace abut
