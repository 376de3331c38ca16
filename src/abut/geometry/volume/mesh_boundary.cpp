#include "abut/geometry/volume/mesh_boundary.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "abut/base/error.hpp"
#include "abut/geometry/mesh/tree_traversal.hpp"

namespace abut {
namespace {

/// Half-spaces are enlarged by this part of the coordinates: a few hundred units in the last place.
constexpr double kPlaneShift = 2e-15;
/// A curve in a face that comes no further into a cone than this part of the coordinates is rounding [1].
constexpr double kLeastWidth = 1e-15;

/// Names of points, by what meets there.
constexpr std::uint64_t kMaxPlanes = 4096;
constexpr std::uint64_t make_name(std::uint64_t kind, std::uint64_t number) { return (kind << 60) | number; }
constexpr std::uint64_t kEdgeThroughQuadric = 1, kEdgeThroughPlane = 2, kPlanesThroughTriangle = 3, kCounted = 6;

}  // namespace

void MeshBoundary::find(const Region& region) {
  ABUT_REQUIRE(region.meshes.size() == 1 && region.quadrics.size() <= 1, "{} meshes, {} quadrics", region.meshes.size(),
               region.quadrics.size());
  begin(region);
  visit_triangles_near();
  if (quadric_) {
    for (int k = 0; k < static_cast<int>(planes.size()); ++k) add_rim(k);
  }
  for (int k = 0; k < static_cast<int>(planes.size()); ++k) {
    for (int l = k + 1; l < static_cast<int>(planes.size()); ++l) add_edge(k, l);
  }
}

void MeshBoundary::begin(const Region& region) {
  const RegionMesh& mesh = region.meshes[0];
  mesh_ = mesh.solid.get();
  mesh_owner_ = mesh.owner;
  is_mesh_complement_ = mesh.is_complement;
  quadric_.reset();
  frame_ = UnitFrame();
  frame_.center = mesh.X.p;
  if (!region.quadrics.empty()) {
    const Quadric& quadric = region.quadrics[0];
    quadric_ = make_unit_quadric(quadric);
    frame_ = make_unit_frame(quadric);
    is_complement_ = quadric.is_complement;
    quadric_owner_ = quadric.owner;
  }
  const Mat3 scaled = frame_.scale.cwiseInverse().asDiagonal() * frame_.axes.transpose();
  A_ = scaled * mesh.X.R;
  b_ = scaled * (mesh.X.p - frame_.center);
  A_inverse_ = mesh.X.R.transpose() * frame_.axes * frame_.scale.asDiagonal();
  least_scale_ = frame_.scale.minCoeff();
  mesh_center_ = A_ * Vec3(0.5 * (mesh_->bounds().lower + mesh_->bounds().upper)) + b_;
  reach_ = 2.0 * mesh_->tree().reach() / least_scale_;
  coordinates_ = reach_ + b_.norm();
  planes.clear();
  for (const RegionPlane& plane : region.planes) {
    const Vec3 n = frame_.scale.cwiseProduct(frame_.axes.transpose() * plane.normal);
    const double norm = n.norm();
    const double offset = (plane.offset - plane.normal.dot(frame_.center)) / norm + kPlaneShift * coordinates_;
    const Vec3 near = std::isfinite(region.radius) ? frame_.to_unit(region.center) : mesh_center_;
    const Vec3 normal = n / norm;
    planes.push_back({normal, Vec3(near + (offset - normal.dot(near)) * normal), offset, plane.owner});
  }
  ABUT_REQUIRE(planes.size() < kMaxPlanes, "{} planes", planes.size());
  flats.clear(), arcs.clear(), nodes.clear(), plane_elements.clear(), sets_.reset(0);
  rim_events_.clear(), edge_events_.clear(), corners_.clear();
  next_key_ = make_name(kCounted, 0);
  vertices_.resize(mesh_->vertices().size());
  if (stamp_.size() != vertices_.size()) stamp_.assign(vertices_.size(), now_);
  ++now_;
  for (const int slot : touched_) edge_node_[slot] = -1;
  touched_.clear();
  edge_node_.resize(6 * mesh_->triangles().size(), -1);
}

bool MeshBoundary::may_matter(const BoundingTree::Node& node) const {
  const Vec3 y = A_ * node.calc_center() + b_;
  const auto calc_reach = [&](const Vec3& n) { return node.calc_reach(A_.transpose() * n); };
  for (const Plane& plane : planes) {
    if (plane.normal.dot(y) - calc_reach(plane.normal) > plane.offset) return false;
  }
  if (!quadric_) return true;
  if (is_complement_) return quadric_->calc_outside(y) + double{node.radius} / least_scale_ >= 0.0;
  double support = 0.0;
  const Vec3 n = quadric_->calc_outward(y, support);
  return n.dot(y) - calc_reach(n) <= support;
}

void MeshBoundary::visit_triangles_near() {
  visit_triangles(
      mesh_->tree(), stack_, [this](const BoundingTree::Node& node) { return may_matter(node); },
      [this](int triangle) { add_triangle(triangle); });
}

const MeshBoundary::Vertex& MeshBoundary::vertex(int v) {
  Vertex& vertex = vertices_[v];
  if (stamp_[v] != now_) {
    stamp_[v] = now_;
    vertex.y = A_ * mesh_->vertices()[v] + b_;
    vertex.is_in = !quadric_ || quadric_->contains(vertex.y);
  }
  return vertex;
}

MeshBoundary::MeshEdge MeshBoundary::get_edge(int local) const {
  const TriangleMesh& mesh = mesh_->mesh();
  const int h = 3 * triangle_ + (is_mesh_complement_ ? 2 - local : local);
  const int canonical = std::min(h, mesh.twin(h));
  return {vertices_[mesh.start(canonical)].y, vertices_[mesh.end(canonical)].y, canonical,
          (h == canonical) != is_mesh_complement_};
}

void MeshBoundary::add_triangle(int triangle) {
  triangle_ = triangle;
  const std::array<int, 3>& corners = mesh_->triangles()[triangle];
  polygon_.clear();
  for (int i = 0; i < 3; ++i) {
    const Vertex& corner = vertex(corners[is_mesh_complement_ ? (3 - i) % 3 : i]);
    polygon_.push_back({corner.y, i, corner.is_in});
  }
  normal_ = (polygon_[1].x - polygon_[0].x).cross(polygon_[2].x - polygon_[0].x);
  const double norm = normal_.norm();
  if (!(norm > 0.0)) return;
  normal_ /= norm;
  for (int k = 0; k < static_cast<int>(planes.size()); ++k) {
    if (!clip_by_plane(k)) return;
  }
  if (!quadric_) return add_whole_polygon();
  const std::size_t num_in = static_cast<std::size_t>(
      std::count_if(polygon_.begin(), polygon_.end(), [](const Corner& c) { return c.is_in; }));
  if (num_in == polygon_.size()) {
    if (!is_complement_) add_whole_polygon();
    return;
  }
  stretches_.clear();
  bool is_cut = false;
  for (std::size_t i = 0; i < polygon_.size(); ++i) is_cut = split_edge(i) || is_cut;
  if (!is_cut) {
    if (!add_closed_curve() && is_complement_) add_whole_polygon();
  } else if (is_complement_) {
    add_outside_parts();
  } else {
    add_inside_part();
  }
}

/// Where edge i of the polygon meets a plane. Edges of the mesh are cut from end to end in their canonical direction,
/// whatever has been cut off, so that both their triangles find the same point.
Vec3 MeshBoundary::cut_edge(std::size_t i, int plane) const {
  const Plane& by = planes[plane];
  if (polygon_[i].tag < 3) {
    const MeshEdge edge = get_edge(polygon_[i].tag);
    const double d_p = by.normal.dot(edge.p) - by.offset, d_q = by.normal.dot(edge.q) - by.offset;
    return edge.p + d_p / (d_p - d_q) * (edge.q - edge.p);
  }
  const std::size_t next = i + 1 == polygon_.size() ? 0 : i + 1;
  return polygon_[i].x + sides_[i] / (sides_[i] - sides_[next]) * (polygon_[next].x - polygon_[i].x);
}

bool MeshBoundary::clip_by_plane(int plane) {
  const Plane& by = planes[plane];
  const std::size_t n = polygon_.size();
  sides_.resize(n);
  std::size_t num_outside = 0;
  for (std::size_t i = 0; i < n; ++i) {
    sides_[i] = by.normal.dot(polygon_[i].x) - by.offset;
    num_outside += sides_[i] > 0.0 ? 1 : 0;
  }
  if (num_outside == 0) return true;
  if (num_outside == n) return false;
  next_polygon_.clear();
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t next = i + 1 == n ? 0 : i + 1;
    const bool is_inside = sides_[i] <= 0.0;
    if (is_inside) next_polygon_.push_back(polygon_[i]);
    if (is_inside == (sides_[next] <= 0.0)) continue;
    const Vec3 x = cut_edge(i, plane);
    next_polygon_.push_back({x, is_inside ? 3 + plane : polygon_[i].tag, !quadric_ || quadric_->contains(x)});
  }
  polygon_.swap(next_polygon_);
  return true;
}

