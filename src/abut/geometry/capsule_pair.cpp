#include "abut/geometry/capsule_pair.hpp"

#include <algorithm>
#include <cmath>

#include "abut/geometry/sphere_kernels.hpp"

namespace abut {
namespace {

/// Weight that draws point 0 to the middle of the stretch: it competes with sin^2 of the angle between the axes. Where
/// point 0 carries, it changes the gap by less than 1e-11 of the radii for capsules ten times as long as thick.
constexpr double kCentering = 1e-13;
/// Sine of the angle above which nothing is regularised.
constexpr double kCrossing = 0.1;
/// Width of a hand-over between two points, in the difference of their gaps over r_a + r_b: a million times the
/// rounding of a gap, and far below the depth of any contact, so that the work done inside it does not count.
constexpr double kHandOver = 1e-11;
/// A stretch shorter than this, over r_a + r_b, is a point; one twice as long has two ends.
constexpr double kShort = 0.1;

/// 0 below 0, 1 above 1, continuous slope.
double smooth_step(double x) {
  const double t = std::clamp(x, 0.0, 1.0);
  return t * t * (3.0 - 2.0 * t);
}

/// The axis of a capsule: center + t direction, |t| <= half.
struct Axis {
  Vec3 center, direction;
  double half;

  Vec3 at(double t) const { return center + t * direction; }
  double project(const Vec3& p) const { return direction.dot(p - center); }
  double clamp(double t) const { return std::clamp(t, -half, half); }
};

Axis make_axis(const Capsule& capsule, const Pose& X_WS) { return {X_WS.p, X_WS.R.col(2), capsule.half_length}; }

struct AxisPoints {
  Vec3 p_a, p_b;
};

/// Ends of the stretch, on A's parameter, along +A. Each is an end of one axis and the nearest point of the other.
AxisPoints calc_stretch_end(const Axis& a, const Axis& b, double end_of_a, double end_of_b) {
  const Vec3 p_b = b.at(end_of_b);
  const double t = a.project(p_b);
  if (std::abs(t) <= a.half) return {a.at(t), p_b};
  // B's end lies beyond A: A's own end is the limit, unless B lies wholly beyond the other end.
  const Vec3 p_a = a.at(t * end_of_a > 0.0 ? end_of_a : -end_of_a);
  return {p_a, b.at(b.clamp(b.project(p_a)))};
}

/// Nearest points of the axes: minimises |x_A(t) - x_B(u)|^2 over the rectangle. Near parallel a small pull to the
/// middle of the stretch, (t - t_m)^2 + (u - u_m)^2, makes the minimiser unique and continuous.
AxisPoints calc_nearest(const Axis& a, const Axis& b, const AxisPoints& lower, const AxisPoints& upper) {
  const double cosine = a.direction.dot(b.direction);
  const double sine = a.direction.cross(b.direction).norm();
  const double pull = kCentering * (1.0 - smooth_step(sine / kCrossing));
  const double t_mid = 0.5 * (a.project(lower.p_a) + a.project(upper.p_a));
  const double u_mid = 0.5 * (b.project(lower.p_b) + b.project(upper.p_b));
  // With t = t_mid + x, u = u_mid + y: (1 + pull) x - cosine y = -a.w, (1 + pull) y - cosine x = b.w.
  const Vec3 w = a.at(t_mid) - b.at(u_mid);
  const double wa = -a.direction.dot(w);
  const double wb = b.direction.dot(w);
  const double s = 1.0 + pull;
  const double determinant = sine * sine + pull * (2.0 + pull);
  const double x_free = (s * wa + cosine * wb) / determinant;
  const double x = std::clamp(x_free, -a.half - t_mid, a.half - t_mid);
  const double y = std::clamp((wb + cosine * x) / s, -b.half - u_mid, b.half - u_mid);
  const double x_again = std::clamp((wa + cosine * y) / s, -a.half - t_mid, a.half - t_mid);
  return {a.at(t_mid + x_again), b.at(u_mid + y)};
}

PointContact calc_ball_contact(const AxisPoints& points, double r_a, double r_b, const Vec3& fallback) {
  if ((points.p_a - points.p_b).squaredNorm() > 0.0) return sphere_sphere(points.p_a, r_a, points.p_b, r_b);
  const double gap = -(r_a + r_b);
  return {gap, fallback, points.p_b + (r_b + 0.5 * gap) * fallback};
}

/// How far a point is lifted whose duty has gone to another: 0 from 0 on, 1 below -1. Where duties are even both carry:
/// were none to, bodies would sink there.
double calc_lift(double duty) { return 1.0 - smooth_step(1.0 + duty); }

/// The hand-over between the nearest point and the ends of the stretch; see the header.
void lift_redundant_gaps(double reach, double stretch, PointContact* out) {
  const double width = kHandOver * reach;
  const double crossing = (std::min(out[1].gap, out[2].gap) - out[0].gap) / width - 1.0;
  const double lower_is_nearer = (out[2].gap - out[1].gap) / width;
  const double is_short = 1.0 - smooth_step(stretch / reach / kShort - 1.0);
  const double ends = calc_lift(-crossing);  // of the end that point 0 stands for
  out[1].gap += reach * std::max(is_short, ends * calc_lift(-lower_is_nearer));
  out[2].gap += reach * std::max(is_short, ends * calc_lift(lower_is_nearer));
  out[0].gap += reach * calc_lift(crossing) * smooth_step(stretch / reach / kShort - 2.0);
}

/// The three points with their true gaps; the length over which the axes lie side by side [m].
double calc_true_contacts(const Capsule& a, const Pose& X_WA, const Capsule& b, const Pose& X_WB, PointContact* out) {
  const Axis axis_a = make_axis(a, X_WA);
  const Axis axis_b = make_axis(b, X_WB);
  const double same_way = std::copysign(1.0, axis_a.direction.dot(axis_b.direction));
  const AxisPoints lower = calc_stretch_end(axis_a, axis_b, -axis_a.half, -same_way * axis_b.half);
  const AxisPoints upper = calc_stretch_end(axis_a, axis_b, axis_a.half, same_way * axis_b.half);
  const AxisPoints nearest = calc_nearest(axis_a, axis_b, lower, upper);

  const Vec3 across = axis_a.direction.cross(axis_b.direction);
  const double sine = across.norm();
  const Vec3 fallback = sine > 1e-12 ? Vec3(across / sine) : any_perpendicular(axis_a.direction);
  out[0] = calc_ball_contact(nearest, a.radius, b.radius, fallback);
  out[1] = calc_ball_contact(lower, a.radius, b.radius, fallback);
  out[2] = calc_ball_contact(upper, a.radius, b.radius, fallback);
  // On the longer of the two axes: it does not change while one capsule leans on the other.
  return std::max((lower.p_a - upper.p_a).norm(), (lower.p_b - upper.p_b).norm());
}

/// Of any size, its sign and its zero, but no more than `most` [m].
double bound(double value, double most) { return most * value / (1.0 + std::abs(value)); }

}  // namespace

void calc_capsule_capsule(const Capsule& a, const Pose& X_WA, const Capsule& b, const Pose& X_WB, PointContact* out) {
  const double stretch = calc_true_contacts(a, X_WA, b, X_WB, out);
  lift_redundant_gaps(a.radius + b.radius, stretch, out);
}

void calc_carried_capsules(const Capsule& a, const Pose& X_WA, const Capsule& b, const Pose& X_WB,
                           const std::array<bool, kCapsuleCapsulePoints>& carries, PointContact* out) {
  const double stretch = calc_true_contacts(a, X_WA, b, X_WB, out);
  const double reach = a.radius + b.radius, width = kHandOver * reach;
  if (carries[0] && carries[1] && carries[2]) return lift_redundant_gaps(reach, stretch, out);
  const std::array<double, kCapsuleCapsulePoints> gaps{out[0].gap, out[1].gap, out[2].gap};
  // How far point 0 is ahead of the nearer end, in widths of a hand-over.
  const double ahead = (std::min(gaps[1], gaps[2]) - gaps[0]) / width;
  if (!carries[0] && gaps[0] <= 0.0)
    out[0].gap = std::min(bound(1.0 - ahead, reach), gaps[0] + reach * smooth_step(stretch / reach / kShort - 2.0));
  const double is_short = 1.0 - smooth_step(stretch / reach / kShort - 1.0);
  for (const int i : {1, 2}) {
    const int other = 3 - i;
    const double nearer = (gaps[other] - gaps[i]) / width;  // than the other one
    const bool is_idle = carries[i] ? carries[0] && !carries[other] && gaps[other] > 0.0 && nearer > 1.0
                                    : carries[0] && gaps[i] <= 0.0 && (carries[other] || nearer > 0.0);
    if (is_idle) {
      const double until_turn = carries[other] ? std::min(nearer + 1.0, ahead - 0.5) : ahead - 0.5;
      out[i].gap = carries[i] ? gaps[i] + reach : bound(until_turn, reach);
    }
    out[i].gap += reach * is_short;
  }
}

int find_forerunner(const Capsule& a, const Pose& X_WA, const Capsule& b, const Pose& X_WB, int heir,
                    const std::array<bool, kCapsuleCapsulePoints>& carries) {
  PointContact points[kCapsuleCapsulePoints];
  calc_true_contacts(a, X_WA, b, X_WB, points);
  const double reach = a.radius + b.radius;
  if (points[heir].gap > -kHandOver * reach) return -1;
  int nearest = -1;
  double least = 4.0 * kHandOver * reach;  // the window, and what it takes to be found inside it
  for (int i = 0; i < kCapsuleCapsulePoints; ++i) {
    if (i == heir || !carries[i]) continue;
    const double difference = std::abs(points[i].gap - points[heir].gap);
    if (difference < least) least = difference, nearest = i;
  }
  return nearest;
}

}  // namespace abut
