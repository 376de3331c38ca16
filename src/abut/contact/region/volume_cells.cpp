#include "abut/contact/region/volume_cells.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "abut/geometry/volume/cell_layout.hpp"

namespace abut {

namespace {

/// Joint of two different cells of one side, -1 where they have none that counts.
int find_joint(const VolumeCells& side, int cell, int other) {
  const auto [low, high] = std::minmax(cell, other);
  const std::vector<CellJoint>& joints = side.layout->joints();
  for (std::size_t k = 0; k < joints.size(); ++k) {
    if (joints[k].a != low || joints[k].b != high) continue;
    return joints[k].is_corner && side.joining == CellJoining::joined ? -1 : static_cast<int>(k);
  }
  return -1;
}

/// A patch on a body of so many faces lies below many of them, each of which would have to be cut out [1]. Where the
/// other body carries as well, it does so alone.
constexpr std::size_t kManyFaces = 64;

bool is_dear(const DepthField& field) { return field.solids.size() == 1 && field.solids[0].planes.size() > kManyFaces; }

/// What a look at a cell's field takes: each region is a volume of interference of its own, of the more quadrics the
/// dearer. Zero for other fields.
std::size_t count_quadrics(const DepthField& field) {
  std::size_t count = 0;
  for (const FieldRegion& region : field.regions) {
    const auto* cut = std::get_if<CutShape>(&region.shape);
    if (cut != nullptr) count += cut->parts->list.size();
  }
  return count;
}

/// Regions of several quadrics against a mesh are summed over its tetrahedra, a tenth of a millisecond for each that
/// they meet [docs/theory/volume-curved.md]. Up to so many triangles that is some milliseconds a look and worth it;
/// beyond, where it would be seconds, such a field does not carry, and the pair is one without. Chosen, not derived.
constexpr std::size_t kManyTriangles = 500;

std::size_t count_triangles(const Shape& shape) {
  if (const auto* mesh = std::get_if<Mesh>(&shape)) return mesh->solid->triangles().size();
  const auto* torus = std::get_if<Torus>(&shape);
  return torus == nullptr || torus->facets == nullptr ? 0 : torus->facets->triangles().size();
}

bool is_out_of_reach(const DepthField& field, const Shape& other) {
  if (count_triangles(other) <= kManyTriangles) return false;
  return std::any_of(field.regions.begin(), field.regions.end(), [](const FieldRegion& region) {
    const auto* cut = std::get_if<CutShape>(&region.shape);
    return cut != nullptr && cut->parts->list.size() > 2;  // a polyhedron and one quadric
  });
}

/// How well a field stands for the depth. Those whose slope differs from one carry only where no better one is; that
/// of a cone, soft at its tip, only beside another one. Cells of many regions are dear, and carry where both others
/// would not do.
enum class FieldQuality { none, soft, cut, uneven, full };

FieldQuality judge_field(const DepthField& field, const Shape& shape) {
  if (!field.exists()) return FieldQuality::none;
  if (field.is_cut()) return FieldQuality::cut;
  if (std::holds_alternative<Cone>(shape)) return FieldQuality::soft;
  const auto* ellipsoid = std::get_if<Ellipsoid>(&shape);
  if (ellipsoid != nullptr && ellipsoid->semi_axes.maxCoeff() > (1.0 + 1e-9) * ellipsoid->semi_axes.minCoeff())
    return FieldQuality::uneven;
  return FieldQuality::full;
}

bool may_carry(FieldQuality own, FieldQuality other) {
  if (own == FieldQuality::none || (other == FieldQuality::full && own != FieldQuality::full)) return false;
  if (own == FieldQuality::cut) return other != FieldQuality::uneven;
  return own != FieldQuality::soft || (other != FieldQuality::none && other != FieldQuality::cut);
}

bool are_spheres_apart(const Collider& a, const Pose& X_WA, const Collider& b, const Pose& X_WB) {
  const double reach = a.bounding_radius + b.bounding_radius;
  return (X_WA * a.X_LS.p - X_WB * b.X_LS.p).squaredNorm() > reach * reach;
}

}  // namespace

VolumeCells make_volume_cells(const std::vector<Collider>& colliders, int leader, CellJoining joining) {
  const Collider& first = colliders[leader];
  VolumeCells cells{{&first}, first.layout.get(), joining, false};
  if (first.layout == nullptr || joining == CellJoining::separate) {
    cells.joining = CellJoining::separate;
    cells.is_convex = !may_have_several_pieces(first.shape);
    return cells;
  }
  cells.is_convex = first.layout->is_convex(first.cell, joining);
  // The cells of a link stand together, in their order.
  for (std::size_t i = leader + 1; i < colliders.size() && colliders[i].link == first.link; ++i) {
    if (first.layout->leader(colliders[i].cell, joining) == first.cell) cells.list.push_back(&colliders[i]);
  }
  return cells;
}

bool may_have_several_pieces(const VolumeCells& a, const VolumeCells& b) { return !a.is_convex || !b.is_convex; }

CellInterference::CellInterference(VolumeCells a, VolumeCells b, double relative_error, bool with_field)
    : a_(std::move(a)), b_(std::move(b)), relative_error_(relative_error) {
  for (const Collider* cell_a : a_.list) {
    for (const Collider* cell_b : b_.list) {
      const double radius = std::min(cell_a->bounding_radius, cell_b->bounding_radius);
      pairs_.push_back({cell_a, cell_b, cell_a->cell, cell_b->cell, ApartWatch(radius),
                        Interference::make(cell_a->shape, cell_b->shape, {.relative_error = relative_error}),
                        std::nullopt, std::nullopt, 0.0});
      if (with_field) set_carriers(pairs_.back());
    }
  }
}

void CellInterference::set_carriers(CellPair& pair) const {
  const auto field_of = [](const Collider& collider) {
    return collider.field != nullptr ? collider.field
                                     : std::make_shared<const DepthField>(make_depth_field(collider.shape));
  };
  const auto field_a = field_of(*pair.a), field_b = field_of(*pair.b);
  const FieldQuality quality_a = judge_field(*field_a, pair.a->shape), quality_b = judge_field(*field_b, pair.b->shape);
  const bool has_a = may_carry(quality_a, quality_b) && !is_out_of_reach(*field_a, pair.b->shape);
  const bool has_b = may_carry(quality_b, quality_a) && !is_out_of_reach(*field_b, pair.a->shape);
  const bool is_dear_a = has_a && is_dear(*field_a), is_dear_b = has_b && is_dear(*field_b);
  pair.share = has_a && has_b ? calc_carrier_share(field_a->thickness, field_b->thickness) : (has_b ? 1.0 : 0.0);
  if (has_a && has_b && is_dear_a != is_dear_b) pair.share = is_dear_a ? 1.0 : 0.0;
  // Of two cells about as thick the one with less to cut carries alone.
  const std::size_t cost_a = count_quadrics(*field_a), cost_b = count_quadrics(*field_b);
  const bool carry_both = has_a && has_b && pair.share > 0.0 && pair.share < 1.0;
  if (carry_both && field_a->is_cut() && field_b->is_cut() && cost_a != cost_b)
    pair.share = cost_a > cost_b ? 1.0 : 0.0;
  if (has_a && pair.share < 1.0) pair.field_a.emplace(field_a, *pair.a, *pair.b, relative_error_);
  if (has_b && pair.share > 0.0) pair.field_b.emplace(field_b, *pair.b, *pair.a, relative_error_);
}

bool CellInterference::has_field() const {
  return std::all_of(pairs_.begin(), pairs_.end(),
                     [](const CellPair& pair) { return pair.field_a.has_value() || pair.field_b.has_value(); });
}

/// The wrench on A of the parts that a pair of cells has given last.
void CellInterference::add_wrenches(CellPair& pair, const Pose& X_WSa, const Pose& X_WSb,
                                    std::span<const VolumeMetrics> parts) {
  const std::size_t first = part_wrenches_.size();
  for (const VolumeMetrics& part : parts) {
    part_wrenches_.emplace_back();
    part_wrenches_.back().point = part.centroid;
  }
  const std::span<FieldWrench> own = std::span(part_wrenches_).subspan(first);
  const PolyhedronClip* clip = pair.interference.clip_found();
  if (pair.field_a) {
    pair.field_a->add(X_WSa, X_WSb, parts, clip, 1.0 - pair.share, own);
    for (FieldWrench& wrench : own) wrench.force = -wrench.force, wrench.torque = -wrench.torque;
  }
  if (pair.field_b) pair.field_b->add(X_WSb, X_WSa, parts, clip, pair.share, own);
}

namespace {

/// Pose of the smaller collider in the frame of the other, for the watch.
Pose calc_watched_pose(const Collider& a, const Pose& X_WSa, const Collider& b, const Pose& X_WSb) {
  return a.bounding_radius <= b.bounding_radius ? X_WSb.inverse() * X_WSa : X_WSa.inverse() * X_WSb;
}

}  // namespace

bool CellInterference::is_known_apart(CellPair& pair, const Pose& X_WA, const Pose& X_WB) const {
  return pair.watch.is_apart(
      calc_watched_pose(*pair.a, calc_collider_pose(*pair.a, X_WA), *pair.b, calc_collider_pose(*pair.b, X_WB)));
}

void CellInterference::note_apart(CellPair& pair, const Pose& X_WA, const Pose& X_WB) {
  if (!pair.watch.wants_distance()) return;
  const Pose X_WSa = calc_collider_pose(*pair.a, X_WA), X_WSb = calc_collider_pose(*pair.b, X_WB);
  pair.watch.note(calc_watched_pose(*pair.a, X_WSa, *pair.b, X_WSb),
                  pair.interference.calc_separation(X_WSa, X_WSb).distance);
}

void CellInterference::calc(const Pose& X_WA, const Pose& X_WB, Gaps gaps, std::vector<VolumeMetrics>& pieces,
                            std::vector<FieldWrench>* wrenches) {
  parts_.clear();
  part_wrenches_.clear();
  for (std::size_t k = 0; k < pairs_.size(); ++k) {
    CellPair& pair = pairs_[k];
    const bool is_bounded = std::isfinite(std::min(pair.a->bounding_radius, pair.b->bounding_radius));
    const bool can_watch = gaps == Gaps::sign && is_bounded;
    if (can_watch && is_known_apart(pair, X_WA, X_WB)) continue;
    found_.clear();
    const Pose X_WSa = calc_collider_pose(*pair.a, X_WA), X_WSb = calc_collider_pose(*pair.b, X_WB);
    if (!are_spheres_apart(*pair.a, X_WA, *pair.b, X_WB)) pair.interference.calc(X_WSa, X_WSb, found_);
    if (found_.empty() && can_watch) note_apart(pair, X_WA, X_WB);
    for (const VolumeMetrics& metrics : found_) {
      parts_.push_back({static_cast<int>(k), metrics});
    }
  }
  connected_parts_.reset(static_cast<int>(parts_.size()));
  // Before the parts are connected: what the pairs clipped last is theirs still.
  if (wrenches != nullptr) add_part_wrenches(X_WA, X_WB);
  if (pairs_.size() > 1) connect(X_WA, X_WB);
  pieces.clear();
  piece_of_part_.resize(parts_.size());
  for (int i = 0; i < static_cast<int>(parts_.size()); ++i) {
    const int first = connected_parts_.find(i);
    if (first == i) {
      piece_of_part_[i] = static_cast<int>(pieces.size());
      pieces.push_back(parts_[i].metrics);
    } else {
      piece_of_part_[i] = piece_of_part_[first];
      pieces[piece_of_part_[i]] = join(pieces[piece_of_part_[i]], parts_[i].metrics);
    }
  }
  if (wrenches != nullptr) sum_wrenches(*wrenches);
}

void CellInterference::calc_wrenches(const Pose& X_WA, const Pose& X_WB, std::vector<FieldWrench>& wrenches) {
  add_part_wrenches(X_WA, X_WB);
  sum_wrenches(wrenches);
}

/// Parts of one pair of cells stand together.
void CellInterference::add_part_wrenches(const Pose& X_WA, const Pose& X_WB) {
  part_wrenches_.clear();
  for (std::size_t i = 0; i < parts_.size();) {
    const int index = parts_[i].pair;
    found_.clear();
    for (; i < parts_.size() && parts_[i].pair == index; ++i) found_.push_back(parts_[i].metrics);
    CellPair& pair = pairs_[index];
    add_wrenches(pair, calc_collider_pose(*pair.a, X_WA), calc_collider_pose(*pair.b, X_WB), found_);
  }
}

void CellInterference::sum_wrenches(std::vector<FieldWrench>& wrenches) const {
  wrenches.clear();
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    const std::size_t piece = static_cast<std::size_t>(piece_of_part_[i]);
    if (piece == wrenches.size()) {
      wrenches.push_back(part_wrenches_[i]);
    } else {
      wrenches[piece].add(part_wrenches_[i]);
    }
  }
}

