#pragma once

#include <memory>
#include <vector>

#include "abut/geometry/mesh/mesh_interference.hpp"
#include "abut/geometry/shape.hpp"

namespace abut {

/// The volume of interference of a closed mesh A and a half-space given in frame B: the same queries as
/// MeshInterference. Inside, the half-space is a box much larger than the mesh, made for the
/// first mesh of its size and moved under it: keep one object a mesh.
class HalfSpaceInterference {
 public:
  const std::vector<VolumeMetrics>& calc(const ClosedMesh& a, const Pose& X_WA, const HalfSpace& b, const Pose& X_WB);
  const std::vector<VolumeMetrics>& metrics() const { return interference_.metrics(); }
  void calc_samples(int i, int detail, std::vector<VolumeSample>& samples) const {
    interference_.calc_samples(i, detail, samples);
  }

 private:
  MeshInterference interference_;
  std::unique_ptr<ClosedMesh> box_;
  double radius_ = -1.0;
};

}  // namespace abut