std::uint64_t MeshBoundary::name_corner(int tag_before, int tag) const {
  if (tag_before < 3 && tag < 3) return 0;
  const auto [low, high] = std::minmax(tag_before, tag);
  const std::uint64_t plane = static_cast<std::uint64_t>(high - 3);
  if (low < 3) return make_name(kEdgeThroughPlane, get_edge(low).half_edge * kMaxPlanes + plane);
  return make_name(kPlanesThroughTriangle,
                   (triangle_ * kMaxPlanes + static_cast<std::uint64_t>(low - 3)) * kMaxPlanes + plane);
}

/// Appends the stretches of edge i; true if the quadric cuts it.
bool MeshBoundary::split_edge(std::size_t i) {
  const std::size_t n = polygon_.size(), next = i + 1 == n ? 0 : i + 1;
  const Corner &a = polygon_[i], &b = polygon_[next];
  const int tag_before = polygon_[i == 0 ? n - 1 : i - 1].tag;
  Stretch whole{a.x, b.x,       name_corner(tag_before, a.tag), name_corner(a.tag, b.tag), a.is_in, false, false, a.tag,
                0,   tag_before};
  if (a.is_in && b.is_in) {
    stretches_.push_back(whole);
    return false;
  }
  const bool is_mesh_edge = a.tag < 3;
  MeshEdge edge{a.x, b.x, 0, true};
  if (is_mesh_edge) edge = get_edge(a.tag);
  const Vec3 d = edge.q - edge.p;
  const std::optional<LineInterval> inside = quadric_->calc_interval(edge.p, d);
  // Corners and line are judged apart from each other: where the edge runs along the quadric they may disagree by
  // rounding, and the root would lie anywhere on the line. It never lies beyond the corners.
  const double length = d.squaredNorm(), s_a = (a.x - edge.p).dot(d) / length, s_b = (b.x - edge.p).dot(d) / length;
  const auto [low, high] = std::minmax(s_a, s_b);
  const auto make_root = [&, low = low, high = high](bool is_first) {  // on the way from a to b
    const bool is_lower = is_first == edge.is_along;
    const double s = inside ? (is_lower ? inside->lower : inside->upper) : 0.0;
    Vec3 x = a.is_in ? a.x : b.x;
    if (inside && s > low && s < high) {
      x = edge.p + s * d;
    } else if (inside && std::isfinite(s)) {
      x = (s <= low) == (s_a <= s_b) ? a.x : b.x;
    }
    const std::uint64_t name =
        is_mesh_edge ? make_name(kEdgeThroughQuadric, 2 * edge.half_edge + (is_lower ? 0 : 1)) : make_key();
    return std::pair(x, name);
  };
  const auto add = [&](const Stretch& part) { stretches_.push_back(part); };
  const int slot_a = is_mesh_edge && !edge.is_along ? 1 : 0, slot_b = 1 - slot_a;
  if (a.is_in != b.is_in) {
    const auto [x, name] = make_root(b.is_in);
    Stretch first = whole, second = whole;
    first.q = second.p = x, first.to = second.from = name;
    first.is_in = a.is_in, second.is_in = b.is_in;
    first.ends_at_root = second.starts_at_root = true;
    if (!a.is_in) first.slot = slot_a;
    if (!b.is_in) second.slot = slot_b;
    add(first), add(second);
    return true;
  }
  const bool is_through = inside && inside->lower > low && inside->upper < high && inside->lower < inside->upper;
  if (!is_through) {
    add(whole);
    return false;
  }
  const auto [x_0, name_0] = make_root(true);
  const auto [x_1, name_1] = make_root(false);
  Stretch first = whole, middle = whole, last = whole;
  first.q = middle.p = x_0, first.to = middle.from = name_0;
  middle.q = last.p = x_1, middle.to = last.from = name_1;
  first.slot = slot_a, last.slot = slot_b;
  middle.is_in = true;
  first.ends_at_root = middle.starts_at_root = middle.ends_at_root = last.starts_at_root = true;
  add(first), add(middle), add(last);
  return true;
}

