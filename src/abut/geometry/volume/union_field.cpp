#include "abut/geometry/volume/union_field.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <utility>

#include "abut/geometry/polyhedron/convex_clip.hpp"
#include "abut/geometry/volume/cell_layout.hpp"
#include "abut/geometry/volume/clip_solid.hpp"
#include "abut/math/union_find.hpp"

namespace abut {

namespace {

/// Faces of cells that meet agree to this part of the body's size, as joints do [1].
constexpr double kSamePlane = 1e-6;
/// Volumes that are equal but for such gaps [1].
constexpr double kSameVolume = 1e-5;
/// Signed solids that a body may need; one with more has a field for each cell.
constexpr std::size_t kMostSolids = 200;

using SharedSolid = std::shared_ptr<const ConvexPolyhedron>;

struct SignedSolid {
  double sign = 1.0;
  SharedSolid solid;
};

Plane to_frame(const Plane& plane, const Pose& X_PF) {
  const Vec3 normal = X_PF.R.transpose() * plane.normal;
  return {normal, plane.offset - plane.normal.dot(X_PF.p)};
}

SharedSolid place(const ConvexPolyhedron& solid, const Pose& X) {
  std::vector<Vec3> corners;
  for (const Vec3& vertex : solid.vertices()) corners.push_back(X * vertex);
  return std::make_shared<const ConvexPolyhedron>(make_convex_hull(corners));
}

/// What of a solid lies inside all planes; null where that is nothing.
SharedSolid cut(const ConvexPolyhedron& solid, std::span<const Plane> planes, double least_volume) {
  PolyhedronClip clip;
  clip.start(solid, Pose(), ClipOwner::kA);
  clip.cut(planes, Pose(), ClipOwner::kA);
  if (clip.is_empty() || !(calc_clip_metrics(clip).volume > least_volume)) return nullptr;
  return make_clip_solid(clip);
}

double calc_common(const ConvexPolyhedron& a, const ConvexPolyhedron& b) {
  PolyhedronClip clip;
  return calc_clip_metrics(a, Pose(), b, Pose(), clip).volume;
}

bool are_equal(const ConvexPolyhedron& a, const ConvexPolyhedron& b) {
  const double volume = calc_volume(a), other = calc_volume(b);
  return std::abs(volume - other) <= kSameVolume * volume && calc_common(a, b) >= (1.0 - 2.0 * kSameVolume) * volume;
}

/// The flat cells of a body that share faces, and the solids that make up their field, in the body's frame.
class UnionMaker {
 public:
  UnionMaker(std::vector<SharedSolid> members, double size) : members_(std::move(members)), size_(size) {
    for (const SharedSolid& member : members_) {
      least_volume_ = std::max(least_volume_, 1e-9 * calc_volume(*member));
      for (const Vec3& v : member->vertices()) {
        lower_ = lower_.cwiseMin(v);
        upper_ = upper_.cwiseMax(v);
      }
    }
    const Vec3 half = 0.5 * (upper_ - lower_) + Vec3::Constant(size_);
    about_ = place(make_box_polyhedron(half), Pose(Mat3::Identity(), Vec3(0.5 * (upper_ + lower_))));
  }

  /// Empty where too many solids would be needed.
  std::vector<SignedSolid> make() {
    for (const SharedSolid& member : members_) add_solid(*grow(member));
    for (std::size_t a = 0; a < members_.size(); ++a) {
      for (std::size_t b = a + 1; b < members_.size(); ++b) {
        if (const SharedSolid across = find_across(*members_[a], *members_[b])) add_solid(*grow(across));
      }
    }
    std::vector<SignedSolid> list;
    for (const SharedSolid& solid : solids_) {
      const std::size_t count = list.size();
      for (std::size_t i = 0; i < count; ++i) {
        if (const SharedSolid common = cut(*list[i].solid, solid->planes(), least_volume_))
          merge(-list[i].sign, common, list);
      }
      merge(1.0, solid, list);
      std::erase_if(list, [](const SignedSolid& entry) { return entry.sign == 0.0; });
      if (list.size() > kMostSolids) return {};
    }
    return list;
  }

 private:
  void add_solid(const ConvexPolyhedron& solid) {
    for (const SharedSolid& known : solids_) {
      if (calc_common(*known, solid) >= (1.0 - kSameVolume) * calc_volume(solid)) return;  // holds it
    }
    std::erase_if(solids_, [&](const SharedSolid& known) {
      return calc_common(*known, solid) >= (1.0 - kSameVolume) * calc_volume(*known);
    });
    solids_.push_back(std::make_shared<const ConvexPolyhedron>(solid));
  }

  static void merge(double sign, const SharedSolid& solid, std::vector<SignedSolid>& list) {
    for (SignedSolid& entry : list) {
      if (!are_equal(*entry.solid, *solid)) continue;
      entry.sign += sign;
      return;
    }
    list.push_back({sign, solid});
  }

  bool is_inside(const ConvexPolyhedron& solid) const {
    double common = 0.0;
    for (const SharedSolid& member : members_) common += calc_common(*member, solid);
    return common >= (1.0 - kSameVolume) * calc_volume(solid);
  }

  /// Across the face in which two cells meet: a point of it on either side is in one of them.
  SharedSolid find_across(const ConvexPolyhedron& a, const ConvexPolyhedron& b) const {
    for (const Plane& p : a.planes()) {
      for (const Plane& q : b.planes()) {
        if ((p.normal + q.normal).norm() > kSamePlane || std::abs(p.offset + q.offset) > 2.0 * kSamePlane * size_)
          continue;
        std::vector<Plane> planes;
        for (const Plane& plane : a.planes()) {
          if (&plane != &p) planes.push_back(plane);
        }
        for (const Plane& plane : b.planes()) {
          if (&plane != &q) planes.push_back(plane);
        }
        SharedSolid across = cut(*about_, planes, least_volume_);
        if (across != nullptr && is_inside(*across)) return across;
      }
    }
    return nullptr;
  }

