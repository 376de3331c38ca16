#include "abut/geometry/mesh/detail/interference_curve.hpp"

#include <cmath>

namespace abut::detail {
namespace {

/// Faces that are meant to be flush are off by some roundings of the size of the coordinates [1].
constexpr double kFlushRoundings = 64.0 * 1.2e-16;

/// Whether two triangles that face the same way lie in one plane, within `thickness` [m].
bool are_flush(const TrianglePlane& a, const TrianglePlane& b, double thickness) {
  const Vec3 &n = a.normal(), &m = b.normal();
  const double height = (b.corners()[0] - a.corners()[0]).dot(n);
  if (height * height > thickness * thickness * n.squaredNorm() || !(n.dot(m) > 0.0)) return false;
  const auto is_in_plane = [thickness](const TrianglePlane& plane, const Vec3& p) {
    return std::abs((p - plane.corners()[0]).dot(plane.normal())) <= thickness * plane.normal().norm();
  };
  return is_in_plane(a, b.corners()[1]) && is_in_plane(a, b.corners()[2]) && is_in_plane(b, a.corners()[0]) &&
         is_in_plane(b, a.corners()[1]) && is_in_plane(b, a.corners()[2]);
}

}  // namespace

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

void InterferenceCurve::find(std::array<InterferenceSide, 2>& sides, double scale) {
  crossings.clear();
  segments.clear();
  table_.clear();
  has_planes_ = false;
  near_.visit(sides[0].solid(), sides[1].solid(), sides[1].X_AM(), [&](const NearPair& pair) {
    if (!has_planes_) calc_planes(sides[1]);
    visit(sides, pair, kFlushRoundings * scale);
  });
}

void InterferenceCurve::calc_planes(InterferenceSide& side) {
  planes_b_.clear();
  for (const int t : near_.triangles_b()) {
    const std::array<int, 3>& c = side.mesh().triangles()[t];
    planes_b_.emplace_back(side.position(c[0]), side.position(c[1]), side.position(c[2]));
  }
  has_planes_ = true;
}

void InterferenceCurve::visit(std::array<InterferenceSide, 2>& sides, const NearPair& pair, double thickness) {
  const std::array<int, 2> triangle = {pair.triangle_a, pair.triangle_b};
  const TrianglePlane &a = near_.planes_a()[pair.slot_a], &b = planes_b_[pair.slot_b];
  if (pair.may_be_flush && are_flush(a, b, thickness)) {
    sides[0].mark_flush(triangle[0]);
    sides[1].mark_flush(triangle[1]);
  }
  PairSegment found;
  if (!find_segment(a, b, found)) return;
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
