#pragma once

#include <array>
#include <span>
#include <vector>

#include "abut/geometry/moments/volume_moments.hpp"
#include "abut/geometry/shape.hpp"
#include "abut/math/mass_properties.hpp"
#include "abut/math/types.hpp"

namespace abut {

/// Half-space that is solid where normal . p <= offset.
struct Plane {
  Vec3 normal = Vec3::UnitZ();  ///< unit, out of the solid
  double offset = 0.0;          ///< [m]
};

/// The planes of the unbounded shapes with flat faces, in the shape's frame.
inline std::array<Plane, 1> make_planes(const HalfSpace& s) { return {Plane{s.normal, s.offset}}; }
inline std::array<Plane, 2> make_planes(const Wedge& s) { return {Plane{s.normal_1, 0.0}, Plane{s.normal_2, 0.0}}; }

/// A bounded convex solid with flat faces, in its own frame: both the hull of its vertices and the intersection of the
/// half-spaces of its faces. Immutable. Lengths in m.
class ConvexPolyhedron {
 public:
  /// Faces as loops of vertices, anticlockwise seen from outside, one after another in `loops`; face f runs from
  /// face_begin[f] to face_begin[f + 1]. Throws InputError where the loops are not a closed surface, or where a vertex
  /// is outside a face's plane, or off the plane of its own face, by more than `flatness` times the size of the solid.
  /// make_convex_hull() finds the faces of points.
  ConvexPolyhedron(std::vector<Vec3> vertices, std::vector<int> face_begin, std::vector<int> loops,
                   double flatness = kFlatness);

  const std::vector<Vec3>& vertices() const { return vertices_; }
  int num_faces() const { return static_cast<int>(planes_.size()); }
  /// Vertices of a face, anticlockwise seen from outside.
  std::span<const int> face(int f) const {
    return {loops_.data() + face_begin_[f], static_cast<std::size_t>(face_begin_[f + 1] - face_begin_[f])};
  }
  /// One for each face.
  const std::vector<Plane>& planes() const { return planes_; }
  /// Tail and head of each edge; each edge belongs to two faces, which run along it in opposite senses.
  const std::vector<std::array<int, 2>>& edges() const { return edges_; }
  /// The loops once more, as edges: 2 e where a face runs from tail to head of edge e, 2 e + 1 where from head to tail.
  const std::vector<int>& half_edges() const { return half_edges_; }
  const std::vector<int>& face_begin() const { return face_begin_; }
  /// Largest distance of a vertex from the origin of the frame [m].
  double radius() const { return radius_; }

  /// Points nearer to a plane than this fraction of the size of the solid count as lying in it.
  static constexpr double kFlatness = 2e-13;

 private:
  void link_edges();
  void fit_planes(double flatness);

  std::vector<Vec3> vertices_;
  std::vector<int> face_begin_;
  std::vector<int> loops_;
  std::vector<Plane> planes_;
  std::vector<std::array<int, 2>> edges_;
  std::vector<int> half_edges_;
  double radius_ = 0.0;
};

/// Box |p_i| <= half_size_i. Vertex k is at + along axis i where bit i of k is set; faces in the order +x -x +y -y +z
/// -z. Throws InputError unless every half_size is positive and finite.
ConvexPolyhedron make_box_polyhedron(const Vec3& half_size);

/// Smallest convex solid about the points. Points in one plane (to kFlatness of the size, or to what coarser rounding
/// of the input asks for, at most kCoarsestFlatness) belong to one face; points inside, repeated, or in the middle of
/// an edge leave no trace. Exact predicates decide what is on the hull, so that no input can break it. Throws
/// InputError saying why where the points enclose no volume: fewer than four, not finite, all at one point, on one line
/// or in one plane.
constexpr double kCoarsestFlatness = 1e-8;
ConvexPolyhedron make_convex_hull(std::span<const Vec3> points);

/// Integrals over the solid about the origin of its frame.
VolumeMoments calc_moments(const ConvexPolyhedron& polyhedron);

double calc_volume(const ConvexPolyhedron& polyhedron);  ///< [m^3]

/// Mass, centre of mass and central inertia in the polyhedron's frame; density [kg/m^3] > 0.
MassProperties calc_mass_properties(const ConvexPolyhedron& polyhedron, double density);

}  // namespace abut
