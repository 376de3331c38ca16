#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <random>
#include <vector>

#include <Eigen/Geometry>

#include "abut/geometry/polyhedron/convex_polyhedron.hpp"
#include "abut/geometry/volume/cell_joint.hpp"
#include "abut/geometry/volume/mass_properties.hpp"

namespace abut {

/// Bodies cut at random planes, for tests. Sizes are about 0.1 m.
class Cutter {
 public:
  explicit Cutter(unsigned seed) : rng_(seed) {}

  double uniform(double low, double high) { return std::uniform_real_distribution<double>(low, high)(rng_); }
  Vec3 direction() {
    std::normal_distribution<double> normal;
    return Vec3(normal(rng_), normal(rng_), normal(rng_)).normalized();
  }
  Pose pose(double reach) {
    const Mat3 R = Eigen::AngleAxisd(uniform(0, 3), direction()).toRotationMatrix();
    return {R, Vec3(reach * direction())};
  }
  Plane plane(double reach) { return {direction(), uniform(-reach, reach)}; }

 private:
  std::mt19937 rng_;
};

/// The part of a convex polyhedron below a plane; null where the plane misses it or leaves a sliver.
inline std::shared_ptr<const ConvexPolyhedron> cut(const ConvexPolyhedron& solid, const Plane& plane) {
  std::vector<Vec3> points;
  const auto height = [&](const Vec3& p) { return plane.normal.dot(p) - plane.offset; };
  double below = 0.0, above = 0.0;
  for (const Vec3& p : solid.vertices()) {
    below = std::min(below, height(p));
    above = std::max(above, height(p));
    if (height(p) <= 0.0) points.push_back(p);
  }
  if (below > -1e-3 || above < 1e-3) return nullptr;
  for (const auto& [tail, head] : solid.edges()) {
    const Vec3 p = solid.vertices()[tail], q = solid.vertices()[head];
    const double hp = height(p), hq = height(q);
    if ((hp < 0.0) != (hq < 0.0)) points.push_back(p + (q - p) * (hp / (hp - hq)));
  }
  return std::make_shared<const ConvexPolyhedron>(make_convex_hull(points));
}

inline std::vector<std::shared_ptr<const ConvexPolyhedron>> cut_at_random(std::shared_ptr<const ConvexPolyhedron> solid,
                                                                          int cuts, Cutter& random) {
  std::vector<std::shared_ptr<const ConvexPolyhedron>> cells{std::move(solid)};
  for (int i = 0; i < cuts; ++i) {
    const Plane plane = random.plane(0.05);
    std::vector<std::shared_ptr<const ConvexPolyhedron>> next;
    for (const auto& cell : cells) {
      const auto low = cut(*cell, plane), high = cut(*cell, {Vec3(-plane.normal), -plane.offset});
      if (low == nullptr || high == nullptr) {
        next.push_back(cell);
      } else {
        next.push_back(low);
        next.push_back(high);
      }
    }
    cells = std::move(next);
  }
  return cells;
}

/// Any shape cut at random planes, each through all of it: the cells of the arrangement, slivers included.
inline std::vector<BodyCell> cut_into_cells(const Shape& shape, int cuts, Cutter& random) {
  std::vector<CellParts> cells{{{{shape, Pose(), false}}}};
  const auto is_empty = [](const CellParts& parts) {
    try {
      return !(calc_volume(CutShape{std::make_shared<const CellParts>(parts)}) > 0.0);
    } catch (const std::exception&) {  // nothing in common
      return true;
    }
  };
  for (int i = 0; i < cuts; ++i) {
    const Plane plane = random.plane(0.04);
    std::vector<CellParts> next;
    for (const CellParts& cell : cells) {
      for (const double sign : {1.0, -1.0}) {
        next.push_back(cell);
        next.back().list.push_back({HalfSpace{Vec3(sign * plane.normal), sign * plane.offset}, Pose(), false});
        if (is_empty(next.back())) next.pop_back();
      }
    }
    cells = std::move(next);
  }
  std::vector<BodyCell> placed;
  for (const CellParts& cell : cells) placed.push_back({CutShape{std::make_shared<const CellParts>(cell)}, Pose()});
  return placed;
}

}  // namespace abut
