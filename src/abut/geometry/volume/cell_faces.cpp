#include "abut/geometry/volume/cell_faces.hpp"

#include <algorithm>
#include <cmath>
#include <variant>

namespace abut {

namespace {

/// Planes that agree to this part of the offset are one face, given twice [1].
constexpr double kSamePlane = 1e-12;

CellFace make_flat(const Plane& plane, const Pose& X, double side) {
  CellFace face;
  face.is_flat = true;
  const Vec3 normal = side * (X.R * plane.normal);
  face.plane = {normal, side * plane.offset + normal.dot(X.p)};
  return face;
}

/// side (R^2 - r^2) / 2R, r from the origin of X or, where it is a cylinder, from its z axis.
CellFace make_round(double radius, bool is_cylinder, const Pose& X, double side) {
  CellFace face;
  const Vec3 z = X.R.col(2);
  const Mat3 across = is_cylinder ? Mat3(Mat3::Identity() - z * z.transpose()) : Mat3(Mat3::Identity());
  const Vec3 from = across * X.p;
  face.law = {0.5 * side * (radius - from.dot(X.p) / radius), Vec3(side / radius * from),
              Mat3(-side / radius * across)};
  face.radius = side * radius;
  face.is_cylinder = is_cylinder;
  return face;
}

/// Faces of one part, solid inside (side 1) or outside (side -1) of it. False for parts that have none of these kinds.
struct FaceLister {
  const Pose& X;
  double side;
  std::vector<CellFace>& faces;

  bool operator()(const HalfSpace& s) const { return add(make_planes(s)); }
  bool operator()(const Wedge& s) const { return add(make_planes(s)); }
  bool operator()(const Box& s) const { return add(make_box_polyhedron(s.half_size).planes()); }
  bool operator()(const Polyhedron& s) const { return add(s.solid->planes()); }
  bool operator()(const Sphere& s) const { return add(s.radius, false, side); }
  bool operator()(const Cavity& s) const { return add(s.radius, false, -side); }
  bool operator()(const Bore& s) const { return add(s.radius, true, -side); }
  bool operator()(const Cylinder& s) const {
    add(s.radius, true, side);
    if (!std::isfinite(s.half_length)) return true;
    return add(std::vector<Plane>{{Vec3::UnitZ(), s.half_length}, {-Vec3::UnitZ(), s.half_length}});
  }
  template <class Other>
  bool operator()(const Other&) const {
    return false;
  }

  template <class Planes>
  bool add(const Planes& planes) const {
    for (const Plane& plane : planes) faces.push_back(make_flat(plane, X, side));
    return true;
  }
  bool add(double radius, bool is_cylinder, double own_side) const {
    faces.push_back(make_round(radius, is_cylinder, X, own_side));
    return true;
  }
};

bool are_same(const CellFace& a, const CellFace& b) {
  return a.is_flat && b.is_flat && (a.plane.normal - b.plane.normal).norm() <= kSamePlane &&
         std::abs(a.plane.offset - b.plane.offset) <= kSamePlane * std::abs(a.plane.offset);
}

}  // namespace

double CellFace::calc_distance(const Vec3& x) const {
  if (is_flat) return plane.offset - plane.normal.dot(x);
  const double depth = law.value + law.gradient.dot(x) + 0.5 * x.dot(law.hessian * x);
  const double r = std::sqrt(std::max(0.0, radius * (radius - 2.0 * depth)));  // depth = (R^2 - r^2) / 2R
  return radius > 0.0 ? radius - r : radius + r;
}

double CellFaces::calc_distance(const Vec3& x) const {
  double least = HUGE_VAL;
  for (const CellFace& face : outer) least = std::min(least, face.calc_distance(x));
  for (const std::vector<CellFace>& hole : holes) {
    double most = -HUGE_VAL;
    for (const CellFace& face : hole) most = std::max(most, face.calc_distance(x));
    least = std::min(least, most);
  }
  return least;
}

std::optional<CellFaces> find_faces(const CutShape& cell) {
  CellFaces all;
  for (const CellPart& part : cell.parts->list) {
    std::vector<CellFace> faces;
    const double side = part.is_complement ? -1.0 : 1.0;
    if (!std::visit(FaceLister{part.X_SP, side, faces}, part.shape)) return std::nullopt;
    if (part.is_complement && faces.size() > 1) {
      all.holes.push_back(std::move(faces));
      continue;
    }
    for (const CellFace& face : faces) {
      const bool is_known = std::any_of(all.outer.begin(), all.outer.end(),
                                        [&face](const CellFace& other) { return are_same(face, other); });
      if (!is_known) all.outer.push_back(face);
    }
  }
  return all;
}

}  // namespace abut
