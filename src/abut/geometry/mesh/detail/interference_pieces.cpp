#include "abut/geometry/mesh/detail/interference_pieces.hpp"

#include <algorithm>
#include <cmath>

#include "abut/geometry/mesh/detail/ray_winding.hpp"

namespace abut::detail {
namespace {

int calc_net_sign(const std::vector<Crossing>& crossings, int first) {
  int net = 0;
  for (int c = first; c >= 0; c = crossings[c].next) net += crossings[c].sign;
  return net;
}

bool is_inside_polygon(const Vec2* begin, const Vec2* end, const Vec2& p) {
  bool is_inside = false;
  for (const Vec2 *i = begin, *j = end - 1; i != end; j = i++) {
    if ((i->y() > p.y()) == (j->y() > p.y())) continue;
    if (p.x() < (j->x() - i->x()) * (p.y() - i->y()) / (j->y() - i->y()) + i->x()) is_inside = !is_inside;
  }
  return is_inside;
}

}  // namespace

void InterferencePieces::find(std::array<InterferenceSide, 2>& sides, InterferenceCurve& curve) {
  sets_.reset(static_cast<int>(curve.crossings.size()));
  for (const CurveSegment& segment : curve.segments) join(segment.start, segment.end);
  for (int s = 0; s < 2; ++s) find_inside(sides, s, curve.crossings);
  for (int s = 0; s < 2; ++s) collect_elements(sides[s], s, curve);
  for (int s = 0; s < 2; ++s) {
    for (const CutTriangle& cut : sides[s].cuts) join_holes(sides[s], cut);
  }
}

/// An edge that on the whole leaves the other solid starts inside it. Shells without such an edge lie on one side with
/// all their vertices: one of them is asked.
void InterferencePieces::find_inside(std::array<InterferenceSide, 2>& sides, int s,
                                     const std::vector<Crossing>& crossings) {
  InterferenceSide &side = sides[s], &other = sides[1 - s];
  for (const int h : side.cut_edges) {
    const int net = calc_net_sign(crossings, side.first_crossing(h));
    if (net == 0) continue;
    const int v = net > 0 ? side.mesh().start(h) : side.mesh().end(h);
    side.is_shell_decided[side.mesh().shell(v)] = 1;
    if (side.label(v) < 0) side.flood(v, add_node());
  }
  for (int shell = 0; shell < side.mesh().num_shells(); ++shell) {
    if (side.is_shell_decided[shell]) continue;
    const int v = side.mesh().shell_vertex(shell);
    const int winding =
        calc_winding(other.mesh(), other.solid().tree(), other.X_AM(), side.position(v), s == 0 ? -1 : 1, side.stack,
                     [&](int w) -> const Vec3& { return other.position(w); });
    if (winding > 0) side.flood(v, add_node());
  }
  spread_inside(side, crossings);
}

/// Both ends of an edge that leaves as often as it enters are on the same side.
void InterferencePieces::spread_inside(InterferenceSide& side, const std::vector<Crossing>& crossings) {
  for (bool has_changed = true; has_changed;) {
    has_changed = false;
    for (const int h : side.cut_edges) {
      const int a = side.mesh().start(h), b = side.mesh().end(h);
      if ((side.label(a) < 0) == (side.label(b) < 0)) continue;
      if (calc_net_sign(crossings, side.first_crossing(h)) != 0) continue;
      side.flood(side.label(a) < 0 ? a : b, add_node());
      has_changed = true;
    }
  }
}

void InterferencePieces::collect_elements(InterferenceSide& side, int s, const InterferenceCurve& curve) {
  for (CutTriangle& cut : side.cuts) {
    cut.first_element = static_cast<int>(side.elements.size());
    for (int i = cut.first_segment; i >= 0; i = curve.segments[i].next[s]) {
      const CurveSegment& segment = curve.segments[i];
      const int start = s == 0 ? segment.start : segment.end, end = s == 0 ? segment.end : segment.start;
      side.elements.push_back(
          {curve.crossings[start].point, curve.crossings[end].point, start, end, segment.start, 1.0});
    }
    for (int k = 0; k < 3; ++k) collect_edge(side, 3 * cut.triangle + k, curve.crossings);
    cut.last_element = static_cast<int>(side.elements.size());
  }
}

/// The parts of half-edge h inside the other solid, directed along h.
void InterferencePieces::collect_edge(InterferenceSide& side, int h, const std::vector<Crossing>& crossings) {
  const int canonical = side.canonical(h), first = side.mesh().start(canonical), last = side.mesh().end(canonical);
  const int head = side.first_crossing(canonical);
  if (head < 0 && side.label(first) < 0) return;
  sorted_.clear();
  for (int c = head; c >= 0; c = crossings[c].next) sorted_.push_back(c);
  if (sorted_.size() > 1) {
    std::sort(sorted_.begin(), sorted_.end(), [&](int i, int j) {
      const Crossing &x = crossings[i], &y = crossings[j];
      return x.t != y.t ? x.t < y.t : x.face < y.face;
    });
  }
  int winding = side.label(first) < 0 ? 0 : 1;
  BoundaryElement element;
  element.p = side.position(first);
  element.start = -1 - first;
  element.node = side.label(first);
  const auto emit = [&](const Vec3& q, int end, int node) {
    if (winding == 0) return;
    element.q = q;
    element.end = end;
    element.weight = winding;
    if (node >= 0 && element.node >= 0) join(node, element.node);
    BoundaryElement directed = element;
    if (directed.node < 0) directed.node = node;
    if (h != canonical) {
      std::swap(directed.p, directed.q);
      std::swap(directed.start, directed.end);
    }
    side.elements.push_back(directed);
  };
  for (const int c : sorted_) {
    emit(crossings[c].point, c, c);
    winding -= crossings[c].sign;
    element.p = crossings[c].point;
    element.start = element.node = c;
  }
  emit(side.position(last), -1 - last, side.label(last));
}

/// A face region with holes has boundary lines that need not hang together over the rest of the surface: each hole is
/// joined to the line around it.
void InterferencePieces::join_holes(const InterferenceSide& side, const CutTriangle& cut) {
  if (cut.first_element == cut.last_element) return;
  const int node = root(side.elements[cut.first_element].node);
  bool is_mixed = false;
  for (int i = cut.first_element; i < cut.last_element && !is_mixed; ++i) {
    is_mixed = root(side.elements[i].node) != node;
  }
  if (!is_mixed) return;
  const std::array<int, 3>& c = side.mesh().triangles()[cut.triangle];
  const std::vector<Vec3>& v = side.solid().vertices();
  const Vec3 normal = side.X_AM().R * (v[c[1]] - v[c[0]]).cross(v[c[2]] - v[c[0]]);
  int axis = 0;
  normal.cwiseAbs().maxCoeff(&axis);
  find_loops(side, cut, axis, normal[axis] > 0.0 ? 1.0 : -1.0);
  for (const Loop& hole : loops_) {
    if (hole.area >= 0.0) continue;
    const Loop* around = nullptr;
    for (const Loop& loop : loops_) {
      if (loop.area <= -hole.area || (around != nullptr && around->area <= loop.area)) continue;
      if (is_inside_polygon(loop_points_.data() + loop.first, loop_points_.data() + loop.last,
                            loop_points_[hole.first])) {
        around = &loop;
      }
    }
    if (around != nullptr) join(hole.node, around->node);
  }
}

void InterferencePieces::find_loops(const InterferenceSide& side, const CutTriangle& cut, int axis, double sense) {
  loops_.clear();
  loop_points_.clear();
  const int count = cut.last_element - cut.first_element;
  const BoundaryElement* elements = side.elements.data() + cut.first_element;
  by_start_.resize(count);
  for (int i = 0; i < count; ++i) by_start_[i] = i;
  std::sort(by_start_.begin(), by_start_.end(), [&](int i, int j) {
    return elements[i].start != elements[j].start ? elements[i].start < elements[j].start : i < j;
  });
  is_visited_.assign(static_cast<std::size_t>(count), 0);
  const auto find_next = [&](int end) {
    const auto place = std::lower_bound(by_start_.begin(), by_start_.end(), end,
                                        [&](int i, int value) { return elements[i].start < value; });
    return place != by_start_.end() && elements[*place].start == end ? *place : -1;
  };
  const int x = (axis + 1) % 3, y = (axis + 2) % 3;
  for (int i = 0; i < count; ++i) {
    if (is_visited_[i]) continue;
    Loop loop{static_cast<int>(loop_points_.size()), 0, elements[i].node, 0.0};
    for (int j = i; j >= 0 && !is_visited_[j]; j = find_next(elements[j].end)) {
      is_visited_[j] = 1;
      loop_points_.emplace_back(elements[j].p[x], elements[j].p[y]);
    }
    loop.last = static_cast<int>(loop_points_.size());
    const Vec2 o = loop_points_[loop.first];
    for (int j = loop.first + 1; j + 1 < loop.last; ++j) {
      const Vec2 u = loop_points_[j] - o, w = loop_points_[j + 1] - o;
      loop.area += 0.5 * sense * (u.x() * w.y() - u.y() * w.x());
    }
    loops_.push_back(loop);
  }
}

}  // namespace abut::detail
