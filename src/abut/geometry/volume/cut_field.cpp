#include "abut/geometry/volume/cut_field.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "abut/base/error.hpp"
#include "abut/geometry/distance/shape_bounds.hpp"
#include "abut/geometry/volume/cell_faces.hpp"
#include "abut/geometry/volume/cut_regions.hpp"
#include "abut/geometry/volume/interference.hpp"

namespace abut {

namespace {

using SharedSolid = std::shared_ptr<const ConvexPolyhedron>;

/// Regions below this part of the cell are rounding where surfaces meet [1].
constexpr double kLeastVolume = 1e-10;
/// What a quadric keeps out is nothing below this part of the cell [1].
constexpr double kNothing = 1e-13;
/// Regions together have the volume of the cell to this part of it, or they are not used [1].
constexpr double kSameVolume = 1e-5;
/// Polynomials for planes bend over this many diagonals of the cell where nothing asks for more [1].
constexpr double kGentleBend = 2.0;
constexpr double kBelowGreatest = 0.9;
/// A greatest depth of this part of the largest ball inside is enough not to look for another bend; how much deeper
/// that of another one has to be [1].
constexpr double kAmpleDepth = 0.3, kWorth = 1.5;
/// Smallest greatest depth that is of use, in parts of the largest ball inside; how often it is tried in between.
constexpr double kLeastCap = 0.05;
constexpr int kCapSteps = 6;

/// A box about the cell, a little larger, so that no face of it touches a round one.
SharedSolid make_box(const CutShape& cell) {
  constexpr double kWider = 1.05;
  const Aabb bounds = calc_aabb(cell, Pose());
  const Vec3 center = 0.5 * (bounds.lower + bounds.upper), half = 0.5 * kWider * (bounds.upper - bounds.lower);
  std::vector<Vec3> corners;
  for (int k = 0; k < 8; ++k)
    corners.emplace_back(center + half.cwiseProduct(Vec3(k & 1 ? 1 : -1, k & 2 ? 1 : -1, k & 4 ? 1 : -1)));
  return std::make_shared<const ConvexPolyhedron>(make_convex_hull(corners));
}

/// Radius of the largest ball inside, by a grid and steps that shrink from its best point [m]. It weighs fields and
/// limits depths, nothing else.
double calc_thickness(const CellFaces& faces, const Aabb& bounds) {
  constexpr int kGrid = 16;
  constexpr double kFinest = 1e-6;
  const Vec3 spacing = (bounds.upper - bounds.lower) / kGrid;
  Vec3 best = bounds.lower;
  double most = -HUGE_VAL;
  const auto offer = [&](const Vec3& x) {
    const double distance = faces.calc_distance(x);
    if (distance > most) most = distance, best = x;
  };
  for (int k = 0; k < kGrid * kGrid * kGrid; ++k) {
    const Vec3 place(k % kGrid + 0.5, k / kGrid % kGrid + 0.5, k / kGrid / kGrid + 0.5);
    offer(bounds.lower + spacing.cwiseProduct(place));
  }
  for (double step = 0.5; step > kFinest; step *= 0.7) {
    const Vec3 from = best;
    for (int k = 0; k < 27; ++k) offer(from + step * spacing.cwiseProduct(Vec3(k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1)));
  }
  return most;
}

/// Bends of planes for which the borders may be known, the likeliest first.
std::vector<double> list_bends(const CellFaces& faces, double size) {
  std::vector<double> bends{0.0, -0.5 / (kGentleBend * size)};
  const auto add = [&bends](const CellFace& face) {
    if (face.is_cylinder) bends.push_back(-0.5 / face.radius);
  };
  std::for_each(faces.outer.begin(), faces.outer.end(), add);
  for (const auto& hole : faces.holes) std::for_each(hole.begin(), hole.end(), add);
  bends.push_back(0.5 / (kGentleBend * size));
  return bends;
}

double calc_common_volume(const Shape& a, const SharedSolid& box) {
  auto pair = Interference::make(a, Polyhedron{box}, {.relative_error = 0.1 * kSameVolume});
  std::vector<VolumeMetrics> pieces;
  pair.calc(Pose(), Pose(), pieces);
  double sum = 0.0;
  for (const VolumeMetrics& piece : pieces) sum += piece.volume;
  return sum;
}

/// Polyhedra of one law that are convex together are one region.
void join_regions(std::vector<FieldRegion>& regions) {
  constexpr double kConvex = 1e-9;
  const auto join = [&](FieldRegion& a, const FieldRegion& b) {
    const auto *one = std::get_if<Polyhedron>(&a.shape), *other = std::get_if<Polyhedron>(&b.shape);
    if (a.law != b.law || one == nullptr || other == nullptr) return false;
    std::vector<Vec3> corners = one->solid->vertices();
    corners.insert(corners.end(), other->solid->vertices().begin(), other->solid->vertices().end());
    auto both = std::make_shared<const ConvexPolyhedron>(make_convex_hull(corners));
    const double sum = calc_volume(*one->solid) + calc_volume(*other->solid);
    if (calc_volume(*both) > (1.0 + kConvex) * sum) return false;
    a.shape = Polyhedron{std::move(both)};
    return true;
  };
  for (std::size_t i = 0; i < regions.size(); ++i) {
    for (std::size_t k = i + 1; k < regions.size();) {
      if (!join(regions[i], regions[k])) {
        ++k;
        continue;
      }
      regions.erase(regions.begin() + static_cast<std::ptrdiff_t>(k));
      k = i + 1;  // what did not fit before may fit now
    }
  }
}

/// Leaves out quadrics that keep nothing out of a region, since each of them makes it dearer.
void thin_out(const SharedSolid& box, double least, FieldRegion& region) {
  const auto* cut = std::get_if<CutShape>(&region.shape);
  if (cut == nullptr || cut->parts->list.size() < 3) return;
  std::vector<CellPart> list = cut->parts->list;
  const auto make = [](std::vector<CellPart> parts) {
    auto shared = std::make_shared<CellParts>();
    shared->list = std::move(parts);
    return CutShape{std::move(shared)};
  };
  for (std::size_t k = 1; k < list.size() && list.size() > 2;) {
    std::vector<CellPart> beyond = list;
    beyond[k].is_complement = !beyond[k].is_complement;
    if (calc_common_volume(make(beyond), box) > least) {
      ++k;
    } else {
      list.erase(list.begin() + static_cast<std::ptrdiff_t>(k));
    }
  }
  region.shape = make(std::move(list));
}

/// Drops regions that nothing is in; whether the rest make up the cell.
bool fills(const CutShape& cell, const SharedSolid& box, DepthField& field) {
  const double whole = calc_common_volume(cell, box);
  double sum = 0.0;
  std::erase_if(field.regions, [&](const FieldRegion& region) {
    const double volume = calc_common_volume(region.shape, box);
    sum += volume;
    return !(volume > kLeastVolume * whole);
  });
  for (FieldRegion& region : field.regions) thin_out(box, kNothing * whole, region);
  return std::abs(sum - whole) <= kSameVolume * whole;
}

}  // namespace

DepthField make_cut_field(const CutShape& cell) {
  if (!is_finite(cell)) return {};
  const std::optional<CellFaces> faces = find_faces(cell);
  if (!faces) return {};
  const SharedSolid box = make_box(cell);
  const Aabb bounds = calc_aabb(cell, Pose());
  const double thickness = calc_thickness(*faces, bounds), size = (bounds.upper - bounds.lower).norm();
  DepthField best, found;
  double best_depth = 0.0;  // at which the planes' law reaches C
  const auto attempt = [&](double bend, double cap) {
    DepthField field;
    if (!make_cut_regions(*faces, box, bend, cap, field)) return false;
    found = std::move(field);
    return true;
  };
  for (const double bend : list_bends(*faces, size)) {
    if (best_depth >= kAmpleDepth * thickness) break;
    // psi has its greatest value 1 / -4b at the depth 1 / -2b, where cones of a bar's ends have their tips: a little
    // less keeps these out of the planes of the regions.
    const double most = bend < 0.0 ? -0.25 * kBelowGreatest / bend : kInfiniteLength;
    double high = std::min(most, thickness), low = attempt(bend, most) ? most : 0.0;
    for (double cap = high; cap > kLeastCap * thickness && low == 0.0; cap *= 0.5)
      (attempt(bend, cap) ? low : high) = cap;
    for (int k = 0; k < kCapSteps && low > 0.0 && low < high; ++k) {
      const double middle = 0.5 * (low + high);
      (attempt(bend, middle) ? low : high) = middle;
    }
    const double depth =
        std::isfinite(low) ? 2.0 * low / (1.0 + std::sqrt(std::max(0.0, 1.0 + 4.0 * bend * low))) : low;
    // Bends are listed from the gentle ones on: a sharper one has to be worth it.
    if (depth > kWorth * best_depth) best = std::move(found), best_depth = depth;
  }
  try {
    if (!best.regions.empty() && !fills(cell, box, best)) return {};
  } catch (const InputError&) {
    return {};
  }
  if (best.regions.empty()) return {};
  join_regions(best.regions);
  best.thickness = thickness;
  return best;
}

}  // namespace abut
