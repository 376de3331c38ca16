#include "abut/contact/region/nearest_part.hpp"

#include <optional>

#include "abut/geometry/polyhedron/clip_part.hpp"

namespace abut {

Plane make_parting(const Plane& nearer, const Plane& other) {
  const Vec3 difference = other.normal - nearer.normal;
  const double length = difference.norm();
  if (length < 1e-12) return {Vec3::Zero(), other.offset - nearer.offset};
  return {Vec3(difference / length), (other.offset - nearer.offset) / length};
}

/// Of the planes that cut, the last one makes no polyhedron any more; mostly there is one only.
ClipVolume calc_nearest_part(const PolyhedronClip& clip, const std::vector<Plane>& planes,
                             const std::vector<int>& nearest, int own, PolyhedronClip& room) {
  const PolyhedronClip* whole = &clip;
  const auto cut_whole = [&](const Plane& plane) {
    if (whole == &clip) room.start(clip);
    whole = &room;
    room.cut(plane, ClipOwner::kB, own);
    return !room.is_empty();
  };
  ClipPart part;
  std::optional<Plane> last;  // what `part` has of `whole` is what this one leaves
  for (const int j : nearest) {
    if (j == own) continue;
    const Plane parting = make_parting(planes[own], planes[j]);
    if (parting.normal.isZero()) {
      if (parting.offset < 0.0 || (parting.offset == 0.0 && j < own)) return {};
      continue;
    }
    if (last && !part.is_cut_by(parting)) continue;
    if (last && !cut_whole(*last)) return {};
    last.reset();
    const ClipPart::Outcome outcome = part.cut(*whole, parting);
    if (outcome == ClipPart::Outcome::none) return {};
    if (outcome == ClipPart::Outcome::some) last = parting;
    if (outcome == ClipPart::Outcome::too_large && !cut_whole(parting)) return {};
  }
  return last ? part.calc_volume() : calc_clip_volume(*whole);
}

}  // namespace abut