/// First across one joint at a time; across joints of both sides at once only what is left, where the joints lie in one
/// plane: else there would be a way around.
void CellInterference::connect(const Pose& X_WA, const Pose& X_WB) {
  const int n = static_cast<int>(parts_.size());
  if (a_.is_convex && b_.is_convex) {
    for (int i = 1; i < n; ++i) connected_parts_.join(0, i);
    return;
  }
  for (const bool both_sides : {false, true}) {
    for (int i = 0; i < n; ++i) {
      for (int j = i + 1; j < n; ++j) {
        if (connected_parts_.find(i) != connected_parts_.find(j)) connect_across(i, j, both_sides, X_WA, X_WB);
      }
    }
  }
}

void CellInterference::connect_across(int i, int j, bool both_sides, const Pose& X_WA, const Pose& X_WB) {
  const CellPair &p = pairs_[parts_[i].pair], &q = pairs_[parts_[j].pair];
  const bool is_same_a = p.cell_a == q.cell_a, is_same_b = p.cell_b == q.cell_b;
  if ((is_same_a || is_same_b) == both_sides || (is_same_a && is_same_b)) return;
  Crossing crossing;
  if (!is_same_a && (crossing.joint_a = find_joint(a_, p.cell_a, q.cell_a)) < 0) return;
  if (!is_same_b && (crossing.joint_b = find_joint(b_, p.cell_b, q.cell_b)) < 0) return;
  for (const VolumeMetrics& place : cross(i, crossing, X_WA, X_WB)) {
    const int from = find_part_at(parts_[i].pair, place.centroid), to = find_part_at(parts_[j].pair, place.centroid);
    connected_parts_.join(from, to);
  }
}

