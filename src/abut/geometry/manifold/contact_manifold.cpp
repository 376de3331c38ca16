#include "abut/geometry/manifold/contact_manifold.hpp"

#include <algorithm>

#include "abut/geometry/manifold/manifold_corners.hpp"

namespace abut {
namespace {

ManifoldCorners find_corners(const SolidPair& pair, double reach, ManifoldMemory& memory) {
  ManifoldCorners corners;
  const ContactNormal face = find_face_normal(pair, memory);
  if (face.gap > reach || is_grazing(pair)) return corners;
  if (face.gap > -1e299) add_face_corners(pair, face, corners);
  const bool is_over = pair.b.is_half_space() || is_over_face(pair, face, corners);
  const bool is_edge_on_edge = is_over && !pair.b.is_half_space() && is_on_one_side(pair, face, corners);
  if (is_over && !is_edge_on_edge) {
    memory.normal = face.n;
    return corners;
  }
  // The nearest corner is not over the face, or at its border.
  const ContactNormal free = find_free_normal(pair, memory);
  memory.normal = free.n;
  if (free.gap > reach) return {};
  const double truth = std::max(free.gap, face.gap), slack = calc_slack(pair, truth);
  if (corners.size > 0 && corners.least < truth - slack) corners = {};
  if (is_edge_on_edge) corners.drop_nearest(truth + slack);
  if (corners.least > truth + slack) add_free_corners(pair, free.n, corners);
  return corners;
}

}  // namespace

void calc_manifold(const ContactSolid& a, const Pose& X_WA, const ContactSolid& b, const Pose& X_WB, double reach,
                   ManifoldMemory& memory, PointContact* out) {
  const SolidPair pair{a, b, X_WB.inverse() * X_WA};
  ManifoldCorners corners;
  const bool is_far = !b.is_half_space() && pair.X_BA.p.norm() > a.radius() + b.radius() + reach;
  if (!is_far) corners = find_corners(pair, reach, memory);
  thin_out(pair.size(), kManifoldPoints, corners);
  assign_places(corners, pair.size(), kManifoldPoints, X_WB, memory, out);
}

}  // namespace abut
