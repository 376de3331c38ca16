#include "abut/geometry/polyhedron/clip_part.hpp"

#include <random>

#include <gtest/gtest.h>

namespace abut {
namespace {

/// Two boxes in random poses near each other, and a random plane through their common part.
class RandomClip {
 public:
  bool make() {
    const auto number = [this] { return uniform_(random_); };
    const auto turn = [&] { return Mat3(Eigen::Quaterniond(number(), number(), number(), number()).normalized()); };
    const Pose X_WA(turn(), Vec3(5.0, 3.0, 1.0)), X_WB(turn(), Vec3(5.0 + number(), 3.0 + number(), 1.0 + number()));
    calc_clip(box_, X_WA, box_, X_WB, clip);
    if (clip.is_empty()) return false;
    const Vec3 normal = Vec3(number(), number(), number()).normalized();
    Vec3 middle = Vec3::Zero();
    for (const Vec3& x : clip.vertices()) middle += x / static_cast<double>(clip.vertices().size());
    plane = {normal, normal.dot(middle) + 0.3 * number()};
    return true;
  }

  PolyhedronClip clip;
  Plane plane;

 private:
  std::mt19937 random_{7};
  std::uniform_real_distribution<double> uniform_{-1.0, 1.0};
  ConvexPolyhedron box_ = make_box_polyhedron(Vec3(0.5, 0.8, 1.1));
};

TEST(ClipPart, HasTheVolumeOfTheCut) {
  RandomClip random;
  ClipPart part;
  PolyhedronClip cut;
  int num_cut = 0;
  for (int i = 0; i < 1000; ++i) {
    if (!random.make()) continue;
    cut.start(random.clip);
    cut.cut(random.plane, ClipOwner::kB, 0);
    const ClipVolume expected = calc_clip_volume(cut);
    const ClipPart::Outcome outcome = part.cut(random.clip, random.plane);
    EXPECT_EQ(outcome == ClipPart::Outcome::none, cut.is_empty());
    EXPECT_EQ(outcome == ClipPart::Outcome::all, cut.faces().size() == random.clip.faces().size() &&
                                                     cut.vertices().size() == random.clip.vertices().size() &&
                                                     expected.volume == calc_clip_volume(random.clip).volume);
    if (outcome != ClipPart::Outcome::some) continue;
    ++num_cut;
    const ClipVolume found = part.calc_volume();
    // Sums of some thirty tetrahedra of the size of the clip, about one metre.
    EXPECT_NEAR(found.volume, expected.volume, 1e-14);
    // First moments of 1e-14 m^4 over the volume.
    EXPECT_LT(expected.volume * (found.centroid - expected.centroid).norm(), 1e-14);
    EXPECT_EQ(part.points().size(), cut.vertices().size());
    EXPECT_FALSE(part.is_cut_by(random.plane));
    EXPECT_TRUE(part.is_cut_by({random.plane.normal, random.plane.offset - 1e-6}));
  }
  EXPECT_GT(num_cut, 300);
}

TEST(ClipPart, LeavesWhatIsTooLargeToOthers) {
  std::vector<Vec3> points;
  for (int i = 0; i < 60; ++i) {
    const double height = -1.0 + (2.0 * i + 1.0) / 60.0, angle = 2.4 * i, radius = std::sqrt(1.0 - height * height);
    points.emplace_back(radius * std::cos(angle), radius * std::sin(angle), height);
  }
  const ConvexPolyhedron ball = make_convex_hull(points);
  PolyhedronClip clip;
  clip.start(ball, Pose(), ClipOwner::kA);
  ClipPart part;
  EXPECT_EQ(part.cut(clip, {Vec3::UnitZ(), 0.1}), ClipPart::Outcome::too_large);
}

}  // namespace
}  // namespace abut
