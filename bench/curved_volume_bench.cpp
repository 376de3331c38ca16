// Time and precision of the volume of interference of curved solids, all metrics, one core: against the bound on the
// error that is asked for, and against plain counting of voxels in the same run.

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "abut/geometry/mesh/closed_mesh.hpp"
#include "abut/geometry/mesh/make_mesh.hpp"
#include "abut/geometry/volume/interference.hpp"
#include "abut/geometry/volume/volume_pair.hpp"
#include "bench_tools.hpp"

namespace {

using namespace abut;

struct Case {
  std::string name;
  Solid a, b;
  Pose X_WA, X_WB;
  double target;  ///< [us] at a relative error of 1e-6
};

Pose at(double x, double y, double z) { return {Mat3(Mat3::Identity()), Vec3(x, y, z)}; }
Pose tilted(double angle, const Vec3& axis, const Vec3& p) {
  return {Mat3(Eigen::AngleAxisd(angle, axis.normalized())), p};
}

Shape make_ring(double ring_radius, double tube_radius) {
  const MeshData mesh = make_torus_mesh(ring_radius, tube_radius, 48, 32);
  return Mesh{std::make_shared<const ClosedMesh>(make_closed_mesh(mesh))};
}

/// A block with a hole of radius 51 mm through it.
Solid make_block() {
  Solid block = make_solid(Box{Vec3(0.2, 0.2, 0.1)});
  block.parts.push_back({Shape(Cylinder{0.051}), Pose(), true});
  return block;
}

Shape make_cell(std::vector<CellPart> parts) {
  return CutShape{std::make_shared<const CellParts>(CellParts{std::move(parts)})};
}

/// A block under z = 0 with a blind hole of radius 20.2 mm and a chamfer of 2 mm.
Shape make_chamfered_block() {
  return make_cell({{Box{Vec3(0.06, 0.06, 0.04)}, at(0, 0, -0.04), false},
                    {Cylinder{0.0202, 0.06}, Pose(), true},
                    {Cone{std::atan(1.0), 0.1}, tilted(std::acos(-1.0), Vec3::UnitX(), Vec3(0, 0, -0.0222)), true}});
}

/// A cup: a can with a round hollow from above.
Shape make_cup() {
  return make_cell({{Cylinder{0.04, 0.05}, Pose(), false}, {Cylinder{0.036, 0.05}, at(0, 0, 0.005), true}});
}

/// One triangle as a fan of needles, 500 along its longest side and to the corner across.
void needle_corners(MeshData& mesh, const std::array<int, 3>& triangle, int side) {
  constexpr int kNeedles = 500;
  const int from = triangle[side], to = triangle[(side + 1) % 3], apex = triangle[(side + 2) % 3];
  const bool is_forward = from < to;
  // The points of the diagonal are made by the first of its two triangles, and shared by the second.
  constexpr int kCorners = 8;
  if (mesh.vertices.size() == kCorners) {
    const Vec3 p = mesh.vertices[std::min(from, to)], q = mesh.vertices[std::max(from, to)];
    for (int k = 1; k < kNeedles; ++k) mesh.vertices.push_back(p + k * (q - p) / kNeedles);
  }
  const auto point = [&](int k) {
    const int along = is_forward ? k : kNeedles - k;
    return along == 0 ? std::min(from, to) : along == kNeedles ? std::max(from, to) : kCorners + along - 1;
  };
  for (int k = 0; k < kNeedles; ++k) mesh.triangles.push_back({point(k), point(k + 1), apex});
}

/// A box whose upper face is made of needles.
Shape make_needle_box() {
  MeshData mesh = make_box_mesh(Vec3(0.05, 0.05, 0.05));
  const std::vector<std::array<int, 3>> coarse = std::exchange(mesh.triangles, {});
  for (const std::array<int, 3>& triangle : coarse) {
    const bool is_top =
        std::all_of(triangle.begin(), triangle.end(), [&](int v) { return mesh.vertices[v].z() > 0.0; });
    // Both triangles of the top share a diagonal, whose ends they list in opposite order.
    int side = -1;
    for (int k = 0; k < 3 && is_top; ++k) {
      const Vec3 edge = mesh.vertices[triangle[(k + 1) % 3]] - mesh.vertices[triangle[k]];
      if (edge.x() != 0.0 && edge.y() != 0.0) side = k;
    }
    if (side < 0) {
      mesh.triangles.push_back(triangle);
      continue;
    }
    needle_corners(mesh, triangle, side);
  }
  return Mesh{std::make_shared<const ClosedMesh>(make_closed_mesh(std::move(mesh)))};
}

std::vector<Case> make_cell_cases() {
  const Solid peg = make_solid(Cylinder{0.02, 0.05}), block = make_solid(make_chamfered_block());
  const Solid cup = make_solid(make_cup());
  const Solid bowl = make_solid(Bowl{0.1, 0.01, 0.08}), ball = make_solid(Sphere{0.03});
  const Solid pin = make_solid(Cylinder{0.02, 0.03}), box = make_solid(Box{Vec3(0.05, 0.05, 0.02)});
  const Solid end = make_solid(Cone{std::atan(1.0), 0.02});
  const auto lean = [](double x, double z, double angle) { return tilted(angle, Vec3::UnitY(), Vec3(x, 0, z)); };
  const double lip = -0.02;
  return {
      {"peg flat on a chamfer", peg, block, lean(0.0025, 0.0492, 0.0), Pose(), 1000},
      {"peg tilted on a chamfer", peg, block, lean(0.002, 0.0485, 0.03), Pose(), 1000},
      {"peg tilted in its hole", peg, block, lean(-1.64e-4, -0.008053, -0.00787), Pose(), 1000},
      {"the same, end of its depth field", end, block, lean(-1.64e-4, -0.008053, -0.00787) * at(0, 0, -0.03), Pose(),
       1000},
      {"peg on the bottom of the hole", peg, block, lean(-1.57e-4, -0.009965, -0.00721), Pose(), 1000},
      {"cup on a box", cup, box, tilted(0.02, Vec3(1, 0.3, 0), at(0, 0, 0.0695).p), Pose(), 1000},
      {"pin in a cup", pin, cup, tilted(0.01, Vec3(1, 0.3, 0), Vec3(0.0161, 0, 0)), Pose(), 1000},
      {"pin on a cup's rim", pin, cup, tilted(1.5, Vec3(0, 1, 0), Vec3(0, 0.02, 0.0699)), Pose(), 1000},
      {"ball on a bowl's lip", ball, bowl, at(0.1, 0, lip + 0.0285), Pose(), 1000},
      {"pin in a bowl", pin, bowl, tilted(0.4, Vec3(1, 0.3, 0), Vec3(0.02, 0, -0.066)), Pose(), 1000},
      {"box on a bowl's lip", box, bowl, tilted(0.01, Vec3(1, 0.3, 0), Vec3(0.06, 0, lip + 0.0195)), Pose(), 1000},
      {"ring of 3,072 triangles in a bowl", make_solid(make_ring(0.045, 0.015)), bowl,
       tilted(0.05, Vec3(1, 0.3, 0), Vec3(0.004, 0, -0.0705)), Pose(), 1000},
      {"bowl on a box", bowl, box, tilted(0.1, Vec3(1, 0.3, 0), Vec3(0, 0, 0.1295)), Pose(), 1000},
      {"box of needles under a pin", make_solid(make_needle_box()), pin, Pose(),
       tilted(0.001, Vec3(1, 0.3, 0), Vec3(0, 0, 0.0799)), 1000 + 1000},
  };
}

std::vector<Case> make_cases() {
  const Solid ball = make_solid(Sphere{0.1}), ground = make_solid(HalfSpace{}), pin = make_solid(Cylinder{0.05, 0.1});
  const Solid table = make_solid(Box{Vec3(1.0, 1.0, 0.25)}), egg = make_solid(Ellipsoid{Vec3(0.1, 0.07, 0.05)});
  const Pose X_table = at(0.0, -0.7, -0.25);
  return {
      {"sphere / half-space", ball, ground, at(0, 0, 0.0975), Pose(), 0.5},
      {"sphere / sphere", ball, ball, at(0, 0, 0.195), Pose(), 0.5},
      {"ellipsoid / half-space", egg, ground, tilted(0.4, Vec3(1, 2, 3), Vec3(0, 0, 0.05)), Pose(), 0.5},
      {"sphere / box edge, y 0.28", ball, table, at(0, 0.28, 0.0975), X_table, 20},
      {"sphere / box edge, y 0.3273", ball, table, at(0, 0.3273, 0.0904763589), X_table, 20},
      {"sphere / box edge, deep", ball, table, at(0, 0.38, -0.03), X_table, 20},
      {"cylinder / half-space, 30 deg", pin, ground, tilted(0.5236, Vec3(1, 0.2, 0), Vec3(0, 0, 0.107)), Pose(), 20},
      {"cylinder / half-space, 85 deg", pin, ground, tilted(1.48, Vec3(0, 1, 0), Vec3(0, 0, 0.04)), Pose(), 20},
      {"sphere in bore", ball, make_solid(Bore{1.0}), at(0.903, 0, 0.2), Pose(), 100},
      {"pin tilted in bore", pin, make_solid(Bore{0.051}), tilted(0.025, Vec3(1, 0.3, 0), Vec3(0.0003, 0, 0)), Pose(),
       100},
      {"crossed cylinders", pin, pin, tilted(1.3, Vec3(1, 0, 0), Vec3(0.097, 0, 0.01)), Pose(), 100},
      {"ellipsoid / ellipsoid, shallow", egg, egg, tilted(1.0, Vec3(1, 2, 3), Vec3(0.13, 0.02, 0.01)), Pose(), 200},
      {"ellipsoid / ellipsoid, deep", egg, egg, tilted(1.0, Vec3(1, 2, 3), Vec3(0.05, 0.02, 0.01)), Pose(), 200},
      {"capsule / box corner", make_solid(Capsule{0.05, 0.1}), table,
       tilted(0.7, Vec3(1, 1, 0), Vec3(0.96, 0.27, 0.04)), X_table, 1000},
      {"cone / cylinder", make_solid(Cone{0.4, 0.2}), pin, tilted(2.6, Vec3(1, 0.4, 0), Vec3(0.02, 0, 0.08)), Pose(),
       1000},
      {"pin tilted in a block's hole", pin, make_block(), tilted(0.025, Vec3(1, 0.3, 0), Vec3(0.0003, 0, 0.08)), Pose(),
       1000},
      {"ball on a hole's rim", ball, make_block(), at(0.01, 0, 0.18), Pose(), 1000},
      {"wide cones that cross", make_solid(Cone{1.1, 0.05}), make_solid(Cone{1.1, 0.05}),
       tilted(1.5708, Vec3(0, 1, 0), Vec3(-0.03, 0, -0.03)), Pose(), 5000},
      {"ring of 3,072 triangles / cylinder", make_solid(make_ring(0.1, 0.03)), pin,
       tilted(0.3, Vec3(1, 0.2, 0), Vec3(0.07, 0, 0.02)), Pose(), 1000},
  };
}

double calc_sum(const std::vector<VolumeMetrics>& pieces) {
  double sum = 0.0;
  for (const VolumeMetrics& piece : pieces) sum += piece.volume;
  return sum;
}

double measure(VolumePair& pair, const Case& test, std::vector<VolumeMetrics>& pieces) {
  const double once = calc_best_time(5, [&] { pair.calc(test.X_WA, test.X_WB, pieces); });
  const int repetitions = static_cast<int>(1e-3 / once) + 1;
  return calc_best_time(15,
                        [&] {
                          for (int r = 0; r < repetitions; ++r) pair.calc(test.X_WA, test.X_WB, pieces);
                        }) /
         repetitions;
}

void print_cases(const std::vector<Case>& cases) {
  fmt::print("{:<32} {:>12} {:>9} {:>9} {:>9} {:>11} {:>11} {:>7}\n", "pair", "V [m^3]", "1e-6 [us]", "1e-9 [us]",
             "target", "error 1e-6", "error 1e-9", "pieces");
  for (const Case& test : cases) {
    std::vector<VolumeMetrics> pieces;
    VolumePair exact = VolumePair::make(test.a, test.b, {1e-12, 4000});
    exact.calc(test.X_WA, test.X_WB, pieces);
    const double volume = calc_sum(pieces);
    double seconds[2], error[2];
    for (int k = 0; k < 2; ++k) {
      VolumePair pair = VolumePair::make(test.a, test.b, {k == 0 ? 1e-6 : 1e-9, 400});
      seconds[k] = measure(pair, test, pieces);
      error[k] = std::abs(calc_sum(pieces) / volume - 1.0);
    }
    fmt::print("{:<32} {:>12.5g} {:>9.2f} {:>9.2f} {:>9.1f} {:>11.1e} {:>11.1e} {:>7}\n", test.name, volume,
               1e6 * seconds[0], 1e6 * seconds[1], test.target, error[0], error[1], pieces.size());
  }
}

/// Bodies that are apart are asked how far, at every look that events need.
void print_separations() {
  const Shape peg = Cylinder{0.02, 0.05}, pin = Cylinder{0.02, 0.03}, box = Box{Vec3(0.02, 0.02, 0.02)};
  const Shape bowl = Bowl{0.1, 0.01, 0.08}, cavity = Cavity{0.1}, needles = make_needle_box();
  const Shape egg = Ellipsoid{Vec3(0.03, 0.02, 0.02)};
  struct Pair {
    std::string name;
    Shape a, b;
    Pose X_WA;
  };
  const Pose askew = tilted(0.4, Vec3(1, 0.3, 0), Vec3(0.02, 0, -0.03));
  const std::vector<Pair> pairs = {
      {"peg above a chamfer", peg, make_chamfered_block(), at(0.001, 0, 0.0492)},
      {"peg tilted between chamfer and hole", peg, make_chamfered_block(),
       tilted(0.01, Vec3::UnitY(), Vec3(5e-4, 0, 0.045))},
      {"peg in its hole", peg, make_chamfered_block(), at(1e-4, 0, -0.009)},
      {"pin in a cup", pin, make_cup(), at(0.0159, 0, 0)},
      {"box in a bowl", box, bowl, askew},
      {"pin in a bowl", pin, bowl, askew},
      {"ellipsoid in a bowl", egg, bowl, askew},
      {"pin in a cavity", pin, cavity, askew},
      {"box of needles over a box", needles, box, at(0, 0, -0.0701)},
      {"box of needles over a pin", needles, pin, at(0, 0, -0.0801)},
      {"torus over a box", Torus{0.1, 0.03}, box, tilted(0.3, Vec3(1, 0.2, 0), Vec3(0.1, 0, 0.09))},
  };
  fmt::print("\n{:<38} {:>12} {:>8} {:>12}\n", "apart", "gap [m]", "exact", "time [us]");
  for (const Pair& test : pairs) {
    Interference pair = Interference::make(test.a, test.b);
    SeparationBound bound;
    const double seconds = calc_best_time(15, [&] { bound = pair.calc_separation(test.X_WA, Pose()); });
    fmt::print("{:<38} {:>12.5g} {:>8} {:>12.2f}\n", test.name, bound.distance, bound.is_exact, 1e6 * seconds);
  }
}

/// Voxels of edge h whose centre lies in both, in layers down from the table's top and back from its edge.
double count_voxels(double h, const Vec3& center, double radius) {
  double sum = 0.0;
  for (double z = -0.5 * h; z > center.z() - radius; z -= h) {
    for (double x = -0.024 + 0.5 * h; x < 0.024; x += h) {
      for (double y = 0.3 - 0.5 * h; y > 0.256; y -= h) {
        if ((Vec3(x, y, z) - center).squaredNorm() <= radius * radius) sum += h * h * h;
      }
    }
  }
  return sum;
}

void print_voxels() {
  fmt::print("\nsphere over the table edge, y 0.28: voxels against slices\n{:>10} {:>12} {:>12} {:>12}\n", "h [m]",
             "time [us]", "error", "time ratio");
  const Case test = make_cases()[3];
  VolumePair pair = VolumePair::make(test.a, test.b), exact = VolumePair::make(test.a, test.b, {1e-12, 4000});
  std::vector<VolumeMetrics> pieces;
  exact.calc(test.X_WA, test.X_WB, pieces);
  const double volume = calc_sum(pieces), ours = measure(pair, test, pieces),
               our_error = calc_sum(pieces) / volume - 1.0;
  for (const double h : {1e-3, 5e-4, 2e-4}) {
    double sum = 0.0;
    const double seconds = calc_best_time(3, [&] { sum = count_voxels(h, test.X_WA.p, 0.1); });
    fmt::print("{:>10.1e} {:>12.2f} {:>12.1e} {:>12.2f}\n", h, 1e6 * seconds, std::abs(sum / volume - 1.0),
               seconds / ours);
  }
  fmt::print("{:>10} {:>12.2f} {:>12.1e} {:>12.2f}\n", "slices", 1e6 * ours, std::abs(our_error), 1.0);
}

}  // namespace

int main() {
  print_cases(make_cases());
  fmt::print("\nholes, cups, bowls and needles\n");
  print_cases(make_cell_cases());
  print_separations();
  print_voxels();
  return 0;
}
