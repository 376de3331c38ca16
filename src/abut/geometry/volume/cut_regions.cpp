#include "abut/geometry/volume/cut_regions.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "abut/geometry/polyhedron/convex_clip.hpp"
#include "abut/geometry/volume/clip_solid.hpp"
#include "abut/geometry/volume/law_border.hpp"

namespace abut {

namespace {

using SharedSolid = std::shared_ptr<const ConvexPolyhedron>;
using Kind = LawBorder::Kind;

/// Polyhedra below this part of the cell's box are rounding where planes meet [1].
constexpr double kLeastVolume = 1e-10;
/// Corners nearer to a plane than this part of the size lie in it [1].
constexpr double kSamePlace = 1e-11;
/// More regions than a field is worth.
constexpr std::size_t kMostRegions = 200;

/// A law as regions see it: of a plane, of a round face or constant.
struct RegionLaw {
  int index = 0;  ///< in DepthField::laws
  FieldLaw law;
  std::optional<Plane> plane;
  bool is_constant = false;
};

/// One of two laws is no less than the other.
struct Comparison {
  const RegionLaw* greater;
  const RegionLaw* less;
};

/// A region in the making.
struct Draft {
  SharedSolid solid;
  std::vector<CellPart> parts;
};

/// A polyhedron in which one flat law, or the greatest depth, is the least of all flat ones; holes that are near.
struct FlatCell {
  SharedSolid solid;
  const RegionLaw* base = nullptr;
  std::vector<std::vector<const RegionLaw*>> groups;
  std::vector<const RegionLaw*> parted;  ///< planes of holes that it has been parted along
};

/// No border that kernels take.
struct UnknownBorder {};

class CutRegionMaker {
 public:
  /// `bend`: b of the planes [1/m]; `cap`: C [m], or infinity.
  CutRegionMaker(const CellFaces& faces, SharedSolid box, double bend, double cap)
      : box_(std::move(box)), bend_(bend), cap_(cap), least_volume_(kLeastVolume * calc_volume(*box_)) {
    for (const CellFace& face : faces.outer) (face.is_flat ? planes_ : rounds_).push_back(add_law(face));
    for (const std::vector<CellFace>& hole : faces.holes) {
      holes_.emplace_back();
      for (const CellFace& face : hole) holes_.back().push_back(add_law(face));
    }
    if (std::isfinite(cap_)) constant_ = add_constant();
    // psi(t) = t + b t^2 = C
    depth_ = std::isfinite(cap_) ? 2.0 * cap_ / (1.0 + std::sqrt(std::max(0.0, 1.0 + 4.0 * bend_ * cap_))) : HUGE_VAL;
  }

  /// False where a border is of no known kind, or there are too many regions.
  bool make(DepthField& field) {
    try {
      for (const RegionLaw* law : planes_) add_flat_cell(law);
      if (constant_ != nullptr || planes_.empty()) add_flat_cell(constant_);
    } catch (const UnknownBorder&) {
      return false;
    }
    if (regions_.empty() || regions_.size() > kMostRegions) return false;
    for (const auto& law : laws_) field.laws.push_back(law->law);
    field.regions = std::move(regions_);
    return true;
  }

 private:
  const RegionLaw* add_law(const CellFace& face) {
    auto law = std::make_unique<RegionLaw>();
    law->index = static_cast<int>(laws_.size());
    law->law = face.law;
    if (face.is_flat) {
      const auto& [n, offset] = face.plane;
      law->plane = face.plane;
      law->law = {offset + bend_ * offset * offset, Vec3(-(1.0 + 2.0 * bend_ * offset) * n),
                  Mat3(2.0 * bend_ * n * n.transpose())};
    }
    laws_.push_back(std::move(law));
    return laws_.back().get();
  }

  const RegionLaw* add_constant() {
    const RegionLaw* law = add_law(CellFace{});
    laws_.back()->law.value = cap_;
    laws_.back()->is_constant = true;
    return law;
  }

  SharedSolid cut(const SharedSolid& solid, std::span<const Plane> planes) const {
    if (solid == nullptr) return nullptr;
    PolyhedronClip clip;
    clip.start(*solid, Pose(), ClipOwner::kA);
    clip.cut(planes, Pose(), ClipOwner::kA);
    if (clip.is_empty() || !(calc_clip_volume(clip).volume > least_volume_)) return nullptr;
    return make_clip_solid(clip);
  }

