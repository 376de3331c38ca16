#include "abut/geometry/mesh/mesh_interference.hpp"

#include <array>

#include "abut/base/error.hpp"
#include "abut/geometry/mesh/detail/interference_component.hpp"
#include "abut/geometry/mesh/detail/interference_curve.hpp"
#include "abut/geometry/mesh/detail/interference_pieces.hpp"
#include "abut/geometry/mesh/detail/tetrahedron_rule.hpp"

namespace abut {

using namespace detail;

struct MeshInterference::Workspace {
  std::array<InterferenceSide, 2> sides;
  InterferenceCurve curve;
  InterferencePieces pieces;
  InterferenceComponents components;
  std::vector<VolumeMoments> moments;  ///< of each piece, about its first component's origin
  std::vector<Vec3> origins, areas;
  std::vector<VolumeMetrics> metrics;
  Pose X_WA;

  void collect_metrics();
  void add_cut_samples(int i, const Vec3& center, const TetrahedronRule& rule, std::vector<VolumeSample>& samples);
  void add_inside_samples(int i, const Vec3& center, const TetrahedronRule& rule, std::vector<VolumeSample>& samples);
};

namespace {

VolumeMetrics transform(const Pose& X_WA, const VolumeMetrics& m) {
  return {m.volume, X_WA * m.centroid, X_WA.R * m.inertia * X_WA.R.transpose(), X_WA.R * m.area_vector};
}

}  // namespace

MeshInterference::MeshInterference() : workspace_(std::make_unique<Workspace>()) {}
MeshInterference::~MeshInterference() = default;
MeshInterference::MeshInterference(MeshInterference&&) noexcept = default;
MeshInterference& MeshInterference::operator=(MeshInterference&&) noexcept = default;

void MeshInterference::Workspace::collect_metrics() {
  const std::size_t count = static_cast<std::size_t>(components.num_pieces());
  moments.assign(count, {});
  origins.assign(count, Vec3::Zero());
  areas.assign(count, Vec3::Zero());
  metrics.clear();
  // The outer boundary of a piece comes first, since it gives the origin.
  for (const bool is_outer : {true, false}) {
    for (const InterferenceComponent& c : components.list) {
      if (c.piece < 0 || (c.moments.volume > 0.0) != is_outer) continue;
      if (is_outer) origins[c.piece] = c.origin;
      moments[c.piece] += is_outer ? c.moments : shift_moments(c.moments, c.origin - origins[c.piece]);
      areas[c.piece] += c.area_vector;
    }
  }
  for (std::size_t i = 0; i < count; ++i) {
    metrics.push_back(transform(X_WA, make_volume_metrics(moments[i], origins[i], areas[i])));
  }
}

const std::vector<VolumeMetrics>& MeshInterference::calc(const ClosedMesh& a, const Pose& X_WA, const ClosedMesh& b,
                                                         const Pose& X_WB) {
  Workspace& w = *workspace_;
  // Difference of the positions first: far from the world's origin the composed pose would lose what they share.
  const Pose X_AB(Mat3(X_WA.R.transpose() * X_WB.R), Vec3(X_WA.R.transpose() * (X_WB.p - X_WA.p)));
  w.X_WA = X_WA;
  w.sides[0].begin(a, Pose(), false);
  w.sides[1].begin(b, X_AB, true);
  w.metrics.clear();
  const BoxOverlap is_overlapping(a.tree(), b.tree(), X_AB);
  if (!is_overlapping(a.tree().root(), b.tree().root())) return w.metrics;
  const double scale = a.tree().reach() + b.tree().reach() + X_AB.p.cwiseAbs().maxCoeff();
  w.curve.find(w.sides, scale);
  w.pieces.find(w.sides, w.curve);
  w.components.calc(w.sides, w.pieces, scale);
  w.collect_metrics();
  return w.metrics;
}

const std::vector<VolumeMetrics>& MeshInterference::metrics() const { return workspace_->metrics; }

MeshInterference::Counts MeshInterference::counts() const {
  const Workspace& w = *workspace_;
  Counts counts;
  for (const InterferenceSide& side : w.sides) {
    counts.num_cut += static_cast<int>(side.cuts.size());
    counts.num_inside += static_cast<int>(side.inside_triangles.size());
  }
  counts.num_segments = static_cast<int>(w.curve.segments.size());
  return counts;
}

/// Each polygon is divided from its centroid, which moves continuously while corners come and go.
void MeshInterference::Workspace::add_cut_samples(int i, const Vec3& center, const TetrahedronRule& rule,
                                                  std::vector<VolumeSample>& samples) {
  for (InterferenceSide& side : sides) {
    for (const CutTriangle& cut : side.cuts) {
      const std::array<int, 3>& c = side.mesh().triangles()[cut.triangle];
      const Vec3 normal = (side.position(c[1]) - side.position(c[0])).cross(side.position(c[2]) - side.position(c[0]));
      const BoundaryElement* first = nullptr;
      double area = 0.0;
      Vec3 moment = Vec3::Zero();
      const auto visit = [&](const auto& work) {
        for (int j = cut.first_element; j < cut.last_element; ++j) {
          const BoundaryElement& element = side.elements[j];
          if (components.list[components.of(element.node)].piece == i) work(element);
        }
      };
      visit([&](const BoundaryElement& element) {
        if (first == nullptr) first = &element;
        const Vec3 u = element.p - first->p, v = element.q - first->p;
        const double share = element.weight * normal.dot(u.cross(v));
        area += share;
        moment += share / 3.0 * (u + v);
      });
      if (!(area > 0.0)) continue;
      const Vec3 middle = first->p + moment / area;
      visit([&](const BoundaryElement& element) {
        rule.add_samples(center, middle, element.p, element.q, element.weight, X_WA, samples);
      });
    }
  }
}

void MeshInterference::Workspace::add_inside_samples(int i, const Vec3& center, const TetrahedronRule& rule,
                                                     std::vector<VolumeSample>& samples) {
  for (InterferenceSide& side : sides) {
    for (const InsideTriangle& inside : side.inside_triangles) {
      if (components.list[components.of(inside.node)].piece != i) continue;
      const std::array<int, 3>& c = side.mesh().triangles()[inside.triangle];
      const Vec3 &p = side.position(c[0]), &q = side.position(c[1]), &r = side.position(c[2]);
      const Vec3 middle = (p + q + r) / 3.0;
      rule.add_samples(center, middle, p, q, 1.0, X_WA, samples);
      rule.add_samples(center, middle, q, r, 1.0, X_WA, samples);
      rule.add_samples(center, middle, r, p, 1.0, X_WA, samples);
    }
  }
}

void MeshInterference::calc_samples(int i, int detail, std::vector<VolumeSample>& samples) const {
  Workspace& w = *workspace_;
  ABUT_REQUIRE(i >= 0 && i < static_cast<int>(w.metrics.size()), "piece {} of {}", i, w.metrics.size());
  const TetrahedronRule& rule = TetrahedronRule::get(detail);
  const Vec3 center = w.X_WA.inverse() * w.metrics[i].centroid;
  samples.clear();
  w.add_cut_samples(i, center, rule, samples);
  w.add_inside_samples(i, center, rule, samples);
}

}  // namespace abut