void MeshBoundary::add_whole_polygon() {
  const int node = add_node();
  const std::size_t n = polygon_.size();
  for (std::size_t i = 0; i < n; ++i) {
    const Corner &a = polygon_[i], &b = polygon_[i + 1 == n ? 0 : i + 1];
    const int tag_before = polygon_[i == 0 ? n - 1 : i - 1].tag;
    add_stretch(
        {a.x, b.x, name_corner(tag_before, a.tag), name_corner(a.tag, b.tag), true, false, false, a.tag, 0, tag_before},
        polygon_[0].x, node);
  }
}

void MeshBoundary::add_stretch(const Stretch& stretch, const Vec3& fan, int node) {
  if (stretch.p != fan && stretch.q != fan) flats.push_back({fan, stretch.p, stretch.q, node, mesh_owner_, -1});
  const int plane = stretch.tag - 3;
  if (plane < 0) {
    int& slot = edge_node_[2 * get_edge(stretch.tag).half_edge + stretch.slot];
    if (slot >= 0) {
      join(node, slot);
    } else {
      slot = node;
      touched_.push_back(2 * get_edge(stretch.tag).half_edge + stretch.slot);
    }
    return;
  }
  const Plane& on = planes[plane];
  flats.push_back({on.fan, stretch.q, stretch.p, node, on.owner, plane});
  plane_elements.push_back({stretch.q, stretch.p, plane, node, stretch.to, stretch.from});
  add_rim_event(stretch, true, node);
  add_rim_event(stretch, false, node);
}

