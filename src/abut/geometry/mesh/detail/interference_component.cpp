#include "abut/geometry/mesh/detail/interference_component.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <tuple>
#include <utility>

namespace abut::detail {
namespace {

/// Solid angle of a triangle seen from the origin, over 4 pi [van Oosterom and Strackee 1983 (8)].
double calc_winding_share(const Vec3& a, const Vec3& b, const Vec3& c) {
  const double x = a.norm(), y = b.norm(), z = c.norm();
  const double numerator = a.dot(b.cross(c));
  if (numerator == 0.0) return 0.0;
  const double denominator = x * y * z + a.dot(b) * z + b.dot(c) * x + c.dot(a) * y;
  return std::atan2(numerator, denominator) / (2.0 * std::numbers::pi);
}

/// Part of its area that a triangle of side s gives to the area vector of B's part [1]. Where faces of both are flush
/// the boundary belongs to both, and rounding decides whose it is taken to be: half of it is B's in either case. That
/// is also the mean of the two slopes that the volume has there, against a shift of B to either side.
double calc_area_share(const InterferenceSide& side, int triangle, int s) {
  if (side.is_flush(triangle)) return 0.5;
  return s == 1 ? 1.0 : 0.0;
}

}  // namespace

void InterferenceComponents::calc(std::array<InterferenceSide, 2>& sides, InterferencePieces& pieces, double scale) {
  number(sides, pieces);
  for (int s = 0; s < 2; ++s) add_side(sides[s], s);
  assign_pieces(sides, scale);
}

void InterferenceComponents::number(const std::array<InterferenceSide, 2>& sides, InterferencePieces& pieces) {
  list.clear();
  of_node_.assign(static_cast<std::size_t>(pieces.num_nodes()), -1);
  const auto enter = [&](int node, const Vec3& origin) {
    const int root = pieces.root(node);
    if (of_node_[root] < 0) {
      of_node_[root] = static_cast<int>(list.size());
      list.emplace_back();
      list.back().origin = origin;
    }
    of_node_[node] = of_node_[root];
  };
  for (const InterferenceSide& side : sides) {
    for (const BoundaryElement& element : side.elements) enter(element.node, element.p);
  }
  for (const InterferenceSide& side : sides) {
    for (const InsideTriangle& inside : side.inside_triangles) {
      const Vec3& v = side.solid().vertices()[side.mesh().triangles()[inside.triangle][0]];
      if (of_node_[inside.node] < 0) enter(inside.node, side.X_AM() * v);
    }
  }
}

void InterferenceComponents::add_side(InterferenceSide& side, int s) {
  for (int i = 0; i < static_cast<int>(side.cuts.size()); ++i) {
    const CutTriangle& cut = side.cuts[i];
    const int stamp = 2 * i + s;
    const double share = calc_area_share(side, cut.triangle, s);
    for (int j = cut.first_element; j < cut.last_element; ++j) {
      const BoundaryElement& element = side.elements[j];
      InterferenceComponent& component = list[of_node_[element.node]];
      if (component.fan_stamp != stamp) {
        component.fan_stamp = stamp;
        component.fan = element.p;
        component.lowest[s] = std::min(component.lowest[s], cut.triangle);
        continue;  // the first element has no area about its own start
      }
      const Vec3 u = element.p - component.fan, w = element.q - component.fan;
      const Vec3 area = 0.5 * element.weight * u.cross(w);
      component.surface += area.norm();
      component.area_vector += share * area;
      component.moments.add_tetrahedron(component.fan - component.origin, element.p - component.origin,
                                        element.q - component.origin, element.weight);
    }
  }
  for (const InsideTriangle& inside : side.inside_triangles) {
    InterferenceComponent& component = list[of_node_[inside.node]];
    const std::array<int, 3>& c = side.mesh().triangles()[inside.triangle];
    const Vec3 p = side.position(c[0]) - component.origin, q = side.position(c[1]) - component.origin,
               r = side.position(c[2]) - component.origin;
    const Vec3 area = 0.5 * (q - p).cross(r - p);
    component.surface += area.norm();
    component.area_vector += calc_area_share(side, inside.triangle, s) * area;
    component.moments.add_tetrahedron(p, q, r);
    component.lowest[s] = std::min(component.lowest[s], inside.triangle);
  }
}

void InterferenceComponents::assign_pieces(std::array<InterferenceSide, 2>& sides, double scale) {
  // Each coordinate of the boundary is off by a few roundings of the coordinates' size; 8 of 2^-53 displace the surface
  // by that much, and a volume below it is no volume.
  const double thickness = 8.0 * 1.2e-16 * scale;
  order_.clear();
  num_pieces_ = 0;
  for (int c = 0; c < static_cast<int>(list.size()); ++c) {
    if (list[c].moments.volume > thickness * list[c].surface) order_.push_back(c);
  }
  std::sort(order_.begin(), order_.end(), [&](int i, int j) { return list[i].lowest < list[j].lowest; });
  for (const int c : order_) list[c].piece = num_pieces_++;
  for (int c = 0; c < static_cast<int>(list.size()); ++c) {
    if (!(list[c].moments.volume < -thickness * list[c].surface) || order_.empty()) continue;
    // The wall of a cavity: it belongs to the piece around it.
    int around = order_[0];
    if (order_.size() > 1) {
      const Vec3 p = find_point(sides, c);
      double most = 0.0;
      for (const int i : order_) {
        const double winding = calc_winding(sides, i, p);
        if (winding > most) std::tie(most, around) = std::pair(winding, i);
      }
    }
    list[c].piece = list[around].piece;
  }
}

Vec3 InterferenceComponents::find_point(std::array<InterferenceSide, 2>& sides, int c) const {
  for (InterferenceSide& side : sides) {
    for (const InsideTriangle& inside : side.inside_triangles) {
      if (of_node_[inside.node] != c) continue;
      const std::array<int, 3>& t = side.mesh().triangles()[inside.triangle];
      return (side.position(t[0]) + side.position(t[1]) + side.position(t[2])) / 3.0;
    }
  }
  return list[c].origin;
}

double InterferenceComponents::calc_winding(std::array<InterferenceSide, 2>& sides, int c, const Vec3& p) const {
  double winding = 0.0;
  for (InterferenceSide& side : sides) {
    for (const CutTriangle& cut : side.cuts) {
      const Vec3* fan = nullptr;
      for (int j = cut.first_element; j < cut.last_element; ++j) {
        const BoundaryElement& element = side.elements[j];
        if (of_node_[element.node] != c) continue;
        if (fan == nullptr) fan = &element.p;
        winding += element.weight * calc_winding_share(*fan - p, element.p - p, element.q - p);
      }
    }
    for (const InsideTriangle& inside : side.inside_triangles) {
      if (of_node_[inside.node] != c) continue;
      const std::array<int, 3>& t = side.mesh().triangles()[inside.triangle];
      winding += calc_winding_share(side.position(t[0]) - p, side.position(t[1]) - p, side.position(t[2]) - p);
    }
  }
  return winding;
}

}  // namespace abut::detail
