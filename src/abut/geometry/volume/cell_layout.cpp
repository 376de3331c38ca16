#include "abut/geometry/volume/cell_layout.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <utility>

#include "abut/geometry/distance/shape_bounds.hpp"
#include "abut/geometry/mesh/closed_mesh.hpp"
#include "abut/geometry/polyhedron/convex_polyhedron.hpp"
#include "abut/geometry/volume/cell_corner.hpp"
#include "abut/geometry/volume/mass_properties.hpp"
#include "abut/geometry/volume/solid_probe.hpp"

namespace abut {
namespace {

/// Cells nearer than this part of the body's size meet [1]. More than the rounding of numbers written with seven
/// digits, and far less than any depth that matters.
constexpr double kTouching = 1e-6;
/// Of the smaller cell: what cells may share before it is worth a word [1]. A face moved by kTouching is below.
constexpr double kLeastOverlap = 1e-4;
/// Longest edge that a cell is reckoned with, in parts of the edge of a cube of its volume [1].
constexpr double kLongest = 10.0;
/// Volumes of cells and of their hull agree to this where the hull is all there is [1].
constexpr double kSameVolume = 1e-9;

/// Half the diagonal of a box about all cells [m].
double calc_size(const std::vector<Aabb>& boxes, std::span<const BodyCell> cells) {
  Aabb all;
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    if (!is_finite(cells[i].shape)) continue;
    all.lower = all.lower.cwiseMin(boxes[i].lower);
    all.upper = all.upper.cwiseMax(boxes[i].upper);
  }
  return 0.5 * (all.upper - all.lower).norm();
}

std::vector<Vec3> list_corners(const Shape& shape) {
  if (const auto* box = std::get_if<Box>(&shape)) return make_box_polyhedron(box->half_size).vertices();
  if (const auto* polyhedron = std::get_if<Polyhedron>(&shape)) return polyhedron->solid->vertices();
  if (const auto* mesh = std::get_if<Mesh>(&shape)) return mesh->solid->vertices();
  return {};
}

bool is_group_convex(std::span<const BodyCell> cells, std::span<SolidProbe> probes, const std::vector<int>& group,
                     double size) {
  std::vector<Vec3> corners;
  double volume = 0.0;
  bool is_flat = true;
  for (const int i : group) {
    if (!is_finite(cells[i].shape)) return group.size() == 1 && is_convex(make_solid(cells[i].shape));
    const std::vector<Vec3> own = list_corners(cells[i].shape);
    is_flat = is_flat && !own.empty();
    for (const Vec3& corner : own) corners.push_back(cells[i].X * corner);
    volume += calc_volume(cells[i].shape);
  }
  if (is_flat) return std::abs(calc_volume(make_convex_hull(corners)) - volume) <= kSameVolume * volume;
  if (group.size() == 1) return is_convex(make_solid(cells[group[0]].shape));
  return looks_convex(probes, cells, group, kTouching * size);
}

bool is_corner_of(std::span<const BodyCell> cells, std::span<SolidProbe> probes, int a, int b, const JointSolid& solid,
                  double thickness) {
  std::optional<SolidProbe> parent;
  if (const auto common = find_common_parts(cells[a], cells[b], 1e-3 * thickness)) parent.emplace(*common, Pose());
  return is_concave_corner(probes, a, b, solid, thickness, parent ? &*parent : nullptr);
}

}  // namespace

CellLayout::CellLayout(std::span<const BodyCell> cells) : num_cells_(static_cast<int>(cells.size())) {
  std::vector<SolidProbe> probes;
  std::vector<Aabb> boxes;
  std::vector<double> volumes;
  for (const BodyCell& cell : cells) {
    volumes.push_back(is_finite(cell.shape) ? calc_volume(cell.shape) : kInfiniteLength);
    probes.emplace_back(cell.shape, cell.X);
    boxes.push_back(calc_aabb(cell.shape, cell.X));
  }
  const double size = calc_size(boxes, cells), thickness = kTouching * size;
  for (int a = 0; a < num_cells_; ++a) {
    for (int b = a + 1; b < num_cells_; ++b) {
      if (!is_finite(cells[a].shape) || !is_finite(cells[b].shape)) continue;
      if (!is_overlapping(inflate(boxes[a], thickness), boxes[b])) continue;
      const double smaller = std::min(volumes[a], volumes[b]);
      std::optional<JointSolid> solid =
          find_joint(cells[a], cells[b], thickness, std::min(size, kLongest * std::cbrt(smaller)));
      if (!solid) continue;
      // The joint holds all that they share: a thin one cannot hold much.
      double shared = 0.0;
      if (solid->moments.mass > kLeastOverlap * smaller) shared = calc_shared_volume(cells[a], cells[b], thickness);
      const bool is_overlap = shared > kLeastOverlap * smaller;
      if (is_overlap) overlaps_.push_back({a, b, shared, shared / smaller});
      const bool is_corner = is_overlap || is_corner_of(cells, probes, a, b, *solid, thickness);
      joints_.push_back({a, b, std::move(*solid), is_corner});
    }
  }
  for (const bool with_corners : {false, true}) {
    Grouping& grouping = with_corners ? connected_ : joined_;
    grouping = make_grouping(cells, with_corners);
    for (int i = 0; i < num_cells_; ++i) {
      if (grouping.leaders[i] != i) continue;
      std::vector<int> group;
      for (int k = i; k < num_cells_; ++k) {
        if (grouping.leaders[k] == i) group.push_back(k);
      }
      grouping.is_convex[i] = is_group_convex(cells, probes, group, size) ? 1 : 0;
    }
  }
}

CellLayout::Grouping CellLayout::make_grouping(std::span<const BodyCell> cells, bool with_corners) const {
  std::vector<int> leaders(cells.size());
  std::iota(leaders.begin(), leaders.end(), 0);
  const auto find = [&leaders](int i) {
    while (leaders[i] != i) i = leaders[i];
    return i;
  };
  for (const CellJoint& joint : joints_) {
    if (joint.is_corner && !with_corners) continue;
    const int a = find(joint.a), b = find(joint.b);
    leaders[std::max(a, b)] = std::min(a, b);
  }
  Grouping grouping{std::vector<int>(cells.size()), std::vector<char>(cells.size(), 0)};
  for (int i = 0; i < num_cells_; ++i) grouping.leaders[i] = find(i);
  return grouping;
}

const CellLayout::Grouping& CellLayout::grouping(CellJoining joining) const {
  return joining == CellJoining::connected ? connected_ : joined_;
}

int CellLayout::leader(int cell, CellJoining joining) const {
  return joining == CellJoining::separate ? cell : grouping(joining).leaders[cell];
}

bool CellLayout::is_convex(int leader, CellJoining joining) const {
  return joining != CellJoining::separate && grouping(joining).is_convex[leader] != 0;
}

}  // namespace abut
