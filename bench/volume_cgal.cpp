// The corefinement of CGAL, in a file of its own: it takes long to compile and is GPL, so it is built only where CGAL
// is found and never linked into the product.

#include <algorithm>
#include <chrono>
#include <limits>
#include <utility>

#include "volume_peers.hpp"

#ifdef ABUT_HAVE_CGAL
#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/Polygon_mesh_processing/corefinement.h>
#include <CGAL/Polygon_mesh_processing/measure.h>
#include <CGAL/Surface_mesh.h>
#endif

namespace abut {

#ifdef ABUT_HAVE_CGAL

namespace {

using Kernel = CGAL::Exact_predicates_inexact_constructions_kernel;
using CgalMesh = CGAL::Surface_mesh<Kernel::Point_3>;

CgalMesh make_mesh(const ConvexPolyhedron& polyhedron, const Pose& X_WP) {
  CgalMesh mesh;
  std::vector<CgalMesh::Vertex_index> index;
  for (const Vec3& v : polyhedron.vertices()) {
    const Vec3 p = X_WP * v;
    index.push_back(mesh.add_vertex(Kernel::Point_3(p.x(), p.y(), p.z())));
  }
  for (int f = 0; f < polyhedron.num_faces(); ++f) {
    const std::span<const int> loop = polyhedron.face(f);
    for (std::size_t i = 1; i + 1 < loop.size(); ++i) mesh.add_face(index[loop[0]], index[loop[i]], index[loop[i + 1]]);
  }
  return mesh;
}

}  // namespace

bool has_corefinement() { return true; }

CorefinementResult run_corefinement(const ConvexPolyhedron& a, const std::vector<Pose>& X_WA, const ConvexPolyhedron& b,
                                    const std::vector<Pose>& X_WB) {
  CorefinementResult result;
  for (std::size_t i = 0; i < X_WA.size(); ++i) {
    double best = std::numeric_limits<double>::infinity(), volume = 0.0;
    for (int repetition = 0; repetition < 3; ++repetition) {
      CgalMesh mesh_a = make_mesh(a, X_WA[i]), mesh_b = make_mesh(b, X_WB[i]), common;
      const auto start = std::chrono::steady_clock::now();
      CGAL::Polygon_mesh_processing::corefine_and_compute_intersection(mesh_a, mesh_b, common);
      volume = CGAL::to_double(CGAL::Polygon_mesh_processing::volume(common));
      best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    }
    result.volumes.push_back(volume);
    result.seconds += best;
  }
  return result;
}

#else

bool has_corefinement() { return false; }
CorefinementResult run_corefinement(const ConvexPolyhedron&, const std::vector<Pose>&, const ConvexPolyhedron&,
                                    const std::vector<Pose>&) {
  return {};
}

#endif

}  // namespace abut
