#include "abut/geometry/volume/mesh_region.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace abut {
namespace {

constexpr int kNone = -1;
/// Whether a part of a cone's surface with this boundary holds the apex: then the boundary goes once around the axis.
/// Where the apex lies in a face of the flats, only the boundary that was found for it tells on which side it counts.
bool goes_around(const std::vector<CurveNode>& boundary) {
  double turn = 0.0;
  for (const CurveNode& node : boundary) {
    const double square = node.x.head<2>().squaredNorm();
    if (square > 0.0) turn += (node.x.x() * node.dx.y() - node.x.y() * node.dx.x()) / square;
  }
  return std::abs(turn) > std::numbers::pi;
}

}  // namespace

bool MeshRegion::calc(const Region& region, bool is_joinable, std::vector<RegionPiece>& pieces) {
  boundary_.find(region);
  joint_.reset();
  bool is_apex_in = false;
  source_node_ = kNone;
  if (boundary_.has_quadric()) {
    is_apex_in =
        boundary_.quadric().kind == QuadricKind::cone && !boundary_.arcs.empty() && goes_around(boundary_.nodes);
    joint_.emplace(boundary_.quadric(), boundary_.nodes, is_apex_in);
    if (joint_->has_source() && boundary_.is_inside_flats(joint_->source())) source_node_ = boundary_.add_node();
  }
  join_surfaces();
  find_sums(is_apex_in);
  for (const FlatElement& flat : boundary_.flats) add_flat(flat, sum_of(flat.node));
  for (const ArcElement& arc : boundary_.arcs) add_arc(arc, sum_of(arc.node));
  for (Sum& sum : sums_) add_source(sum);
  last_.clear();
  if (!is_closed()) return false;
  attach_cavities();
  for (Sum& sum : sums_) {
    if (!(sum.moments.volume > kVolumeRounding * boundary_.coordinates() * sum.surface)) continue;
    sum.piece = static_cast<int>(last_.size());
    last_.push_back(make_piece(sum));
    last_.back().is_mesh = true;
  }
  if (is_joinable) add_joints();
  pieces.insert(pieces.end(), last_.begin(), last_.end());
  return true;
}

void MeshRegion::add_joints() {
  for (const PlaneElement& element : boundary_.plane_elements) {
    const int piece = sum_of(element.node).piece;
    if (piece >= 0) last_[piece].surface_points.push_back(boundary_.frame().from_unit(element.p));
  }
  // A rim without corners has its nodes, which are the same from both sides.
  for (const ArcElement& arc : boundary_.arcs) {
    const int piece = sum_of(arc.node).piece;
    if (arc.plane < 0 || piece < 0) continue;
    for (int k = arc.first; k < arc.last; ++k)
      last_[piece].surface_points.push_back(boundary_.frame().from_unit(boundary_.nodes[k].x));
  }
}

/// Parts of the boundary that no triangle or rim connects hang together across a plane or the quadric.
void MeshRegion::join_surfaces() {
  int num_roots = 0;
  for (int node = 0; node < boundary_.num_nodes(); ++node) num_roots += boundary_.root(node) == node ? 1 : 0;
  if (num_roots < 2) return;
  const auto join = [this](int a, int b) { boundary_.join(a, b); };
  const bool is_complement = boundary_.has_quadric() && boundary_.is_complement();
  std::vector<Vec2> chain;
  for (int k = 0; k < static_cast<int>(boundary_.planes.size()); ++k) {
    const Vec3 n = boundary_.planes[k].normal, e = any_perpendicular(n), f = n.cross(e);
    const auto chart = [&](const Vec3& x) { return Vec2(e.dot(x), f.dot(x)); };
    loops_.begin(false);
    for (const PlaneElement& element : boundary_.plane_elements) {
      if (element.plane == k) loops_.add(element.from, element.to, element.node, {chart(element.p), chart(element.q)});
    }
    for (const ArcElement& arc : boundary_.arcs) {
      if (arc.plane != k) continue;
      chain.assign(1, chart(arc.p));
      for (int m = arc.first; m < arc.last; ++m) chain.push_back(chart(boundary_.nodes[m].x));
      chain.push_back(chart(arc.q));
      if (is_complement) std::reverse(chain.begin(), chain.end());
      loops_.add(arc.from, arc.to, arc.node, chain);
    }
    loops_.join(join);
  }
  if (!joint_ || boundary_.arcs.empty()) return;
  fill_chart(*joint_);
  loops_.join(join);
  if (source_node_ == kNone) return;
  const int below = loops_.find_below_top();
  if (below >= 0) boundary_.join(source_node_, below);
}

