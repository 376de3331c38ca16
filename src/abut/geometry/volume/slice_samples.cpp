#include "abut/geometry/volume/slice_samples.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "abut/math/gauss_rule.hpp"

namespace abut {
namespace {

class SliceSampler {
 public:
  SliceSampler(const SliceCutter& cutter, const SliceNode& node, std::vector<VolumeSample>& samples)
      : cutter_(cutter), node_(node), samples_(samples) {
    AreaMoments moments;
    if (cutter.pieces().empty()) return;
    const Vec2 near = cutter.pieces()[0].p;
    for (const SlicePiece& piece : cutter.pieces()) cutter.add_moments(piece, near, moments);
    if (moments.area > 0.0) middle_ = near + moments.first / moments.area;
  }

  void add(const SlicePiece& piece, int detail) const {
    const int rings = (detail + 1) / 2;
    piece.line >= 0 ? add_edge(piece, detail, rings) : add_arc(piece, 2 * detail + 2, rings);
  }

 private:
  void add_edge(const SlicePiece& piece, int count, int rings) const {
    for (int k = 0; k < count; ++k) {
      const Vec2 d = (piece.q - piece.p) / count;
      add_triangle(piece.p + k * d, piece.p + (k + 1) * d, rings);
    }
  }

  void add_arc(const SlicePiece& piece, int count, int rings) const {
    const EllipseFrame& ellipse = cutter_.ellipse(piece.quadric);
    const double sign = cutter_.scene().quadrics[piece.quadric].is_complement ? -1.0 : 1.0;
    const double half = piece.half_angle / count, step = 2.0 * half;
    Vec2 u = piece.u_from;
    for (int k = 0; k < count; ++k) {
      const Vec2 next(std::cos(step) * u.x() - std::sin(step) * u.y(), std::sin(step) * u.x() + std::cos(step) * u.y());
      const Vec2 p = ellipse.point(u), q = ellipse.point(next);
      sign > 0.0 ? add_triangle(p, q, rings) : add_triangle(q, p, rings);
      const SegmentMoments segment = calc_segment_moments(half, std::cos(half), std::sin(half));
      const Vec2 outward(std::cos(half) * u.x() - std::sin(half) * u.y(),
                         std::sin(half) * u.x() + std::cos(half) * u.y());
      if (segment.area > 0.0) {
        const double reach = std::cos(half) + segment.x / segment.area;
        add_point(ellipse.point(reach * outward), sign * ellipse.determinant * segment.area);
      }
      u = next;
    }
  }

  /// Cut into `rings` strips of equal width across the way from the middle, with the points of Gauss along and across
  /// each, exact for polynomials of degree 2: what rubs turns fastest somewhere inside, and strips find it.
  void add_triangle(const Vec2& p, const Vec2& q, int rings) const {
    const Vec2 a = p - middle_, b = q - middle_;
    const double half = 0.25 * (a.x() * b.y() - a.y() * b.x()), width = 1.0 / rings;
    for (int k = 0; k < rings; ++k) {
      for (const double r : {width * (k + 0.5 - kGauss2FromMiddle), width * (k + 0.5 + kGauss2FromMiddle)}) {
        for (const double s : {0.5 - kGauss2FromMiddle, 0.5 + kGauss2FromMiddle})
          add_point(middle_ + r * ((1.0 - s) * a + s * b), half * r * width);
      }
    }
  }

  void add_point(const Vec2& y, double area) const {
    if (area != 0.0) samples_.push_back({Vec3(y.x(), y.y(), node_.t), area * node_.weight});
  }

  const SliceCutter& cutter_;
  const SliceNode& node_;
  std::vector<VolumeSample>& samples_;
  Vec2 middle_ = Vec2::Zero();
};

}  // namespace

void add_slice_samples(SliceIntegral& integral, int detail, std::vector<VolumeSample>& samples) {
  const std::size_t first = samples.size();
  const int level = std::max(detail, 1);
  double sum = 0.0;
  for (const SliceNode& node : integral.calc_coarse_nodes(3 + 2 * level)) {
    if (!integral.cutter().cut(node.t)) continue;
    const SliceSampler sampler(integral.cutter(), node, samples);
    for (const SlicePiece& piece : integral.cutter().pieces()) sampler.add(piece, level);
  }
  for (std::size_t k = first; k < samples.size(); ++k) sum += samples[k].weight;
  if (!(sum > 0.0)) return;
  for (std::size_t k = first; k < samples.size(); ++k) samples[k].weight *= integral.sums()[0] / sum;
}

void add_piece_points(const SliceScene& scene, double t, const SlicePiece& piece, std::vector<Vec2>& points) {
  constexpr std::array<double, 4> kParts = {0.0, 0.25, 0.5, 0.75};
  if (piece.line >= 0) {
    for (const double w : kParts) points.push_back(piece.p + w * (piece.q - piece.p));
    return;
  }
  const QuadricSlices& quadric = scene.quadrics[piece.quadric];
  const EllipseFrame ellipse = quadric.ellipse(t, std::sqrt(std::max(0.0, quadric.scale_squared(t))));
  const double quarter = 0.5 * piece.half_angle, c = std::cos(quarter), s = std::sin(quarter);
  Vec2 u = piece.u_from;
  for (std::size_t k = 0; k < kParts.size(); ++k) {
    points.push_back(ellipse.point(u));
    u = Vec2(c * u.x() - s * u.y(), s * u.x() + c * u.y());
  }
}

void add_surface_points(const SliceIntegral& integral, std::vector<Vec3>& points) {
  std::vector<Vec2> own;
  for (const SliceNode& node : integral.calc_nodes()) {
    own.clear();
    for (const SlicePiece& piece : integral.get_kept(node).pieces)
      add_piece_points(integral.cutter().scene(), node.t, piece, own);
    for (const Vec2& y : own) points.emplace_back(y.x(), y.y(), node.t);
  }
}

}  // namespace abut