const std::vector<VolumeMetrics>& CellInterference::cross(int i, const Crossing& crossing, const Pose& X_WA,
                                                          const Pose& X_WB) {
  const CellPair& p = pairs_[parts_[i].pair];
  const JointSolid* joint_a = crossing.joint_a < 0 ? nullptr : &a_.layout->joints()[crossing.joint_a].solid;
  const JointSolid* joint_b = crossing.joint_b < 0 ? nullptr : &b_.layout->joints()[crossing.joint_b].solid;
  const std::tuple key(crossing.joint_a, crossing.joint_b, joint_a ? -1 : p.cell_a, joint_b ? -1 : p.cell_b);
  auto found = crossings_.find(key);
  if (found == crossings_.end()) {
    found = crossings_
                .emplace(key, Interference::make(joint_a ? joint_a->shape : p.a->shape,
                                                 joint_b ? joint_b->shape : p.b->shape,
                                                 {.relative_error = std::max(relative_error_, 1e-3)}))
                .first;
  }
  found->second.calc(joint_a ? X_WA * joint_a->X : calc_collider_pose(*p.a, X_WA),
                     joint_b ? X_WB * joint_b->X : calc_collider_pose(*p.b, X_WB), found_);
  return found_;
}

/// The piece of a pair of cells that a point belongs to: exact where there is one, by the moments of the pieces where
/// the cells are not convex and there are several.
int CellInterference::find_part_at(int pair, const Vec3& point) const {
  int best = -1;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    if (parts_[i].pair != pair) continue;
    const double remoteness = calc_remoteness(parts_[i].metrics, point);
    if (best < 0 || remoteness < least) std::tie(best, least) = std::pair(static_cast<int>(i), remoteness);
  }
  return best;
}

