#pragma once

#include <array>
#include <memory>
#include <optional>
#include <variant>

#include "abut/geometry/distance/support_distance.hpp"
#include "abut/geometry/manifold/contact_feature.hpp"
#include "abut/geometry/polyhedron/convex_polyhedron.hpp"
#include "abut/geometry/shape.hpp"

namespace abut {

/// A convex solid as hard contact sees it: how far it reaches in a direction, its flat faces, and which part of its
/// surface faces a direction. Boxes, polyhedra and convex meshes are hulls; cylinders and cones have flat round ends
/// and straight sides; capsules are lines with a margin; what is round all over touches at a point; a half-space is one
/// face without end. Made once, shared by all poses; nothing here allocates afterwards.
class ContactSolid {
 public:
  /// Nothing for shapes that are neither bounded solids without holes cut into them nor a half-space.
  static std::optional<ContactSolid> make(const Shape& shape);

  /// A triangle, anticlockwise seen from outside, as a part of the surface of a mesh.
  static ContactSolid make_facet(const std::array<Vec3, 3>& corners);

  /// Null for bounded solids.
  const HalfSpace* half_space() const { return std::get_if<HalfSpace>(&form_); }
  bool is_half_space() const { return half_space() != nullptr; }
  /// False for a mesh that is not convex: the solid is then its hull, which is what a half-space meets of it.
  bool is_exact() const { return is_exact_; }
  /// Largest distance of a point from the origin of the frame [m]; zero for half-spaces.
  double radius() const { return radius_; }
  /// A point inside [m].
  const Vec3& center() const { return center_; }
  /// For distances (geometry/distance); not of half-spaces.
  const SupportSolid& support() const { return *support_; }
  /// The farthest point along `d`, margin included; unit d, solid's frame [m]. Not of half-spaces.
  Vec3 calc_support(const Vec3& d) const { return support_->calc_support(d) + support_->margin() * d; }

  int num_faces() const;
  Vec3 face_normal(int face) const;
  /// Flat face number `face`. `d` is the direction it faces: the first mark of a disc is its farthest along d.
  ContactFeature calc_face(int face, const Vec3& d) const;
  /// The face, side or line that faces `d` more than others do; its farthest point along d is the solid's.
  ContactFeature calc_facing(const Vec3& d) const;
  /// The point or line farthest along `d`, where points within `slack` [m] of the farthest count.
  ContactFeature calc_extreme(const Vec3& d, double slack) const;
  /// Directions of the lines that pass through the farthest point along d: edges, sides, tangents of rims.
  int list_lines(const Vec3& d, Vec3* out, int most) const;

 private:
  using Hull = std::shared_ptr<const ConvexPolyhedron>;
  struct Round {};
  struct Facet {
    std::array<Vec3, 3> corners;
    Vec3 normal;
  };
  std::variant<Round, Hull, Cylinder, Cone, Capsule, HalfSpace, Facet> form_;
  std::optional<SupportSolid> support_;
  double radius_ = 0.0;
  Vec3 center_ = Vec3::Zero();
  bool is_exact_ = true;
};

}  // namespace abut
