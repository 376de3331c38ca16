#include "abut/contact/contact_set.hpp"

#include <random>
#include <set>

#include <gtest/gtest.h>

namespace abut {
namespace {

/// Spheres of one rule, each its own link, all moving.
struct Spheres {
  std::vector<Collider> colliders;
  std::vector<ContactRule> rules{1};
  std::vector<Pose> X;
  std::vector<Vec3> p, v, w;
  ThreadPool threads{1};

  void add(const Vec3& center, double radius, const Vec3& velocity = Vec3::Zero()) {
    Collider collider;
    collider.link = static_cast<int>(colliders.size());
    collider.shape = Sphere{radius};
    collider.is_centered = true;
    collider.bounding_radius = radius;
    colliders.push_back(collider);
    X.emplace_back(Mat3::Identity(), center);
    p.push_back(center);
    v.push_back(velocity);
    w.push_back(Vec3::Zero());
    rules[0].normal.stiffness = 1e6;
  }
  void move(int i, const Vec3& by) {
    X[i].p += by;
    p[i] += by;
  }
  BodyMotion motion() const { return {X.data(), p.data(), v.data(), w.data()}; }
  ContactSet make() {
    return {colliders, rules, [](int, int) { return RuleMatch{0, false}; }, &threads};
  }
};

double unit_mass(int, int, const Vec3&, const Vec3&) { return 1.0; }

std::set<std::pair<int, int>> list_touching(const PatchPool& pool) {
  std::set<std::pair<int, int>> pairs;
  for (const int place : pool.active) {
    pairs.insert(std::minmax(pool.patches[place].key.collider_a, pool.patches[place].key.collider_b));
  }
  return pairs;
}

std::set<std::pair<int, int>> list_overlapping(const Spheres& s) {
  std::set<std::pair<int, int>> pairs;
  for (int i = 0; i < static_cast<int>(s.p.size()); ++i) {
    for (int j = i + 1; j < static_cast<int>(s.p.size()); ++j) {
      if ((s.p[i] - s.p[j]).norm() < s.colliders[i].bounding_radius + s.colliders[j].bounding_radius)
        pairs.insert({i, j});
    }
  }
  return pairs;
}

TEST(ContactSet, FindsWhatBruteForceFindsWhileSpheresWander) {
  for (const int count : {20, 200}) {  // all pairs are kept below 64 colliders, near ones above
    std::mt19937 random(7);
    std::uniform_real_distribution<double> unit(-1.0, 1.0);
    Spheres s;
    for (int i = 0; i < count; ++i)
      s.add(Vec3(unit(random), unit(random), unit(random)), 0.05 + 0.1 * std::abs(unit(random)));
    ContactSet set = s.make();
    PatchPool pool;
    std::vector<PatchChange> changes;
    for (int step = 0; step < 60; ++step) {
      for (int i = 0; i < count; ++i) s.move(i, 0.01 * Vec3(unit(random), unit(random), unit(random)));
      if (set.needs_refresh(s.motion()) && step > 0) {
        set.calc_geometry(s.motion(), pool);
        set.update_patches(s.motion(), step, false, unit_mass, pool, changes);
      }
      set.refresh_candidates(s.motion(), pool);
      set.calc_geometry(s.motion(), pool);
      set.update_patches(s.motion(), step, false, unit_mass, pool, changes);
      ASSERT_EQ(list_touching(pool), list_overlapping(s)) << count << " spheres, step " << step;
    }
  }
}

TEST(ContactSet, APatchKeepsItsPlaceAndMemoryWhileOthersComeAndGo) {
  Spheres s;
  s.add(Vec3(0, 0, 0), 1.0);
  s.add(Vec3(1.9, 0, 0), 1.0);
  s.add(Vec3(0, 1.9, 0), 1.0);
  ContactSet set = s.make();
  PatchPool pool;
  std::vector<PatchChange> changes;
  const auto update = [&](double t) {
    set.refresh_candidates(s.motion(), pool);
    set.calc_geometry(s.motion(), pool);
    set.update_patches(s.motion(), t, false, unit_mass, pool, changes);
  };
  update(1.0);
  ASSERT_EQ(pool.active.size(), 2u);
  const int kept = pool.active[1];
  const PatchKey key = pool.patches[kept].key;
  s.move(1, Vec3(1, 0, 0));
  update(2.0);
  ASSERT_EQ(changes.size(), 1u);
  EXPECT_FALSE(changes[0].begins);
  ASSERT_EQ(pool.active.size(), 1u);
  EXPECT_EQ(pool.active[0], kept);
  s.move(1, Vec3(-1, 0, 0));
  update(3.0);
  EXPECT_EQ(pool.patches[kept].key, key);
  EXPECT_EQ(pool.patches[kept].touch_time, 1.0);
  EXPECT_EQ(pool.patches.size(), 2u) << "the place that became free is used again";
  EXPECT_EQ(pool.compact().size(), 2u);
}

TEST(ContactSet, ForcesAreEqualAndOppositeAndLateDetectionIsHidden) {
  Spheres s;
  s.add(Vec3(0, 0, 1.9), 1.0, Vec3(0, 0, -1));
  s.add(Vec3(0, 0, 0), 1.0);
  ContactSet set = s.make();
  PatchPool pool;
  std::vector<PatchChange> changes;
  set.refresh_candidates(s.motion(), pool);
  set.calc_geometry(s.motion(), pool);
  set.update_patches(s.motion(), 0.5, false, unit_mass, pool, changes);
  std::vector<PatchResponse> responses;
  set.calc_responses({s.motion(), 0.5, pool, nullptr, 0, 1e9}, true, responses);
  EXPECT_EQ(responses[0].normal_force, 0.0) << "at the detected start the force is zero   [Gonthier 2007 (3.44)]";
  // Much later nothing is hidden any more: k x^1.5 with x = 0.1 m, elastic because the restitution is 1 by default.
  set.calc_responses({s.motion(), 1e3, pool, nullptr, 0, 1e9}, true, responses);
  EXPECT_NEAR(responses[0].normal_force, 1e6 * std::pow(0.1, 1.5), 1e-6);
  Vec3 sum = Vec3::Zero(), moment = Vec3::Zero();
  ContactSet::for_each_force(responses, [&](int, const Vec3& force, const Vec3& point, const Vec3&) {
    sum += force;
    moment += point.cross(force);
  });
  EXPECT_EQ(sum, Vec3(Vec3::Zero()));
  EXPECT_EQ(moment, Vec3(Vec3::Zero()));
}

}  // namespace
}  // namespace abut
