#include "abut/geometry/volume/cell_joint.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "abut/base/error.hpp"
#include "abut/geometry/mesh/closed_mesh.hpp"
#include "abut/geometry/mesh/mesh_queries.hpp"
#include "abut/geometry/polyhedron/convex_clip.hpp"
#include "abut/geometry/volume/interference.hpp"
#include "abut/geometry/volume/mass_properties.hpp"
#include "abut/geometry/volume/volume_shape.hpp"

namespace abut {
namespace {

/// Volumes below this times thickness^2 size are those of edges, not of faces [1].
constexpr double kLeastFace = 10.0;

bool is_near(const Vec3& a, const Vec3& b, double slack) { return (a - b).cwiseAbs().maxCoeff() <= slack; }

bool is_same(const std::vector<Vec3>& a, const std::vector<Vec3>& b) { return a == b; }

/// Whether two shapes of one kind have the same numbers.
struct SameShape {
  double slack;

  bool close(double a, double b) const { return a == b || std::abs(a - b) <= slack; }
  bool operator()(const Sphere& a, const Sphere& b) const { return close(a.radius, b.radius); }
  bool operator()(const HalfSpace& a, const HalfSpace& b) const {
    return is_near(a.normal, b.normal, 1e-12) && close(a.offset, b.offset);
  }
  bool operator()(const Box& a, const Box& b) const { return is_near(a.half_size, b.half_size, slack); }
  bool operator()(const Cylinder& a, const Cylinder& b) const {
    return close(a.radius, b.radius) && close(a.half_length, b.half_length);
  }
  bool operator()(const Bore& a, const Bore& b) const { return close(a.radius, b.radius); }
  bool operator()(const Cavity& a, const Cavity& b) const { return close(a.radius, b.radius); }
  bool operator()(const Cone& a, const Cone& b) const {
    return std::abs(a.half_angle - b.half_angle) < 1e-12 && close(a.height, b.height);
  }
  bool operator()(const Capsule& a, const Capsule& b) const {
    return close(a.radius, b.radius) && close(a.half_length, b.half_length);
  }
  bool operator()(const Ellipsoid& a, const Ellipsoid& b) const { return is_near(a.semi_axes, b.semi_axes, slack); }
  bool operator()(const Wedge& a, const Wedge& b) const {
    return is_near(a.normal_1, b.normal_1, 1e-12) && is_near(a.normal_2, b.normal_2, 1e-12);
  }
  bool operator()(const Polyhedron& a, const Polyhedron& b) const {
    return a.solid == b.solid || is_same(a.solid->vertices(), b.solid->vertices());
  }
  bool operator()(const Mesh& a, const Mesh& b) const {
    return a.solid == b.solid ||
           (is_same(a.solid->vertices(), b.solid->vertices()) && a.solid->triangles() == b.solid->triangles());
  }
  template <class A, class B>
  bool operator()(const A&, const B&) const {
    return false;
  }
};

bool is_same(const CellPart& a, const CellPart& b, double slack) {
  return a.is_complement == b.is_complement && is_near(a.X_SP.p, b.X_SP.p, slack) &&
         (a.X_SP.R - b.X_SP.R).cwiseAbs().maxCoeff() < 1e-12 && std::visit(SameShape{slack}, a.shape, b.shape);
}

/// Adds a part grown by `grow` [m] (less than nothing: shrunk) to `parts`. Meshes stay as they are.
struct GrownPart {
  const CellPart& part;
  double grow;
  std::vector<CellPart>& parts;

