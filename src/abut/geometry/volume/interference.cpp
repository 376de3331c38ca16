#include "abut/geometry/volume/interference.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include <fmt/format.h>

#include "abut/base/error.hpp"
#include "abut/geometry/distance/shape_bounds.hpp"
#include "abut/geometry/mesh/convex_mesh.hpp"
#include "abut/geometry/polyhedron/clip_samples.hpp"
#include "abut/geometry/volume/volume_shape.hpp"

namespace abut {
namespace {

/// A part of an unbounded solid as large as this times the other one stands in for all of it.
constexpr double kReach = 4.0;

/// Slivers that rounding cuts off where faces nearly coincide are no patches of their own, in parts of the largest.
constexpr double kLeastPiece = 1e-12;

double calc_radius(const Shape& shape) {
  const Aabb box = calc_aabb(shape, Pose());
  return box.lower.cwiseAbs().cwiseMax(box.upper.cwiseAbs()).norm();
}

std::vector<HalfSpace> to_half_spaces(const std::vector<Plane>& planes) {
  std::vector<HalfSpace> half_spaces;
  for (const Plane& plane : planes) half_spaces.push_back({plane.normal, plane.offset});
  return half_spaces;
}

bool is_mesh(const Shape& shape) { return std::holds_alternative<Mesh>(shape); }

/// A convex mesh as the polyhedron it is, for which distances are exact; any other shape as it is.
Shape to_convex(const Shape& shape) {
  const auto* mesh = std::get_if<Mesh>(&shape);
  if (mesh == nullptr) return shape;
  auto hull = find_convex_polyhedron(*mesh->solid);
  return hull == nullptr ? shape : Shape(Polyhedron{hull});
}

/// Polyhedra of more faces are met faster as meshes, whose trees find the few that matter.
constexpr int kFewFaces = 64;

/// A convex mesh of few faces, however many triangles they are cut into, is clipped as the polyhedron it is.
Shape to_few_faces(const Shape& shape) {
  if (!is_mesh(shape)) return shape;
  const Shape convex = to_convex(shape);
  const auto* polyhedron = std::get_if<Polyhedron>(&convex);
  return polyhedron != nullptr && polyhedron->solid->num_faces() <= kFewFaces ? convex : shape;
}

}  // namespace

std::optional<Interference::FlatSolid> Interference::find_flat(const Shape& shape) {
  if (const auto* box = std::get_if<Box>(&shape))
    return FlatSolid{std::make_shared<const ConvexPolyhedron>(make_box_polyhedron(box->half_size)), {}};
  if (const auto* polyhedron = std::get_if<Polyhedron>(&shape)) return FlatSolid{polyhedron->solid, {}};
  if (const auto* plane = std::get_if<HalfSpace>(&shape)) return FlatSolid{nullptr, {{plane->normal, plane->offset}}};
  if (const auto* wedge = std::get_if<Wedge>(&shape))
    return FlatSolid{nullptr, {{wedge->normal_1, 0.0}, {wedge->normal_2, 0.0}}};
  return std::nullopt;
}

Interference Interference::make(const Shape& given_a, const Shape& given_b, const VolumeOptions& options) {
  for (const Shape* shape : {&given_a, &given_b}) {
    const std::string defect = find_shape_defect(*shape);
    if (!defect.empty()) throw InputError(defect);
  }
  const Shape whole_a = make_volume_shape(given_a), whole_b = make_volume_shape(given_b);
  const bool is_flat_pair = (is_mesh(whole_a) || find_flat(whole_a)) && (is_mesh(whole_b) || find_flat(whole_b));
  const Shape a = is_flat_pair ? to_few_faces(whole_a) : whole_a, b = is_flat_pair ? to_few_faces(whole_b) : whole_b;
  Interference pair(a, b);
  const std::optional<FlatSolid> flat_a = find_flat(a), flat_b = find_flat(b);
  if ((is_mesh(a) || flat_a) && (is_mesh(b) || flat_b) && (is_mesh(a) || is_mesh(b))) {
    pair.method_ = Method::meshes;
    pair.make_meshes(a, b);
    return pair;
  }
  if (flat_a && flat_b) {
    if (flat_a->polyhedron == nullptr && flat_b->polyhedron == nullptr)
      throw InputError(fmt::format("{} and {} interfere without bounds", shape_name(a), shape_name(b)));
    pair.method_ = Method::clip;
    pair.flat_ = {*flat_a, *flat_b};
    return pair;
  }
  Interference curved(to_convex(a), to_convex(b));
  curved.slices_ = VolumePair::make(make_solid(a), make_solid(b), options);
  return curved;
}

void Interference::make_meshes(const Shape& a, const Shape& b) {
  const double radius = std::max(is_finite(a) ? calc_radius(a) : 0.0, is_finite(b) ? calc_radius(b) : 0.0);
  const std::array<const Shape*, 2> shapes = {&a, &b};
  for (std::size_t i = 0; i < 2; ++i) {
    const Shape& shape = *shapes[i];
    MeshSide& side = mesh_[i];
    if (const auto* mesh = std::get_if<Mesh>(&shape)) {
      side.mesh = mesh->solid;
      continue;
    }
    const FlatSolid flat = find_flat(shape).value();
    if (flat.polyhedron != nullptr) {
      side.mesh = std::make_shared<const ClosedMesh>(make_convex_mesh(*flat.polyhedron));
      continue;
    }
    const double reach = kReach * radius;
    std::vector<HalfSpace> about_origin = to_half_spaces(flat.planes);
    // Moved so that the faces pass through the middle of the part; calc_mesh_pose() moves it back.
    side.follows = true;
    const Vec3& n = about_origin.front().normal;
    const Vec3 edge = n.cross(about_origin.back().normal);
    side.directions = edge.norm() < 1e-9 ? Mat3(Mat3::Identity() - n * n.transpose())
                                         : Mat3(edge * edge.transpose() / edge.squaredNorm());
    side.reach = reach;
    side.has_one_face = about_origin.size() == 1;
    side.normal = n;
    if (about_origin.size() == 1) {
      side.origin = about_origin[0].normal * about_origin[0].offset;
      about_origin[0].offset = 0.0;
    }
    side.mesh =
        std::make_shared<const ClosedMesh>(make_convex_mesh(about_origin, reach, std::string(shape_name(shape))));
  }
}

Pose Interference::calc_mesh_pose(const MeshSide& side, const Pose& X_WS, const MeshSide& other,
                                  const Pose& X_WO) const {
  if (!side.follows) return X_WS;
  const Vec3 center = X_WO * Vec3(0.5 * (other.mesh->bounds().lower + other.mesh->bounds().upper));
  const Vec3 there = X_WS.R.transpose() * (center - X_WS.p) - side.origin;
  Vec3 moved = side.directions * there;
  // What is all under a half-space takes the part that stands for it along: its face is not met in any case.
  const Vec3 normal = there - moved;
  const double below = normal.norm() - 0.5 * side.reach;
  if (side.has_one_face && below > 0.0 && normal.dot(side.normal) < 0.0) moved -= below * side.normal;
  return {X_WS.R, X_WS * Vec3(side.origin + moved)};
}

void Interference::clip(const Pose& X_WA, const Pose& X_WB) {
  const FlatSolid &a = flat_[0], &b = flat_[1];
  if (a.polyhedron != nullptr && b.polyhedron != nullptr) {
    calc_clip(*a.polyhedron, X_WA, *b.polyhedron, X_WB, clip_);
  } else if (a.polyhedron != nullptr) {
    calc_clip(*a.polyhedron, X_WA, b.planes, X_WB, clip_);
  } else {
    calc_clip(a.planes, X_WA, *b.polyhedron, X_WB, clip_);
  }
}

void Interference::calc(const Pose& X_WA, const Pose& X_WB, std::vector<VolumeMetrics>& pieces, Pieces wanted) {
  pieces.clear();
  if (method_ == Method::slices) {
    slices_->calc(X_WA, X_WB, pieces, wanted);
  } else if (method_ == Method::meshes) {
    const Pose X_A = calc_mesh_pose(mesh_[0], X_WA, mesh_[1], X_WB),
               X_B = calc_mesh_pose(mesh_[1], X_WB, mesh_[0], X_WA);
    pieces = meshes_.calc(*mesh_[0].mesh, X_A, *mesh_[1].mesh, X_B);
  } else {
    clip(X_WA, X_WB);
    const VolumeMetrics metrics = calc_clip_metrics(clip_);
    if (metrics.volume > 0.0) pieces.push_back(metrics);
  }
  double largest = 0.0;
  for (const VolumeMetrics& piece : pieces) largest = std::max(largest, piece.volume);
  std::erase_if(pieces, [&](const VolumeMetrics& piece) { return !(piece.volume > kLeastPiece * largest); });
}

SeparationBound Interference::calc_separation(const Pose& X_WA, const Pose& X_WB) {
  if (method_ != Method::meshes) return separation_.calc(X_WA, X_WB);
  const Pose X_A = calc_mesh_pose(mesh_[0], X_WA, mesh_[1], X_WB), X_B = calc_mesh_pose(mesh_[1], X_WB, mesh_[0], X_WA);
  const ClosedMesh &a = *mesh_[0].mesh, &b = *mesh_[1].mesh;
  return {
      find_closest_points(a.mesh().data(), a.tree(), b.mesh().data(), b.tree(), X_A.inverse() * X_B, scratch_).distance,
      true};
}

void Interference::calc_samples(const Pose& X_WA, const Pose& X_WB, int detail, std::vector<VolumeSample>& samples) {
  samples.clear();
  if (method_ == Method::slices) {
    slices_->calc_samples(X_WA, X_WB, detail, samples);
    return;
  }
  std::vector<VolumeMetrics> pieces;
  calc(X_WA, X_WB, pieces);
  if (method_ == Method::clip) {
    if (pieces.empty()) return;
    // Few tetrahedra make up a flat patch, and each has detail^3 groups of points.
    const int flat_detail = std::clamp(detail, 1, 5);
    if (!rule_ || rule_detail_ != flat_detail) rule_.emplace(flat_detail);
    rule_detail_ = flat_detail;
    calc_clip_samples(clip_, pieces[0], *rule_, samples);
    return;
  }
  std::vector<VolumeSample> own;
  for (int i = 0; i < static_cast<int>(meshes_.metrics().size()); ++i) {
    meshes_.calc_samples(i, std::clamp(detail, 1, 5), own);
    samples.insert(samples.end(), own.begin(), own.end());
  }
}

}  // namespace abut
