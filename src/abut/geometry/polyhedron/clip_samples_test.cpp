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

/// An integral that the samples get only roughly right moves smoothly while a vertex of A enters through a face of B,
/// or leaves: other points would give another error, which a jump would show.
TEST(ClipSamples, MoveContinuouslyThroughAVertexCrossing) {
  PolyhedronClip clip;
  const Vec3 half(0.11, 0.08, 0.2);
  const ConvexPolyhedron a = make_box_polyhedron(Vec3(0.1, 0.12, 0.15)), b = make_box_polyhedron(half);
  const TetrahedronRule rule(0);
  Random random(2);
  std::vector<VolumeSample> samples;
  const double h = 1e-7;
  for (int trial = 0; trial < 60; ++trial) {
    const Mat3 R = random.rotation();
    const int f = trial % 6, v = trial % 8;
    Vec3 target = random.vector(0.05);
    target[f / 2] = (f % 2 == 0 ? 1.0 : -1.0) * half[f / 2];
    const Vec3 start = target - R * a.vertices()[v], direction = random.unit();
    double last = 0.0;
    for (int i = -20; i <= 20; ++i) {
      const VolumeMetrics m = calc_clip_metrics(a, Pose(R, start + i * h * direction), b, Pose(), clip);
      samples.clear();
      calc_clip_samples(clip, m, rule, samples);
      double sum = 0.0;
      for (const VolumeSample& s : samples) sum += s.weight * (s.point - target).norm();
      // Integrand below 0.5 m on at most 0.25 m^2 of surface, which moves at speed one.
      if (i > -20) {
        ASSERT_NEAR(sum, last, h * 0.5 * 0.25) << trial << " " << i;
      }
      last = sum;
    }
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
