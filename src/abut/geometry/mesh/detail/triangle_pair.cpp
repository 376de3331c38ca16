#include "abut/geometry/mesh/detail/triangle_pair.hpp"

// Both triangles cut the line l = n_A x n_B of their planes in an interval; the segment is what the intervals share.
// The corner of A alone on its side of B's plane is a0, and the edges from it to the other two cut l at P_1 and P_2;
// likewise b0, Q_1, Q_2. Along l
//   (Q_j - P_k) . l  has the sign of  s_A s_B (a_k - a0) . (b0 - a0) x (b_j - b0),
// where s_A, s_B are the sides of a0 and b0: with u = a_k - a0, v = b_j - b0 the product is (Q_j - P_k) . (v x u), and
// l . (v x u) = (n_A . v)(n_B . u), where n_B . u and n_A . v have the signs -s_A and -s_B.
// Four such signs order the four points. The same idea as in [Guigue and Devillers 2003].

namespace abut::detail {
namespace {

using Corners = std::array<const Vec3*, 3>;

/// Heights of three points over a plane, with their signs after the perturbation.
struct Sides {
  std::array<double, 3> height;
  std::array<int, 3> sign;
  int lone = 0;  ///< the corner alone on its side

  /// False if all corners are on one side, or the plane is none.
  bool set(const TrianglePlane& plane, const Corners& p, int tilt) {
    for (int i = 0; i < 3; ++i) height[i] = plane.calc_height(*p[i]);
    if (height[0] > 0.0 && height[1] > 0.0 && height[2] > 0.0) return false;
    if (height[0] < 0.0 && height[1] < 0.0 && height[2] < 0.0) return false;
    int tie = 0;
    for (int i = 0; i < 3; ++i) {
      if (height[i] == 0.0 && tie == 0) {
        tie = tilt * plane.calc_normal_sign();
        if (tie == 0) return false;
      }
      sign[i] = height[i] > 0.0 ? 1 : (height[i] < 0.0 ? -1 : tie);
    }
    const int sum = sign[0] + sign[1] + sign[2];
    if (sum == 3 || sum == -3) return false;
    for (int i = 0; i < 3; ++i) {
      if (sign[i] == -sum) lone = i;
    }
    return true;
  }

  Piercing make_piercing(int edge, bool is_edge_of_b) const {
    const double d0 = height[edge], d1 = height[(edge + 1) % 3];
    return {is_edge_of_b, edge, d0 / (d0 - d1), d1 / (d1 - d0), sign[edge] < 0};
  }
};

/// Sign of (Q_j - P_k) along l, up to the factor s_A s_B.
int calc_order(const Vec3& a0, const Vec3& ak, const Vec3& b0, const Vec3& bj) {
  const double volume = calc_exact_edge_volume(a0, ak, b0, bj);
  if (volume != 0.0) return volume > 0.0 ? 1 : -1;
  return calc_exact_cross_sign(bj, b0, ak, a0);  // moving b0 and bj by e adds u . (e x v) = e . (v x u)
}

bool find_shared_part(const Corners& a, const Corners& b, const Sides& sa, const Sides& sb, PairSegment& segment) {
  const int a0 = sa.lone, b0 = sb.lone;
  const bool is_a_above = sa.sign[a0] > 0, is_b_above = sb.sign[b0] > 0;
  // Going round A, the boundary of what lies inside B leaves along the segment where an edge leaves B: for a0 above,
  // that is the edge that comes back to a0. On B everything runs the other way.
  const int p_low = is_a_above ? (a0 + 2) % 3 : (a0 + 1) % 3, p_high = is_a_above ? (a0 + 1) % 3 : (a0 + 2) % 3;
  const int q_low = is_b_above ? (b0 + 1) % 3 : (b0 + 2) % 3, q_high = is_b_above ? (b0 + 2) % 3 : (b0 + 1) % 3;
  const int factor = is_a_above == is_b_above ? 1 : -1;
  const auto is_before = [&](int p, int q) { return factor * calc_order(*a[a0], *a[p], *b[b0], *b[q]) > 0; };
  if (!is_before(p_low, q_high) || is_before(p_high, q_low)) return false;
  const auto edge_of = [](int lone, int other) { return other == (lone + 1) % 3 ? lone : other; };
  segment.start = is_before(p_low, q_low) ? sb.make_piercing(edge_of(b0, q_low), true)
                                          : sa.make_piercing(edge_of(a0, p_low), false);
  segment.end = is_before(p_high, q_high) ? sa.make_piercing(edge_of(a0, p_high), false)
                                          : sb.make_piercing(edge_of(b0, q_high), true);
  return true;
}

}  // namespace

bool find_segment(const Corners& a, const Corners& b, PairSegment& segment) {
  Sides sa, sb;
  if (!sa.set(TrianglePlane(*b[0], *b[1], *b[2]), a, -1)) return false;
  if (!sb.set(TrianglePlane(*a[0], *a[1], *a[2]), b, 1)) return false;
  return find_shared_part(a, b, sa, sb, segment);
}

bool find_segment(const TrianglePlane& a, const TrianglePlane& b, PairSegment& segment) {
  const Corners p = {&a.corners()[0], &a.corners()[1], &a.corners()[2]};
  const Corners q = {&b.corners()[0], &b.corners()[1], &b.corners()[2]};
  Sides sa, sb;
  return sb.set(a, q, 1) && sa.set(b, p, -1) && find_shared_part(p, q, sa, sb, segment);
}

}  // namespace abut::detail
