#include "abut/geometry/polyhedron/convex_clip.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "abut/geometry/polyhedron/polyhedron_checks_test.hpp"
#include "abut/geometry/test_surfaces.hpp"

namespace abut {
namespace {

using testing::expect_same_region;
using testing::Random;

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();

Mat3 make_rows(double a, double b, double c, double d, double e, double f, double g, double h, double i) {
  Mat3 m;
  m << a, b, c, d, e, f, g, h, i;
  return m;
}

/// Cases of shared/data/volumes.json, by their ids; box A against a half-space z <= 0 (no size) or box B.
struct ReferenceCase {
  std::string id;
  Vec3 size_a;
  Pose X_WA;
  Vec3 size_b;
  Pose X_WB;
  double volume;
  Vec3 centroid;
  Mat3 inertia;
};

std::vector<ReferenceCase> make_reference_cases() {
  const Pose world;
  const Vec3 none = Vec3::Zero();
  return {
      {"box_face_2",
       {0.2, 0.3, 0.4},
       {make_rows(0.9553321901146293, -0.29552930649294135, -0.0016839045659214336, 0.295518876821407,
                  0.9553253002161796, -0.0047078879639335155, 0.002999995500002025, 0.003999971333403367,
                  0.9999875000500417),
        Vec3(0, 0, 0.198)},
       none,
       world,
       0.00011985149873823688,
       {-9.140309023469178e-06, -0.014890454071532225, -0.0010362964854194166},
       make_rows(8.252978379758525e-07, 1.4164140092782736e-07, -3.958228462401293e-11, 1.4164140092782736e-07,
                 4.431532147760793e-07, -1.823126233624248e-09, -3.958228462401293e-11, -1.823126233624248e-09,
                 1.2683537117902162e-06)},
      {"box_edge_2",
       {0.2, 0.3, 0.4},
       {make_rows(1.0, 0.0, 0.0, 0.0, 0.9396926207859083, -0.34202014332566877, 0.0, 0.34202014332566877,
                  0.9396926207859083),
        Vec3(0, 0, 0.237241545656032)},
       none,
       world,
       1.244579061488295e-06,
       {0.0, -0.0709608596626269, -0.000666666666666658},
       make_rows(2.677533876496114e-12, 0.0, 0.0, 0.0, 4.148873444752426e-09, -3.29607015065815e-13, 0.0,
                 -3.29607015065815e-13, 4.1509978323793725e-09)},
      {"box_corner_1",
       {0.2, 0.2, 0.2},
       {make_rows(0.7886751345948129, -0.21132486540518708, -0.5773502691896258, -0.21132486540518708,
                  0.7886751345948129, -0.5773502691896258, 0.5773502691896258, 0.5773502691896258, 0.5773502691896258),
        Vec3(0, 0, 0.16820508075688773)},
       none,
       world,
       1.0825317547305691e-07,
       {0.0, 0.0, -0.001250000000000008},
       make_rows(5.074367600299608e-13, 0.0, 0.0, 0.0, 5.07436760029961e-13, 0.0, 0.0, 0.0, 8.118988160479374e-13)},
      {"box_box_2",
       {0.2, 0.2, 0.2},
       {make_rows(0.8581023871321174, -0.38531727813142425, -0.33939783200773777, -0.014990923785797661,
                  0.6418965038125646, -0.7666447355830825, 0.5132597445759898, 0.6629475647188069, 0.5450366602635027),
        Vec3(0.01, 0.02, 0.26812439695582996)},
       {0.4, 0.4, 0.2},
       world,
       5.751572859867583e-08,
       {-0.0028707847631364585, 0.033506361564337096, 0.099},
       make_rows(1.6620692796636532e-13, -1.467794195301728e-14, -5.382815783158591e-15, -1.467794195301728e-14,
                 1.939879908691251e-13, 5.378341693704151e-15, -5.382815783158591e-15, 5.378341693704151e-15,
                 2.9117604451707927e-13)},
      {"box_box_4",
       {0.3, 0.2, 0.1},
       {make_rows(0.6417093742397794, -0.7654941464851754, -0.047199477854356985, 0.6607287141379384,
                  0.5830352932544022, -0.47276570638465304, 0.3894183423086505, 0.27219213529543146, 0.879923176281257),
        Vec3(0.05, 0.04, 0.06)},
       {0.2, 0.25, 0.15},
       {make_rows(0.8731983044562813, -0.4872747773805544, -0.009381493666039627, 0.4770304078518428,
                  0.8505804897027717, 0.2212573626383931, -0.09983341664682817, -0.19767681165408385,
                  0.9751703272018158),
        Vec3::Zero()},
       0.0028342119000292314,
       {0.010769667166357643, -0.010525316279498254, 0.025167582757898006},
       make_rows(8.71212336351548e-06, 9.492205784788612e-07, -1.2803693876886974e-07, 9.492205784788612e-07,
                 1.07049359135977e-05, -1.215069094779979e-06, -1.2803693876886974e-07, -1.215069094779979e-06,
                 1.4703763249830096e-05)},
  };
}

/// Stated accuracy of the reference: 1e-13 for polyhedra; their off-diagonals come with that of the largest entry.
TEST(ConvexClip, ReferenceVolumes) {
  PolyhedronClip clip;
  for (const ReferenceCase& c : make_reference_cases()) {
    SCOPED_TRACE(c.id);
    const ConvexPolyhedron a = make_box_polyhedron(0.5 * c.size_a);
    const VolumeMetrics expected{c.volume, c.centroid, c.inertia, Vec3::Zero()};
    if (c.size_b.x() > 0.0) {
      const ConvexPolyhedron b = make_box_polyhedron(0.5 * c.size_b);
      expect_same_region(calc_clip_metrics(a, c.X_WA, b, c.X_WB, clip), expected, 1e-12);
    } else {
      const std::vector<Plane> floor = {Plane{}};
      expect_same_region(calc_clip_metrics(a, c.X_WA, std::span<const Plane>(floor), Pose(), clip), expected, 1e-12);
    }
  }
}

/// Corners of an intersection of half-spaces by brute force: every three planes.
std::vector<Vec3> find_corners(const std::vector<Plane>& planes) {
  std::vector<Vec3> corners;
  for (std::size_t i = 0; i < planes.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      for (std::size_t k = 0; k < j; ++k) {
        const Vec3 n = planes[j].normal.cross(planes[k].normal);
        const double det = planes[i].normal.dot(n);
        if (std::abs(det) < 1e-9) continue;
        const Vec3 p = (planes[i].offset * n + planes[j].offset * planes[k].normal.cross(planes[i].normal) +
                        planes[k].offset * planes[i].normal.cross(planes[j].normal)) /
                       det;
        const auto is_out = [&](const Plane& plane) { return plane.normal.dot(p) > plane.offset + 1e-13; };
        if (std::none_of(planes.begin(), planes.end(), is_out)) corners.push_back(p);
      }
    }
  }
  return corners;
}

std::vector<Plane> pose_planes(const ConvexPolyhedron& solid, const Pose& X) {
  std::vector<Plane> planes = solid.planes();
  for (Plane& plane : planes) {
    plane.normal = X.R * plane.normal;
    plane.offset += plane.normal.dot(X.p);
  }
  return planes;
}

ConvexPolyhedron make_random_box(Random& random) {
  return make_box_polyhedron(Vec3(random.uniform(0.05, 0.2), random.uniform(0.05, 0.2), random.uniform(0.05, 0.2)));
}

ConvexPolyhedron make_random_hull(Random& random, int num_points) {
  std::vector<Vec3> points;
  for (int i = 0; i < num_points; ++i) points.push_back(random.vector(0.15));
  return make_convex_hull(points);
}

/// The hull of the corners found plane by plane shares nothing with clipping but the sum over tetrahedra. Overlaps are
/// at least 1e-6 of a solid, so that corners right to 1e-15 m give the volume to 1e-12.
TEST(ConvexClip, AgreesWithTheHullOfAllCorners) {
  Random random(1);
  PolyhedronClip clip;
  int num_overlaps = 0;
  for (int trial = 0; trial < 400; ++trial) {
    const bool are_boxes = trial % 2 == 0;
    const ConvexPolyhedron a = are_boxes ? make_random_box(random) : make_random_hull(random, 9);
    const ConvexPolyhedron b = are_boxes ? make_random_box(random) : make_random_hull(random, 6);
    const Pose X_WA = random.pose(0.12), X_WB = random.pose(0.12);
    const VolumeMetrics found = calc_clip_metrics(a, X_WA, b, X_WB, clip);
    if (found.volume < 1e-9) continue;
    ++num_overlaps;
    std::vector<Plane> planes = pose_planes(a, X_WA);
    const std::vector<Plane> others = pose_planes(b, X_WB);
    planes.insert(planes.end(), others.begin(), others.end());
    const ConvexPolyhedron hull = make_convex_hull(find_corners(planes));
    const MassProperties expected = calc_mass_properties(hull, 1.0);
    expect_same_region(found, {expected.mass, expected.center_of_mass, expected.inertia, Vec3::Zero()}, 1e-12);
  }
  EXPECT_GT(num_overlaps, 200);
}

TEST(ConvexClip, OrderOfTheSolidsOnlyMirrors) {
  Random random(2);
  PolyhedronClip clip;
  for (int trial = 0; trial < 300; ++trial) {
    const ConvexPolyhedron a = make_random_box(random), b = make_random_hull(random, 12);
    const Pose X_WA = random.pose(0.1), X_WB = random.pose(0.1);
    const VolumeMetrics ab = calc_clip_metrics(a, X_WA, b, X_WB, clip);
    const VolumeMetrics ba = calc_clip_metrics(b, X_WB, a, X_WA, clip);
    // Clip the solid that is not chosen by itself.
    const VolumeMetrics other = calc_clip_metrics(a, X_WA, std::span<const Plane>(b.planes()), X_WB, clip);
    if (ab.volume < 1e-9) continue;
    expect_same_region(ba.mirrored(), ab, 1e-14);
    expect_same_region(other, ab, 1e-11);
    EXPECT_LE((ba.mirrored().area_vector - ab.area_vector).norm(), 1e-14);
    EXPECT_LE((other.area_vector - ab.area_vector).norm(), 1e-14);
  }
}

/// Positions are multiples of 2^-30 m below 2^12 m, so that moving both bodies is exact: nothing but the centroid may
/// change at all, and that by the rounding of its own coordinates.
TEST(ConvexClip, FarFromTheWorldOrigin) {
  Random random(3);
  PolyhedronClip clip;
  const Vec3 far(1024.0, -2048.0, 512.0);
  const auto snap = [](const Vec3& p) { return Vec3((p * 0x1p30).array().round() * 0x1p-30); };
  for (int trial = 0; trial < 100; ++trial) {
    const ConvexPolyhedron a = make_random_box(random), b = make_random_box(random);
    Pose X_WA = random.pose(0.1), X_WB = random.pose(0.1);
    X_WA.p = snap(X_WA.p);
    X_WB.p = snap(X_WB.p);
    const VolumeMetrics near = calc_clip_metrics(a, X_WA, b, X_WB, clip);
    const Pose Y_WA(X_WA.R, X_WA.p + far), Y_WB(X_WB.R, X_WB.p + far);
    const VolumeMetrics moved = calc_clip_metrics(a, Y_WA, b, Y_WB, clip);
    EXPECT_EQ(moved.volume, near.volume);
    EXPECT_EQ(moved.inertia, near.inertia);
    EXPECT_EQ(moved.area_vector, near.area_vector);
    if (near.volume > 0.0) {
      EXPECT_LE((moved.centroid - near.centroid - far).norm(), 2048.0 * 2.0 * kEpsilon);
    }
  }
}

/// Turning the world turns the metrics.
TEST(ConvexClip, TurnsWithTheWorld) {
  Random random(4);
  PolyhedronClip clip;
  for (int trial = 0; trial < 200; ++trial) {
    const ConvexPolyhedron a = make_random_box(random), b = make_random_hull(random, 10);
    const Pose X_WA = random.pose(0.1), X_WB = random.pose(0.1), X = random.pose(0.5);
    const VolumeMetrics m = calc_clip_metrics(a, X_WA, b, X_WB, clip);
    if (m.volume < 1e-8) continue;
    const VolumeMetrics turned = calc_clip_metrics(a, X * X_WA, b, X * X_WB, clip);
    // 1e-16 m of rounding in the poses over a thickness of 1e-8 / 0.1^2 m.
    expect_same_region(turned, {m.volume, X * m.centroid, X.R * m.inertia * X.R.transpose(), Vec3::Zero()}, 1e-11);
    EXPECT_LE((turned.area_vector - X.R * m.area_vector).norm(), 1e-14);
  }
}

/// A body cut in two by any plane: the parts' moments, each clipped on its own, add up.
TEST(ConvexClip, PartsAddUpToTheWhole) {
  Random random(5);
  PolyhedronClip clip;
  int num_cut = 0;
  for (int trial = 0; trial < 200; ++trial) {
    const ConvexPolyhedron a = make_random_box(random), b = make_random_hull(random, 10);
    const Pose X_WA = random.pose(0.1), X_WB = random.pose(0.1);
    const VolumeMetrics whole = calc_clip_metrics(a, X_WA, b, X_WB, clip);
    const Plane knife{random.unit(), random.uniform(-0.05, 0.05)};
    VolumeMoments sum;
    Vec3 area = Vec3::Zero();
    for (const double side : {1.0, -1.0}) {
      clip.start(a, Pose(), ClipOwner::kA);
      clip.cut({side * knife.normal, side * knife.offset}, ClipOwner::kB, 0);
      if (calc_clip_metrics(clip).volume < 1e-8) continue;
      const ConvexPolyhedron part = make_convex_hull(clip.vertices());
      const VolumeMetrics m = calc_clip_metrics(part, X_WA, b, X_WB, clip);
      const Mat3 central = 0.5 * m.inertia.trace() * Mat3::Identity() - m.inertia;
      sum += shift_moments({m.volume, Vec3::Zero(), central}, m.centroid - whole.centroid);
      area += m.area_vector;
      ++num_cut;
    }
    if (whole.volume < 1e-6) continue;
    expect_same_region(make_volume_metrics(sum, whole.centroid, area), whole, 1e-12);
    EXPECT_LE((area - whole.area_vector).norm(), 1e-13);
  }
  EXPECT_GT(num_cut, 200);
}

/// B's surface inside A, seen as the rate of the volume: central differences of a piecewise cubic, whose error is
/// h^2/6 times its third derivative (measured: up to 330 at the sharpest corners of these hulls).
TEST(ConvexClip, AreaVectorIsTheRateOfTheVolume) {
  Random random(6);
  PolyhedronClip clip;
  const double h = 1e-6;
  for (int trial = 0; trial < 200; ++trial) {
    const ConvexPolyhedron a = make_random_hull(random, 10), b = make_random_box(random);
    const Pose X_WA = random.pose(0.1), X_WB = random.pose(0.1);
    const VolumeMetrics m = calc_clip_metrics(a, X_WA, b, X_WB, clip);
    if (m.volume == 0.0) continue;
    for (int i = 0; i < 3; ++i) {
      const auto volume = [&](double x) {
        return calc_clip_metrics(a, Pose(X_WA.R, X_WA.p + x * Vec3::Unit(i)), b, X_WB, clip).volume;
      };
      EXPECT_NEAR(m.area_vector[i], -(volume(h) - volume(-h)) / (2.0 * h), 2e-10);
    }
  }
}

TEST(ConvexClip, OneInsideTheOther) {
  PolyhedronClip clip;
  const ConvexPolyhedron small = make_box_polyhedron(Vec3::Constant(0.1)), large = make_box_polyhedron(Vec3::Ones());
  Random random(7);
  const Pose X = random.pose(0.3);
  for (const bool is_small_first : {true, false}) {
    const ConvexPolyhedron &a = is_small_first ? small : large, &b = is_small_first ? large : small;
    const VolumeMetrics m = calc_clip_metrics(a, is_small_first ? X : Pose(), b, is_small_first ? Pose() : X, clip);
    EXPECT_NEAR(m.volume, 0.008, 1e-17);
    EXPECT_LE(m.area(), 1e-16);
  }
}

/// Wedge (two half-spaces) and a slab of three, against a box: closed forms.
TEST(ConvexClip, UnboundedSolids) {
  PolyhedronClip clip;
  const ConvexPolyhedron box = make_box_polyhedron(Vec3(0.5, 0.5, 0.5));
  const std::vector<Plane> wedge = {{Vec3::UnitX(), -0.25}, {Vec3::UnitZ(), 0.0}};
  const VolumeMetrics m = calc_clip_metrics(box, Pose(), std::span<const Plane>(wedge), Pose(), clip);
  EXPECT_NEAR(m.volume, 0.25 * 1.0 * 0.5, 1e-16);
  EXPECT_LE((m.area_vector - Vec3(0.5, 0.0, 0.25)).norm(), 1e-15);
  const VolumeMetrics swapped = calc_clip_metrics(std::span<const Plane>(wedge), Pose(), box, Pose(), clip);
  EXPECT_LE((swapped.area_vector + m.area_vector).norm(), 1e-15);
  EXPECT_EQ(swapped.volume, m.volume);
  EXPECT_NEAR(calc_clip_metrics(box, Pose(), std::span<const Plane>(), Pose(), clip).volume, 1.0, 1e-15);
  // The shapes themselves: a corner of 45 degrees with its edge along y, then a floor.
  const Wedge shape{Vec3::UnitZ(), Vec3(1, 0, -1).normalized()};
  EXPECT_NEAR(calc_clip_metrics(box, Pose(), make_planes(shape), Pose(), clip).volume, 0.5 * 0.25 * 1.0, 1e-15);
  const HalfSpace floor{Vec3::UnitZ(), -0.25};
  EXPECT_NEAR(calc_clip_metrics(make_planes(floor), Pose(), box, Pose(), clip).volume, 0.25, 1e-15);
}

/// Faces know whose they are and which; loops are closed and turn about the outward normal of their owner's plane.
TEST(ConvexClip, FacesLieInTheirOwnersPlanes) {
  Random random(8);
  PolyhedronClip clip;
  for (int trial = 0; trial < 100; ++trial) {
    const ConvexPolyhedron a = make_random_box(random), b = make_random_hull(random, 8);
    const Pose X_WA = random.pose(0.1), X_WB = random.pose(0.1);
    calc_clip(a, X_WA, b, X_WB, clip);
    if (calc_clip_metrics(clip).volume < 1e-9) continue;
    EXPECT_EQ(clip.vertices().size() + clip.faces().size(), clip.edges().size() + 2);
    const std::vector<Plane> planes_a = pose_planes(a, X_WA), planes_b = pose_planes(b, X_WB);
    for (const ClipFace& face : clip.faces()) {
      const Plane& plane = (face.owner == ClipOwner::kA ? planes_a : planes_b)[face.plane];
      Vec3 area = Vec3::Zero();
      for (int i = 0; i < face.count; ++i) {
        const Vec3 p = clip.corner(face, i), q = clip.corner(face, (i + 1) % face.count);
        EXPECT_NEAR(plane.normal.dot(clip.origin() + p), plane.offset, 1e-15);
        area += 0.5 * p.cross(q);
      }
      EXPECT_GE(area.dot(plane.normal), (1.0 - 1e-6) * area.norm() - 1e-15);
    }
  }
}

/// The work space keeps its memory: after one round no buffer moves (the two that are exchanged stay the same two).
TEST(ConvexClip, AllocatesNothingOnceWarm) {
  Random random(9);
  PolyhedronClip clip;
  const ConvexPolyhedron a = make_random_box(random), b = make_random_hull(random, 12);
  std::vector<Pose> poses;
  for (int i = 0; i < 100; ++i) poses.push_back(random.pose(0.15));
  const auto run = [&] {
    std::vector<const void*> places;
    for (const Pose& X : poses) {
      calc_clip(a, Pose(), b, X, clip);
      const auto note = [&](const void* place) {
        if (std::find(places.begin(), places.end(), place) == places.end()) places.push_back(place);
      };
      note(clip.vertices().data());
      note(clip.edges().data());
      note(clip.half_edges().data());
      note(clip.faces().data());
    }
    std::sort(places.begin(), places.end());
    return places;
  };
  run();
  const std::vector<const void*> warm = run();
  EXPECT_EQ(warm.size(), 5u);
  EXPECT_EQ(run(), warm);
}

}  // namespace
}  // namespace abut
