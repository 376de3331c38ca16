#include "abut/geometry/aabb.hpp"

#include <gtest/gtest.h>

namespace abut {
namespace {

TEST(Aabb, OverlapIncludesTouching) {
  const Aabb a{Vec3::Zero(), Vec3::Ones()};
  EXPECT_TRUE(is_overlapping(a, {Vec3(1, 0, 0), Vec3(2, 1, 1)}));
  EXPECT_FALSE(is_overlapping(a, {Vec3(1.0 + 1e-15, 0, 0), Vec3(2, 1, 1)}));
  EXPECT_TRUE(is_overlapping(inflate(a, 0.1), {Vec3(1.05, 0, 0), Vec3(2, 1, 1)}));
}

}  // namespace
}  // namespace abut
