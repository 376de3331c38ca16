#include "abut/geometry/volume/cell_layout.hpp"

#include <cmath>
#include <memory>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "abut/geometry/mesh/closed_mesh.hpp"
#include "abut/geometry/mesh/make_mesh.hpp"
#include "abut/geometry/volume/random_cuts_test.hpp"

namespace abut {
namespace {

using Cells = std::vector<BodyCell>;

/// Box from one corner to the other [m].
BodyCell make_box(const Vec3& lower, const Vec3& upper) {
  return {Box{0.5 * (upper - lower)}, Pose(Mat3::Identity(), 0.5 * (lower + upper))};
}

int count_groups(const CellLayout& layout, CellJoining joining) {
  std::set<int> leaders;
  for (int i = 0; i < layout.num_cells(); ++i) leaders.insert(layout.leader(i, joining));
  return static_cast<int>(leaders.size());
}

int count_groups(const Cells& cells) { return count_groups(CellLayout(cells), CellJoining::joined); }

TEST(CellLayout, AWallOnAFloorIsACorner) {
  const Cells cells{make_box({0, 0, -0.1}, {1, 1, 0}), make_box({0, 0, 0}, {0.1, 1, 0.5})};
  const CellLayout layout(cells);
  ASSERT_EQ(layout.joints().size(), 1u);
  EXPECT_TRUE(layout.joints()[0].is_corner);
  EXPECT_EQ(count_groups(layout, CellJoining::joined), 2);
  EXPECT_EQ(count_groups(layout, CellJoining::connected), 1);
  EXPECT_EQ(count_groups(layout, CellJoining::separate), 2);
  EXPECT_TRUE(layout.is_convex(0, CellJoining::joined));
  EXPECT_FALSE(layout.is_convex(0, CellJoining::connected));
}

/// The same with the block under the wall cut off: the corner is now where three cells meet.
TEST(CellLayout, ACornerBetweenThreeCellsIsSeen) {
  EXPECT_EQ(count_groups({make_box({0, 0, -0.1}, {0.1, 1, 0}), make_box({0.1, 0, -0.1}, {1, 1, 0}),
                          make_box({0, 0, 0}, {0.1, 1, 0.5})}),
            3);
}

TEST(CellLayout, ABoxWithTJointsIsOneConvexBody) {
  const Cells cells{make_box({0, 0, 0}, {0.3, 0.5, 1}), make_box({0.3, 0, 0}, {1, 0.5, 1}),
                    make_box({0, 0.5, 0}, {0.6, 1, 1}), make_box({0.6, 0.5, 0}, {1, 1, 1})};
  const CellLayout layout(cells);
  EXPECT_EQ(layout.joints().size(), 5u);
  EXPECT_EQ(count_groups(layout, CellJoining::joined), 1);
  EXPECT_TRUE(layout.is_convex(0, CellJoining::joined));
  EXPECT_TRUE(layout.overlaps().empty());
}

/// Where the surface turns by 15 degrees into a lead-in it is a corner, by 3 it is not; outwards it never is.
TEST(CellLayout, SlopesAreCornersFromAFewDegreesOn) {
  for (const auto& [degrees, groups] : {std::pair(15.0, 2), {3.0, 1}, {-15.0, 1}, {-60.0, 1}}) {
    const double rise = std::tan(degrees * std::acos(-1.0) / 180.0) * 0.1;
    const std::vector<Vec3> corners{{0, 0, -0.5}, {0.1, 0, -0.5}, {0, 1, -0.5}, {0.1, 1, -0.5},
                                    {0, 0, 0},    {0.1, 0, rise}, {0, 1, 0},    {0.1, 1, rise}};
    const auto ramp = std::make_shared<const ConvexPolyhedron>(make_convex_hull(corners));
    EXPECT_EQ(count_groups({make_box({-1, 0, -0.5}, {0, 1, 0}), {Polyhedron{ramp}, Pose()}}), groups) << degrees;
  }
}

TEST(CellLayout, CellsThatTouchInAnEdgeOrNotAtAllDoNotJoin) {
  EXPECT_EQ(count_groups({make_box({0, 0, 0}, {1, 1, 1}), make_box({1, 1, 0}, {2, 2, 1})}), 2);
  EXPECT_EQ(count_groups({make_box({0, 0, 0}, {1, 1, 1}), make_box({1.001, 0, 0}, {2, 1, 1})}), 2);
  EXPECT_EQ(count_groups({make_box({0, 0, 0}, {1, 1, 1}), make_box({1 + 1e-8, 0, 0}, {2, 1, 1})}), 1);
}

TEST(CellLayout, OverlapsAreReportedWithTheirVolume) {
  const CellLayout layout(Cells{make_box({0, 0, 0}, {1, 1, 1}), make_box({0.9, 0, 0}, {1.4, 1, 1})});
  ASSERT_EQ(layout.overlaps().size(), 1u);
  EXPECT_NEAR(layout.overlaps()[0].volume, 0.1, 1e-5);  // less the layer of 1e-6 of the size
  EXPECT_NEAR(layout.overlaps()[0].part, 0.2, 2e-5);
  EXPECT_EQ(count_groups(layout, CellJoining::joined), 2);
}

/// Cuts through concave bodies make no corners: an angle cut across, a ring, a plate with a hole.
TEST(CellLayout, CutsThroughConcaveBodiesJoin) {
  const std::vector<Vec2> outline{{-0.1, -0.1}, {0.1, -0.1}, {0.1, -0.04}, {-0.04, -0.04}, {-0.04, 0.1}, {-0.1, 0.1}};
  const auto make_mesh = [](const MeshData& data) {
    return Shape(Mesh{std::make_shared<const ClosedMesh>(make_closed_mesh(data))});
  };
  Cutter random(4);
  for (const Shape& shape :
       {make_mesh(make_prism_mesh(outline, -0.05, 0.05)), make_mesh(make_torus_mesh(0.08, 0.025, 16, 8))}) {
    for (int k = 0; k < 3; ++k) EXPECT_EQ(count_groups(cut_into_cells(shape, 2, random)), 1) << k;
  }
  Cells plate;
  for (const double side : {1.0, -1.0}) {
    const CellParts parts{{{Box{Vec3(0.2, 0.2, 0.05)}, Pose(), false},
                           {Cylinder{0.08}, Pose(), true},
                           {HalfSpace{Vec3(side, 0, 0), 0.0}, Pose(), false}}};
    plate.push_back({CutShape{std::make_shared<const CellParts>(parts)}, Pose()});
  }
  const CellLayout layout(plate);
  EXPECT_EQ(count_groups(layout, CellJoining::joined), 1);
  EXPECT_FALSE(layout.is_convex(0, CellJoining::joined));
}

}  // namespace
}  // namespace abut
