// What tessellation does to perimeter contact: coarse meshes of smooth bodies in random orientations are pressed
// together slowly, and their force is compared with that of fine meshes under the same law. Ranges over the
// orientations, at depths of 4 % and 10 % of the radius: the largest force of an elastic impact of given energy, the
// stiffness at a given load, the depth under that load from the first touch, and, for the geometry alone, the depth at
// which the meshes share the volume that smooth bodies would (docs/theory/perimeter.md, "Tessellation").
//
//   tessellation_bench [orientations, default 20]

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <numbers>
#include <random>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "abut/geometry/mesh/closed_mesh.hpp"
#include "abut/geometry/mesh/make_mesh.hpp"
#include "abut/geometry/mesh/mesh_interference.hpp"
#include "abut/geometry/polyhedron/convex_polyhedron.hpp"
#include "abut/sim/scene_fixture_test.hpp"

namespace {

using namespace abut;

constexpr double kRadius = 0.2;                               // [m]
constexpr std::array kDepths{0.04 * kRadius, 0.1 * kRadius};  // [m]
constexpr double kMostDepth = 0.16 * kRadius;                 // pressed in as far as this, so that all loads occur [m]
constexpr double kYoung = 2.1e5;                              // [Pa]
constexpr int kSamples = 250, kStepsPerSample = 4;
constexpr double kStep = 1.5e-4;  // slow enough: forces of a spring alone do not depend on the speed [s]

class Dice {
 public:
  Vec3 vector() { return Vec3(normal_(engine_), normal_(engine_), normal_(engine_)); }
  Quat orientation() {
    const Vec3 v = vector();
    return Quat(normal_(engine_), v.x(), v.y(), v.z()).normalized();
  }

