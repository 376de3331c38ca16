#pragma once

#include <cmath>
#include <utility>
#include <vector>

#include "abut/solve/lcp/constraint_system.hpp"
#include "abut/solve/lcp/random_problem_test.hpp"

namespace abut {

/// A wall of bricks in running bond, each on four feet, in one step under its weight.
struct WallOptions {
  int num_courses = 10;
  int num_bricks = 5;   ///< in even courses; odd ones have one more, with halves at the ends
  double push = 0.0;    ///< speed of the top course along the wall [m/s]
  double shake = 0.0;   ///< size of random speeds of all bricks [m/s]
  double limit = 0.01;  ///< of the tangential impulses, for problems with fixed bounds [N s]
};

class WallMaker {
 public:
  explicit WallMaker(const WallOptions& options) : options_(options), random_(5) {
    for (int c = 0; c < options.num_courses; ++c) add_course(c);
    for (int c = 0; c < options.num_courses; ++c) {
      for (const Brick& brick : courses_[c]) add_feet(brick, c);
    }
  }
  ConstraintSystem system;

 private:
  static constexpr double kLength = 0.2, kWidth = 0.1, kHeight = 0.06;  // [m]
  struct Brick {
    int part;
    double x, length;  ///< [m]
  };

  void add_course(int c) {
    courses_.emplace_back();
    const bool is_odd = c % 2 != 0;
    for (int i = 0; i < options_.num_bricks + (is_odd ? 1 : 0); ++i) {
      const bool is_half = is_odd && (i == 0 || i == options_.num_bricks);
      const double end = i == 0 ? 0.25 : options_.num_bricks - 0.25;
      const double length = is_half ? 0.5 * kLength : kLength;
      const double x = kLength * (is_half ? end : is_odd ? i : i + 0.5);
      courses_.back().push_back({add_brick(length, c), x, length});
    }
  }

  int add_brick(double length, int course) {
    const double m = 10.0 * length, a = length * length, b = kWidth * kWidth, c = kHeight * kHeight;
    Vec6 diagonal;
    diagonal << m, m, m, m * (b + c) / 12.0, m * (a + c) / 12.0, m * (a + b) / 12.0;
    Vec6 speed = Vec6::Zero();
    speed[2] = -9.81e-3;
    if (course == options_.num_courses - 1) speed[0] = options_.push;
    for (int k = 0; k < 3; ++k) speed[k] += options_.shake * random_.next();
    return system.add_body(diagonal.asDiagonal(), diagonal.cwiseInverse().asDiagonal(), diagonal.cwiseProduct(speed));
  }

  void add_feet(const Brick& brick, int course) {
    for (const double sx : {-1.0, 1.0}) {
      for (const double sy : {-1.0, 1.0}) {
        const Vec3 foot(sx * (0.5 * brick.length - 0.01), sy * (0.5 * kWidth - 0.01), -0.5 * kHeight);
        const double x = brick.x + foot.x();
        const Brick* below = nullptr;
        if (course > 0) {
          for (const Brick& other : courses_[course - 1]) {
            if (std::abs(x - other.x) <= 0.5 * other.length) below = &other;
          }
        }
        add_contact(brick.part, foot, below, below == nullptr ? Vec3() : Vec3(x - below->x, foot.y(), 0.5 * kHeight));
      }
    }
  }

  void add_contact(int part, const Vec3& foot, const Brick* below, const Vec3& on_it) {
    Mat3 axes;
    axes << 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0;
    MatX J_a(3, 6), J_b;
    J_a << axes, -axes * skew(foot);
    if (below != nullptr) {
      J_b.resize(3, 6);
      J_b << -axes, axes * skew(on_it);
    }
    const int row = system.add_rows(3, part, J_a, below == nullptr ? -1 : below->part, J_b);
    system.lower[row] = 0.0;
    for (int k = 1; k < 3; ++k) {
      system.upper[row + k] = options_.limit;
      system.lower[row + k] = -options_.limit;
    }
  }

  WallOptions options_;
  TestRandom random_;
  std::vector<std::vector<Brick>> courses_;
};

inline ConstraintSystem make_wall(const WallOptions& options) { return WallMaker(options).system; }

}  // namespace abut
