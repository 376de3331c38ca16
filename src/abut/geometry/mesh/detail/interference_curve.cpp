#include "abut/geometry/mesh/detail/interference_curve.hpp"

namespace abut::detail {

void CrossingTable::clear() {
  for (const std::size_t i : used_) slots_[i] = {};
  used_.clear();
}

int& CrossingTable::find(std::uint64_t key) {
  if (2 * (used_.size() + 1) > slots_.size()) grow();
  const std::size_t mask = slots_.size() - 1;
  ++key;  // 0 marks a free slot
  std::size_t i = static_cast<std::size_t>((key * 0x9E3779B97F4A7C15ull) >> 20) & mask;
  while (slots_[i].key != 0 && slots_[i].key != key) i = (i + 1) & mask;
  if (slots_[i].key == 0) {
    slots_[i].key = key;
    used_.push_back(i);
  }
  return slots_[i].id;
}

void CrossingTable::grow() {
  std::vector<Slot> old = std::move(slots_);
  slots_.assign(std::max<std::size_t>(1024, 2 * old.size()), Slot{});
  used_.clear();
  used_.reserve(slots_.size());
  for (const Slot& slot : old) {
    if (slot.key != 0) find(slot.key - 1) = slot.id;
  }
}

void InterferenceCurve::find(std::array<InterferenceSide, 2>& sides) {
  crossings.clear();
  segments.clear();
  table_.clear();
  const BoundingTree &a = sides[0].solid().tree(), &b = sides[1].solid().tree();
  visit_overlapping_pairs(a, b, sides[1].X_AM(), stack_, [&](int i, int j) { visit(sides, i, j); });
}

void InterferenceCurve::visit(std::array<InterferenceSide, 2>& sides, int triangle_a, int triangle_b) {
  const std::array<int, 2> triangle = {triangle_a, triangle_b};
  std::array<std::array<const Vec3*, 3>, 2> corners;
  for (int s = 0; s < 2; ++s) {
    const std::array<int, 3>& c = sides[s].mesh().triangles()[triangle[s]];
    for (int k = 0; k < 3; ++k) corners[s][k] = &sides[s].position(c[k]);
  }
  PairSegment found;
  if (!find_segment(corners[0], corners[1], found)) return;
  CurveSegment segment;
  segment.start = add_crossing(sides, found.start, triangle);
  segment.end = add_crossing(sides, found.end, triangle);
  for (int s = 0; s < 2; ++s) {
    CutTriangle& cut = sides[s].cut(triangle[s]);
    segment.next[s] = cut.first_segment;
    cut.first_segment = static_cast<int>(segments.size());
  }
  segments.push_back(segment);
}

int InterferenceCurve::add_crossing(std::array<InterferenceSide, 2>& sides, const Piercing& piercing,
                                    const std::array<int, 2>& triangle) {
  const int s = piercing.is_edge_of_b ? 1 : 0, face = triangle[1 - s];
  InterferenceSide& side = sides[s];
  const int h = 3 * triangle[s] + piercing.edge, canonical = side.canonical(h);
  const std::uint64_t key = (static_cast<std::uint64_t>(canonical) << 32) | (static_cast<std::uint64_t>(face) << 1) |
                            static_cast<std::uint64_t>(s);
  int& id = table_.find(key);
  if (id >= 0) return id;
  id = static_cast<int>(crossings.size());
  const Vec3 &p = side.position(side.mesh().start(h)), &q = side.position(side.mesh().end(h));
  const double t = piercing.t;
  Crossing crossing;
  // From the nearer end, so that a crossing at an end is that end exactly.
  crossing.point = t <= 0.5 ? Vec3(p + t * (q - p)) : Vec3(q + (1.0 - t) * (p - q));
  crossing.t = h == canonical ? t : 1.0 - t;
  crossing.sign = piercing.is_leaving == (h == canonical) ? 1 : -1;
  crossing.face = face;
  crossing.next = side.first_crossing(canonical);
  side.set_first_crossing(canonical, id);
  // The triangles on both sides of the edge are cut, even where a rounded box might miss one.
  side.cut(canonical / 3);
  side.cut(side.mesh().twin(canonical) / 3);
  crossings.push_back(crossing);
  return id;
}

}  // namespace abut::detail
