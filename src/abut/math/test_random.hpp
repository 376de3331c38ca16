#pragma once

#include <numbers>
#include <random>

#include <Eigen/Geometry>

#include "abut/math/pose.hpp"
#include "abut/math/types.hpp"

namespace abut::testing {

/// Numbers, directions and poses for tests, the same in every run.
class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  double uniform(double low, double high) { return std::uniform_real_distribution<double>(low, high)(engine_); }
  Vec3 vector(double half_width) {
    const double x = uniform(-half_width, half_width);
    const double y = uniform(-half_width, half_width);
    return {x, y, uniform(-half_width, half_width)};
  }
  Vec3 unit() {
    for (;;) {
      const Vec3 v = vector(1.0);
      if (v.norm() > 0.1 && v.norm() < 1.0) return v.normalized();
    }
  }
  Mat3 rotation() { return Mat3(Eigen::AngleAxisd(uniform(0.0, 2.0 * std::numbers::pi), unit())); }
  Pose pose(double half_width) { return {rotation(), vector(half_width)}; }

 private:
  std::mt19937_64 engine_;
};

}  // namespace abut::testing