  /// What of it lies where t_1 >= t_2: depths below planes.
  SharedSolid cut_nearer(const SharedSolid& solid, const Plane& deeper, const Plane& nearer) const {
    const Vec3 difference = deeper.normal - nearer.normal;
    const double rise = deeper.offset - nearer.offset, length = difference.norm();
    if (length < 1e-12) return rise >= 0.0 ? solid : nullptr;
    return cut(solid, std::vector<Plane>{{Vec3(difference / length), rise / length}});
  }

  /// Where the depth below a plane is at least, or at most, so much.
  SharedSolid cut_depth(const SharedSolid& solid, const Plane& plane, double depth, bool is_below) const {
    if (!std::isfinite(depth)) return is_below ? nullptr : solid;
    const double sign = is_below ? 1.0 : -1.0;
    return cut(solid, std::vector<Plane>{{Vec3(sign * plane.normal), sign * (plane.offset - depth)}});
  }

  void add_flat_cell(const RegionLaw* base) {
    FlatCell cell{box_, base, {}, {}};
    for (const RegionLaw* law : planes_) {
      cell.solid = cut_depth(cell.solid, *law->plane, 0.0, true);
      if (base == nullptr || base == law) continue;
      cell.solid = base->is_constant ? cut_depth(cell.solid, *law->plane, depth_, true)
                                     : cut_nearer(cell.solid, *law->plane, *base->plane);
    }
    if (base != nullptr && base->plane) cell.solid = cut_depth(cell.solid, *base->plane, depth_, false);
    for (const RegionLaw* law : rounds_) cell.groups.push_back({law});
    for (const auto& hole : holes_) cell.groups.push_back(hole);
    part_cell(std::move(cell));
  }

  /// Parts a polyhedron along the planes of holes: beside a plane that face of the hole does not count, deeper than C
  /// below it no face of the hole does.
  void part_cell(FlatCell cell) {
    if (cell.solid == nullptr || !leave_out_flat(cell)) return;
    for (std::size_t g = 0; g < cell.groups.size(); ++g) {
      auto& group = cell.groups[g];
      for (std::size_t k = 0; k < group.size(); ++k) {
        const RegionLaw* law = group[k];
        if (!law->plane || std::find(cell.parted.begin(), cell.parted.end(), law) != cell.parted.end()) continue;
        cell.parted.push_back(law);
        FlatCell beside = cell, below = cell;
        beside.solid = cut_depth(cell.solid, *law->plane, 0.0, false);
        beside.groups[g].erase(beside.groups[g].begin() + static_cast<std::ptrdiff_t>(k));
        below.solid = cut_depth(cell.solid, *law->plane, depth_, true);
        below.groups.erase(below.groups.begin() + static_cast<std::ptrdiff_t>(g));
        cell.solid = cut_depth(cut_depth(cell.solid, *law->plane, 0.0, true), *law->plane, depth_, false);
        part_cell(std::move(beside));
        part_cell(std::move(below));
        part_cell(std::move(cell));
        return;
      }
    }
    if (leave_out_far(cell)) add_regions(cell);
  }

  /// Leaves out holes that have a plane farther away than the base all over the polyhedron, and planes that it lies
  /// beside. False where nothing of it is solid.
  bool leave_out_flat(FlatCell& cell) const {
    const auto find_least = [&cell](const auto& depth) {
      double least = HUGE_VAL;
      for (const Vec3& vertex : cell.solid->vertices()) least = std::min(least, depth(vertex));
      return least;
    };
    const double rounding = kSamePlace * cell.solid->radius();
    for (auto& group : cell.groups) {
      bool is_far = false;
      std::erase_if(group, [&](const RegionLaw* law) {
        if (!law->plane) return false;
        const auto depth = [law](const Vec3& x) { return law->plane->offset - law->plane->normal.dot(x); };
        if (find_least(depth) >= depth_ - rounding) is_far = true;
        if (cell.base != nullptr && cell.base->plane) {
          const Plane& base = *cell.base->plane;
          const auto beyond = [&](const Vec3& x) { return depth(x) - (base.offset - base.normal.dot(x)); };
          is_far = is_far || find_least(beyond) >= -rounding;
        }
        return find_least([&depth](const Vec3& x) { return -depth(x); }) >= -rounding;
      });
      if (group.empty() && !is_far) return false;
      if (is_far) group.clear();
    }
    std::erase_if(cell.groups, [](const auto& group) { return group.empty(); });
    return true;
  }