SeparationBound CellInterference::calc_separation(const Pose& X_WA, const Pose& X_WB) {
  SeparationBound least{std::numeric_limits<double>::infinity(), true};
  for (CellPair& pair : pairs_) {
    const Pose X_WSa = calc_collider_pose(*pair.a, X_WA), X_WSb = calc_collider_pose(*pair.b, X_WB);
    const SeparationBound bound = pair.interference.calc_separation(X_WSa, X_WSb);
    pair.watch.note(calc_watched_pose(*pair.a, X_WSa, *pair.b, X_WSb), bound.distance);
    if (bound.distance < least.distance) least = bound;
  }
  return least;
}

double CellInterference::calc_distance_left(const Pose& X_WA, const Pose& X_WB) const {
  double least = std::numeric_limits<double>::infinity();
  for (const CellPair& pair : pairs_) {
    if (!std::isfinite(std::min(pair.a->bounding_radius, pair.b->bounding_radius))) return 0.0;
    const double left = pair.watch.calc_left(
        calc_watched_pose(*pair.a, calc_collider_pose(*pair.a, X_WA), *pair.b, calc_collider_pose(*pair.b, X_WB)));
    if (!pair.watch.lasts(left)) return 0.0;
    least = std::min(least, left);
  }
  return least;
}

void CellInterference::calc_samples(const Pose& X_WA, const Pose& X_WB, int detail,
                                    std::vector<std::vector<VolumeSample>>& samples) {
  for (std::vector<VolumeSample>& list : samples) list.clear();
  std::vector<VolumeSample> own;
  for (std::size_t k = 0; k < parts_.size(); ++k) {
    const int pair = parts_[k].pair;
    if (k > 0 && parts_[k - 1].pair == pair) continue;
    CellPair& cells = pairs_[pair];
    cells.interference.calc_samples(calc_collider_pose(*cells.a, X_WA), calc_collider_pose(*cells.b, X_WB), detail,
                                    own);
    const bool is_alone = k + 1 == parts_.size() || parts_[k + 1].pair != pair;
    for (const VolumeSample& sample : own) {
      const int part = is_alone ? static_cast<int>(k) : find_part_at(pair, sample.point);
      const std::size_t piece = static_cast<std::size_t>(piece_of_part_[part]);
      if (samples.size() <= piece) samples.resize(piece + 1);
      samples[piece].push_back(sample);
    }
  }
}

}  // namespace abut
