#pragma once

#include <numbers>
#include <optional>

#include "abut/geometry/volume/chord_reference_test.hpp"

namespace abut::testing {

/// Of the common part about the origin: area of its shadow on z = 0, volume, first and second moments.
struct ChordSums {
  double shadow = 0.0, volume = 0.0;
  Vec3 first = Vec3::Zero();
  Mat3 second = Mat3::Zero();
  bool is_given_up = false;  ///< it would have taken more chords than there is time for

  void add(const ChordSums& other, double sign) {
    shadow += other.shadow, volume += sign * other.volume, first += sign * other.first, second += sign * other.second;
    is_given_up = is_given_up || other.is_given_up;
  }
};

/// Where lines along z meet a convex solid, and the integrals over it less what lies in (at most two) hollows. Looks
/// within |x|, |y| <= reach.
class ChordReference {
 public:
  ChordReference(ChordSolid solid, std::vector<ChordSolid> hollows, const Vec2& lower, const Vec2& upper)
      : solid_(std::move(solid)), hollows_(std::move(hollows)), lower_(lower), upper_(upper) {}

  ChordReference(ChordSolid solid, std::vector<ChordSolid> hollows, double reach)
      : ChordReference(std::move(solid), std::move(hollows), Vec2(-reach, -reach), Vec2(reach, reach)) {}

  /// The longest chord, or the least negative one: how deep the solids that make it up are in each other along z.
  struct Longest {
    double x = 0.0, y = 0.0, length = 0.0;
  };
  Longest find_longest() const {
    const double x = maximize([&](double at) { return best_at(at).second; }, lower_.x(), upper_.x(), false);
    const auto [y, length] = best_at(x);
    return {x, y, length};
  }

  ChordSums calc(double relative_error = 5e-8) const {
    const Longest longest = find_longest();
    ChordSums sums;
    if (!(longest.length > 0.0)) return sums;
    const auto holds = [&](double x) { return find_inside(x).has_value(); };
    const double left = find_end(holds, longest.x, lower_.x()), right = find_end(holds, longest.x, upper_.x());
    const double middle = 0.5 * (left + right), half = 0.5 * (right - left);
    inner_error_ = 0.1 * relative_error;
    double largest = 0.0;
    const auto at = [&](double place) {
      const std::array<double, 11> all = line(middle + half * place);
      largest = std::max(largest, all[1]);
      return all;
    };
    for (const double place : {-0.7, 0.0, 0.6}) static_cast<void>(at(place));
    auto s = integrate_to_ends<11>(at, relative_error, half_y_ * noise() + 2.0 * inner_error_ * largest, 24,
                                   is_given_up_, hollows_.empty() ? 0 : kHollowHalvings);
    for (double& value : s) value *= half;
    sums.is_given_up = is_given_up_;
    sums.shadow = s[0], sums.volume = s[1];
    sums.first << s[2], s[3], s[4];
    sums.second << s[5], s[6], s[8], s[6], s[7], s[9], s[8], s[9], s[10];
    return sums;
  }

 private:
  /// Golden section on a quasi-concave function; `is_enough`: anything above zero will do.
  template <class Function>
  static double maximize(const Function& f, double a, double b, bool is_enough) {
    constexpr double kGolden = 0.6180339887498949;
    double x1 = b - kGolden * (b - a), x2 = a + kGolden * (b - a), f1 = f(x1), f2 = f(x2);
    for (int i = 0; i < 75 && b - a > 1e-15 * (std::abs(a) + std::abs(b)); ++i) {
      if (is_enough && std::max(f1, f2) > 0.0) break;
      if (f1 > f2) {
        b = x2, x2 = x1, f2 = f1, x1 = b - kGolden * (b - a), f1 = f(x1);
      } else {
        a = x1, x1 = x2, f1 = f2, x2 = a + kGolden * (b - a), f2 = f(x2);
      }
    }
    return f1 > f2 ? x1 : x2;
  }