/// The outlines of the quadric's part in the chart of a patch.
void MeshRegion::fill_chart(const QuadricPatch& patch) {
  loops_.begin(true);
  std::vector<Vec2> chain;
  for (const ArcElement& arc : boundary_.arcs) {
    chain.assign(1, patch.calc_chart(arc.q));
    for (int k = arc.last; k-- > arc.first;) chain.push_back(patch.calc_chart(boundary_.nodes[k].x));
    chain.push_back(patch.calc_chart(arc.p));
    loops_.add(arc.from, arc.to, arc.node, chain);
  }
}

MeshRegion::Sum& MeshRegion::sum_of(int node) {
  int& index = sum_index_[boundary_.root(node)];
  if (index == kNone) {
    index = static_cast<int>(sums_.size());
    sums_.emplace_back();
  }
  return sums_[index];
}

void MeshRegion::find_sums(bool is_apex_in) {
  sums_.clear();
  sum_index_.assign(static_cast<std::size_t>(boundary_.num_nodes()), kNone);
  for (const FlatElement& flat : boundary_.flats) sum_of(flat.node).origin = flat.p;
  for (const ArcElement& arc : boundary_.arcs) sum_of(arc.node);
  if (source_node_ != kNone) sum_of(source_node_);
  if (boundary_.has_quadric()) place_origins(is_apex_in);
  place_fans();
}

/// The fan of a part of a plane begins at a point of its outline: from anywhere else in the plane large areas would
/// cancel, and a small part of a large face would be lost in their rounding.
void MeshRegion::place_fans() {
  const std::size_t num_planes = boundary_.planes.size();
  fans_.assign(sums_.size() * num_planes, std::nullopt);
  const auto place = [&](auto& element) {
    if (element.plane < 0) return;
    const std::size_t sum = static_cast<std::size_t>(sum_index_[boundary_.root(element.node)]);
    std::optional<Vec3>& fan = fans_[sum * num_planes + static_cast<std::size_t>(element.plane)];
    if (!fan) fan = element.p;
    element.fan = *fan;
  };
  for (FlatElement& flat : boundary_.flats) place(flat);
  for (ArcElement& arc : boundary_.arcs) place(arc);
}

void MeshRegion::place_origins(bool is_apex_in) {
  if (sums_.size() == 1) {
    sums_[0].patch = joint_;
    sums_[0].has_source = source_node_ != kNone;
    if (!boundary_.arcs.empty() || source_node_ != kNone) sums_[0].origin = joint_->origin();
    return;
  }
  std::vector<std::vector<CurveNode>> own(sums_.size());
  for (const ArcElement& arc : boundary_.arcs) {
    std::vector<CurveNode>& nodes = own[sum_index_[boundary_.root(arc.node)]];
    nodes.insert(nodes.end(), boundary_.nodes.begin() + arc.first, boundary_.nodes.begin() + arc.last);
  }
  const int with_source = source_node_ == kNone ? kNone : sum_index_[boundary_.root(source_node_)];
  for (int i = 0; i < static_cast<int>(sums_.size()); ++i) {
    Sum& sum = sums_[i];
    sum.patch.emplace(boundary_.quadric(), own[i], is_apex_in || goes_around(own[i]));
    if (own[i].empty()) {
      sum.has_source = i == with_source;
    } else if (sum.patch->has_source() && boundary_.is_inside_flats(sum.patch->source())) {
      fill_chart(*sum.patch);
      loops_.join([](int, int) {});
      const int node = loops_.find_below_top();
      sum.has_source = node >= 0 && sum_index_[boundary_.root(node)] == i;
    }
    if (!own[i].empty() || sum.has_source) sum.origin = sum.patch->origin();
  }
}

void MeshRegion::add_source(Sum& sum) const {
  if (!sum.has_source) return;
  const VolumeMoments ball = sum.patch->calc_source();
  const double sign = boundary_.is_complement() ? -1.0 : 1.0;
  sum.moments.volume += sign * ball.volume;
  sum.moments.first += sign * ball.first;
  sum.moments.second += sign * ball.second;
}

void MeshRegion::add_flat(const FlatElement& flat, Sum& sum) const {
  sum.moments.add_tetrahedron(flat.fan - sum.origin, flat.p - sum.origin, flat.q - sum.origin);
  const Vec3 area = 0.5 * (flat.p - flat.fan).cross(flat.q - flat.fan);
  sum.surface += area.norm();
  sum.closure += area;
  if (flat.owner == 1) sum.area += area;
}

