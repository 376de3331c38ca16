#pragma once

#include <memory>
#include <random>
#include <string>

#include "abut/geometry/mesh/facets.hpp"
#include "abut/geometry/mesh/make_mesh.hpp"
#include "abut/geometry/test_surfaces.hpp"
#include "abut/geometry/volume/column_reference_test.hpp"
#include "abut/geometry/volume/interference.hpp"

// Random pairs of bodies, one upon the other, flush or nearly so: what near-degenerate volumes are tried on. The pose
// number N is the same on every machine.

namespace abut::testing {

enum class BodyKind { cylinder, cone, capsule, ellipsoid, torus, bowl, box, plate, dented };
constexpr int kNumCurvedKinds = 6, kNumBodyKinds = 9;

inline const char* body_name(BodyKind kind) {
  constexpr std::array<const char*, kNumBodyKinds> kNames = {"cylinder", "cone", "capsule", "ellipsoid", "torus",
                                                             "bowl",     "box",  "plate",   "mesh"};
  return kNames[static_cast<std::size_t>(kind)];
}

/// A body and, for the reference, what it is made of.
struct PoseBody {
  BodyKind kind = BodyKind::box;
  Shape shape;
  Pose X;
  double size = 0.0;         ///< least half width [m]
  double reach = 0.0;        ///< farthest point from the origin of its frame [m]
  Vec3 half = Vec3::Zero();  ///< of boxes and plates [m]

  bool is_faceted() const { return kind == BodyKind::torus || kind == BodyKind::dented; }
  const ClosedMesh& mesh() const {
    const auto facets = find_facets(shape);
    return facets != nullptr ? *facets : *std::get<Mesh>(shape).solid;
  }
};

struct PosePair {
  PoseBody a, b;  ///< A upon B, their common part about the origin, its least extent along z
  Pose X_WZ;      ///< both are moved by it before the kernels see them
  double tilt = 0.0, depth = 0.0;
};

inline void add_box_surfaces(const Vec3& half, const Pose& X, ChordSolid& solid) {
  for (int axis = 0; axis < 3; ++axis) {
    for (const double side : {1.0, -1.0}) {
      const Vec3 n = side * X.R.col(axis);
      solid.emplace_back(n, n.dot(X.p) + half[axis]);
    }
  }
}

/// Of a convex body, or of a bowl without its hollow.
inline ChordSolid make_surfaces(const PoseBody& body) {
  const Shape& shape = body.shape;
  const Pose& X = body.X;
  ChordSolid solid;
  const Vec3 z = X.R.col(2);
  if (!body.half.isZero()) add_box_surfaces(body.half, X, solid);
  if (const auto* s = std::get_if<Cylinder>(&shape)) {
    solid.emplace_back(SurfaceKind::tube, X, Vec3(s->radius, 0, 0));
    solid.emplace_back(z, z.dot(X.p) + s->half_length);
    solid.emplace_back(Vec3(-z), -z.dot(X.p) + s->half_length);
  }
  if (const auto* s = std::get_if<Cone>(&shape)) {
    solid.emplace_back(SurfaceKind::cone, X, Vec3(std::sin(s->half_angle), std::cos(s->half_angle), 0));
    solid.emplace_back(Vec3(-z), -z.dot(X.p) + s->height);
  }
  if (const auto* s = std::get_if<Capsule>(&shape))
    solid.emplace_back(SurfaceKind::capsule, X, Vec3(s->radius, s->half_length, 0));
  if (const auto* s = std::get_if<Ellipsoid>(&shape)) solid.emplace_back(SurfaceKind::ellipsoid, X, s->semi_axes);
  if (const auto* s = std::get_if<Bowl>(&shape)) {
    solid.emplace_back(SurfaceKind::ellipsoid, X, Vec3::Constant(s->calc_outer_radius()));
    solid.emplace_back(z, z.dot(X.p) + s->calc_lip_height());
  }
  return solid;
}

inline void add_hollow(const PoseBody& body, std::vector<ChordSolid>& hollows) {
  const auto* bowl = std::get_if<Bowl>(&body.shape);
  if (bowl == nullptr) return;
  hollows.push_back({ChordSurface(SurfaceKind::ellipsoid, body.X, Vec3::Constant(bowl->radius))});
}

/// Height of the highest point of a convex body (of a bowl without its hollow) above z = 0, or with `side` -1 the depth
/// of its lowest one below it [m].
inline double find_top(const PoseBody& body, double side) {
  const Vec3 n = side * body.X.R.row(2).transpose();
  const double across = n.head<2>().norm();
  double top = body.half.dot(n.cwiseAbs());
  if (const auto* s = std::get_if<Cylinder>(&body.shape)) top = s->radius * across + s->half_length * std::abs(n.z());
  if (const auto* s = std::get_if<Cone>(&body.shape))
    top = std::max(0.0, calc_base_radius(*s) * across - s->height * n.z());
  if (const auto* s = std::get_if<Capsule>(&body.shape)) top = s->radius + s->half_length * std::abs(n.z());
  if (const auto* s = std::get_if<Ellipsoid>(&body.shape)) top = s->semi_axes.cwiseProduct(n).norm();
  if (const auto* s = std::get_if<Bowl>(&body.shape)) {
    const double outer = s->calc_outer_radius();
    top = outer * n.z() <= s->calc_lip_height() ? outer : s->calc_lip_height() * n.z() + s->calc_lip_radius() * across;
  }
  return side * body.X.p.z() + top;
}

inline Extent make_extent(const PoseBody& body) {
  Extent extent{body.X.p - Vec3::Constant(body.reach), body.X.p + Vec3::Constant(body.reach)};
  extent.lower.z() = -find_top(body, -1.0), extent.upper.z() = find_top(body, 1.0);
  return extent;
}

class PoseFamilies {
 public:
  explicit PoseFamilies(std::uint64_t number) : random_(static_cast<unsigned>(number * 2654435761U + 12345U)) {}

