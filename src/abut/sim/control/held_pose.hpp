#pragma once

#include <vector>

#include "abut/sim/control/tool_motion.hpp"

namespace abut {

/// A pose that a controller moves on from sample to sample, kept among the numbers it remembers: position, quaternion
/// (w, x, y, z).
class HeldPose {
 public:
  static constexpr std::size_t kSize = 7;

  HeldPose(std::vector<double>& memory, std::size_t first) : numbers_(memory.data() + first) {}

  void set(const Pose& pose) {
    const Quat q(pose.R);
    write(pose.p, q);
  }
  Vec3 position() const { return {numbers_[0], numbers_[1], numbers_[2]}; }
  Mat3 R() const { return orientation().toRotationMatrix(); }

  /// By a velocity and an angular velocity [m/s, rad/s], both of the world, over a period [s].
  void move(const Vec6& twist, double period) {
    const Quat turn(calc_rotation(twist.tail<3>() * period));
    write(position() + period * twist.head<3>(), (turn * orientation()).normalized());
  }

 private:
  Quat orientation() const { return {numbers_[3], numbers_[4], numbers_[5], numbers_[6]}; }
  void write(const Vec3& p, const Quat& q) {
    for (int i = 0; i < 3; ++i) numbers_[i] = p[i];
    numbers_[3] = q.w(), numbers_[4] = q.x(), numbers_[5] = q.y(), numbers_[6] = q.z();
  }

  double* numbers_;
};

}  // namespace abut