  /// Leaves out round faces that are farther away than C, and those that the polyhedron lies outside of. False where
  /// nothing of it is solid.
  bool leave_out_far(FlatCell& cell) const {
    for (auto& group : cell.groups) {
      bool is_far = false;
      std::erase_if(group, [&](const RegionLaw* law) {
        if (law->plane) return false;
        if (constant_ != nullptr && find_border(law->law - constant_->law, *cell.solid).kind == Kind::everywhere)
          is_far = true;
        return find_border(law->law, *cell.solid).kind == Kind::nowhere;
      });
      if (group.empty()) return false;
      if (is_far) group.clear();
    }
    std::erase_if(cell.groups, [](const auto& group) { return group.empty(); });
    return true;
  }

  void add_regions(const FlatCell& cell) {
    if (cell.base != nullptr) {
      std::vector<std::vector<Comparison>> clauses;
      for (const auto& group : cell.groups) clauses.push_back(make_clause(group, *cell.base));
      narrow({cell.solid, {}}, clauses, 0, *cell.base);
    }
    for (const auto& own : cell.groups) {
      for (const RegionLaw* law : own) {
        std::vector<std::vector<Comparison>> clauses{{{law, &zero_}}};
        if (cell.base != nullptr) clauses.push_back({{cell.base, law}});
        for (const RegionLaw* other : own) {
          if (other != law) clauses.push_back({{law, other}});
        }
        for (const auto& group : cell.groups) {
          if (&group != &own) clauses.push_back(make_clause(group, *law));
        }
        narrow({cell.solid, {}}, clauses, 0, *law);
      }
    }
  }

  static std::vector<Comparison> make_clause(const std::vector<const RegionLaw*>& group, const RegionLaw& law) {
    std::vector<Comparison> clause;
    for (const RegionLaw* member : group) clause.push_back({member, &law});
    return clause;
  }

  /// Of each clause one comparison at least is true: the first, or the second where the first is not, and so on.
  void narrow(Draft draft, std::span<const std::vector<Comparison>> clauses, std::size_t next, const RegionLaw& law) {
    if (next == clauses.size()) {
      Shape shape = Polyhedron{draft.solid};
      if (!draft.parts.empty()) {
        auto parts = std::make_shared<CellParts>();
        parts->list.push_back({shape, Pose(), false});
        parts->list.insert(parts->list.end(), draft.parts.begin(), draft.parts.end());
        shape = CutShape{parts};
      }
      regions_.push_back({shape, law.index});
      return;
    }
    for (const Comparison& comparison : clauses[next]) {
      Draft narrower = draft;
      if (apply(comparison, narrower)) narrow(std::move(narrower), clauses, next + 1, law);
      if (&comparison != &clauses[next].back() && !apply({comparison.less, comparison.greater}, draft)) return;
    }
  }

  /// False where nothing is left.
  bool apply(const Comparison& comparison, Draft& draft) const {
    const auto& [greater, less] = comparison;
    if (greater->plane && less->plane) {
      draft.solid = cut_nearer(draft.solid, *greater->plane, *less->plane);
      return draft.solid != nullptr;
    }
    // Planes that count here are nowhere deeper than C, nor below zero.
    if (greater->plane && less->is_constant) return less->law.value <= 0.0;
    if (less->plane && greater->is_constant) return greater->law.value > 0.0;
    const LawBorder border = find_border(greater->law - less->law, *draft.solid);
    if (border.kind == Kind::unknown) throw UnknownBorder();
    if (border.kind == Kind::quadric) draft.parts.push_back(border.part);
    if (border.kind == Kind::plane) draft.solid = cut(draft.solid, std::vector<Plane>{border.plane});
    return border.kind != Kind::nowhere && draft.solid != nullptr;
  }

  SharedSolid box_;
  double bend_, cap_, depth_ = 0.0, least_volume_;
  std::vector<std::unique_ptr<RegionLaw>> laws_;
  std::vector<const RegionLaw*> planes_, rounds_;
  std::vector<std::vector<const RegionLaw*>> holes_;
  const RegionLaw* constant_ = nullptr;
  const RegionLaw zero_{0, {}, std::nullopt, true};
  std::vector<FieldRegion> regions_;
};

}  // namespace

bool make_cut_regions(const CellFaces& faces, std::shared_ptr<const ConvexPolyhedron> box, double bend, double cap,
                      DepthField& field) {
  return CutRegionMaker(faces, std::move(box), bend, cap).make(field);
}

}  // namespace abut
