#include "abut/geometry/manifold/contact_solid.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "abut/geometry/distance/shape_bounds.hpp"
#include "abut/geometry/half_space_pairs.hpp"
#include "abut/geometry/mesh/closed_mesh.hpp"

namespace abut {
namespace {

using Kind = ContactFeature::Kind;

/// A mesh is convex where its hull encloses no more than it does, to rounding of single-precision files [1].
constexpr double kConvexVolume = 1e-6;

/// Sides that lean by less than this against the plane of contact count as lying in it [rad]; see calc_extreme().
constexpr double kLying = 1e-4;

/// Sides and ends of a bar change parts where both face the direction alike.
bool faces_end(const Vec3& d) { return d.z() * d.z() > 0.5; }

ContactFeature make_rim(double radius, double z, double sign, const Vec3& d) {
  ContactFeature rim;
  rim.kind = Kind::disc;
  rim.normal = sign * Vec3::UnitZ();
  const Vec3 u = radius * calc_deepest_direction(-d);
  const Vec3 v = Vec3::UnitZ().cross(u);
  const Vec3 middle(0.0, 0.0, z);
  const int first = sign > 0.0 ? 0 : 4;
  rim.add(middle + u, first);
  rim.add(middle + v, first + 1);
  rim.add(middle - u, first + 2);
  rim.add(middle - v, first + 3);
  return rim;
}

ContactFeature make_segment(const Vec3& p, int id_p, const Vec3& q, int id_q) {
  ContactFeature line;
  line.kind = Kind::segment;
  line.add(p, id_p);
  line.add(q, id_q);
  return line;
}

ContactFeature make_point(const Vec3& p) {
  ContactFeature point;
  point.add(p, 0);
  return point;
}

Vec3 calc_radial(const Vec3& d) {
  const Vec3 across(d.x(), d.y(), 0.0);
  const double length = across.norm();
  return length > 0.0 ? Vec3(across / length) : Vec3(Vec3::UnitX());
}

/// The line of a cylinder's or cone's side that faces d.
ContactFeature make_side(const Cylinder& s, const Vec3& d) {
  const Vec3 u = s.radius * calc_radial(d), end = s.half_length * Vec3::UnitZ();
  return make_segment(u + end, 0, u - end, 4);
}
ContactFeature make_side(const Cone& s, const Vec3& d) {
  return make_segment(Vec3::Zero(), 8, calc_base_radius(s) * calc_radial(d) - s.height * Vec3::UnitZ(), 4);
}
ContactFeature make_side(const Capsule& s, const Vec3& d) {
  const Vec3 end = s.half_length * Vec3::UnitZ(), out = s.radius * d;
  return make_segment(end + out, 0, out - end, 4);
}

ContactFeature make_hull_face(const ConvexPolyhedron& hull, int face) {
  ContactFeature out;
  out.kind = Kind::polygon;
  out.normal = hull.planes()[face].normal;
  const std::span<const int> loop = hull.face(face);
  const std::size_t stride = (loop.size() + ContactFeature::kMostCorners - 1) / ContactFeature::kMostCorners;
  for (std::size_t i = 0; i < loop.size(); i += stride) out.add(hull.vertices()[loop[i]], loop[i]);
  return out;
}

int find_facing_plane(const ConvexPolyhedron& hull, const Vec3& d) {
  int best = 0;
  double most = -2.0;
  for (int f = 0; f < hull.num_faces(); ++f) {
    const double cosine = hull.planes()[f].normal.dot(d);
    if (cosine <= most) continue;
    most = cosine;
    best = f;
  }
  return best;
}

/// The two corners within `slack` of the farthest that are most apart, or the farthest alone.
ContactFeature find_extreme(std::span<const Vec3> corners, const Vec3& d, double slack) {
  double most = -std::numeric_limits<double>::infinity();
  for (const Vec3& v : corners) most = std::max(most, d.dot(v));
  int first = -1, second = -1;
  double apart = 0.0;
  for (int i = 0; i < static_cast<int>(corners.size()); ++i) {
    if (d.dot(corners[i]) < most - slack) continue;
    if (first < 0) {
      first = i;
      continue;
    }
    const double distance = (corners[i] - corners[first]).squaredNorm();
    if (distance <= apart) continue;
    apart = distance;
    second = i;
  }
  if (second >= 0) return make_segment(corners[first], first, corners[second], second);
  ContactFeature point;
  point.add(corners[first], first);
  return point;
}

bool is_convex(const Mesh& mesh, const ConvexPolyhedron& hull) {
  const double volume = calc_volume(hull);
  return volume - mesh.solid->moments().volume <= kConvexVolume * volume;
}

}  // namespace

std::optional<ContactSolid> ContactSolid::make(const Shape& shape) {
  ContactSolid solid;
  if (const auto* plane = std::get_if<HalfSpace>(&shape)) {
    solid.form_ = *plane;
    solid.center_ = plane->offset * plane->normal;
    return solid;
  }
  if (!is_finite(shape) || std::holds_alternative<CutShape>(shape)) return std::nullopt;
  if (std::holds_alternative<Torus>(shape) || std::holds_alternative<Bowl>(shape)) return std::nullopt;
  Hull hull;
  if (const auto* box = std::get_if<Box>(&shape)) {
    hull = std::make_shared<const ConvexPolyhedron>(make_box_polyhedron(box->half_size));
  } else if (const auto* polyhedron = std::get_if<Polyhedron>(&shape)) {
    if (polyhedron->solid == nullptr) return std::nullopt;
    hull = polyhedron->solid;
  } else if (const auto* mesh = std::get_if<Mesh>(&shape)) {
    if (mesh->solid == nullptr) return std::nullopt;
    hull = std::make_shared<const ConvexPolyhedron>(make_convex_hull(mesh->solid->vertices()));
    solid.is_exact_ = is_convex(*mesh, *hull);
  }
  if (hull != nullptr) {
    solid.support_.emplace(*hull);
    for (const Vec3& v : hull->vertices()) solid.center_ += v / static_cast<double>(hull->vertices().size());
    solid.form_ = std::move(hull);
  } else {
    solid.support_.emplace(shape);
    if (const auto* cylinder = std::get_if<Cylinder>(&shape)) solid.form_ = *cylinder;
    if (const auto* capsule = std::get_if<Capsule>(&shape)) solid.form_ = *capsule;
    if (const auto* cone = std::get_if<Cone>(&shape)) {
      solid.form_ = *cone;
      solid.center_ = -0.75 * cone->height * Vec3::UnitZ();
    }
    if (std::holds_alternative<Superquadric>(shape) || std::holds_alternative<Intersection>(shape))
      solid.center_ = calc_shape_center(shape);
  }
  solid.radius_ = solid.support_->radius();
  return solid;
}

ContactSolid ContactSolid::make_facet(const std::array<Vec3, 3>& corners) {
  ContactSolid solid;
  const Vec3 across = (corners[1] - corners[0]).cross(corners[2] - corners[0]);
  solid.form_ = Facet{corners, across.normalized()};
  solid.center_ = (corners[0] + corners[1] + corners[2]) / 3.0;
  solid.support_.emplace(corners);
  solid.radius_ = solid.support_->radius();
  return solid;
}

int ContactSolid::num_faces() const {
  if (const auto* hull = std::get_if<Hull>(&form_)) return (*hull)->num_faces();
  if (std::holds_alternative<Cylinder>(form_)) return 2;
  return std::holds_alternative<Cone>(form_) || std::holds_alternative<Facet>(form_) || is_half_space() ? 1 : 0;
}

Vec3 ContactSolid::face_normal(int face) const {
  if (const auto* hull = std::get_if<Hull>(&form_)) return (*hull)->planes()[face].normal;
  if (const auto* plane = std::get_if<HalfSpace>(&form_)) return plane->normal;
  if (const auto* facet = std::get_if<Facet>(&form_)) return facet->normal;
  return std::holds_alternative<Cylinder>(form_) && face == 0 ? Vec3(Vec3::UnitZ()) : Vec3(-Vec3::UnitZ());
}

ContactFeature ContactSolid::calc_face(int face, const Vec3& d) const {
  if (const auto* hull = std::get_if<Hull>(&form_)) return make_hull_face(**hull, face);
  if (const auto* cylinder = std::get_if<Cylinder>(&form_)) {
    const double sign = face == 0 ? 1.0 : -1.0;
    return make_rim(cylinder->radius, sign * cylinder->half_length, sign, d);
  }
  if (const auto* cone = std::get_if<Cone>(&form_)) return make_rim(calc_base_radius(*cone), -cone->height, -1.0, d);
  ContactFeature out;  // of a half-space: it has no outline
  if (const auto* facet = std::get_if<Facet>(&form_)) {
    out.kind = Kind::polygon;
    out.normal = facet->normal;
    for (int i = 0; i < 3; ++i) out.add(facet->corners[i], i);
  }
  return out;
}

ContactFeature ContactSolid::calc_facing(const Vec3& d) const {
  if (const auto* hull = std::get_if<Hull>(&form_)) return make_hull_face(**hull, find_facing_plane(**hull, d));
  if (const auto* cylinder = std::get_if<Cylinder>(&form_))
    return faces_end(d) ? calc_face(d.z() > 0.0 ? 0 : 1, d) : make_side(*cylinder, d);
  if (const auto* cone = std::get_if<Cone>(&form_))
    return faces_end(d) && d.z() < 0.0 ? calc_face(0, d) : make_side(*cone, d);
  if (const auto* capsule = std::get_if<Capsule>(&form_)) return make_side(*capsule, d);
  return num_faces() > 0 ? calc_face(0, d) : make_point(calc_support(d));
}

ContactFeature ContactSolid::calc_extreme(const Vec3& d, double slack) const {
  if (const auto* hull = std::get_if<Hull>(&form_)) return find_extreme((*hull)->vertices(), d, slack);
  if (const auto* facet = std::get_if<Facet>(&form_)) return find_extreme(facet->corners, d, slack);
  const auto take = [&](const ContactFeature& side) {
    const Vec3 along = (side.corners[0] - side.corners[1]).normalized();
    return std::abs(along.dot(d)) < kLying ? side : make_point(calc_support(d));
  };
  if (const auto* cylinder = std::get_if<Cylinder>(&form_)) return take(make_side(*cylinder, d));
  if (const auto* cone = std::get_if<Cone>(&form_)) return take(make_side(*cone, d));
  if (const auto* capsule = std::get_if<Capsule>(&form_)) return take(make_side(*capsule, d));
  return make_point(calc_support(d));
}

int ContactSolid::list_lines(const Vec3& d, Vec3* out, int most) const {
  int count = 0;
  const auto add = [&](const Vec3& line) {
    if (count < most) out[count++] = line.normalized();
  };
  if (const auto* hull = std::get_if<Hull>(&form_)) {
    const std::vector<Vec3>& v = (*hull)->vertices();
    int top = 0;
    for (int i = 1; i < static_cast<int>(v.size()); ++i) top = d.dot(v[i]) > d.dot(v[top]) ? i : top;
    for (const auto& [tail, head] : (*hull)->edges()) {
      if (tail == top || head == top) add(v[head] - v[tail]);
    }
    return count;
  }
  if (const auto* facet = std::get_if<Facet>(&form_)) {
    for (int i = 0; i < 3; ++i) add(facet->corners[(i + 1) % 3] - facet->corners[i]);
  }
  if (std::holds_alternative<Capsule>(form_)) add(Vec3::UnitZ());
  const Vec3 tangent = Vec3::UnitZ().cross(calc_radial(d));
  if (std::holds_alternative<Cylinder>(form_)) {
    add(Vec3::UnitZ());
    add(tangent);
  }
  if (const auto* cone = std::get_if<Cone>(&form_)) {
    const ContactFeature side = make_side(*cone, d);
    add(side.corners[0] - side.corners[1]);
    add(tangent);
  }
  return count;
}

}  // namespace abut
