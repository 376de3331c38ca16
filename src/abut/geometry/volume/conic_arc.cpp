#include "abut/geometry/volume/conic_arc.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <limits>

namespace abut {
namespace {

constexpr std::array<CurveRuleNode, 2> kGauss2 = {{{0.21132486540518711775, 0.5}, {0.78867513459481288225, 0.5}}};
constexpr std::array<CurveRuleNode, 3> kGauss3 = {
    {{0.11270166537925831148, 5.0 / 18.0}, {0.5, 8.0 / 18.0}, {0.88729833462074168852, 5.0 / 18.0}}};
constexpr std::array<CurveRuleNode, 4> kGauss4 = {{{0.06943184420297371239, 0.17392742256872692869},
                                                   {0.33000947820757186760, 0.32607257743127307131},
                                                   {0.66999052179242813240, 0.32607257743127307131},
                                                   {0.93056815579702628761, 0.17392742256872692869}}};
constexpr std::array<CurveRuleNode, 6> kGauss6 = {{{0.03376524289842398609, 0.08566224618958517252},
                                                   {0.16939530676686774317, 0.18038078652406930378},
                                                   {0.38069040695840154568, 0.23395696728634552369},
                                                   {0.61930959304159845432, 0.23395696728634552369},
                                                   {0.83060469323313225683, 0.18038078652406930378},
                                                   {0.96623475710157601391, 0.08566224618958517252}}};
constexpr std::array<CurveRuleNode, 8> kGauss8 = {{{0.01985507175123188416, 0.05061426814518812958},
                                                   {0.10166676129318663020, 0.11119051722668723527},
                                                   {0.23723379504183550709, 0.15685332293894364367},
                                                   {0.40828267875217509753, 0.18134189168918099148},
                                                   {0.59171732124782490247, 0.18134189168918099148},
                                                   {0.76276620495816449291, 0.15685332293894364367},
                                                   {0.89833323870681336980, 0.11119051722668723527},
                                                   {0.98014492824876811584, 0.05061426814518812958}}};

/// n nodes leave rho^(-2n) when the integrand is analytic inside the ellipse of Bernstein rho: 1e-13 at these.
std::span<const CurveRuleNode> choose_rule(double rho) {
  if (rho > 2000.0) return kGauss2;
  if (rho > 150.0) return kGauss3;
  if (rho > 42.0) return kGauss4;
  if (rho > 12.2) return kGauss6;
  return kGauss8;
}
constexpr double kLeastRho = 6.6;
constexpr int kMaxDepth = 60;

/// Size of Bernstein's ellipse about [-1, 1] through z.
double calc_rho(std::complex<double> z) {
  const std::complex<double> root = std::sqrt(z * z - 1.0);
  return std::max(std::abs(z + root), std::abs(z - root));
}

class ArcMaker {
 public:
  ArcMaker(const UnitQuadric& quadric, const Vec3& n, std::vector<CurveNode>& nodes)
      : quadric_(quadric), n_(n), nodes_(nodes) {}

  void add(const Vec3& p, const Vec3& q, int depth) {
    const Vec3 chord = q - p;
    const double length = chord.norm();
    if (!(length > 0.0)) return;
    Leaf leaf;
    leaf.side = chord.cross(n_) / length;
    const Vec3 middle = p + 0.5 * chord;
    const Vec3 gradient = quadric_.gradient(middle);
    leaf.bend = quadric_.bend(leaf.side);
    leaf.chord_bend = quadric_.bend(chord);
    leaf.slope = gradient.dot(leaf.side);
    leaf.slope_rate = quadric_.gradient(chord).dot(leaf.side);
    const double rho = calc_leaf_rho(leaf);
    const bool is_far_from_apex = quadric_.kind != QuadricKind::cone || length * length < 0.25 * middle.squaredNorm();
    if (depth >= kMaxDepth || (leaf.slope > 0.0 && rho > kLeastRho && is_far_from_apex)) {
      add_nodes(p, chord, leaf, rho);
      return;
    }
    const Vec3 split = middle + leaf.calc_height(0.5) * leaf.side;
    if (split == p || split == q) {
      add_nodes(p, chord, leaf, rho);
      return;
    }
    add(p, split, depth + 1);
    add(split, q, depth + 1);
  }