  /// Moves each face out to the next parallel one of the body, again and again, while the solid stays inside it.
  SharedSolid grow(SharedSolid solid) const {
    for (bool has_grown = true; has_grown;) {
      has_grown = false;
      for (std::size_t i = 0; i < solid->planes().size() && !has_grown; ++i) {
        const std::optional<double> next = find_next(solid->planes()[i]);
        if (!next) continue;
        std::vector<Plane> planes = solid->planes();
        planes[i].offset = *next;
        SharedSolid larger = cut(*about_, planes, least_volume_);
        if (larger == nullptr || !is_inside(*larger)) continue;
        solid = larger;
        has_grown = true;
      }
    }
    return solid;
  }

  std::optional<double> find_next(const Plane& plane) const {
    std::optional<double> next;
    for (const SharedSolid& member : members_) {
      for (const Plane& other : member->planes()) {
        if ((other.normal - plane.normal).norm() > kSamePlane) continue;
        if (other.offset > plane.offset + 10.0 * kSamePlane * size_ && (!next || other.offset < *next))
          next = other.offset;
      }
    }
    return next;
  }

  std::vector<SharedSolid> members_;
  double size_;
  double least_volume_ = 0.0;
  Vec3 lower_ = Vec3::Constant(HUGE_VAL), upper_ = Vec3::Constant(-HUGE_VAL);
  SharedSolid about_;
  std::vector<SharedSolid> solids_;
};

/// Groups of flat cells that share faces and no volume, as lists of cells.
std::vector<std::vector<int>> find_flat_groups(std::span<const DepthField> fields, const CellLayout& layout) {
  const int n = static_cast<int>(fields.size());
  UnionFind sets(n);
  std::vector<char> is_apt(fields.size());
  for (int i = 0; i < n; ++i) is_apt[i] = fields[i].polyhedron != nullptr ? 1 : 0;
  for (const CellOverlap& overlap : layout.overlaps()) is_apt[overlap.a] = is_apt[overlap.b] = 0;
  for (const CellJoint& joint : layout.joints()) {
    if (is_apt[joint.a] != 0 && is_apt[joint.b] != 0) sets.join(joint.a, joint.b);
  }
  std::vector<std::vector<int>> groups;
  for (int i = 0; i < n; ++i) {
    std::vector<int> group;
    for (int k = i; k < n && sets.find(i) == i; ++k) {
      if (sets.find(k) == i) group.push_back(k);
    }
    if (group.size() > 1) groups.push_back(std::move(group));
  }
  return groups;
}

/// The cells of a group, those that are convex together as one.
std::vector<SharedSolid> list_members(std::span<const BodyCell> cells, std::span<const DepthField> fields,
                                      const CellLayout& layout, const std::vector<int>& group) {
  std::vector<SharedSolid> members;
  for (const int i : group) {
    const int leader = layout.leader(i, CellJoining::joined);
    const bool is_convex = layout.is_convex(leader, CellJoining::joined);
    if (is_convex && leader != i) continue;
    std::vector<Vec3> corners;
    for (const int k : group) {
      if (k != i && !(is_convex && layout.leader(k, CellJoining::joined) == leader)) continue;
      for (const Vec3& vertex : fields[k].polyhedron->vertices()) corners.push_back(cells[k].X * vertex);
    }
    members.push_back(std::make_shared<const ConvexPolyhedron>(make_convex_hull(corners)));
  }
  return members;
}

double calc_size(std::span<const SharedSolid> members) {
  Vec3 lower = Vec3::Constant(HUGE_VAL), upper = -lower;
  for (const SharedSolid& member : members) {
    for (const Vec3& v : member->vertices()) lower = lower.cwiseMin(v), upper = upper.cwiseMax(v);
  }
  return 0.5 * (upper - lower).norm();
}

}  // namespace

std::vector<DepthField> make_body_fields(std::span<const BodyCell> cells, const CellLayout& layout) {
  std::vector<DepthField> fields;
  double thickness = 0.0;
  for (const BodyCell& cell : cells) {
    fields.push_back(make_depth_field(cell.shape));
    thickness = std::max(thickness, fields.back().thickness);
  }
  for (const std::vector<int>& group : find_flat_groups(fields, layout)) {
    std::vector<SharedSolid> members = list_members(cells, fields, layout, group);
    const double size = calc_size(members);
    const std::vector<SignedSolid> solids =
        members.size() == 1 ? std::vector<SignedSolid>{{1.0, members[0]}} : UnionMaker(std::move(members), size).make();
    if (solids.empty()) continue;
    for (const SignedSolid& entry : solids)
      thickness = std::max(thickness, calc_inner_radius(*entry.solid, entry.solid->planes()));
    for (const int i : group) {
      const SharedSolid cell = place(*fields[i].polyhedron, cells[i].X);
      const double least = 1e-9 * calc_volume(*cell);
      fields[i].solids.clear();
      for (const SignedSolid& entry : solids) {
        if (!(calc_common(*entry.solid, *cell) > least)) continue;
        FieldSolid own{entry.sign, {}};
        for (const Plane& plane : entry.solid->planes()) own.planes.push_back(to_frame(plane, cells[i].X));
        fields[i].solids.push_back(std::move(own));
      }
    }
  }
  for (DepthField& field : fields) field.thickness = thickness;
  return fields;
}

}  // namespace abut
