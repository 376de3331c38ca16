#pragma once

#include "abut/geometry/manifold/contact_manifold.hpp"
#include "abut/geometry/mesh/closed_mesh.hpp"

namespace abut {

/// As calc_manifold(), for a convex solid A and a closed mesh B of any form, with kMeshManifoldPoints places.
///
/// Each triangle near A is met as a convex solid of its own. Its own normal always counts; the normal of a face of A,
/// of lines that cross or of nearest points only where no neighbour of the touched corner or edge stands out farther
/// along it: edges inside a flat or hollow part of the surface are none.
void calc_mesh_manifold(const ContactSolid& a, const Pose& X_WA, const ClosedMesh& b, const Pose& X_WB, double reach,
                        ManifoldMemory& memory, PointContact* out);

}  // namespace abut
