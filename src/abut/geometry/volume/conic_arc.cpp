#include "abut/geometry/volume/conic_arc.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>

#include "abut/math/gauss_rule.hpp"

namespace abut {
namespace {

/// n nodes leave rho^(-2n) when the integrand is analytic inside the ellipse of Bernstein rho: 1e-13 at these. Never
/// fewer than five: along a short arc, a parabola, the second moments are polynomials of degree eight, and in a thin
/// volume all that is of lower degree cancels, so that 1e-13 of it would be as large as the volume itself.
std::span<const RuleNode> choose_rule(double rho) { return get_gauss_rule(rho > 20.0 ? 5 : rho > 12.2 ? 6 : 8); }
constexpr double kLeastRho = 6.6;
/// Halves of halves: beside the apex of a cone an arc is halved once for each power of two in its distance from it.
constexpr int kMaxDepth = 60;
/// Parts of one arc. A quarter of an ellipse takes four, one past an apex some hundred; more only where rounding makes
/// up the shape of the arc, and then the chords are as good.
constexpr int kMaxLeaves = 256;
/// An arc no higher over its chord than this, in parts of its coordinates, is straight: rounding of its ends [1].
constexpr double kStraight = 4e-16;
/// Ends nearer to each other than this, in parts of their coordinates, have rounding for an order, and an arc from one
/// to the other could as well go once around: a corner that just touches leaves such ends. They count as joined by
/// their chord: for an arc that really goes once around, what is cut off of it would have to be that small.
constexpr double kSamePlace = 2e-15;

/// The form y'D y of a quadric on a plane with unit normal n has the determinant n' adj(D) n: > 0 where they meet in an
/// ellipse. Never a difference of large numbers, however long the ellipse.
double calc_plane_determinant(const UnitQuadric& quadric, const Vec3& n) {
  if (quadric.kind == QuadricKind::ellipsoid) return 1.0;
  if (quadric.kind == QuadricKind::cylinder) return n.z() * n.z();
  const double across = quadric.k * n.head<2>().norm();
  return (n.z() - across) * (n.z() + across);
}

/// Directions within the plane along and across the conic there, and a point inside moved to about its middle: seen
/// from elsewhere the ends of a long one lie in one direction, and an arc to them would begin and end beside itself.
struct ConicAxes {
  Vec3 along, across, middle;
};

ConicAxes find_axes(const UnitQuadric& quadric, const Vec3& n, const Vec3& inside) {
  const Vec3 e = any_perpendicular(n), f = n.cross(e);
  if (quadric.kind != QuadricKind::cone) return {e, f, inside};
  // v'D v on the plane: its least bend belongs to the long axis.
  const double ee = quadric.bend(e), ff = quadric.bend(f), ef = quadric.gradient(e).dot(f);
  const double angle = 0.5 * std::atan2(2.0 * ef, ee - ff);  // of the greatest bend
  ConicAxes axes{Vec3(std::cos(angle) * f - std::sin(angle) * e), Vec3(-std::cos(angle) * e - std::sin(angle) * f),
                 inside};
  for (const Vec3& d : {axes.along, axes.across}) {
    const std::optional<LineInterval> interval = quadric.calc_interval(axes.middle, d);
    const bool is_bounded = interval && std::isfinite(interval->upper) && std::isfinite(interval->lower);
    if (is_bounded) axes.middle += 0.5 * (interval->lower + interval->upper) * d;
  }
  return axes;
}

/// The far end of an arc of a cone that is longer than its chord by far: a sliver around the apex, say. Nothing of the
/// chord tells where that lies, which has rounding for a direction. It lies to the right of the chord by more than the
/// rounding of its ends turns the chord: at the end of a chord along a rim, axes of a circle that happen to run along
/// it would lead to a far end that is none, and the arc once around.
std::optional<Vec3> find_far_end(const UnitQuadric& quadric, const Vec3& n, const Vec3& p, const Vec3& q) {
  constexpr double kLong = 8.0;
  const Vec3 chord = q - p, out = chord.cross(n);
  if (quadric.kind != QuadricKind::cone || !(out.norm() > 0.0)) return std::nullopt;
  const Vec3 middle = 0.5 * (p + q), along = find_axes(quadric, n, middle).along;
  const Vec3 d = along.dot(out) > 0.0 ? along : Vec3(-along);
  const std::optional<LineInterval> interval = quadric.calc_interval(middle, d);
  if (!interval || !std::isfinite(interval->upper)) return std::nullopt;
  const Vec3 end = middle + interval->upper * d;
  const double far = (end - p).norm();
  if (!(far > kLong * chord.norm()) || !(out.dot(end - p) > kStraight * (p.norm() + q.norm()) * far))
    return std::nullopt;
  return end;
}

class ArcMaker {
 public:
  ArcMaker(const UnitQuadric& quadric, const Vec3& n, std::vector<CurveNode>& nodes)
      : quadric_(quadric), n_(n), determinant_(calc_plane_determinant(quadric, n)), nodes_(nodes) {}

