#include "abut/geometry/mesh/cross_section.hpp"

#include <cmath>

#include "abut/geometry/mesh/tree_traversal.hpp"

namespace abut {
namespace {

/// From the lower to the higher end, so that both triangles of the edge find the same point.
Vec3 calc_end(const Vec3& p, double hp, const Vec3& q, double hq, bool is_swapped) {
  if (is_swapped) return calc_end(q, hq, p, hp, false);
  const double t = hp / (hp - hq);
  return p + t * (q - p);
}

}  // namespace

void calc_cross_section(const ClosedMesh& solid, const HalfSpace& plane, SectionScratch& scratch,
                        std::vector<SectionSegment>& segments) {
  segments.clear();
  const TriangleMesh& mesh = solid.mesh();
  const double margin = 2e-6 * (solid.tree().reach() + std::abs(plane.offset));
  const auto is_met = [&](const BoundingTree::Node& node) {
    return std::abs(plane.normal.dot(node.calc_center()) - plane.offset) <= node.calc_reach(plane.normal) + margin;
  };
  visit_triangles(solid.tree(), scratch.stack, is_met, [&](int t) {
    const std::array<int, 3>& c = mesh.triangles()[t];
    double height[3];
    int above = 0;
    for (int k = 0; k < 3; ++k) {
      height[k] = plane.normal.dot(mesh.vertices()[c[k]]) - plane.offset;
      above += height[k] >= 0.0 ? 1 : 0;
    }
    if (above == 0 || above == 3) return;
    SectionSegment segment;
    segment.triangle = t;
    for (int k = 0; k < 3; ++k) {
      const int l = (k + 1) % 3;
      const bool is_start_above = height[k] >= 0.0, is_end_above = height[l] >= 0.0;
      if (is_start_above == is_end_above) continue;
      const Vec3 end = calc_end(mesh.vertices()[c[k]], height[k], mesh.vertices()[c[l]], height[l], c[k] > c[l]);
      // Going round the triangle, the outline starts where the boundary comes down through the plane.
      (is_start_above ? segment.p : segment.q) = end;
    }
    segments.push_back(segment);
  });
}

double calc_section_area(const HalfSpace& plane, const std::vector<SectionSegment>& segments) {
  if (segments.empty()) return 0.0;
  const Vec3 origin = segments[0].p;
  double area = 0.0;
  for (const SectionSegment& s : segments) area += 0.5 * plane.normal.dot((s.p - origin).cross(s.q - origin));
  return area;
}

}  // namespace abut
