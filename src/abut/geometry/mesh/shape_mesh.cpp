#include "abut/geometry/mesh/shape_mesh.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numbers>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "abut/base/error.hpp"
#include "abut/geometry/implicit_surface.hpp"
#include "abut/geometry/mesh/closed_mesh.hpp"
#include "abut/geometry/mesh/make_mesh.hpp"
#include "abut/geometry/polyhedron/convex_polyhedron.hpp"

namespace abut {
namespace {

constexpr double kPi = std::numbers::pi;

struct ShapeMesher {
  const ShapeMeshOptions& options;

  MeshData operator()(const Sphere& s) const {
    const int level = std::bit_width(static_cast<unsigned>((options.num_segments + 3) / 4 - 1));
    return make_sphere_mesh(s.radius, level);
  }
  MeshData operator()(const Ellipsoid& s) const {
    MeshData mesh = (*this)(Sphere{1.0});
    for (Vec3& v : mesh.vertices) v = v.cwiseProduct(s.semi_axes);
    return mesh;
  }
  MeshData operator()(const Superquadric& s) const { return make_star_mesh(ImplicitSurface(s), s.semi_axes); }
  MeshData operator()(const Intersection& s) const {
    if (!is_bounded(*s.parts)) throw InputError("an intersection without end has no triangles here");
    const ImplicitSurface surface(s);
    const Aabb box = surface.calc_bounds(Pose());
    return make_star_mesh(surface, 0.5 * (box.upper - box.lower));
  }
  /// The mesh of an ellipsoid of about that size with its corners moved along their rays to the surface.
  MeshData make_star_mesh(const ImplicitSurface& surface, const Vec3& size) const {
    MeshData mesh = (*this)(Ellipsoid{size});
    for (Vec3& v : mesh.vertices) v *= surface.calc_reach(v.normalized()) / v.norm();
    return mesh;
  }
  /// Faces of four triangles about their middle, so that a box is its own mirror image.
  MeshData operator()(const Box& s) const {
    MeshData mesh;
    for (int k = 0; k < 8; ++k)
      mesh.vertices.emplace_back(((k & 1) != 0 ? 1 : -1) * s.half_size.x(), ((k & 2) != 0 ? 1 : -1) * s.half_size.y(),
                                 ((k & 4) != 0 ? 1 : -1) * s.half_size.z());
    // Corners of each face, anticlockwise from outside.
    constexpr std::array<std::array<int, 4>, 6> kFaces = {
        {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}}};
    for (const std::array<int, 4>& face : kFaces) {
      const int middle = static_cast<int>(mesh.vertices.size());
      mesh.vertices.emplace_back(0.5 * (mesh.vertices[face[0]] + mesh.vertices[face[2]]));
      for (int k = 0; k < 4; ++k) mesh.triangles.push_back({middle, face[k], face[(k + 1) % 4]});
    }
    return mesh;
  }
  MeshData operator()(const Polyhedron& s) const {
    MeshData mesh{s.solid->vertices(), {}};
    for (int f = 0; f < s.solid->num_faces(); ++f) {
      const std::span<const int> face = s.solid->face(f);
      for (std::size_t i = 1; i + 1 < face.size(); ++i) mesh.triangles.push_back({face[0], face[i], face[i + 1]});
    }
    return mesh;
  }
  MeshData operator()(const Mesh& s) const { return s.solid->mesh().data(); }

  /// One triangle about the point of the plane nearest to the origin: no edges inside to come upon.
  MeshData operator()(const HalfSpace& s) const {
    const Vec3 u = any_perpendicular(s.normal), v = s.normal.cross(u), o = s.offset * s.normal;
    MeshData mesh;
    for (int k = 0; k < 3; ++k) {
      const double angle = 2.0 * kPi * k / 3.0;
      mesh.vertices.emplace_back(o + 2.0 * options.reach * (std::cos(angle) * u + std::sin(angle) * v));
    }
    mesh.triangles = {{0, 1, 2}};
    return mesh;
  }
  MeshData operator()(const Wedge& s) const {
    const Vec3 edge = options.reach * s.normal_1.cross(s.normal_2).normalized();
    const Vec3 down_1 = -options.reach * tangential(s.normal_2, s.normal_1).normalized();
    const Vec3 down_2 = -options.reach * tangential(s.normal_1, s.normal_2).normalized();
    return {{edge, -edge, edge + down_1, down_1 - edge, edge + down_2, down_2 - edge},
            {{1, 0, 2}, {1, 2, 3}, {0, 1, 5}, {0, 5, 4}}};
  }

