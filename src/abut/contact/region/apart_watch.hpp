#pragma once

#include <algorithm>
#include <cmath>

#include "abut/math/pose.hpp"

namespace abut {

/// Knows for a while that two bodies cannot touch: until they have moved, one against the other, by what they were
/// apart. It saves work and changes no result: what it calls apart is apart.
class ApartWatch {
 public:
  /// `radius` [m]: the moving body lies within it about its own origin.
  explicit ApartWatch(double radius) : radius_(radius) {}

  /// `X`: pose of the moving body in the frame of the other.
  bool is_apart(const Pose& X) const { return distance_ > 0.0 && calc_travel(X) < distance_; }

  /// How far apart they still are at least [m]; zero or less where that is not known.
  double calc_left(const Pose& X) const { return distance_ > 0.0 ? distance_ - calc_travel(X) : 0.0; }
  /// Of what they were, a part that is worth to be relied upon; less of it asks for the distance again.
  bool lasts(double left) const { return left > kWorn * distance_; }

  /// Whether it pays to compute the distance now. Near a touch it does not: it would have to be done at each step.
  bool wants_distance() {
    if (waiting_ > 0) --waiting_;
    return waiting_ == 0;
  }

  /// They are at least `distance` [m] apart at this pose.
  void note(const Pose& X, double distance) {
    const double travel = has_pose_ ? calc_travel(X) : 0.0;
    if (has_pose_ && distance < kFewTravels * travel) waiting_ = kPause;
    X_ = X;
    has_pose_ = true;
    distance_ = kSafety * std::max(0.0, distance);
  }

  /// All that it knows; how large the body is it knows from its owner.
  template <class Archive>
  void visit(Archive& archive) {
    archive(X_, has_pose_, distance_, waiting_);
  }

 private:
  /// A distance that lasts for fewer travels like the last one is not worth its computation, for so many looks.
  static constexpr double kFewTravels = 2.0;
  static constexpr int kPause = 8;
  static constexpr double kWorn = 0.5;
  /// Part of the distance that is trusted: rounding of poses is far below the rest.
  static constexpr double kSafety = 0.99;

  /// Bound on how far any point of the moving body has moved since note() [m]: |dR x| <= |dR|_F / sqrt(2) |x| for the
  /// difference of two rotations.
  double calc_travel(const Pose& X) const {
    return (X.p - X_.p).norm() + radius_ * (X.R - X_.R).norm() / std::sqrt(2.0);
  }

  double radius_;
  Pose X_;
  bool has_pose_ = false;
  double distance_ = 0.0;  ///< [m]
  int waiting_ = 0;
};

}  // namespace abut