  /// Rims of hollows are kinks anywhere on a line, which two rules may miss alike: stretches are halved so often before
  /// they are trusted.
  static constexpr int kHollowHalvings = 3;

  /// Rounding of a chord's length [m].
  double noise() const { return 1e-15 * (lower_.cwiseAbs() + upper_.cwiseAbs()).maxCoeff(); }

  double rank_at(double x, double y) const { return rank(meet(solid_, x, y)); }

  std::pair<double, double> best_at(double x) const {
    const double y = maximize([&](double at) { return rank_at(x, at); }, lower_.y(), upper_.y(), false);
    return {y, rank_at(x, y)};
  }

  std::optional<double> find_inside(double x) const {
    const double y = maximize([&](double at) { return rank_at(x, at); }, lower_.y(), upper_.y(), true);
    return rank_at(x, y) > 0.0 ? std::optional(y) : std::nullopt;
  }

  template <class Predicate>
  static double find_end(const Predicate& holds, double inside, double outside) {
    for (int i = 0; i < 52; ++i) {
      const double middle = 0.5 * (inside + outside);
      (holds(middle) ? inside : outside) = middle;
    }
    return inside;
  }

  /// Sums over all chords at x; their weights across y.
  std::array<double, 11> line(double x) const {
    const std::optional<double> y = find_inside(x);
    if (!y) return {};
    const auto holds = [&](double at) { return rank_at(x, at) > 0.0; };
    const double low = find_end(holds, *y, lower_.y()), high = find_end(holds, *y, upper_.y());
    const double middle = 0.5 * (low + high), half = 0.5 * (high - low);
    const auto at = [&](double place) { return chord(x, middle + half * place); };
    auto s = integrate_to_ends<7>(at, inner_error_, noise(), 30, is_given_up_, hollows_.empty() ? 0 : kHollowHalvings);
    for (double& value : s) value *= half;
    half_y_ = std::max(half_y_, half);
    return {s[0], s[1], x * s[1], s[2], s[3], x * x * s[1], x * s[2], s[4], x * s[3], s[5], s[6]};
  }

  /// 1, length, and moments of length with y, z, yy, yz, zz.
  std::array<double, 7> chord(double x, double y) const {
    constexpr int kMostChords = 5'000'000;  // a second
    is_given_up_ = ++num_chords_ > kMostChords;
    const Chord own = meet(solid_, x, y);
    if (!(rank(own) > 0.0)) return {};
    std::array<double, 7> sums{};
    const auto add = [&](double low, double high) {
      const double length = high - low, z = 0.5 * (high + low);
      const double zz = (high * high + high * low + low * low) / 3.0;
      sums[1] += length, sums[2] += length * y, sums[3] += length * z;
      sums[4] += length * y * y, sums[5] += length * y * z, sums[6] += length * zz;
    };
    sums[0] = 1.0;
    std::array<Chord, 4> pieces{own};  // a hollow may leave two of each
    std::size_t count = 1;
    for (const ChordSolid& hollow : hollows_) {
      const Chord hole = meet(hollow, x, y);
      if (hole.miss > 0.0 || !(hole.low < hole.high)) continue;
      for (std::size_t i = count; i-- > 0;) {
        const Chord piece = pieces[i];
        pieces[i].high = std::min(piece.high, hole.low);
        if (piece.high > hole.high) pieces[count++] = {std::max(piece.low, hole.high), piece.high, -1.0};
      }
    }
    for (std::size_t i = 0; i < count; ++i) {
      if (pieces[i].low < pieces[i].high) add(pieces[i].low, pieces[i].high);
    }
    return sums;
  }

  ChordSolid solid_;
  std::vector<ChordSolid> hollows_;
  Vec2 lower_, upper_;
  mutable int num_chords_ = 0;
  mutable bool is_given_up_ = false;
  mutable double inner_error_ = 1e-9, half_y_ = 0.0;
};

}  // namespace abut::testing