  void add(Shape shape, const Pose& X) const { parts.push_back({std::move(shape), X, part.is_complement}); }
  void operator()(const Sphere& s) const { add(Sphere{s.radius + grow}, part.X_SP); }
  void operator()(const HalfSpace& s) const { add(HalfSpace{s.normal, s.offset + grow}, part.X_SP); }
  void operator()(const Box& s) const { add(Box{Vec3(s.half_size.array() + grow)}, part.X_SP); }
  void operator()(const Cylinder& s) const { add(Cylinder{s.radius + grow, s.half_length + grow}, part.X_SP); }
  void operator()(const Bore& s) const { add(Bore{s.radius - grow}, part.X_SP); }
  void operator()(const Cavity& s) const { add(Cavity{s.radius - grow}, part.X_SP); }
  void operator()(const Cone& s) const {
    const double rise = grow / std::sin(s.half_angle);
    add(Cone{s.half_angle, s.height + rise + grow}, Pose(part.X_SP.R, part.X_SP * Vec3(0.0, 0.0, rise)));
  }
  void operator()(const Capsule& s) const { add(Capsule{s.radius + grow, s.half_length}, part.X_SP); }
  void operator()(const Ellipsoid& s) const { add(Ellipsoid{Vec3(s.semi_axes.array() + grow)}, part.X_SP); }
  void operator()(const Wedge& s) const {
    add(HalfSpace{s.normal_1.normalized(), grow}, part.X_SP);
    add(HalfSpace{s.normal_2.normalized(), grow}, part.X_SP);
  }
  void operator()(const Polyhedron& s) const {
    if (part.is_complement) return add(s, part.X_SP);
    for (const Plane& plane : s.solid->planes()) add(HalfSpace{plane.normal, plane.offset + grow}, part.X_SP);
  }
  void operator()(const Mesh& s) const { add(s, part.X_SP); }
  void operator()(const CutShape&) const {}
  // Not shapes of volumetric contact: they never come here.
  void operator()(const Torus&) const {}
  void operator()(const Bowl&) const {}
  void operator()(const Superquadric&) const {}
  void operator()(const Intersection&) const {}
};

std::vector<CellPart> list_parts(const BodyCell& cell) {
  const Shape shape = make_volume_shape(cell.shape);
  const auto* cut = std::get_if<CutShape>(&shape);
  std::vector<CellPart> parts = cut == nullptr ? std::vector<CellPart>{{shape, Pose(), false}} : cut->parts->list;
  for (CellPart& part : parts) part.X_SP = cell.X * part.X_SP;
  return parts;
}

std::shared_ptr<const ConvexPolyhedron> find_polyhedron(const Shape& shape) {
  if (const auto* box = std::get_if<Box>(&shape))
    return std::make_shared<const ConvexPolyhedron>(make_box_polyhedron(box->half_size));
  const auto* polyhedron = std::get_if<Polyhedron>(&shape);
  return polyhedron == nullptr ? nullptr : polyhedron->solid;
}

JointSolid make_joint(Shape shape) {
  const MassProperties moments = calc_mass_properties(shape, 1.0);
  return {std::move(shape), Pose(), moments};
}

JointSolid make_joint(std::span<const Vec3> points) {
  return make_joint(Polyhedron{std::make_shared<const ConvexPolyhedron>(make_convex_hull(points))});
}

void clip_grown(const ConvexPolyhedron& a, const Pose& X_A, double grow, const ConvexPolyhedron& b, const Pose& X_B,
                PolyhedronClip& clip) {
  std::vector<Plane> grown = a.planes();
  for (Plane& plane : grown) plane.offset += grow;
  calc_clip(grown, X_A, b, X_B, clip);
}

std::optional<JointSolid> find_flat_joint(const ConvexPolyhedron& a, const Pose& X_A, const ConvexPolyhedron& b,
                                          const Pose& X_B, double thickness, double least_volume) {
  PolyhedronClip clip;
  clip_grown(a, X_A, thickness, b, X_B, clip);
  if (clip.is_empty() || !(calc_clip_metrics(clip).volume > least_volume)) return std::nullopt;
  std::vector<Vec3> corners;
  for (const Vec3& vertex : clip.vertices()) corners.push_back(clip.origin() + vertex);
  return make_joint(corners);
}

/// Corners of a flat solid or a mesh, in the body's frame.
std::vector<Vec3> list_corners(const BodyCell& cell) {
  const auto* mesh = std::get_if<Mesh>(&cell.shape);
  std::vector<Vec3> corners = mesh != nullptr ? mesh->solid->vertices() : find_polyhedron(cell.shape)->vertices();
  for (Vec3& corner : corners) corner = cell.X * corner;
  return corners;
}

/// Meshes cannot be grown: the one is pushed a little into the other, along each axis in turn, and the joint is the
/// hull of the corners that lie where they then overlap most.
std::optional<JointSolid> find_mesh_joint(const BodyCell& a, const BodyCell& b, double thickness, double least_volume) {
  Interference pair = Interference::make(a.shape, b.shape);
  std::vector<VolumeMetrics> pieces;
  VolumeMetrics best;
  for (int code = 0; code < 6; ++code) {
    Pose X_A = a.X;
    X_A.p[code / 2] += code % 2 == 0 ? thickness : -thickness;
    pair.calc(X_A, b.X, pieces);
    for (const VolumeMetrics& piece : pieces) {
      if (piece.volume > best.volume) best = piece;
    }
  }
  if (!(best.volume > least_volume) || !(best.area() > 0.0)) return std::nullopt;
  const Vec3 n = best.area_vector / best.area();
  std::vector<Vec3> points;
  const auto add_near = [&](const BodyCell& from, const BodyCell& other) {
    const auto* mesh = std::get_if<Mesh>(&other.shape);
    const std::shared_ptr<const ConvexPolyhedron> flat = mesh == nullptr ? find_polyhedron(other.shape) : nullptr;
    MeshQueryScratch scratch;
    for (const Vec3& corner : list_corners(from)) {
      const Vec3 local = other.X.inverse() * corner;
      bool is_close = true;
      if (mesh != nullptr) {
        const MeshData& data = mesh->solid->mesh().data();
        is_close = find_closest_point(data, mesh->solid->tree(), local, scratch).pair.distance <= 2.0 * thickness;
      } else {
        for (const Plane& plane : flat->planes()) {
          if (plane.normal.dot(local) - plane.offset > 2.0 * thickness) is_close = false;
        }
      }
      if (!is_close) continue;
      points.push_back(corner + thickness * n);
      points.push_back(corner - thickness * n);
    }
  };
  add_near(a, b);
  add_near(b, a);
  return points.empty() ? std::nullopt : std::optional(make_joint(points));
}

/// What b has in common with a, grown by `grow` [m].
CutShape make_common(const BodyCell& a, double grow, const BodyCell& b) {
  auto parts = std::make_shared<CellParts>();
  parts->list = list_parts(b);
  const std::vector<CellPart> parts_b = parts->list;
  for (const CellPart& part : list_parts(a)) {
    // A surface that both cells are cut from does not part them.
    const auto is_equal = [&](const CellPart& other) { return is_same(part, other, 1e-3 * std::abs(grow)); };
    if (std::any_of(parts_b.begin(), parts_b.end(), is_equal)) continue;
    std::visit(GrownPart{part, part.is_complement ? -grow : grow, parts->list}, part.shape);
  }
  return {parts};
}

std::optional<JointSolid> find_cut_joint(const BodyCell& a, const BodyCell& b, double thickness, double least_volume) {
  JointSolid joint = make_joint(make_common(a, thickness, b));
  return joint.moments.mass > least_volume ? std::optional(joint) : std::nullopt;
}

}  // namespace

std::optional<JointSolid> find_joint(const BodyCell& a, const BodyCell& b, double thickness, double size) {
  const double least_volume = kLeastFace * thickness * thickness * size;
  const bool is_mesh_a = std::holds_alternative<Mesh>(a.shape), is_mesh_b = std::holds_alternative<Mesh>(b.shape);
  const std::shared_ptr<const ConvexPolyhedron> flat_a = find_polyhedron(a.shape), flat_b = find_polyhedron(b.shape);
  try {
    if (flat_a && flat_b) return find_flat_joint(*flat_a, a.X, *flat_b, b.X, thickness, least_volume);
    if ((is_mesh_a || flat_a) && (is_mesh_b || flat_b)) return find_mesh_joint(a, b, thickness, least_volume);
    return find_cut_joint(a, b, thickness, least_volume);
  } catch (const InputError&) {
    // Nothing in common, or a face too small to be a solid.
    return std::nullopt;
  }
}

std::optional<CutShape> find_common_parts(const BodyCell& a, const BodyCell& b, double slack) {
  auto common = std::make_shared<CellParts>();
  const std::vector<CellPart> parts_b = list_parts(b);
  for (const CellPart& part : list_parts(a)) {
    const auto is_equal = [&](const CellPart& other) { return is_same(part, other, slack); };
    if (std::any_of(parts_b.begin(), parts_b.end(), is_equal)) common->list.push_back(part);
  }
  return common->list.empty() ? std::nullopt : std::optional(CutShape{common});
}

double calc_shared_volume(const BodyCell& a, const BodyCell& b, double thickness) {
  const bool is_mesh_a = std::holds_alternative<Mesh>(a.shape), is_mesh_b = std::holds_alternative<Mesh>(b.shape);
  const std::shared_ptr<const ConvexPolyhedron> flat_a = find_polyhedron(a.shape), flat_b = find_polyhedron(b.shape);
  try {
    if (flat_a && flat_b) {
      PolyhedronClip clip;
      clip_grown(*flat_a, a.X, -thickness, *flat_b, b.X, clip);
      return clip.is_empty() ? 0.0 : calc_clip_metrics(clip).volume;
    }
    if (!(is_mesh_a || flat_a) || !(is_mesh_b || flat_b)) return calc_volume(make_common(a, -thickness, b));
    Interference pair = Interference::make(a.shape, b.shape);
    std::vector<VolumeMetrics> pieces;
    pair.calc(a.X, b.X, pieces);
    double sum = 0.0;
    for (const VolumeMetrics& piece : pieces) sum += piece.volume;
    return sum;
  } catch (const InputError&) {
    return 0.0;  // nothing in common
  }
}

}  // namespace abut
