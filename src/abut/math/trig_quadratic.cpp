#include "abut/math/trig_quadratic.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

namespace abut {
namespace {

Vec2 turn_left(const Vec2& u) { return {-u.y(), u.x()}; }

/// u turned by 2 atan(k): exact on the circle for any k, and by 2k to third order.
Vec2 turn_by(const Vec2& u, double k) {
  const double q = 1.0 / (1.0 + k * k);
  const double c = (1.0 - k * k) * q, s = 2.0 * k * q;
  return {c * u.x() - s * u.y(), s * u.x() + c * u.y()};
}

double cross(const Vec2& a, const Vec2& b) { return a.x() * b.y() - a.y() * b.x(); }

/// The arc that runs anticlockwise from `from` to `to`, of any length below a full turn. Short arcs are judged by cross
/// products, because the direction of a short chord is known badly.
struct Arc {
  Vec2 from, to;

  bool is_short() const { return from.dot(to) > 0.0 && cross(from, to) >= 0.0; }
  Vec2 middle() const {
    if (is_short()) return (from + to).normalized();
    return Vec2(to.y() - from.y(), from.x() - to.x()).normalized();
  }
  bool contains(const Vec2& u) const {
    if (is_short()) return cross(from, u) >= 0.0 && cross(u, to) >= 0.0;
    return (u - from).dot(Vec2(to.y() - from.y(), from.x() - to.x())) >= 0.0;
  }
};

/// Newton's method fenced in by an arc whose ends have opposite signs of h; never leaves it. A step below `last_step`
/// is taken without another look: the error left is about its square.
Vec2 refine_root(const TrigQuadratic& h, const TrigQuadratic& slope, Arc arc, bool is_rising, Vec2 u,
                 double last_step) {
  for (int i = 0; i < 80; ++i) {
    const double value = h.value(u);
    const bool is_past = (value >= 0.0) == is_rising;
    (is_past ? arc.to : arc.from) = u;
    const double rate = slope.value(u);
    const double step = rate != 0.0 ? -0.5 * value / rate : 2.0;
    Vec2 next = std::abs(step) < 1.0 ? turn_by(u, step) : u;
    if (std::abs(step) < last_step) return next.normalized();
    if (std::abs(step) >= 1.0 || !arc.contains(next)) next = arc.middle();
    const double moved = std::abs(next.x() - u.x()) + std::abs(next.y() - u.y());
    u = next;
    if (moved < 4e-16) break;
  }
  return u.normalized();
}

/// The same from a start that is good already, without a fence: three looks in place of four or five. Nothing where it
/// does not settle at once, or on the wrong side of the line through `side` and the origin.
std::optional<Vec2> polish_root(const TrigQuadratic& h, const TrigQuadratic& slope, const Vec2& side, bool is_rising,
                                Vec2 u, double last_step) {
  constexpr double kLargestStep = 0.25;
  for (int i = 0; i < 4; ++i) {
    const double rate = slope.value(u), step = -0.5 * h.value(u) / rate;
    if (!(std::abs(step) < kLargestStep) || (rate > 0.0) != is_rising) return std::nullopt;
    u = turn_by(u, step);
    if (std::abs(step) >= last_step) continue;
    if ((cross(side, u) > 0.0) == is_rising) return std::nullopt;
    return u.normalized();
  }
  return std::nullopt;
}

/// Both roots of a pair at once, as polish_root() does: the falling one first, which lies to the left of the line
/// through `side`, the rising one to its right. False where one of them does not settle at once.
bool polish_pair(const TrigQuadratic& h, const Vec2& side, std::array<Vec2, 2>& u, double last_step) {
  using Pair = Eigen::Array2d;
  constexpr double kLargestStep = 0.25;
  Pair c(u[0].x(), u[1].x()), s(u[0].y(), u[1].y());
  for (int i = 0; i < 4; ++i) {
    const Pair c2 = (c - s) * (c + s), s2 = 2.0 * c * s;
    const Pair value = h.a0 + h.a1 * c + h.b1 * s + h.a2 * c2 + h.b2 * s2;
    const Pair rate = h.b1 * c - h.a1 * s + 2.0 * (h.b2 * c2 - h.a2 * s2);
    const Pair k = -0.5 * value / rate, q = 1.0 / (1.0 + k * k);
    const double largest = k.abs().maxCoeff();
    if (!(largest < kLargestStep) || !(rate[0] < 0.0 && rate[1] > 0.0)) return false;
    const Pair cosine = (1.0 - k * k) * q, sine = 2.0 * k * q, before = c;
    c = cosine * before - sine * s;
    s = sine * before + cosine * s;
    if (largest >= last_step) continue;
    const Pair left = side.x() * s - side.y() * c;
    if (!(left[0] > 0.0) || left[1] > 0.0) return false;
    const Pair norm = (c * c + s * s).sqrt();
    for (int j = 0; j < 2; ++j) u[j] = Vec2(c[j], s[j]) / norm[j];
    return true;
  }
  return false;
}

/// Roots beside a point u where the first harmonic is extreme and h all but zero, by the parabola of h there: the one
/// before it and the one after it. h and its bend at u have opposite signs.
std::array<Vec2, 2> guess_roots_beside(const TrigQuadratic& slope, const TrigQuadratic& bend, const Vec2& u, double h) {
  const double h_1 = slope.value(u), h_2 = bend.value(u);
  const double root = std::sqrt(std::max(0.0, h_1 * h_1 - 2.0 * h * h_2));
  const double q = -(h_1 + std::copysign(root, h_1));
  const double r = q / h_2, s = 2.0 * h / q;
  return {turn_by(u, 0.5 * std::min(r, s)), turn_by(u, 0.5 * std::max(r, s))};
}

/// A start near the root between two extrema: where h is nearly zero at one of them, the root is close to it, at the
/// zero of the osculating parabola.
Vec2 guess_root(const TrigQuadratic& curvature, const Arc& arc, double at_from, double at_to) {
  const bool from_lower = std::abs(at_from) < std::abs(at_to);
  const Vec2& end = from_lower ? arc.from : arc.to;
  const double bend = curvature.value(end);
  const double reach = bend != 0.0 ? std::sqrt(2.0 * std::abs((from_lower ? at_from : at_to) / bend)) : 1.0;
  if (reach > 0.5) return arc.middle();
  const Vec2 u = turn_by(end, from_lower ? 0.5 * reach : -0.5 * reach);
  return arc.contains(u) ? u : arc.middle();
}

/// Amplitudes of the harmonics.
double calc_first(const TrigQuadratic& h) { return std::sqrt(h.a1 * h.a1 + h.b1 * h.b1); }
double calc_second(const TrigQuadratic& h) { return std::sqrt(h.a2 * h.a2 + h.b2 * h.b2); }

/// The four points where the second harmonic is extreme. Where it outweighs the first one, h without its constant
/// alternates between them.
CirclePoints find_second_harmonic_extrema(const TrigQuadratic& h) {
  const double angle = 0.5 * std::atan2(h.b2, h.a2);
  const Vec2 u(std::cos(angle), std::sin(angle));
  // The four maxima and minima of a2 cos 2x + b2 sin 2x are a quarter turn apart.
  return {{u, turn_left(u), Vec2(-u), Vec2(-turn_left(u))}, 4};
}

CirclePoints find_first_harmonic_extrema(const TrigQuadratic& h) {
  const Vec2 u = Vec2(h.a1, h.b1).normalized();
  return {{u, Vec2(-u), Vec2::Zero(), Vec2::Zero()}, 2};
}

CircleRoots find_roots_to(const TrigQuadratic& h, const CirclePoints& extrema, double last_step) {
  CircleRoots roots;
  if (extrema.count == 0) return roots;
  const TrigQuadratic slope = h.derivative(), curvature = slope.derivative();
  double before = h.value(extrema.at[0]);
  const double first = before;
  for (int i = 0; i < extrema.count; ++i) {
    const bool is_last = i + 1 == extrema.count;
    const Vec2& lower = extrema.at[i];
    const Vec2& upper = extrema.at[is_last ? 0 : i + 1];
    const double after = is_last ? first : h.value(upper);
    if ((before >= 0.0) != (after >= 0.0)) {
      const bool is_rising = after >= 0.0;
      const Arc arc{lower, upper};
      const Vec2 guess = guess_root(curvature, arc, before, after);
      roots.rising[roots.points.count] = is_rising;
      roots.points.at[roots.points.count++] = refine_root(h, slope, arc, is_rising, guess, last_step);
    }
    before = after;
  }
  return roots;
}

/// Last steps of Newton's method: to rounding for what is handed out; fences only need to tell two roots apart, and a
/// pair of extrema lost between them would differ by less than the fourth power of this.
constexpr double kFineStep = 3e-8;
constexpr double kFenceStep = 1e-3;

}  // namespace

CircleRoots find_roots(const TrigQuadratic& h, const CirclePoints& extrema) {
  return find_roots_to(h, extrema, kFineStep);
}

CircleRoots find_roots(const TrigQuadratic& h, double flat) {
  constexpr double kClear = 1e3;  // of `flat`, which is rounding: signs that cannot be mistaken
  constexpr double kNear = 0.02;  // of the first harmonic: there the parabola is the better guess
  const double first = calc_first(h), second = calc_second(h);
  if (first + second <= flat || std::abs(h.a0) > first + second + flat) return {};
  if (first > 4.0 * second) {
    // Two extrema only, and so two roots, one on either side of these two points if their signs differ.
    const Vec2 e(h.a1 / first, h.b1 / first);
    const double high = h.value(e), low = h.value(-e);
    if (high > kClear * flat && low < -kClear * flat) {
      const TrigQuadratic slope = h.derivative();
      const double c = std::clamp(-h.a0 / first, -1.0, 1.0);
      const Vec2 along = c * e, across = std::sqrt((1.0 - c) * (1.0 + c)) * turn_left(e);
      // Falling first, as seen from the higher side.
      std::array<Vec2, 2> starts{Vec2(along + across), Vec2(along - across)};
      if (-low < kNear * first) {
        starts = guess_roots_beside(slope, slope.derivative(), -e, low);
      } else if (high < kNear * first) {
        const auto [before, after] = guess_roots_beside(slope, slope.derivative(), e, high);
        starts = {after, before};
      }
      CircleRoots roots;
      roots.points.count = 2;
      roots.rising = {false, true, false, false};
      std::array<Vec2, 2> pair = starts;
      if (polish_pair(h, e, pair, kFineStep)) {
        roots.points.at[0] = pair[0], roots.points.at[1] = pair[1];
        return roots;
      }
      for (const bool is_rising : {false, true}) {
        const Vec2& start = starts[is_rising ? 1 : 0];
        const std::optional<Vec2> root = polish_root(h, slope, e, is_rising, start, kFineStep);
        const Arc fence = is_rising ? Arc{Vec2(-e), e} : Arc{e, Vec2(-e)};
        roots.points.at[is_rising ? 1 : 0] = root ? *root : refine_root(h, slope, fence, is_rising, start, kFineStep);
      }
      return roots;
    }
  }
  return find_roots(h, find_extrema(h, flat));
}

CirclePoints find_extrema(const TrigQuadratic& h, double flat) {
  const double first = calc_first(h), second = calc_second(h);
  if (first + second <= flat) return {};
  if (second <= 1e-15 * first) return find_first_harmonic_extrema(h);
  // h' = 0 has exactly two roots when the first harmonic outweighs four times the second, one each side of +-(b1, -a1).
  const TrigQuadratic slope = h.derivative();
  if (first > 4.0 * second) {
    const Vec2 e(h.a1 / first, h.b1 / first), side(e.y(), -e.x());
    std::array<Vec2, 2> pair{e, Vec2(-e)};
    if (polish_pair(slope, side, pair, kFineStep)) return {{pair[0], pair[1], Vec2::Zero(), Vec2::Zero()}, 2};
    const CirclePoints fence = find_first_harmonic_extrema(slope);
    return find_roots_to(slope, fence, kFineStep).points;
  }
  // Otherwise differentiate until the second harmonic rules: its four roots are fenced by its own extrema. They are the
  // extrema of the derivative one order below, and so on down.
  std::array<TrigQuadratic, 8> chain;
  int order = 0;
  chain[0] = slope;
  double ratio = 2.0 * second;
  while (ratio <= 1.01 * first) {
    chain[order + 1] = chain[order].derivative();
    ++order;
    ratio *= 2.0;
  }
  CirclePoints fence = find_second_harmonic_extrema(chain[order]);
  for (; order >= 0; --order) {
    fence = find_roots_to(chain[order], fence, order > 0 ? kFenceStep : kFineStep).points;
    if (fence.count == 0) return find_first_harmonic_extrema(h);  // rounding only: a sum of harmonics has a root
  }
  return fence;
}

}  // namespace abut
