#include "abut/geometry/polyhedron/clip_samples.hpp"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "abut/base/error.hpp"
#include "abut/geometry/polyhedron/polyhedron_checks_test.hpp"
#include "abut/geometry/test_surfaces.hpp"

namespace abut {
namespace {

using testing::Random;

VolumeMetrics calc_sample_metrics(const std::vector<VolumeSample>& samples, const Vec3& origin) {
  VolumeMoments m;
  for (const VolumeSample& s : samples) {
    const Vec3 p = s.point - origin;
    m.volume += s.weight;
    m.first += s.weight * p;
    m.second += s.weight * p * p.transpose();
  }
  return make_volume_metrics(m, origin, Vec3::Zero());
}

TEST(ClipSamples, RuleFillsATetrahedron) {
  for (int detail = 0; detail <= 6; ++detail) {
    const TetrahedronRule rule(detail);
    EXPECT_EQ(rule.points().size(), detail == 0 ? 1u : 4u * detail * detail * detail);
    Vec4 mean = Vec4::Zero();
    for (const Vec4& p : rule.points()) {
      EXPECT_NEAR(p.sum(), 1.0, 1e-15);
      EXPECT_GT(p.minCoeff(), 0.0);
      mean += p / static_cast<double>(rule.points().size());
    }
    EXPECT_LE((mean - Vec4::Constant(0.25)).norm(), 1e-16 * static_cast<double>(1 + rule.points().size()));
  }
  EXPECT_THROW(TetrahedronRule(-1), InputError);
  EXPECT_THROW(TetrahedronRule(33), InputError);
}

TEST(ClipSamples, CarryTheMomentsOfTheVolume) {
  Random random(1);
  PolyhedronClip clip;
  const ConvexPolyhedron a = make_box_polyhedron(Vec3(0.1, 0.2, 0.15)), b = make_box_polyhedron(Vec3(0.2, 0.1, 0.1));
  std::vector<VolumeSample> samples;
  for (int trial = 0; trial < 60; ++trial) {
    const VolumeMetrics m = calc_clip_metrics(a, random.pose(0.15), b, random.pose(0.1), clip);
    if (m.volume < 1e-9) continue;
    for (const int detail : {0, 1, 3}) {
      samples.clear();
      calc_clip_samples(clip, m, TetrahedronRule(detail), samples);
      const VolumeMetrics found = calc_sample_metrics(samples, m.centroid);
      EXPECT_NEAR(found.volume, m.volume, 1e-13 * m.volume);
      EXPECT_LE((found.centroid - m.centroid).norm(), 1e-13);
      if (detail > 0) testing::expect_same_region(found, m, 1e-11);
      for (const VolumeSample& s : samples) EXPECT_GT(s.weight, 0.0);
    }
  }
}

/// Integral of exp(10 x) over the unit cube about its centre: sinh(5)/5. Four points in each of n^3 parts are of degree
/// two: error O(n^-3), and by symmetry in pairs rather O(n^-4).
TEST(ClipSamples, ConvergeForASmoothFunction) {
  PolyhedronClip clip;
  const ConvexPolyhedron cube = make_box_polyhedron(Vec3::Constant(0.5));
  const VolumeMetrics m = calc_clip_metrics(cube, Pose(), cube, Pose(), clip);
  const auto error = [&](int detail) {
    std::vector<VolumeSample> samples;
    calc_clip_samples(clip, m, TetrahedronRule(detail), samples);
    double sum = 0.0;
    for (const VolumeSample& s : samples) sum += s.weight * std::exp(10.0 * s.point.x());
    return std::abs(sum / (std::sinh(5.0) / 5.0) - 1.0);
  };
  EXPECT_LT(error(4), error(2) / 8.0);
  EXPECT_LT(error(8), error(4) / 8.0);
  EXPECT_LT(error(8), 1e-4);
}

/// A rough integral over the samples moves smoothly while a vertex of A enters through B's top: no jump beyond what
/// motion of the points explains.
TEST(ClipSamples, MoveContinuouslyThroughAVertexCrossing) {
  PolyhedronClip clip;
  const ConvexPolyhedron a = make_box_polyhedron(Vec3(0.1, 0.12, 0.15)), b = make_box_polyhedron(Vec3::Constant(0.2));
  const Mat3 R = Random(2).rotation();
  double top = 0.0;
  for (const Vec3& v : a.vertices()) top = std::max(top, (R * v).z());
  const TetrahedronRule rule(1);
  double last = 0.0;
  const double h = 1e-6;
  for (int i = -200; i <= 200; ++i) {
    const VolumeMetrics m = calc_clip_metrics(a, Pose(R, Vec3(0, 0, 0.2 - top + i * h)), b, Pose(), clip);
    std::vector<VolumeSample> samples;
    calc_clip_samples(clip, m, rule, samples);
    double sum = 0.0;
    for (const VolumeSample& s : samples) sum += s.weight * (s.point - Vec3(0.01, 0.02, 0.15)).norm();
    // Integrand below 0.5 m, its slope 1; everything moves at unit speed over V = 0.0144 m^3 and 0.25 m^2 of surface.
    if (i > -200) {
      EXPECT_NEAR(sum, last, h * (m.volume + 0.5 * 0.25));
    }
    last = sum;
  }
}

TEST(ClipSamples, NoneForAnEmptyClip) {
  PolyhedronClip clip;
  const ConvexPolyhedron a = make_box_polyhedron(Vec3::Ones());
  const VolumeMetrics m = calc_clip_metrics(a, Pose(), a, Pose(Mat3::Identity(), Vec3(3, 0, 0)), clip);
  std::vector<VolumeSample> samples;
  calc_clip_samples(clip, m, TetrahedronRule(2), samples);
  EXPECT_TRUE(samples.empty());
}

}  // namespace
}  // namespace abut
