#include <algorithm>
#include <cmath>

#include "abut/geometry/volume/mesh_region.hpp"

// What is cheap to check of a boundary that was found: its arcs are where they should be, and it closes.

namespace abut {
namespace {

/// What may be missing of a closed surface, in parts of it, and what rounding of its outlines takes, in parts of the
/// coordinates. A face or an arc that is lost leaves far more.
constexpr double kOpen = 1e-6, kOpenRounding = 1e-13;
/// What a cone has in common with the flats is too thin for its arcs below this part of the coordinates: a cone on its
/// side leaves a very long arc that ends in a short chord at the apex, where digits are lost without the surface being
/// open.
constexpr double kThinCone = 2e-7;
/// How far a node of an arc may be off the quadric, as its function is in parts of the distance squared, and how far
/// the sum of an arc's steps off its chord, in parts of its length.
constexpr double kOffQuadric = 1e-6, kOffChord = 1e-8, kFarNode = 1.01;
/// Beside a larger part one that is smaller than this of it need not be known that well.
constexpr double kMinorPart = 1e-9;

}  // namespace

/// Of every arc: its nodes lie on the quadric, no further away than the mesh, and its steps add up to its chord. Where
/// an arc is so thin that rounding gives it its shape, neither need hold, and what was integrated along it means
/// nothing.
bool MeshRegion::has_sound_arcs() const {
  if (!boundary_.has_quadric()) return true;
  const UnitQuadric& quadric = boundary_.quadric();
  const double rounding = kOpenRounding * boundary_.coordinates();
  for (const ArcElement& arc : boundary_.arcs) {
    Vec3 rest = arc.q - arc.p;
    double length = rest.norm();
    for (int k = arc.first; k < arc.last; ++k) {
      const CurveNode& node = boundary_.nodes[k];
      rest -= node.dx;
      length += node.dx.norm();
      const double size = node.x.norm(), off = quadric.value(node.x);
      const bool is_near = size <= kFarNode * boundary_.coordinates();
      if (!is_near || !(std::abs(off) <= kOffQuadric * size * size + rounding * size)) return false;
    }
    if (!(rest.norm() <= kOffChord * length + rounding)) return false;
  }
  return true;
}

bool MeshRegion::is_closed() const {
  if (!has_sound_arcs()) return false;
  bool has_solid = false, has_wall = false;
  const bool is_cone = boundary_.has_quadric() && boundary_.quadric().kind == QuadricKind::cone;
  double largest = 0.0;
  for (const Sum& sum : sums_) largest = std::max(largest, sum.moments.volume);
  for (const Sum& sum : sums_) {
    const double thin = kThinCone * boundary_.coordinates() * sum.surface;
    if (is_cone && sum.moments.volume > kMinorPart * largest && sum.moments.volume < thin) return false;
    const double rounding = kOpenRounding * boundary_.coordinates() * std::sqrt(sum.surface);
    if (!(sum.closure.norm() <= kOpen * sum.surface + rounding)) return false;
    // A hundred times what counts as a volume at all.
    const double least = 100.0 * kVolumeRounding * boundary_.coordinates() * sum.surface;
    has_solid = has_solid || sum.moments.volume > least;
    has_wall = has_wall || sum.moments.volume < -least;
  }
  return has_solid || !has_wall;
}

}  // namespace abut
