#pragma once

#include <cmath>

namespace abut {

/// Two places between which something changes.
struct Bracket {
  double low = 0.0, high = 0.0;

  double middle() const { return 0.5 * (low + high); }
};

/// Halves the bracket at most `turns` times, until it is no wider than `enough` or no number lies between its ends.
/// is_low(x): whether the change lies above x; called in order, each place once.
template <class IsLow>
Bracket bisect(Bracket bracket, int turns, double enough, IsLow&& is_low) {
  for (int turn = 0; turn < turns && bracket.high - bracket.low > enough; ++turn) {
    const double middle = bracket.middle();
    if (!(middle > bracket.low && middle < bracket.high)) break;
    (is_low(middle) ? bracket.low : bracket.high) = middle;
  }
  return bracket;
}

/// What a function says of a place on the way to its root.
struct NewtonLook {
  bool is_low = false, is_high = false;  ///< the root does not lie below; not above
  double next = 0.0;                     ///< where Newton's step leads
};

/// Whether a step onto an end of the bracket counts as one inside: the place itself is an end once it has been looked
/// at, so that steps shorter than rounding lead there.
enum class BracketEnds { outside, inside };

/// Newton's method that bisects where it would leave the bracket. Ends at the end of a step that is_settled(from, to),
/// or after 100 looks.
template <class Look, class IsSettled>
double find_root_by_newton(Bracket bracket, double x, BracketEnds ends, Look&& look, IsSettled&& is_settled) {
  for (int i = 0; i < 100; ++i) {
    const NewtonLook seen = look(x);
    if (seen.is_low) bracket.low = x;
    if (seen.is_high) bracket.high = x;
    double next = seen.next;
    const bool is_inside = ends == BracketEnds::inside ? next >= bracket.low && next <= bracket.high
                                                       : next > bracket.low && next < bracket.high;
    if (!is_inside) next = bracket.middle();
    if (is_settled(x, next)) return next;
    x = next;
  }
  return x;
}

/// Two places where a function has values of opposite sign, for false position. The chord's root is written in three
/// ways, which differ in rounding only: from the first place, from the second, or between them.
struct Chord {
  double x_0 = 0.0, f_0 = 0.0, x_1 = 0.0, f_1 = 0.0;

  double root_from_first() const { return x_0 - f_0 * (x_1 - x_0) / (f_1 - f_0); }
  double root_from_second() const { return x_1 - f_1 * (x_1 - x_0) / (f_1 - f_0); }
  double root_between() const { return (x_0 * f_1 - x_1 * f_0) / (f_1 - f_0); }
  double width() const { return std::abs(x_1 - x_0); }

  void move_first(double x, double f) { x_0 = x, f_0 = f; }
  void move_second(double x, double f) { x_1 = x, f_1 = f; }
  /// One place moves and the value at the other is halved, so that neither stays for long.
  void pull_first(double x, double f) { move_first(x, f), f_1 *= 0.5; }
  void pull_second(double x, double f) { move_second(x, f), f_0 *= 0.5; }
  /// The second place is always the last one, the first that of the other sign, halved where it stays (Illinois).
  void follow(double x, double f) {
    if ((f > 0.0) != (f_1 > 0.0)) {
      move_first(x_1, f_1);
    } else {
      f_0 *= 0.5;
    }
    move_second(x, f);
  }
};

/// Bisection, and inverse quadratic interpolation where the last three values lie on a curve for which that gains
/// [Chandrupatla 1997]. Values at both ends of the bracket have opposite signs.
class QuadraticCut {
 public:
  QuadraticCut(double x_0, double f_0, double x_1, double f_1) : x_0_(x_0), f_0_(f_0), x_1_(x_1), f_1_(f_1) {}

  double width() const { return std::abs(x_0_ - x_1_); }
  /// Where to look next.
  double place() const { return x_1_ + part_ * (x_0_ - x_1_); }
  /// The value there; the next place stays half of `enough` away from both ends.
  void take(double f, double enough);

 private:
  double x_0_, f_0_, x_1_, f_1_;  ///< the bracket; the second end was looked at last
  double part_ = 0.5;             ///< of the way from the second end to the first
};

/// Fraction of the way at which the straight line between two values of opposite sign crosses zero; 0 if none does.
double calc_crossing_fraction(double before, double after);

/// Where to look next in a shrinking bracket: interpolation, truncation and projection [Oliveira and Takahashi 2020].
/// The root of the line through both ends, drawn a little to the middle and kept so near to it that no more turns than
/// bisection and one are ever needed. A function that jumps has no line to go by, and costs as many.
class ProjectedCut {
 public:
  explicit ProjectedCut(double width) : first_width_(width), slack_(width) {}

  /// Of this turn, in a bracket of this width: how far from its middle [same unit]. Each call is a turn.
  double calc_offset(double width, double f_low, double f_high);

 private:
  double first_width_;
  double slack_;  ///< twice as wide as bisection alone would leave the bracket
};

}  // namespace abut
