// Memory by pair of triangles, as in the source.   [Moisio 2013, 5.1.1, Algorithms 2 and 3]

#include <algorithm>
#include <numeric>

#include "abut/contact/region/perimeter_site.hpp"

namespace abut {

namespace {

/// How deep a pair is, to choose among several that share a triangle with a new one [m]; the source leaves it open.
double calc_mean_depth(const PerimeterMemory& memory, const PerimeterPair& pair) {
  const auto &start = memory.places[pair.place[0]].side, &end = memory.places[pair.place[1]].side;
  return 0.25 * (start[0].depth + start[1].depth + end[0].depth + end[1].depth);
}

}  // namespace

/// Of the old pairs that share a triangle with the new one the deepest hands on its state: unchanged along the normal
/// of the triangle they share, projected along the other. Bristles are not handed on: their force would be multiplied.
void PerimeterSite::inherit(const PerimeterMemory& memory, const PerimeterPair& pair) {
  const PerimeterPair* donor = nullptr;
  const auto consider = [&](const PerimeterPair& old) {
    if (donor == nullptr || calc_mean_depth(memory, old) > calc_mean_depth(memory, *donor)) donor = &old;
  };
  const auto first = std::lower_bound(memory.pairs.begin(), memory.pairs.end(), pair.triangle_a,
                                      [](const PerimeterPair& old, int t) { return old.triangle_a < t; });
  for (auto old = first; old != memory.pairs.end() && old->triangle_a == pair.triangle_a; ++old) consider(*old);
  const auto begin = std::lower_bound(by_triangle_b_.begin(), by_triangle_b_.end(), pair.triangle_b,
                                      [&](int i, int t) { return memory.pairs[i].triangle_b < t; });
  for (auto i = begin; i != by_triangle_b_.end() && memory.pairs[*i].triangle_b == pair.triangle_b; ++i)
    consider(memory.pairs[*i]);
  if (donor == nullptr) return;
  const SurfaceMesh &mesh_a = *a_->surface, &mesh_b = *b_->surface;
  const double cosine[2] = {mesh_a.normal(donor->triangle_a).dot(mesh_a.normal(pair.triangle_a)),
                            mesh_b.normal(donor->triangle_b).dot(mesh_b.normal(pair.triangle_b))};
  const bool is_b = normals_ == PerimeterRule::Normals::b;
  for (int end = 0; end < 2; ++end) {
    for (int k = 0; k < num_normals_; ++k) {
      const double factor = normals_ == PerimeterRule::Normals::patch ? 1.0 : cosine[is_b ? 1 : k];
      const PerimeterSide& old = memory.places[donor->place[end]].side[k];
      PerimeterSide& side = places_[pair.place[end]].side[k];
      side.depth = factor * old.depth;
      side.touch_speed = factor * old.touch_speed;
    }
  }
}

void PerimeterSite::advance_faithful(const PerimeterStep& step, const PerimeterMemory& memory) {
  const bool has_new = std::find(source_.begin(), source_.end(), -1) != source_.end();
  if (has_new) {
    by_triangle_b_.resize(memory.pairs.size());
    std::iota(by_triangle_b_.begin(), by_triangle_b_.end(), 0);
    std::sort(by_triangle_b_.begin(), by_triangle_b_.end(), [&](int i, int j) {
      return std::pair(memory.pairs[i].triangle_b, i) < std::pair(memory.pairs[j].triangle_b, j);
    });
  }
  const double stiffness = rule_->normal.stiffness.value();
  for (std::size_t i = 0; i < pairs_.size(); ++i) {
    const PerimeterPair& pair = pairs_[i];
    if (source_[i] < 0) inherit(memory, pair);
    for (int end = 0; end < 2; ++end) {
      PerimeterPlace& place = places_[pair.place[end]];
      if (source_[i] >= 0) place.side = memory.places[memory.pairs[source_[i]].place[end]].side;
      for (int k = 0; k < num_normals_; ++k) {
        PerimeterSide& side = place.side[k];
        Point& p = point(pair.place[end], k);
        if (side.touch_speed == 0.0) side.touch_speed = std::max(p.rate, rule_->normal.v_small);
        side.depth += step.step * p.rate;  // may become negative, as in the source: the force is then zero
        p.depth = std::max(0.0, side.depth);
        p.elastic = stiffness * p.length * p.depth;
        p.damped_rate = p.rate;
        p.damping = p.depth > 0.0 ? calc_damping(side.touch_speed, step.effective_mass) : 0.0;
      }
    }
  }
}

}  // namespace abut