  MeshData operator()(const Cylinder& s) const {
    const double r = s.radius, l = s.half_length;
    if (!std::isfinite(l)) return make_revolved_mesh({{r, -options.reach}, {r, options.reach}}, options.num_segments);
    return make_revolved_mesh({{0.0, -l}, {r, -l}, {r, l}, {0.0, l}}, options.num_segments);
  }
  MeshData operator()(const Bore& s) const {
    return make_revolved_mesh({{s.radius, options.reach}, {s.radius, -options.reach}}, options.num_segments);
  }
  MeshData operator()(const Cone& s) const {
    if (std::isfinite(s.height)) {
      return make_revolved_mesh({{0.0, -s.height}, {calc_base_radius(s), -s.height}, {0.0, 0.0}}, options.num_segments);
    }
    const double h = options.reach;
    return make_revolved_mesh({{h * std::tan(s.half_angle), -h}, {0.0, 0.0}}, options.num_segments);
  }
  MeshData operator()(const Capsule& s) const {
    const int num_steps = std::max(2, options.num_segments / 4);
    std::vector<Vec2> outline;
    for (const double end : {-1.0, 1.0}) {
      for (int i = 0; i <= num_steps; ++i) {
        const double angle = 0.5 * kPi * (end < 0.0 ? i - num_steps : i) / num_steps;
        const bool is_pole = (end < 0.0 && i == 0) || (end > 0.0 && i == num_steps);
        outline.emplace_back(is_pole ? 0.0 : s.radius * std::cos(angle),
                             end * s.half_length + s.radius * std::sin(angle));
      }
    }
    return make_revolved_mesh(outline, options.num_segments);
  }
  MeshData operator()(const Torus& s) const {
    return make_torus_mesh(s.ring_radius, s.tube_radius, options.num_segments, std::max(8, options.num_segments / 2));
  }
  /// The material ends in a larger sphere, out of reach of what is inside: alone, the wall would be taken for a ball
  /// that was turned inside out.
  MeshData operator()(const Cavity& s) const {
    constexpr double kOuter = 4.0;  // of the radius
    MeshData mesh = (*this)(Sphere{s.radius});
    for (std::array<int, 3>& triangle : mesh.triangles) std::swap(triangle[1], triangle[2]);
    return make_union(std::move(mesh), make_sphere_mesh(kOuter * s.radius, 2));
  }
  /// Both arcs have as many pieces, so that a thin wall stays a wall.
  MeshData operator()(const Bowl& s) const {
    const double lip = s.calc_lip_height(), outer = s.calc_outer_radius();
    const double wide = std::max(std::acos(-lip / outer), std::acos(-lip / s.radius));  // from the bottom [rad]
    const int num_steps = std::max(2, static_cast<int>(std::ceil(wide / (2.0 * kPi) * options.num_segments)));
    std::vector<Vec2> outline;
    const auto add_arc = [&](double radius, bool is_upwards) {
      for (int i = 0; i <= num_steps; ++i) {
        const int step = is_upwards ? i : num_steps - i;
        const double angle = std::acos(-lip / radius) * step / num_steps;
        outline.emplace_back(step == 0 ? 0.0 : radius * std::sin(angle), -radius * std::cos(angle));
      }
    };
    add_arc(outer, true);
    add_arc(s.radius, false);
    return make_revolved_mesh(outline, options.num_segments);
  }
  MeshData operator()(const CutShape&) const {
    throw InputError(
        "a shape cut out of others has no triangles here; give the body a mesh file of its surface instead");
  }
};

}  // namespace

MeshData make_shape_mesh(const Shape& shape, const ShapeMeshOptions& options) {
  if (options.num_segments < 8 || options.num_segments > 4096) {
    throw InputError(fmt::format("{} flat pieces round a full turn; 8 to 4096 are possible", options.num_segments));
  }
  if (!(options.reach > 0.0) || !std::isfinite(options.reach)) {
    throw InputError(fmt::format("a reach of {} m; it has to be positive and finite", options.reach));
  }
  if (const std::string defect = find_shape_defect(shape); !defect.empty()) throw InputError(defect);
  return std::visit(ShapeMesher{options}, shape);
}

}  // namespace abut
