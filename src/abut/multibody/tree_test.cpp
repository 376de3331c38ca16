#include "abut/multibody/tree.hpp"

#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "abut/base/error.hpp"
#include "abut/multibody/random_tree_test.hpp"

namespace abut {
namespace {

template <typename Change>
std::string message_after(Change change, bool check_movable = false) {
  test::Random random(1);
  std::vector<LinkSpec> specs = {test::make_random_link(random, JointType::revolute, kWorld),
                                 test::make_random_link(random, JointType::spherical, 0)};
  specs[1].name = "arm";
  change(specs);
  try {
    const Tree tree(specs);
    if (check_movable) require_movable(tree);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(Tree, LaysOutCoordinatesInOrder) {
  test::Random random(2);
  const Tree tree({test::make_random_link(random, JointType::free, kWorld),
                   test::make_random_link(random, JointType::fixed, kWorld),
                   test::make_random_link(random, JointType::universal, 1),
                   test::make_random_link(random, JointType::spherical, 2)});
  EXPECT_EQ(tree.num_q(), 7 + 0 + 2 + 4);
  EXPECT_EQ(tree.num_v(), 6 + 0 + 2 + 3);
  EXPECT_EQ(tree.q_start(3), 9);
  EXPECT_EQ(tree.v_start(3), 8);
  EXPECT_EQ(tree.free_leaves(), std::vector<int>{0});
  EXPECT_EQ(tree.free_leaf_index(0), 0);
  EXPECT_EQ(tree.free_leaf_index(2), -1);
  EXPECT_TRUE(tree.is_static(1));
  EXPECT_TRUE(tree.is_static(kWorld));
  EXPECT_FALSE(tree.is_static(2));
}

TEST(Tree, GroupsAreIndependentTreesParentsFirst) {
  // 0 and 1 are roots; 2 hangs on 1, 3 on 0, 4 on 2, interleaved on purpose.
  test::Random random(3);
  const Tree tree({test::make_random_link(random, JointType::free, kWorld),
                   test::make_random_link(random, JointType::revolute, kWorld),
                   test::make_random_link(random, JointType::revolute, 1),
                   test::make_random_link(random, JointType::revolute, 0),
                   test::make_random_link(random, JointType::fixed, 2)});
  EXPECT_TRUE(tree.free_leaves().empty());
  EXPECT_EQ(tree.articulated_links(), (std::vector<int>{0, 3, 1, 2, 4}));
  ASSERT_EQ(tree.groups().size(), 2u);
  EXPECT_EQ(tree.groups()[1].begin, 2);
  EXPECT_EQ(tree.groups()[1].end, 5);
}

TEST(Tree, PrescribedMotionMakesImmovable) {
  test::Random random(4);
  std::vector<LinkSpec> specs = {test::make_random_link(random, JointType::free, kWorld),
                                 test::make_random_link(random, JointType::fixed, 0),
                                 test::make_random_link(random, JointType::revolute, 1)};
  specs[0].prescribed = true;
  const Tree tree(specs);
  EXPECT_TRUE(tree.is_immovable(0));
  EXPECT_TRUE(tree.is_immovable(1));
  EXPECT_FALSE(tree.is_immovable(2));
  EXPECT_FALSE(tree.is_static(0));
  EXPECT_TRUE(tree.has_prescribed());
}

TEST(Tree, FindsIsotropicInertia) {
  LinkSpec ball;
  ball.mass = {2.0, Vec3::Zero(), Mat3::Identity() * 0.1};
  LinkSpec slightly_oblate = ball;
  slightly_oblate.mass.inertia(2, 2) *= 1.0 + 1e-12;
  const Tree tree({ball, slightly_oblate});
  EXPECT_TRUE(tree.free_leaf_data()[0].isotropic);
  EXPECT_FALSE(tree.free_leaf_data()[1].isotropic);
}

TEST(Tree, SaysWhatIsWrong) {
  using Specs = std::vector<LinkSpec>;
  EXPECT_EQ(message_after([](Specs&) {}, true), "");
  EXPECT_EQ(message_after([](Specs& s) { s[1].parent = 1; }), "link 'arm': parent 1 is not an earlier link");
  EXPECT_EQ(message_after([](Specs& s) { s[1].joint = JointType::free; }),
            "link 'arm': a free joint hangs on the world, not on another link");
  EXPECT_EQ(message_after([](Specs& s) { s[1].mass.mass = -2.0; }), "link 'arm': mass -2 kg is negative");
  EXPECT_EQ(message_after([](Specs& s) { s[1].mass.inertia(0, 1) += 0.5; }),
            "link 'arm': the inertia matrix is not symmetric");
  EXPECT_EQ(message_after([](Specs& s) { s[1].mass.inertia = Vec3(1.0, 1.0, -0.25).asDiagonal(); }),
            "link 'arm': a principal moment of inertia is negative, -0.25 kg m^2");
  EXPECT_EQ(message_after([](Specs& s) { s[1].mass.center_of_mass.x() = NAN; }),
            "link 'arm': mass properties are not finite");
  EXPECT_EQ(message_after([](Specs& s) { s[1].X_BM.R *= 2.0; }), "link 'arm': a joint frame is not a rotation");
  EXPECT_EQ(message_after([](Specs& s) {
              s[1].joint = JointType::prismatic;
              s[1].axis.setZero();
            }),
            "link 'arm': axis of a prismatic joint is (0, 0, 0); it needs a direction");
  EXPECT_EQ(message_after([](Specs& s) {
              s[1].joint = JointType::free;
              s[1].parent = kWorld;
              s[1].mass.mass = 0.0;
            }),
            "link 'arm': a free body needs a positive mass and a positive definite inertia (mass 0 kg)");
}

TEST(Tree, JointsMustCarryInertia) {
  using Specs = std::vector<LinkSpec>;
  const std::string spherical =
      "link 'arm': its spherical joint carries no mass or no inertia in one of its directions";
  EXPECT_EQ(message_after([](Specs& s) { s[1].mass = {}; }, true), spherical);
  // A point mass may swing but not spin about the line to it.
  EXPECT_EQ(message_after([](Specs& s) { s[1].mass.inertia.setZero(); }, true), spherical);
  // On a revolute joint it is an ordinary pendulum.
  EXPECT_EQ(message_after(
                [](Specs& s) {
                  s[1].joint = JointType::revolute;
                  s[1].mass.inertia.setZero();
                },
                true),
            "");
  // A massless link that carries a massive one is fine.
  EXPECT_EQ(message_after([](Specs& s) { s[0].mass = {}; }, true), "");
}

}  // namespace
}  // namespace abut