  void add(const Vec3& p, const Vec3& q, int depth) {
    const Vec3 chord = q - p;
    const double length = chord.norm();
    if (!(length > 0.0)) return;
    const Leaf leaf = make_leaf(p, chord, length);
    if (!(leaf.chord_bend > 0.0)) return add_chord(p, chord);
    const Vec3 middle = p + 0.5 * chord, sagitta = leaf.calc_height(0.5) * leaf.side;
    const Vec3 split = middle + sagitta;
    const double rho = std::min(leaf.calc_rho(), calc_apex_rho(middle, split, length));
    if (rho > kLeastRho) return add_nodes(p, chord, leaf, rho);
    const bool is_straight = !(sagitta.norm() > kStraight * (p.norm() + q.norm()));
    if (is_straight || depth >= kMaxDepth || num_leaves_ >= kMaxLeaves || split == p || split == q)
      return add_chord(p, chord);
    ++num_leaves_;
    const Vec3 between = put_on_quadric(split, 0.5 * sagitta.norm());
    add(p, between, depth + 1);
    add(between, q, depth + 1);
  }

  void add_chord(const Vec3& p, const Vec3& chord) {
    for (const RuleNode& gauss : get_gauss_rule(5)) nodes_.push_back({p + gauss.x * chord, gauss.weight * chord});
  }

 private:
  /// A point of the arc is p + u chord + s side, with `side` conjugate to the chord: then the two ends being on the
  /// quadric, bend s^2 + 2 slope s = chord_bend u (1 - u), and neither the height s nor where the arc is divided knows
  /// how long an ellipse is. (Across the chord instead, arcs of long ellipses lean over its ends.)
  struct Leaf {
    Vec3 side;
    double bend = 0.0, chord_bend = 0.0, slope = 0.0;

    double calc_root(double u) const {
      return std::sqrt(std::max(0.0, slope * slope + bend * chord_bend * u * (1.0 - u)));
    }
    double calc_height(double u) const {
      const double c = chord_bend * u * (1.0 - u), root = calc_root(u);
      if (slope > 0.0) return c / (slope + root);
      return bend > 0.0 ? (root - slope) / bend : 0.0;  // more than half around
    }
    /// Size of Bernstein's ellipse about [0, 1] through the zeros of the discriminant, up to which the height is
    /// analytic: 1 +- sqrt(1 + t^2) of the interval away, t = 2 slope / sqrt(bend chord_bend).
    double calc_rho() const {
      if (!(slope > 0.0)) return 0.0;
      const double determinant = bend * chord_bend;
      if (determinant == 0.0) return std::numeric_limits<double>::infinity();
      const double t = 2.0 * slope / std::sqrt(std::abs(determinant));
      const double far = determinant > 0.0 ? 1.0 + t * t : t * t - 1.0;
      return far > 0.0 ? t + std::sqrt(far) : 0.0;
    }
  };