  PosePair make() {
    for (;;) {
      PosePair pair;
      pair.a = make_body(static_cast<BodyKind>(choose(kNumCurvedKinds)));
      pair.b = make_body(static_cast<BodyKind>(choose(kNumBodyKinds)));
      pair.tilt = choose(4) == 0 ? 0.0 : std::pow(10.0, random_.uniform(-7.0, std::log10(8.0))) * kPi / 180.0;
      const double size = std::min(pair.a.size, pair.b.size);
      // Of two meshes with dents, and of those on curved bodies, the reference takes a second when they are deep.
      const bool is_dear = pair.a.is_faceted() || pair.b.is_faceted();
      pair.depth = std::pow(10.0, random_.uniform(-9.0, is_dear ? -2.0 : 0.0)) * size;
      if (pair.a.is_faceted() && pair.b.is_faceted()) continue;
      if (place(pair)) return pair;
    }
  }

 private:
  int choose(int count) { return std::min(count - 1, static_cast<int>(random_.uniform(0.0, count))); }
  double length() { return 0.1 * std::pow(10.0, random_.uniform(-0.7, 0.0)); }

  PoseBody make_body(BodyKind kind) {
    PoseBody body{kind, Box{}, {}, 0.0, 0.0, Vec3::Zero()};
    const double x = length(), y = length(), z = length();
    switch (kind) {
      case BodyKind::cylinder:
        body.shape = Cylinder{x, y}, body.size = std::min(x, y), body.reach = std::hypot(x, y);
        break;
      case BodyKind::cone: {
        const Cone cone{random_.uniform(0.1, 1.3), x};
        const double base = calc_base_radius(cone);
        body.shape = cone, body.size = std::min(0.5 * x, base), body.reach = std::hypot(x, base);
        break;
      }
      case BodyKind::capsule:
        body.shape = Capsule{x, y}, body.size = x, body.reach = x + y;
        break;
      case BodyKind::ellipsoid:
        body.shape = Ellipsoid{Vec3(x, y, choose(3) == 0 ? y : z)}, body.size = std::min({x, y, z});
        body.reach = std::max({x, y, z});
        break;
      case BodyKind::torus: {
        const double tube = x * random_.uniform(0.1, 0.6);
        body.shape = with_facets(Torus{x, tube}), body.size = tube, body.reach = x + tube;
        break;
      }
      case BodyKind::bowl: {
        const double wall = x * random_.uniform(0.05, 0.5);
        body.shape = Bowl{x, wall, x * random_.uniform(0.3, 1.2)}, body.size = wall, body.reach = x + wall;
        break;
      }
      case BodyKind::box:
        body.shape = Box{Vec3(x, y, z)}, body.size = std::min({x, y, z}), body.reach = Vec3(x, y, z).norm();
        body.half = Vec3(x, y, z);
        break;
      case BodyKind::plate: {
        const Vec3 half(x, y, 0.3 * z);
        body.shape = make_mesh(make_divided(make_box_mesh(half), 2 + choose(3)));
        body.size = half.minCoeff(), body.reach = half.norm(), body.half = half;
        break;
      }
      case BodyKind::dented:
        body.shape = make_mesh(make_torus_mesh(x, 0.4 * x, 14, 10)), body.size = 0.4 * x, body.reach = 1.4 * x;
        break;
    }
    return body;
  }

  static Shape make_mesh(MeshData data) {
    return Mesh{std::make_shared<const ClosedMesh>(make_closed_mesh(std::move(data), "pose"))};
  }

