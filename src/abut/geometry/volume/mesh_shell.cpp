#include "abut/geometry/volume/mesh_shell.hpp"

#include <cmath>

namespace abut {
namespace {

/// Centres and axes that differ by less than this part of the radius are the same: rounding of poses.
constexpr double kSamePlace = 1e-12;

bool is_round(const Quadric& quadric) {
  return quadric.is_sphere() || (quadric.kind == QuadricKind::cylinder && quadric.size.x() == quadric.size.y());
}

/// Whether the hole lies inside the solid, a shell's thickness everywhere.
bool is_nested(const Quadric& solid, const Quadric& hole) {
  if (solid.is_complement || !hole.is_complement || solid.kind != hole.kind || solid.owner != hole.owner) return false;
  if (!is_round(solid) || !is_round(hole) || !(hole.size.x() < solid.size.x())) return false;
  Vec3 apart = hole.X.p - solid.X.p;
  if (solid.kind == QuadricKind::cylinder) {
    if (solid.axis().cross(hole.axis()).norm() > kSamePlace) return false;
    apart -= apart.dot(solid.axis()) * solid.axis();
  }
  return apart.norm() <= kSamePlace * solid.size.x();
}

/// About the origin of the first piece.
RegionPiece sum_up(const std::vector<RegionPiece>& pieces, const std::vector<RegionPiece>& less) {
  RegionPiece sum;
  sum.origin = pieces.front().origin;
  for (const RegionPiece& piece : pieces) {
    sum.moments += shift_moments(piece.moments, piece.origin - sum.origin);
    sum.area_vector += piece.area_vector;
  }
  for (const RegionPiece& piece : less) {
    const VolumeMoments moments = shift_moments(piece.moments, piece.origin - sum.origin);
    sum.moments.volume -= moments.volume;
    sum.moments.first -= moments.first;
    sum.moments.second -= moments.second;
    sum.area_vector -= piece.area_vector;
  }
  return sum;
}

double calc_volume(const std::vector<RegionPiece>& pieces) {
  double sum = 0.0;
  for (const RegionPiece& piece : pieces) sum += piece.moments.volume;
  return sum;
}

}  // namespace

bool MeshShell::fits(const Region& region) {
  if (region.meshes.size() != 1 || region.quadrics.size() != 2) return false;
  return is_nested(region.quadrics[0], region.quadrics[1]) || is_nested(region.quadrics[1], region.quadrics[0]);
}

/// What mesh and planes have in common with one of the quadrics, or its outside.
bool MeshShell::find(const Region& region, const Quadric& quadric, bool is_complement, bool is_joinable,
                     MeshRegion& mesh, std::vector<RegionPiece>& pieces) {
  part_ = region;
  part_.quadrics.assign(1, quadric);
  part_.quadrics[0].is_complement = is_complement;
  pieces.clear();
  return mesh.calc(part_, is_joinable, pieces);
}

bool MeshShell::calc(const Region& region, bool is_joinable, MeshRegion& mesh, std::vector<RegionPiece>& pieces) {
  const std::size_t which = region.quadrics[0].is_complement ? 1 : 0;
  const Quadric &outer = region.quadrics[which], &hole = region.quadrics[1 - which];
  has_subtracted_ = false;
  relative_error_ = MeshRegion::kRelativeError;
  const auto add = [&](const Quadric& quadric, bool is_complement) {
    if (!find(region, quadric, is_complement, is_joinable, mesh, all_)) return false;
    pieces.insert(pieces.end(), all_.begin(), all_.end());
    return true;
  };
  if (!find(region, outer, true, false, mesh, less_)) return false;
  if (less_.empty()) return add(hole, true);
  if (!find(region, hole, false, false, mesh, less_)) return false;
  if (less_.empty()) return add(outer, false);
  // It stands on both sides of the wall.
  if (!find(region, outer, false, false, mesh, all_)) return false;
  if (all_.empty()) return true;
  RegionPiece piece = sum_up(all_, less_);
  piece.is_mesh = true;
  has_subtracted_ = true;
  const double whole = calc_volume(all_);
  if (!(piece.moments.volume > MeshRegion::kRelativeError * whole)) return true;
  relative_error_ *= whole / piece.moments.volume;
  pieces.push_back(piece);
  return true;
}

}  // namespace abut