 private:
  std::mt19937 engine_{11};
  std::normal_distribution<double> normal_;
};

MeshData make_hull_mesh(const std::vector<Vec3>& points) {
  const ConvexPolyhedron hull = make_convex_hull(points);
  MeshData mesh;
  mesh.vertices = hull.vertices();
  for (int f = 0; f < hull.num_faces(); ++f) {
    const std::span<const int> face = hull.face(f);
    for (std::size_t k = 1; k + 1 < face.size(); ++k) mesh.triangles.push_back({face[0], face[k], face[k + 1]});
  }
  return mesh;
}

/// 2 n - 4 triangles.
MeshData make_random_sphere(int n, Dice& dice) {
  std::vector<Vec3> points;
  for (int i = 0; i < n; ++i) points.push_back(kRadius * dice.vector().normalized());
  return make_hull_mesh(points);
}

MeshData make_spiral_sphere(int n) {
  std::vector<Vec3> points;
  for (int i = 0; i < n; ++i) {
    const double z = 1.0 - (2.0 * i + 1.0) / n, angle = i * std::numbers::pi * (3.0 - std::sqrt(5.0));
    const double r = std::sqrt(1.0 - z * z);
    points.push_back(kRadius * Vec3(r * std::cos(angle), r * std::sin(angle), z));
  }
  return make_hull_mesh(points);
}

/// With a straight part as long as the radius.
MeshData make_capsule_mesh(int num_segments, int num_rings, int num_bands) {
  const double half = 0.5 * kRadius;
  std::vector<Vec2> outline;
  for (int i = 0; i <= num_rings; ++i) {
    const double angle = 0.5 * std::numbers::pi * (static_cast<double>(i) / num_rings - 1.0);
    outline.push_back(Vec2(i == 0 ? 0.0 : kRadius * std::cos(angle), -half + kRadius * std::sin(angle)));
  }
  for (int i = 1; i < num_bands; ++i) outline.push_back(Vec2(kRadius, half * (2.0 * i / num_bands - 1.0)));
  for (int i = 0; i <= num_rings; ++i) {
    const double angle = 0.5 * std::numbers::pi * i / num_rings;
    outline.push_back(Vec2(i == num_rings ? 0.0 : kRadius * std::cos(angle), half + kRadius * std::sin(angle)));
  }
  return make_revolved_mesh(outline, num_segments);
}

MeshData make_turned(const MeshData& mesh, const Quat& q) {
  return make_moved(mesh, Pose(q.toRotationMatrix(), Vec3::Zero()));
}

MeshData make_stretched(MeshData mesh, const Vec3& factors) {
  for (Vec3& vertex : mesh.vertices) vertex = vertex.cwiseProduct(factors);
  return mesh;
}

/// What is met while one body is pressed into another.
struct Curve {
  std::vector<double> depth;   ///< against bodies that touch as smooth ones would [m]
  std::vector<double> force;   ///< [N]
  std::vector<double> work;    ///< of the force [J]
  std::vector<double> volume;  ///< that both share [m^3]
  double touch = 0.0;          ///< depth at which the meshes touch [m]
};

/// y where x first reaches a value, between the samples; NaN where it does not.
double find_at(const std::vector<double>& x, const std::vector<double>& y, double value) {
  for (std::size_t i = 1; i < x.size(); ++i) {
    if (x[i] >= value && x[i - 1] < value) return y[i - 1] + (y[i] - y[i - 1]) * (value - x[i - 1]) / (x[i] - x[i - 1]);
  }
  return std::numeric_limits<double>::quiet_NaN();
}

/// `upper` comes down along z onto `lower`, which is fixed; smooth bodies would touch with its frame at `height` [m].
Curve press(const MeshData& upper, const MeshData& lower, double height, double most_depth) {
  SceneSpec scene;
  scene.gravity = Vec3::Zero();
  scene.body = {make_mesh_body("upper", 1.0, upper, Vec3::Zero()), make_mesh_body("lower", 1.0, lower, Vec3::Zero())};
  scene.body[1].fixed = true;
  scene.body[1].mass.reset();
  JointSpec guide;
  guide.name = "guide";
  guide.type = JointSpec::Type::prismatic;
  guide.parent = "world";
  guide.child = "upper";
  guide.axis = Vec3::UnitZ();
  const double duration = kSamples * kStepsPerSample * kStep, margin = 0.002 * kRadius;
  RateMotionSpec motion;
  motion.start = height + margin;
  motion.rate = -(most_depth + margin) / duration;
  guide.motion.emplace().kind = motion;
  scene.joint = {guide};
  scene.contact = {make_perimeter_contact(NormalSpec::Law::hertz, kYoung, 1.0)};
  scene.run.method = RunSpec::Method::explicit_;
  scene.run.step = kStep;
  scene.run.duration = duration;
  scene.run.record_interval = kStepsPerSample * kStep;
  MemorySink sink;
  simulate(compile(scene), sink);

  const ClosedMesh closed_upper = make_closed_mesh(upper), closed_lower = make_closed_mesh(lower);
  MeshInterference interference;
  Curve curve;
  curve.touch = std::numeric_limits<double>::infinity();
  for (const Sample& sample : sink.samples) {
    const double z = sample.bodies[0].position.z(), depth = height - z;
    double force = 0.0, volume = 0.0;
    for (const ContactSample& contact : sample.contacts) force += contact.normal_force;
    for (const VolumeMetrics& piece :
         interference.calc(closed_upper, Pose(Mat3::Identity(), Vec3(0, 0, z)), closed_lower, Pose())) {
      volume += piece.volume;
    }
    const bool is_first = curve.depth.empty();
    if (force > 0.0 && !std::isfinite(curve.touch)) curve.touch = is_first ? depth : 0.5 * (depth + curve.depth.back());
    const double travel = is_first ? 0.0 : depth - curve.depth.back();
    const double work = is_first ? 0.0 : curve.work.back() + 0.5 * (force + curve.force.back()) * travel;
    curve.depth.push_back(depth);
    curve.force.push_back(force);
    curve.work.push_back(work);
    curve.volume.push_back(volume);
  }
  return curve;
}

double calc_stiffness(const Curve& curve, double load) {
  constexpr double kWidth = 0.15;  // of the load, either way
  return 2.0 * kWidth * load /
         (find_at(curve.force, curve.depth, (1.0 + kWidth) * load) -
          find_at(curve.force, curve.depth, (1.0 - kWidth) * load));
}

struct Range {
  double least = std::numeric_limits<double>::infinity(), most = -least;
  void add(double value) {
    least = std::min(least, value);
    most = std::max(most, value);
  }
};

/// One line of the table: `make` gives a coarse curve and the fine one it is compared with, at another orientation each
/// time.
template <class Make>
void report(const std::string& name, int num_orientations, const Make& make) {
  Range ranges[4][kDepths.size()];
  for (int i = 0; i < num_orientations; ++i) {
    const auto& [coarse, fine] = make();
    for (std::size_t k = 0; k < kDepths.size(); ++k) {
      const auto fine_at = [&](const std::vector<double>& y) {
        return find_at(fine.depth, y, fine.touch + kDepths[k]);
      };
      const double load = fine_at(fine.force);
      ranges[0][k].add(find_at(coarse.work, coarse.force, fine_at(fine.work)) / load);
      ranges[1][k].add(calc_stiffness(coarse, load) / calc_stiffness(fine, load));
      ranges[2][k].add((find_at(coarse.force, coarse.depth, load) - coarse.touch) / kDepths[k]);
      ranges[3][k].add((find_at(coarse.volume, coarse.depth, fine_at(fine.volume)) - coarse.touch) / kDepths[k]);
    }
  }
  fmt::print("{:<34}", name);
  for (const auto& quantity : ranges) {
    for (const Range& range : quantity) fmt::print(" {:.2f} ... {:.2f} ", range.least, range.most);
  }
  fmt::print("\n");
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  const int num_orientations = argc > 1 ? std::atoi(argv[1]) : 20;
  Dice dice;
  const MeshData plate = make_moved(make_box_mesh(Vec3(1, 1, 0.25)), Pose(Mat3::Identity(), Vec3(0, 0, -0.25)));
  const MeshData fine_sphere = make_sphere_mesh(kRadius, 5);
  const auto turn = [&](const MeshData& mesh) { return make_turned(mesh, dice.orientation()); };
  fmt::print("{:<34}", "triangles, pair");
  for (const char* quantity : {"force", "stiffness", "depth", "volume"})
    fmt::print(" {:<14} {:<14}", fmt::format("{}, 4 %", quantity), fmt::format("{}, 10 %", quantity));
  fmt::print("\n");

  const Curve on_plane = press(make_sphere_mesh(kRadius, 6), plate, kRadius, kMostDepth);
  const Curve on_sphere = press(turn(fine_sphere), turn(fine_sphere), 2.0 * kRadius, kMostDepth);
  const auto report_sphere = [&](const char* name, const auto& make_mesh) {
    report(fmt::format("{}, on a plane", name), num_orientations,
           [&] { return std::pair(press(turn(make_mesh()), plate, kRadius, kMostDepth + 0.04 * kRadius), on_plane); });
    report(fmt::format("two of {}", name), num_orientations, [&] {
      const MeshData upper = turn(make_mesh()), lower = turn(make_mesh());
      return std::pair(press(upper, lower, 2.0 * kRadius, kMostDepth + 0.08 * kRadius), on_sphere);
    });
  };
  report_sphere("270 in slices", [] { return make_uv_sphere_mesh(kRadius, 15, 10); });
  report_sphere("270, spiral points", [] { return make_spiral_sphere(137); });
  report_sphere("270, random points", [&] { return make_random_sphere(137, dice); });
  report_sphere("512, octahedral", [] { return make_sphere_mesh(kRadius, 3); });
  report_sphere("576 in slices", [] { return make_uv_sphere_mesh(kRadius, 24, 13); });
  report_sphere("996, random points", [&] { return make_random_sphere(500, dice); });
  report_sphere("1,980 in slices", [] { return make_uv_sphere_mesh(kRadius, 45, 23); });

  const Vec3 stretch(1.0, 0.8, 1.3);
  const auto report_shape = [&](const char* name, const MeshData& coarse, const MeshData& fine) {
    report(fmt::format("{} on a plane", name), num_orientations, [&] {
      const Quat q = dice.orientation();
      const MeshData upper = make_turned(fine, q);
      double lowest = 0.0;
      for (const Vec3& vertex : upper.vertices) lowest = std::min(lowest, vertex.z());
      return std::pair(press(make_turned(coarse, q), plate, -lowest, kMostDepth + 0.05 * kRadius),
                       press(upper, plate, -lowest, kMostDepth));
    });
  };
  report_shape("ellipsoid of 270", make_stretched(make_uv_sphere_mesh(kRadius, 15, 10), stretch),
               make_stretched(fine_sphere, stretch));
  report_shape("capsule of 300", make_capsule_mesh(15, 4, 2), make_capsule_mesh(90, 24, 6));
  report_shape("ring of 484", make_torus_mesh(2.0 * kRadius, kRadius, 22, 11),
               make_torus_mesh(2.0 * kRadius, kRadius, 140, 60));
  return 0;
}