/// An arc bounds its flat face with the quadric's inside on its left, and the quadric's part the other way round.
void MeshRegion::add_arc(const ArcElement& arc, Sum& sum) const {
  const double sense = boundary_.is_complement() ? -1.0 : 1.0;
  const Vec3 c = arc.fan - sum.origin;
  Vec3 flat_area = Vec3::Zero(), curved_area = Vec3::Zero();
  VolumeMoments curved;
  for (int k = arc.first; k < arc.last; ++k) {
    const CurveNode& node = boundary_.nodes[k];
    const Vec3 x = node.x - sum.origin, m = c + 2.0 * x;
    const double det = sense * c.dot(x.cross(node.dx));
    sum.moments.volume += det / 6.0;
    sum.moments.first += det / 24.0 * m;
    sum.moments.second += det / 120.0 * (m * m.transpose() + c * c.transpose() + 2.0 * x * x.transpose());
    sum.patch->add(node, -sense, curved);
    flat_area += 0.5 * sense * (node.x - arc.fan).cross(node.dx);
    curved_area -= 0.5 * sense * x.cross(node.dx);
  }
  sum.moments += sum.patch->turn_back(curved);
  sum.surface += flat_area.norm() + curved_area.norm();
  sum.closure += flat_area + curved_area;
  if (arc.owner == 1) sum.area += flat_area;
  if (boundary_.quadric_owner() == 1) sum.area += curved_area;
}

/// A closed part of the boundary that encloses less than nothing is the wall of a cavity in the piece around it.
void MeshRegion::attach_cavities() {
  int num_solid = 0;
  for (const Sum& sum : sums_) num_solid += sum.moments.volume > 0.0 ? 1 : 0;
  if (num_solid == 0 || num_solid == static_cast<int>(sums_.size())) return;
  std::vector<Vec3> lower(sums_.size(), Vec3::Constant(1e300)), upper(sums_.size(), Vec3::Constant(-1e300));
  const auto extend = [&](int node, const Vec3& x) {
    const int i = sum_index_[boundary_.root(node)];
    lower[i] = lower[i].cwiseMin(x), upper[i] = upper[i].cwiseMax(x);
  };
  for (const FlatElement& flat : boundary_.flats) extend(flat.node, flat.p), extend(flat.node, flat.q);
  for (const ArcElement& arc : boundary_.arcs) {
    for (int k = arc.first; k < arc.last; ++k) extend(arc.node, boundary_.nodes[k].x);
  }
  for (std::size_t i = 0; i < sums_.size(); ++i) {
    if (sums_[i].has_source) lower[i] = lower[i].cwiseMin(-1.0), upper[i] = upper[i].cwiseMax(1.0);
  }
  for (std::size_t i = 0; i < sums_.size(); ++i) {
    if (sums_[i].moments.volume > 0.0) continue;
    std::size_t best = sums_.size();
    bool is_best_around = false;
    for (std::size_t j = 0; j < sums_.size(); ++j) {
      if (!(sums_[j].moments.volume > 0.0)) continue;
      const bool is_around =
          (lower[j].array() <= lower[i].array()).all() && (upper[j].array() >= upper[i].array()).all();
      const bool is_better = best == sums_.size() || (is_around && !is_best_around) ||
                             (is_around && sums_[j].moments.volume < sums_[best].moments.volume);
      if (is_better) best = j, is_best_around = is_around;
    }
    // A wall may use up the last piece there is: both were rounding.
    if (best == sums_.size()) {
      sums_[i] = Sum();
      continue;
    }
    sums_[best].moments += shift_moments(sums_[i].moments, sums_[i].origin - sums_[best].origin);
    sums_[best].area += sums_[i].area;
    sums_[i] = Sum();
  }
}

RegionPiece MeshRegion::make_piece(const Sum& sum) const {
  const UnitFrame& frame = boundary_.frame();
  const Mat3 T = frame.axes * frame.scale.asDiagonal();
  const double det = frame.scale.prod();
  RegionPiece piece;
  piece.moments.volume = det * sum.moments.volume;
  piece.moments.first = det * (T * sum.moments.first);
  piece.moments.second = det * (T * sum.moments.second * T.transpose());
  piece.origin = frame.from_unit(sum.origin);
  piece.area_vector = frame.axes * Vec3(det * sum.area.cwiseQuotient(frame.scale));
  return piece;
}

}  // namespace abut