/// The outline of a plane's part goes on from an end of a stretch along the rim with the quadric, or the edge with
/// another plane.
void MeshBoundary::add_rim_event(const Stretch& stretch, bool at_start, int node) {
  const int plane = stretch.tag - 3;
  const Vec3& x = at_start ? stretch.p : stretch.q;
  if (at_start ? stretch.starts_at_root : stretch.ends_at_root) {
    rim_events_.push_back({plane, x, stretch.is_in == at_start, node, at_start ? stretch.from : stretch.to, -1});
  } else if (at_start && stretch.tag_before >= 3) {
    const int before = stretch.tag_before - 3;
    edge_events_.push_back({std::min(plane, before), x, before > plane, node, stretch.from, std::max(plane, before)});
  }
}

void MeshBoundary::add_triangle_arc(const Stretch& before, const Stretch& after, const Vec3& fan, int node) {
  const int first = static_cast<int>(nodes.size());
  add_conic_arc(*quadric_, normal_, before.q, after.p, nodes);
  arcs.push_back(
      {first, static_cast<int>(nodes.size()), before.q, after.p, fan, node, mesh_owner_, -1, before.to, after.from});
}

/// The quadric cuts out a convex part: its stretches of the outline, joined by arcs.
void MeshBoundary::add_inside_part() {
  const int node = add_node();
  const std::size_t n = stretches_.size();
  std::size_t first = 0;
  while (!stretches_[first].is_in) ++first;
  const Vec3 fan = stretches_[first].p;
  for (std::size_t i = 0; i < n; ++i) {
    const Stretch& stretch = stretches_[(first + i) % n];
    if (!stretch.is_in) continue;
    add_stretch(stretch, fan, node);
    if (stretches_[(first + i + 1) % n].is_in) continue;
    std::size_t next = i + 1;
    while (!stretches_[(first + next) % n].is_in) ++next;
    add_triangle_arc(stretch, stretches_[(first + next) % n], fan, node);
  }
}

/// Outside, each run of the outline is closed by one arc and is a part of its own.
void MeshBoundary::add_outside_parts() {
  const std::size_t n = stretches_.size();
  std::size_t first = 0;
  while (!stretches_[first].is_in) ++first;
  for (std::size_t i = 0; i < n;) {
    if (stretches_[(first + i) % n].is_in) {
      ++i;
      continue;
    }
    const int node = add_node();
    const Stretch& before = stretches_[(first + i + n - 1) % n];
    const Vec3 fan = before.q;
    for (; !stretches_[(first + i) % n].is_in; ++i) add_stretch(stretches_[(first + i) % n], fan, node);
    add_triangle_arc(before, stretches_[(first + i) % n], fan, node);
  }
}

/// No edge is cut: the curve may lie inside the polygon as a whole.
bool MeshBoundary::add_closed_curve() {
  const std::optional<Vec3> inside = quadric_->find_plane_point(normal_, normal_.dot(polygon_[0].x));
  if (!inside || !quadric_->contains(*inside)) return false;
  // A cone's apex in a face, or a generator, leaves a curve as wide as rounding: its area is less than that of
  // rounding.
  if (quadric_->kind == QuadricKind::cone && quadric_->calc_outside(*inside) > -kLeastWidth * coordinates_)
    return false;
  const std::size_t n = polygon_.size();
  for (std::size_t i = 0; i < n; ++i) {
    const Vec3 &p = polygon_[i].x, &q = polygon_[i + 1 == n ? 0 : i + 1].x;
    if (normal_.dot((q - p).cross(*inside - p)) < 0.0) return false;
  }
  if (is_complement_) {
    add_whole_polygon();
  } else {
    add_node();
  }
  const int first = static_cast<int>(nodes.size());
  add_closed_conic(*quadric_, normal_, *inside, nodes);
  if (static_cast<int>(nodes.size()) == first) return is_complement_;
  const std::uint64_t key = make_key();
  arcs.push_back({first, static_cast<int>(nodes.size()), nodes[first].x, nodes[first].x, *inside, num_nodes() - 1,
                  mesh_owner_, -1, key, key});
  return true;
}

bool MeshBoundary::is_inside_flats(const Vec3& y) {
  for (const Plane& plane : planes) {
    if (plane.normal.dot(y) > plane.offset) return false;
  }
  return is_inside(*mesh_, Vec3(A_inverse_ * (y - b_)), scratch_) != is_mesh_complement_;
}

}  // namespace abut
