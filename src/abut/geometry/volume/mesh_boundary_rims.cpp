#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <tuple>

#include "abut/geometry/volume/mesh_boundary.hpp"

// The part of the boundary that no triangle knows of: rims, where the region's planes meet its quadric, and edges,
// where two of its planes meet, as far as they run inside the mesh. Where triangles cross them the mesh begins and
// ends.

namespace abut {
namespace {

constexpr std::uint64_t kMaxPlanes = 4096;
constexpr std::uint64_t kPlanesAndQuadric = std::uint64_t{4} << 60, kThreePlanes = std::uint64_t{5} << 60;

/// Where the edge of planes k and l meets the quadric: at its lower or upper end along n_min x n_max.
std::uint64_t name_quadric_corner(int k, int l, bool is_upper) {
  const auto [low, high] = std::minmax(k, l);
  return kPlanesAndQuadric | (2 * (low * kMaxPlanes + static_cast<std::uint64_t>(high)) + (is_upper ? 1 : 0));
}

std::uint64_t name_plane_corner(int k, int l, int m) {
  std::array<int, 3> sorted{k, l, m};
  std::sort(sorted.begin(), sorted.end());
  return kThreePlanes |
         ((static_cast<std::uint64_t>(sorted[0]) * kMaxPlanes + static_cast<std::uint64_t>(sorted[1])) * kMaxPlanes +
          static_cast<std::uint64_t>(sorted[2]));
}

/// Instead of a node: the end of an open curve.
constexpr int kFarAway = -2;

bool is_before(const RimPoint& a, const RimPoint& b) { return a.position < b.position; }

/// Splits the way from `from` to `to` at the events between them (in order) and calls emit(from, to) for what lies
/// inside the mesh; `is_inside` is asked where there are none. Events out of order by rounding are counted through.
template <class Emit, class IsInside>
void split_way(const RimPoint& from, const RimPoint& to, const std::vector<RimPoint>& events, const Emit& emit,
               const IsInside& is_inside) {
  if (events.empty()) {
    if (is_inside()) emit(from, to);
    return;
  }
  int depth = 0, lowest = 0;
  for (const RimPoint& event : events) {
    depth += event.enters ? 1 : -1;
    lowest = std::min(lowest, depth);
  }
  depth = -lowest;
  const RimPoint* start = depth > 0 ? &from : nullptr;
  for (const RimPoint& event : events) {
    depth += event.enters ? 1 : -1;
    if (event.enters && depth == 1) start = &event;
    if (!event.enters && depth == 0 && start != nullptr) {
      emit(*start, event);
      start = nullptr;
    }
  }
  if (start != nullptr) emit(*start, to);
}

}  // namespace

void MeshBoundary::join_end(const RimPoint& end, int node) {
  if (end.node >= 0) {
    join(node, end.node);
    return;
  }
  for (const SolidCorner& corner : corners_) {
    if (corner.key == end.key) return join(node, corner.node);
  }
  corners_.push_back({end.key, node});
}

/// Where other planes cut the rim. False when one of them cuts all of it off.
bool MeshBoundary::find_rim_cuts(int plane, const Vec3& inside, std::vector<RimPoint>& cuts, int& num_planes,
                                 int& num_satisfied) {
  const Plane& on = planes[plane];
  const Vec3 e = any_perpendicular(on.normal), f = on.normal.cross(e);
  const auto calc_angle = [&](const Vec3& x) {
    const double angle = std::atan2(f.dot(x - inside), e.dot(x - inside));
    return angle < 0.0 ? angle + 2.0 * std::numbers::pi : angle;
  };
  num_planes = num_satisfied = 0;
  for (int l = 0; l < static_cast<int>(planes.size()); ++l) {
    if (l == plane) continue;
    const Plane& by = planes[l];
    const Vec3 d = on.normal.cross(by.normal);
    const double dd = d.squaredNorm();
    std::optional<LineInterval> through;
    Vec3 p = Vec3::Zero();
    if (dd > 1e-24) {
      p = (on.offset * by.normal.cross(d) + by.offset * d.cross(on.normal)) / dd;
      p += d.dot(inside - p) / dd * d;
      through = quadric_->calc_interval(p, d);
    }
    if (!through) {
      if (by.normal.dot(inside) > by.offset) return false;
      continue;
    }
    // Inside plane l lies to the left of d: going round, its half-space is entered at the upper end. An open curve may
    // have that end at infinity, where no mesh is.
    const auto make_cut = [&](double s, double sign, bool is_upper) {
      RimPoint cut{0.0, Vec3(sign * d), sign > 0.0, kFarAway, 0};
      if (std::isfinite(s))
        cut = RimPoint{0.0, Vec3(p + s * d), sign > 0.0, -1, name_quadric_corner(plane, l, is_upper)};
      cut.position = calc_angle(std::isfinite(s) ? cut.x : Vec3(inside + cut.x));
      return cut;
    };
    cuts.push_back(make_cut(through->upper, 1.0, plane < l));
    cuts.push_back(make_cut(through->lower, -1.0, plane > l));
    const double enters = cuts[cuts.size() - 2].position, leaves = cuts.back().position;
    ++num_planes;
    if (leaves < enters) ++num_satisfied;
  }
  for (const RimEvent& event : rim_events_) {
    if (event.plane == plane) cuts.push_back({calc_angle(event.x), event.x, event.enters, event.node, event.key});
  }
  std::sort(cuts.begin(), cuts.end(), is_before);
  return true;
}

void MeshBoundary::add_rim(int plane) {
  const Plane& on = planes[plane];
  const std::optional<Vec3> inside = quadric_->find_plane_point(on.normal, on.offset);
  if (!inside || !quadric_->contains(*inside)) return;
  std::vector<RimPoint> cuts;
  int num_planes = 0, num_satisfied = 0;
  if (!find_rim_cuts(plane, *inside, cuts, num_planes, num_satisfied)) return;
  const auto emit = [&](const RimPoint& from, const RimPoint& to) { add_rim_part(plane, from, to); };
  if (cuts.empty()) {
    const int first = static_cast<int>(nodes.size());
    add_closed_conic(*quadric_, on.normal, *inside, nodes);
    if (first == static_cast<int>(nodes.size())) return;
    const Vec3 x = nodes[first].x;
    if (is_inside(*mesh_, Vec3(A_inverse_ * (x - b_)), scratch_) == is_mesh_complement_) {
      nodes.resize(static_cast<std::size_t>(first));
      return;
    }
    const std::uint64_t key = make_key();
    arcs.push_back({first, static_cast<int>(nodes.size()), x, x, on.fan, add_node(), on.owner, plane, key, key});
    return;
  }
  // Once around, beginning where no part is open: after the cut with the lowest sum of what has been entered.
  std::vector<RimPoint> within;
  if (num_planes == 0) {
    int depth = 0, lowest = 0;
    std::size_t start = 0;
    for (std::size_t i = 0; i < cuts.size(); ++i) {
      depth += cuts[i].enters ? 1 : -1;
      if (depth < lowest) lowest = depth, start = i + 1;
    }
    std::rotate(cuts.begin(), cuts.begin() + static_cast<std::ptrdiff_t>(start), cuts.end());
    split_way(cuts.front(), cuts.back(), cuts, emit, [] { return false; });
    return;
  }
  const std::size_t n = cuts.size();
  int count = num_satisfied;
  for (std::size_t i = 0; i < n; ++i) {
    if (cuts[i].node >= 0) continue;
    count += cuts[i].enters ? 1 : -1;
    if (count != num_planes || !cuts[i].enters) continue;
    within.clear();
    std::size_t next = (i + 1) % n;
    for (; cuts[next].node >= 0; next = (next + 1) % n) within.push_back(cuts[next]);
    split_way(cuts[i], cuts[next], within, emit, [&] {
      if (cuts[i].node == kFarAway || cuts[next].node == kFarAway) return false;
      std::vector<CurveNode> way;
      add_conic_arc(*quadric_, on.normal, cuts[i].x, cuts[next].x, way);
      return !way.empty() &&
             is_inside(*mesh_, Vec3(A_inverse_ * (way[way.size() / 2].x - b_)), scratch_) != is_mesh_complement_;
    });
  }
}

void MeshBoundary::add_rim_part(int plane, const RimPoint& from, const RimPoint& to) {
  const Plane& on = planes[plane];
  const int first = static_cast<int>(nodes.size()), node = add_node();
  add_conic_arc(*quadric_, on.normal, from.x, to.x, nodes);
  arcs.push_back(
      {first, static_cast<int>(nodes.size()), from.x, to.x, on.fan, node, on.owner, plane, from.key, to.key});
  join_end(from, node);
  join_end(to, node);
}

void MeshBoundary::add_edge(int k, int l) {
  const Plane &a = planes[k], &b = planes[l];
  const Vec3 d = a.normal.cross(b.normal);
  const double dd = d.squaredNorm();
  if (dd < 1e-24) return;
  Vec3 p = (a.offset * b.normal.cross(d) + b.offset * d.cross(a.normal)) / dd;
  p += d.dot(mesh_center_ - p) / dd * d;
  const double far = 4.0 * (reach_ + (p - mesh_center_).norm()) / std::sqrt(dd);
  RimPoint lower{-far, p - far * d, true, -1, make_key()}, upper{far, p + far * d, false, -1, make_key()};
  const auto limit = [&](double s, bool is_upper, std::uint64_t key) {
    RimPoint& end = is_upper ? upper : lower;
    if (is_upper ? s < end.position : s > end.position) end = RimPoint{s, Vec3(p + s * d), !is_upper, -1, key};
  };
  for (int m = 0; m < static_cast<int>(planes.size()); ++m) {
    if (m == k || m == l) continue;
    const double slope = planes[m].normal.dot(d), rest = planes[m].offset - planes[m].normal.dot(p);
    if (std::abs(slope) < 1e-15 && rest < 0.0) return;
    if (std::abs(slope) >= 1e-15) limit(rest / slope, slope > 0.0, name_plane_corner(k, l, m));
  }
  if (!(lower.position < upper.position)) return;
  std::vector<RimPoint> events;
  for (const RimEvent& event : edge_events_) {
    if (event.plane == k && event.other == l)
      events.push_back({d.dot(event.x - p) / dd, event.x, event.enters, event.node, event.key});
  }
  std::sort(events.begin(), events.end(), is_before);
  const std::optional<LineInterval> through = quadric_ ? quadric_->calc_interval(p, d) : std::nullopt;
  if (!quadric_ || (is_complement_ && !through)) return add_edge_interval(k, l, lower, upper, events);
  if (!through) return;
  const RimPoint enters{through->lower, p + through->lower * d, true, -1, name_quadric_corner(k, l, false)};
  const RimPoint leaves{through->upper, p + through->upper * d, false, -1, name_quadric_corner(k, l, true)};
  if (is_complement_) {
    add_edge_interval(k, l, lower, is_before(enters, upper) ? enters : upper, events);
    add_edge_interval(k, l, is_before(lower, leaves) ? leaves : lower, upper, events);
  } else {
    add_edge_interval(k, l, is_before(lower, enters) ? enters : lower, is_before(leaves, upper) ? leaves : upper,
                      events);
  }
}

void MeshBoundary::add_edge_interval(int k, int l, const RimPoint& from, const RimPoint& to,
                                     const std::vector<RimPoint>& events) {
  if (!(from.position < to.position)) return;
  std::vector<RimPoint> within;
  for (const RimPoint& event : events) {
    if (event.position > from.position && event.position < to.position) within.push_back(event);
  }
  split_way(
      from, to, within, [&](const RimPoint& p, const RimPoint& q) { add_edge_part(k, l, p, q); },
      [&] {
        const Vec3 middle = 0.5 * (from.x + to.x);
        return is_inside(*mesh_, Vec3(A_inverse_ * (middle - b_)), scratch_) != is_mesh_complement_;
      });
}

void MeshBoundary::add_edge_part(int k, int l, const RimPoint& from, const RimPoint& to) {
  const int node = add_node();
  flats.push_back({planes[k].fan, from.x, to.x, node, planes[k].owner, k});
  flats.push_back({planes[l].fan, to.x, from.x, node, planes[l].owner, l});
  plane_elements.push_back({from.x, to.x, k, node, from.key, to.key});
  plane_elements.push_back({to.x, from.x, l, node, to.key, from.key});
  join_end(from, node);
  join_end(to, node);
}

}  // namespace abut
