#pragma once

// Pairs of bodies under volumetric contact, and the power of their wrench beside differences of their energy.

#include <array>
#include <cmath>
#include <memory>
#include <random>
#include <vector>

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include "abut/contact/region/volume_site.hpp"
#include "abut/geometry/distance/shape_bounds.hpp"
#include "abut/geometry/volume/cell_layout.hpp"
#include "abut/geometry/volume/union_field.hpp"

namespace abut::field_test {

/// Sum over all pieces: wrench on A about the world's origin and energy, all over k_v.
struct Sum {
  Vec3 force = Vec3::Zero(), torque = Vec3::Zero();
  double energy = 0.0, volume = 0.0;
};

class Pair {
 public:
  Pair(const std::vector<BodyCell>& a, const std::vector<BodyCell>& b) {
    add(a, 0);
    add(b, 1);
    for (std::size_t i = 0; i < a.size(); ++i) {
      for (std::size_t j = a.size(); j < colliders_.size(); ++j)
        sites_.emplace_back(colliders_[i], colliders_[j], rule());
    }
  }

  Sum calc(const Pose& X_WA, const Pose& X_WB) {
    const std::array<Pose, 2> poses{X_WA, X_WB};
    const std::array<Vec3, 2> zero{Vec3::Zero(), Vec3::Zero()};
    Sum sum;
    for (VolumeSite& site : sites_) {
      std::vector<PointContact> geometry(site.num_slots());
      std::vector<VolumeContact> volumes(site.num_slots());
      const std::vector<const Patch*> patches(site.num_slots(), nullptr);
      site.calc({poses.data(), zero.data(), zero.data(), zero.data()}, patches, Gaps::sign, geometry.data(),
                volumes.data());
      for (int i = 0; i < site.num_slots(); ++i) {
        if (!(volumes[i].volume > 0.0)) continue;
        EXPECT_TRUE(volumes[i].has_field);
        EXPECT_GE(volumes[i].field_energy, 0.0);
        sum.force += volumes[i].field_force;
        sum.torque += volumes[i].field_torque + geometry[i].point.cross(volumes[i].field_force);
        sum.energy += volumes[i].field_energy;
        sum.volume += volumes[i].volume;
      }
    }
    return sum;
  }

 private:
  static VolumeRule rule() {
    VolumeRule rule;
    rule.relative_error = 1e-9;
    return rule;
  }
  void add(const std::vector<BodyCell>& cells, int link) {
    std::vector<DepthField> fields;
    if (cells.size() > 1) fields = make_body_fields(cells, CellLayout(cells));
    for (std::size_t i = 0; i < cells.size(); ++i) {
      Collider collider;
      collider.link = link;
      collider.shape = cells[i].shape;
      collider.X_LS = cells[i].X;
      const Aabb box = calc_aabb(cells[i].shape, Pose());
      collider.bounding_radius = box.lower.cwiseAbs().cwiseMax(box.upper.cwiseAbs()).norm();
      if (cells.size() > 1) collider.field = std::make_shared<const DepthField>(fields[i]);
      colliders_.push_back(collider);
    }
  }
  std::vector<Collider> colliders_ = [] {
    std::vector<Collider> list;
    list.reserve(16);  // the sites keep references
    return list;
  }();
  std::vector<VolumeSite> sites_;
};

class Dice {
 public:
  double uniform(double low, double high) { return std::uniform_real_distribution<double>(low, high)(engine_); }
  Vec3 in_cube(double half) { return {uniform(-half, half), uniform(-half, half), uniform(-half, half)}; }
  Mat3 rotation() {
    return Quat(uniform(-1, 1), uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)).normalized().toRotationMatrix();
  }

 private:
  std::mt19937 engine_{7};
};

inline Pose move(const Pose& X, const Vec3& v, const Vec3& w, double h) {
  const Mat3 turn = Eigen::AngleAxisd(h * w.norm(), w.normalized()).toRotationMatrix();
  return {Mat3(turn * X.R), Vec3(turn * X.p + h * v)};
}

/// Power of the wrench along random motions of A and of B beside minus the difference of the energy, in parts of V: the
/// worst of `count` poses in which the two overlap.
inline double find_worst(const std::vector<BodyCell>& a, const std::vector<BodyCell>& b, double spread, int count,
                         double h = 1e-5) {
  Pair pair(a, b);
  Dice dice;
  double worst = 0.0;
  int done = 0;
  for (int k = 0; k < 100 * count && done < count; ++k) {
    const Pose X_WA(dice.rotation(), dice.in_cube(spread)), X_WB(dice.rotation(), dice.in_cube(0.02));
    const Sum now = pair.calc(X_WA, X_WB);
    if (!(now.volume > 1e-7)) continue;
    ++done;
    const Vec3 v = dice.in_cube(1.0), w = dice.in_cube(10.0);
    const bool moves_a = done % 2 == 0;
    const auto energy = [&](double step) {
      return moves_a ? pair.calc(move(X_WA, v, w, step), X_WB).energy : pair.calc(X_WA, move(X_WB, v, w, step)).energy;
    };
    const double rate = (energy(h) - energy(-h)) / (2.0 * h);
    const double power = (moves_a ? 1.0 : -1.0) * (now.force.dot(v) + now.torque.dot(w));
    worst = std::max(worst, std::abs(rate + power) / now.volume);
  }
  EXPECT_EQ(done, count);
  return worst;
}

inline std::vector<BodyCell> one(const Shape& shape) { return {{shape, Pose()}}; }

}  // namespace abut::field_test