  /// Integrals over a cone's surface are not analytic where the arc, continued, meets the height of its apex. On the
  /// way the chord takes it there linearly, the sagitta as 1 - (2u - 1)^2: half of the way is granted to each.
  double calc_apex_rho(const Vec3& middle, const Vec3& split, double length) const {
    if (quadric_.kind != QuadricKind::cone) return std::numeric_limits<double>::infinity();
    const double half_way = 0.5 * std::sqrt(std::min(middle.squaredNorm(), split.squaredNorm()));
    const double z = std::min(2.0 * half_way / length, std::sqrt(1.0 + half_way / (split - middle).norm()));
    return z > 1.0 ? z + std::sqrt(z * z - 1.0) : 0.0;
  }

  /// Newton's method within the plane. From a short chord to the far end of a long arc the rounding of the chord's ends
  /// grows with the ratio of the two; here it is left behind. Where the plane only touches the quadric, along a
  /// generator or at a cone's apex, slope and value are both rounding: no step leads further than `reach`.
  Vec3 put_on_quadric(const Vec3& x, double reach) const {
    Vec3 better = x;
    for (int i = 0; i < 2; ++i) {
      Vec3 slope = quadric_.gradient(better);
      slope -= n_.dot(slope) * n_;
      const double square = slope.squaredNorm(), step = 0.5 * std::abs(quadric_.value(better));
      if (!(square > 0.0)) break;
      if (!(step <= reach * std::sqrt(square))) return x;
      better -= 0.5 * quadric_.value(better) / square * slope;
    }
    return better;
  }

  Leaf make_leaf(const Vec3& p, const Vec3& chord, double length) const {
    Leaf leaf;
    const Vec3 across = chord.cross(n_) / length;
    leaf.chord_bend = quadric_.bend(chord);
    if (!(leaf.chord_bend > 0.0)) return leaf;
    leaf.side = across - quadric_.gradient(chord).dot(across) / leaf.chord_bend * chord;
    leaf.bend = determinant_ * length * length / leaf.chord_bend;
    // The slope at the middle of the chord; along the chord there is none, both ends being on the quadric.
    leaf.slope = quadric_.gradient(Vec3(p + 0.5 * chord)).dot(across);
    return leaf;
  }

  void add_nodes(const Vec3& p, const Vec3& chord, const Leaf& leaf, double rho) {
    for (const RuleNode& gauss : choose_rule(rho)) {
      CurveNode node;
      node.x = p + gauss.x * chord + leaf.calc_height(gauss.x) * leaf.side;
      const double rate = leaf.chord_bend * (0.5 - gauss.x) / leaf.calc_root(gauss.x);
      node.dx = gauss.weight * (chord + rate * leaf.side);
      nodes_.push_back(node);
    }
  }

  const UnitQuadric& quadric_;
  const Vec3& n_;
  double determinant_;
  std::vector<CurveNode>& nodes_;
  int num_leaves_ = 1;
};

}  // namespace

void add_conic_arc(const UnitQuadric& quadric, const Vec3& n, const Vec3& p, const Vec3& q,
                   std::vector<CurveNode>& nodes) {
  if ((q - p).norm() <= kSamePlace * (p.norm() + q.norm())) {
    ArcMaker(quadric, n, nodes).add_chord(p, q - p);
  } else if (const std::optional<Vec3> end = find_far_end(quadric, n, p, q)) {
    ArcMaker(quadric, n, nodes).add(p, *end, 0);
    ArcMaker(quadric, n, nodes).add(*end, q, 0);
  } else {
    ArcMaker(quadric, n, nodes).add(p, q, 0);
  }
}

void add_closed_conic(const UnitQuadric& quadric, const Vec3& n, const Vec3& inside, std::vector<CurveNode>& nodes) {
  const ConicAxes axes = find_axes(quadric, n, inside);
  std::array<Vec3, 4> corner;
  for (int i = 0; i < 4; ++i) {
    const Vec3 d = (i % 2 == 0 ? axes.along : axes.across) * (i < 2 ? 1.0 : -1.0);
    const std::optional<LineInterval> interval = quadric.calc_interval(axes.middle, d);
    if (!interval || !std::isfinite(interval->upper)) return;
    corner[i] = axes.middle + interval->upper * d;
  }
  for (int i = 0; i < 4; ++i) add_conic_arc(quadric, n, corner[i], corner[(i + 1) % 4], nodes);
}

}  // namespace abut
