#include <algorithm>
#include <cmath>

#include "abut/geometry/mesh/detail/tetrahedron_rule.hpp"
#include "abut/geometry/volume/mesh_region.hpp"
#include "abut/math/gauss_rule.hpp"

namespace abut {
namespace {

/// The cone from `center` over a bit of surface at x with the area vector `area`.
void add_cone(const Vec3& center, const Vec3& x, const Vec3& area, std::vector<VolumeSample>& samples) {
  const double volume = (x - center).dot(area) / 3.0;
  for (const RuleNode& node : kConeGauss2)
    samples.push_back({Vec3(center + node.x * (x - center)), node.weight * volume});
}

}  // namespace

void MeshRegion::add_samples(int detail, std::vector<VolumeSample>& samples) {
  const detail::TetrahedronRule& flat_rule = detail::TetrahedronRule::get(std::clamp(detail, 2, 3));
  const UnitFrame& frame = boundary_.frame();
  const double sense = boundary_.has_quadric() && boundary_.is_complement() ? -1.0 : 1.0;
  std::vector<std::vector<VolumeSample>> found(last_.size());
  std::vector<Vec3> center;
  for (const RegionPiece& piece : last_)
    center.push_back(frame.to_unit(piece.origin + piece.moments.first / piece.moments.volume));
  for (const FlatElement& flat : boundary_.flats) {
    const int i = sum_of(flat.node).piece;
    if (i >= 0) flat_rule.add_samples(center[i], flat.fan, flat.p, flat.q, 1.0, Pose(), found[i]);
  }
  std::vector<SurfaceNode> strip;
  const auto add_strip = [&](const QuadricPatch& patch, const CurveNode& node, double sign, int i) {
    strip.clear();
    patch.add_strip(node, sign, 1 + detail, strip);
    for (const SurfaceNode& bit : strip) add_cone(center[i], bit.x, bit.area, found[i]);
  };
  for (const ArcElement& arc : boundary_.arcs) {
    const Sum& sum = sum_of(arc.node);
    const int i = sum.piece;
    for (int k = arc.first; k < arc.last && i >= 0; ++k) {
      const CurveNode& node = boundary_.nodes[k];
      const Vec3 reach = node.x - arc.fan, area = 0.5 * sense * reach.cross(node.dx);
      for (const RuleNode& rule : kTriangleGauss2)
        add_cone(center[i], arc.fan + rule.x * reach, rule.weight * area, found[i]);
      add_strip(*sum.patch, node, -sense, i);
    }
  }
  const int num_nodes = 8 + 4 * detail;
  for (const Sum& sum : sums_) {
    if (!sum.has_source || sum.piece < 0) continue;
    for (int k = 0; k < num_nodes; ++k)
      add_strip(*sum.patch, sum.patch->make_node_at_source(k, num_nodes), sense, sum.piece);
  }
  for (std::size_t i = 0; i < last_.size(); ++i) {
    double sum = 0.0;
    for (const VolumeSample& sample : found[i]) sum += sample.weight;
    if (!(sum > 0.0)) continue;
    const double scale = last_[i].moments.volume / sum;
    for (const VolumeSample& sample : found[i])
      samples.push_back({frame.from_unit(sample.point), scale * sample.weight});
  }
}

}  // namespace abut