 private:
  /// With v = u - 1/2 along the chord: value(s, v) = bend s^2 + 2 (slope + slope_rate v) s - chord_bend (1/4 - v^2), s
  /// the height of the arc over the chord; the two ends are on the quadric.
  struct Leaf {
    Vec3 side;
    double bend = 0.0, chord_bend = 0.0, slope = 0.0, slope_rate = 0.0;

    double calc_height(double u) const {
      const double v = u - 0.5, b = slope + slope_rate * v, c = chord_bend * u * (1.0 - u);
      const double root = std::sqrt(std::max(0.0, b * b + bend * c));
      if (b > 0.0) return c / (b + root);
      return bend != 0.0 ? (root - b) / bend : 0.0;
    }
  };

  /// The height is analytic up to the zeros of its discriminant.
  static double calc_leaf_rho(const Leaf& leaf) {
    const double mixed = leaf.bend * leaf.chord_bend;
    const double a = leaf.slope_rate * leaf.slope_rate - mixed, b = leaf.slope * leaf.slope_rate;
    const double c = leaf.slope * leaf.slope + 0.25 * mixed;
    if (std::abs(a) <= 1e-14 * std::abs(c) && std::abs(b) <= 1e-14 * std::abs(c))
      return std::numeric_limits<double>::infinity();
    if (std::abs(a) <= 1e-14 * std::abs(b)) return calc_rho(-c / b);
    const std::complex<double> root = std::sqrt(std::complex<double>(b * b - a * c));
    return std::min(calc_rho(2.0 * (-b + root) / a), calc_rho(2.0 * (-b - root) / a));
  }

  void add_nodes(const Vec3& p, const Vec3& chord, const Leaf& leaf, double rho) {
    for (const CurveRuleNode& gauss : choose_rule(rho)) {
      CurveNode node;
      node.x = p + gauss.u * chord + leaf.calc_height(gauss.u) * leaf.side;
      const Vec3 gradient = quadric_.gradient(node.x);
      const double across = gradient.dot(leaf.side);
      const double rate = across > 0.0 ? -gradient.dot(chord) / across : 0.0;
      node.dx = gauss.weight * (chord + rate * leaf.side);
      nodes_.push_back(node);
    }
  }

  const UnitQuadric& quadric_;
  const Vec3& n_;
  std::vector<CurveNode>& nodes_;
};

}  // namespace

std::span<const CurveRuleNode> make_gauss_rule(int n) {
  if (n <= 2) return kGauss2;
  if (n == 3) return kGauss3;
  if (n == 4) return kGauss4;
  return n <= 6 ? std::span<const CurveRuleNode>(kGauss6) : kGauss8;
}

void add_conic_arc(const UnitQuadric& quadric, const Vec3& n, const Vec3& p, const Vec3& q,
                   std::vector<CurveNode>& nodes) {
  ArcMaker(quadric, n, nodes).add(p, q, 0);
}

void add_closed_conic(const UnitQuadric& quadric, const Vec3& n, const Vec3& inside, std::vector<CurveNode>& nodes) {
  const Vec3 e = any_perpendicular(n), f = n.cross(e);
  std::array<Vec3, 4> corner;
  for (int i = 0; i < 4; ++i) {
    const Vec3 d = (i % 2 == 0 ? e : f) * (i < 2 ? 1.0 : -1.0);
    const std::optional<LineInterval> interval = quadric.calc_interval(inside, d);
    if (!interval || !std::isfinite(interval->upper)) return;
    corner[i] = inside + interval->upper * d;
  }
  for (int i = 0; i < 4; ++i) add_conic_arc(quadric, n, corner[i], corner[(i + 1) % 4], nodes);
}

}  // namespace abut