  /// Turns a feature of the body (a face, a side, a tip, an edge) down.
  Mat3 choose_feature(const PoseBody& body) {
    const auto about = [](double angle, const Vec3& axis) { return Mat3(Eigen::AngleAxisd(angle, axis)); };
    const double quarter = 0.5 * kPi;
    const int which = choose(4);
    if (which == 3) return random_.rotation();
    if (const auto* cone = std::get_if<Cone>(&body.shape); cone != nullptr && which == 1)
      return about(quarter + cone->half_angle, Vec3::UnitX());  // a side down
    if (body.kind == BodyKind::cone && which == 2) return about(2.0 * quarter, Vec3::UnitX());
    if (body.kind == BodyKind::bowl) return which == 0 ? about(2.0 * quarter, Vec3::UnitX()) : Mat3(Mat3::Identity());
    if (which == 0) return Mat3::Identity();
    if (which == 1) return about(quarter, Vec3::UnitX());
    return about(body.kind == BodyKind::ellipsoid ? quarter : 0.5 * quarter, Vec3::UnitY());
  }

  /// One body upon the other, `depth` in it along z, their common part about the origin. False where one passes by.
  bool place(PosePair& pair) {
    PoseBody &a = pair.a, &b = pair.b;
    const double angle = random_.uniform(0.0, 2.0 * kPi), away = random_.uniform(0.0, 1.0);
    const Vec3 axis = choose(3) == 0 ? Vec3(Vec3::UnitX()) : polar(1.0, angle, 0.0);
    const Mat3 up = Eigen::AngleAxisd(kPi, Vec3::UnitX()).toRotationMatrix() * choose_feature(b);
    b.X.R = Eigen::AngleAxisd(choose(2) * angle, Vec3::UnitZ()).toRotationMatrix() * up;
    a.X.R = Eigen::AngleAxisd(pair.tilt, axis).toRotationMatrix() * choose_feature(a);
    const double side = choose(3) * 0.5 * away * (a.reach + b.reach);
    a.X.p = polar(side, random_.uniform(0.0, 2.0 * kPi), 2.0 * (a.reach + b.reach));
    if (choose(2) == 0) pair.X_WZ = random_.pose(0.3);
    return a.is_faceted() || b.is_faceted() ? lower_facets(pair) : lower(pair);
  }

  static bool lower(PosePair& pair) {
    ChordSolid both = make_surfaces(pair.a);
    for (const ChordSurface& surface : make_surfaces(pair.b)) both.push_back(surface);
    const auto longest = ChordReference(both, {}, pair.a.X.p.norm() + pair.a.reach + pair.b.reach).find_longest();
    if (!(longest.length > -1e29)) return false;
    // Where the line passes by one of them, that is how far.
    for (const PoseBody* body : {&pair.a, &pair.b}) {
      if (!(rank(meet(make_surfaces(*body), longest.x, longest.y)) > 0.0)) return false;
    }
    pair.a.X.p.z() -= pair.depth - longest.length;
    const Chord chord = meet(make_surfaces(pair.b), longest.x, longest.y);
    const Vec3 place(longest.x, longest.y, chord.high - 0.5 * pair.depth);
    pair.a.X.p -= place, pair.b.X.p -= place;
    return true;
  }

  /// Down by the distance that is left, again and again, and by bisection where that is a bound only.
  static bool lower_facets(PosePair& pair) {
    Interference interference = Interference::make(pair.a.shape, pair.b.shape);
    double& z = pair.a.X.p.z();
    const double bottom = -2.0 * (pair.a.reach + pair.b.reach);
    for (int i = 0; i < 100 && z > bottom; ++i) {
      const double distance = interference.calc_separation(pair.a.X, pair.b.X).distance;
      if (distance < 1e-14) break;
      z -= distance;
    }
    const auto is_in = [&](double height) {
      std::vector<VolumeMetrics> found;
      z = height;
      interference.calc(pair.a.X, pair.b.X, found);
      return !found.empty();
    };
    double above = z, below = z;
    for (double step = 1e-10; below > bottom && !is_in(below); step *= 2.0) above = below, below -= step;
    if (!(below > bottom)) return false;
    while (above - below > 1e-14) {
      const double middle = 0.5 * (above + below);
      (is_in(middle) ? below : above) = middle;
    }
    z = below;
    pair.a.X.p.z() -= pair.depth;
    std::vector<VolumeMetrics> pieces;
    interference.calc(pair.a.X, pair.b.X, pieces);
    const Vec3 place = pieces.empty() ? pair.a.X.p : pieces[0].centroid;
    pair.a.X.p -= place, pair.b.X.p -= place;
    // Chords below some thousand triangles take the reference seconds.
    constexpr std::ptrdiff_t kMostColumns = 40;
    const PoseBody &facets = pair.a.is_faceted() ? pair.a : pair.b, &other = pair.a.is_faceted() ? pair.b : pair.a;
    if (!other.half.isZero()) return true;
    const std::vector<Column> columns = make_columns(facets.mesh(), facets.X, pair.a.is_faceted());
    const Extent extent = make_extent(other);
    return std::count_if(columns.begin(), columns.end(), [&](const Column& column) {
             return extent.meets(column, pair.a.is_faceted());
           }) <= kMostColumns;
  }

  Random random_;
};

}  // namespace abut::testing
