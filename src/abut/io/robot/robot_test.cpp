#include <cmath>
#include <filesystem>
#include <string>

#include <gtest/gtest.h>

#include "abut/base/error.hpp"
#include "abut/io/import_robot.hpp"
#include "abut/io/robot/possible_inertia.hpp"
#include "abut/io/robot/robot_model.hpp"
#include "abut/io/scene_reader.hpp"
#include "abut/io/scene_writer.hpp"
#include "abut/io/text_file.hpp"

namespace abut {
namespace {

/// A folder of its own for each test.
class RobotTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::path(testing::TempDir()) / testing::UnitTest::GetInstance()->current_test_info()->name();
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  SceneSpec read(const std::string& urdf, const std::string& keys = "", const std::vector<std::string>& set = {}) {
    write_text_file_atomically(path("r.urdf"), urdf);
    return read_scene_text("[run]\nduration = 1\n[[robot]]\nfile = \"r.urdf\"\n" + keys, path("s.toml"), set);
  }

  /// The report less its folder.
  std::string error_of(const std::string& urdf, const std::string& keys = "") {
    try {
      read(urdf, keys);
    } catch (const InputError& error) {
      std::string text = error.what();
      const std::string folder = folder_.string() + "/";
      for (std::size_t at = 0; (at = text.find(folder)) != std::string::npos;) text.erase(at, folder.size());
      return text;
    }
    return "no error";
  }

  static const BodySpec& body(const SceneSpec& scene, const std::string& name) {
    for (const BodySpec& b : scene.body) {
      if (b.name == name) return b;
    }
    throw std::runtime_error("no body " + name);
  }
  static const JointSpec& joint(const SceneSpec& scene, const std::string& name) {
    for (const JointSpec& j : scene.joint) {
      if (j.name == name) return j;
    }
    throw std::runtime_error("no joint " + name);
  }

  std::filesystem::path folder_;
};

std::string with(const std::string& parts) {
  return "<?xml version=\"1.0\"?>\n<robot name=\"r\">\n" + parts + "</robot>\n";
}

constexpr const char* kMass =
    "<inertial><mass value=\"2\"/><inertia ixx=\"1e-2\" iyy=\"0.01\" izz=\"0.01\" ixy=\"-0\"/></inertial>";

std::string link(const std::string& name, const std::string& inside = kMass) {
  return "<link name=\"" + name + "\">" + inside + "</link>\n";
}
std::string hinge(const std::string& name, const std::string& parent, const std::string& child,
                  const std::string& type = "continuous", const std::string& inside = "") {
  return "<joint name=\"" + name + "\" type=\"" + type + "\"><parent link=\"" + parent + "\"/><child link=\"" + child +
         "\"/>" + inside + "</joint>\n";
}

TEST_F(RobotTest, LinksBecomeBodiesAndJointsBecomeJoints) {
  const SceneSpec scene = read(with(link("a", "") + link("b") +
                                    hinge("j", "a", "b", "revolute",
                                          "<origin xyz=\"1 2e-1 -.3\" rpy=\"0.1 0.2 0.3\"/><axis xyz=\"0 0 1\"/>"
                                          "<limit lower=\"-1\" upper=\"2\" effort=\"5\" velocity=\"1\"/><dynamics "
                                          "damping=\"0.4\" friction=\"0.5\"/>")),
                               "name = \"arm\"\nposition = [0, 0, 1]\n");
  EXPECT_TRUE(scene.robot.empty());
  ASSERT_EQ(scene.body.size(), 2u);
  EXPECT_TRUE(body(scene, "arm/a").fixed);
  EXPECT_EQ(body(scene, "arm/a").position, Vec3(0, 0, 1));
  EXPECT_EQ(body(scene, "arm/b").mass, 2.0);
  const JointSpec& j = joint(scene, "arm/j");
  EXPECT_EQ(j.type, JointKind::revolute);
  EXPECT_EQ(j.parent_position, Vec3(1, 0.2, -0.3));
  // Turns about fixed axes: x first, z last.
  const Mat3 R = (Eigen::AngleAxisd(0.3, Vec3::UnitZ()) * Eigen::AngleAxisd(0.2, Vec3::UnitY()) *
                  Eigen::AngleAxisd(0.1, Vec3::UnitX()))
                     .toRotationMatrix();
  EXPECT_LT((j.parent_orientation->toRotationMatrix() - R).cwiseAbs().maxCoeff(), 1e-15);
  EXPECT_EQ(j.damping, 0.4);
  EXPECT_EQ(j.friction->coulomb, 0.5);
  EXPECT_EQ(j.lower, -1.0);
  EXPECT_EQ(j.upper, 2.0);
  // The rule: the larger of effort / 0.01 rad and I (2 pi 50 Hz)^2, here 500 and 0.01 * 98696.
  EXPECT_EQ(*j.limit_stiffness, 987.0);
  EXPECT_NEAR(*j.limit_damping, 1.4 * std::sqrt(986.96 * 0.01), 5e-3);
}

TEST_F(RobotTest, LimitsWithoutEndAreNone) {
  const SceneSpec scene =
      read(with(link("a", "") + link("b") +
                hinge("j", "a", "b", "revolute", "<limit lower=\"-inf\" upper=\"2\" effort=\"inf\"/>") + link("c") +
                hinge("k", "a", "c", "prismatic", "<limit lower=\"0\" upper=\"0\" effort=\"1\"/>")));
  EXPECT_FALSE(joint(scene, "r/j").lower);
  EXPECT_EQ(joint(scene, "r/j").upper, 2.0);
  // By the inertia that it turns alone: there is no effort.
  EXPECT_EQ(joint(scene, "r/j").limit_stiffness, 987.0);
  EXPECT_FALSE(joint(scene, "r/k").lower);
  EXPECT_NE(scene.notes.back().find("no room (lower = upper): it moves without limits (line 7)"), std::string::npos)
      << scene.notes.back();
}

TEST_F(RobotTest, InertiaIsTurnedFromItsFrameIntoThatOfTheLink) {
  const SceneSpec scene =
      read(with(link("a",
                     "<inertial><origin xyz=\"0 0 1\" rpy=\"0 0 1.5707963267948966\"/><mass value=\"1\"/><inertia "
                     "ixx=\"1\" iyy=\"2\" izz=\"2.5\" ixy=\"0\" ixz=\"0.1\" iyz=\"0\"/></inertial>")),
           "base = \"floating\"\n");
  // A quarter turn about z: x' = y, so that ixx and iyy swap and ixz becomes iyz.
  const Mat3 I = body(scene, "r/a").inertia->calc_matrix();
  Mat3 expected;
  expected << 2, 0, 0, 0, 1, 0.1, 0, 0.1, 2.5;
  EXPECT_LT((I - expected).cwiseAbs().maxCoeff(), 1e-15);
  EXPECT_EQ(*body(scene, "r/a").center_of_mass, Vec3(0, 0, 1));
}

TEST_F(RobotTest, LinksWithoutMassAreFramesAndAFloatingRobotHangsOnTheFirstMass) {
  const SceneSpec scene = read(with(link("foot", "") + link("base") + link("tool", "") +
                                    hinge("up", "foot", "base", "fixed", "<origin xyz=\"0 0 0.1\" rpy=\"0 0 1\"/>") +
                                    hinge("t", "base", "tool", "fixed", "<origin xyz=\"1 0 0\"/>")),
                               "base = \"floating\"\nposition = [0, 0, 2]\n");
  EXPECT_TRUE(body(scene, "r/foot").frame);
  EXPECT_TRUE(body(scene, "r/tool").frame);
  EXPECT_EQ(body(scene, "r/base").position, Vec3(0, 0, 2.1));
  // Turned about: foot now hangs on base, where it was.
  const JointSpec& up = joint(scene, "r/up");
  EXPECT_EQ(up.parent, "r/base");
  EXPECT_EQ(up.child, "r/foot");
  EXPECT_LT((up.parent_position - Vec3(0, 0, -0.1)).norm(), 1e-15);
  EXPECT_EQ(joint(scene, "r/t").parent, "r/base");
}

TEST_F(RobotTest, JointsTakeWhatTheSceneAdds) {
  const std::string urdf = with(link("a", "") + link("b") + link("c") +
                                hinge("j", "a", "b", "revolute", "<limit lower=\"0.5\" upper=\"2\" effort=\"5\"/>") +
                                hinge("k", "b", "c", "prismatic", "<limit lower=\"-1\" upper=\"1\" effort=\"7\"/>"));
  const SceneSpec scene = read(urdf,
                               "[[robot.joint]]\nname = \"k\"\ncoordinates = [0.25]\n"
                               "motor = { mode = \"torque\", value = 1 }\nlimit_stiffness = 50\n",
                               {"body.r/b.mass=9"});
  // Zero is outside of its limits.
  EXPECT_EQ(joint(scene, "r/j").coordinates, std::vector<double>{0.5});
  EXPECT_EQ(joint(scene, "r/k").coordinates, std::vector<double>{0.25});
  EXPECT_EQ(joint(scene, "r/k").motor->force_limit, 7.0);
  EXPECT_EQ(joint(scene, "r/k").limit_stiffness, 50.0);
  EXPECT_EQ(body(scene, "r/b").mass, 9.0);
  // Names of parts are words, quotes or not.
  EXPECT_EQ(read(urdf, "", {"title=r/b"}).title, "r/b");
  EXPECT_EQ(error_of(urdf, "[[robot.joint]]\nname = \"kk\"\n"),
            "s.toml:6:8: there is no joint 'kk' in r.urdf. Did you mean 'k'?\n"
            "    6 | name = \"kk\"\n"
            "      |        ^^^^\n"
            "Joints: j, k.\n"
            "Nothing was run.");
}

TEST_F(RobotTest, ShapesAreReadAndLinksOfOneRobotPassThroughEachOther) {
  const std::string shapes =
      "<collision name=\"x\"><origin xyz=\"0 0 1\"/><geometry><box size=\"1 2 3\"/></geometry></collision>"
      "<visual><geometry><cylinder radius=\"1\" length=\"2\"/></geometry><material name=\"m\"/></visual>";
  const std::string urdf = with(link("a", shapes) + link("b", kMass + shapes) + hinge("j", "a", "b"));
  const SceneSpec scene = read(urdf);
  ASSERT_EQ(body(scene, "r/b").shape.size(), 1u);
  EXPECT_EQ(std::get<BoxSpec>(body(scene, "r/b").shape[0].type).size, Vec3(1, 2, 3));
  EXPECT_EQ(body(scene, "r/b").shape[0].position, Vec3(0, 0, 1));
  EXPECT_EQ(body(scene, "r/b").visual.size(), 1u);
  ASSERT_EQ(scene.contact.size(), 1u);
  EXPECT_FALSE(scene.contact[0].enabled);
  EXPECT_TRUE(read(urdf, "self_contact = true\n").contact.empty());
  EXPECT_TRUE(body(read(urdf, "visual = false\ncollision = \"none\"\n"), "r/b").shape.empty());
  // Lengths of a file in millimetres.
  EXPECT_EQ(std::get<BoxSpec>(body(read(urdf, "scale = 0.001\n"), "r/b").shape[0].type).size, Vec3(1, 2, 3) * 0.001);
}

TEST_F(RobotTest, WhatIsNotTakenOverIsListedOnceWithItsLines) {
  const SceneSpec scene =
      read(with(link("a") + "<transmission name=\"t\"/>\n<gazebo/>\n<gazebo reference=\"a\"/>\n<acme:thing/>\n"));
  ASSERT_EQ(scene.notes.size(), 1u);
  EXPECT_EQ(scene.notes[0],
            "r.urdf: not taken over: <transmission> in <robot> (line 4); <gazebo> in <robot> (lines 5, 6); "
            "<acme:thing> in <robot> (line 7)");
}

TEST_F(RobotTest, MistakesAreShownWhereTheyStand) {
  EXPECT_EQ(
      error_of(with(link("a", "<inertial><mass value=\"1,5\"/><inertia ixx=\"1\" iyy=\"1\" izz=\"1\"/></inertial>"))),
      "r.urdf:3:39: value of <mass> must be a number, found \"1,5\"\n"
      "    3 | <link name=\"a\"><inertial><mass value=\"1,5\"/><inertia ixx=\"1\" iyy=\"1\" "
      "izz=\"1\"/></inertial></link>\n"
      "      |                                       ^^^\n"
      "The decimal sign is a point, and blanks stand between numbers.\n"
      "Nothing was run.");
  const auto first_line = [&](const std::string& urdf) {
    const std::string text = error_of(urdf);
    return text.substr(0, text.find('\n'));
  };
  EXPECT_EQ(first_line(with(link("a") + "<lnk name=\"b\"/>\n")),
            "r.urdf:4:2: unknown element <lnk> in <robot> 'r'. Did you mean <link>?");
  EXPECT_EQ(first_line(with(link("a") + link("b"))),
            "r.urdf:4:2: the robot has two roots: neither link 'a' nor link 'b' is the child of a joint");
  EXPECT_EQ(first_line(with(link("a") + link("b") + hinge("j", "a", "b") + hinge("k", "b", "a"))),
            "r.urdf:6:49: joints form a loop through link 'a' (joint 'k')");
  EXPECT_EQ(first_line(with(link("a") + link("a"))), "r.urdf:4:2: two links are called 'a'");
  EXPECT_EQ(first_line(with(link("a") + link("b") + hinge("j", "a", "b", "revolute"))),
            "r.urdf:5:2: <limit> is missing in <joint> 'j': a revolute joint has one");
  EXPECT_EQ(first_line(with("<xacro:arm/>\n")),
            "r.urdf:3:2: <xacro:arm> is a macro of xacro that has not been expanded");
  EXPECT_EQ(first_line("<robot name=\"r\">\n<link name=\"a\">\n</robot>\n"),
            "r.urdf:3:3: this is not valid XML: </robot> closes <link> of line 2");
  EXPECT_EQ(first_line(with(
                link("a", "<collision><geometry><mesh filename=\"package://none/a.stl\"/></geometry></collision>"))),
            "r.urdf:3:38: package 'none' of package://none/a.stl is not known, and no folder of that name above the "
            "robot's file holds a.stl");
  EXPECT_EQ(first_line(with(link("a", "<visual><geometry><mesh filename=\"a.stl\"/></geometry></visual>"))),
            "r.urdf:3:35: there is no file " + std::string("a.stl"));
}

TEST_F(RobotTest, InertiasThatNoBodyHasAreRefusedWithNumbersOrRepaired) {
  const std::string flat = "<inertial><mass value=\"1\"/><inertia ixx=\"1\" iyy=\"1\" izz=\"3\"/></inertial>";
  const std::string urdf = with(link("a", "") + link("b", flat) + hinge("j", "a", "b"));
  const std::string report = error_of(urdf);
  EXPECT_NE(report.find("r.urdf:4:17: link 'b' has an inertia that belongs to no body"), std::string::npos) << report;
  EXPECT_NE(report.find("repair = true"), std::string::npos) << report;
  const SceneSpec repaired = read(urdf, "repair = true\n");
  EXPECT_EQ(find_inertia_defect(body(repaired, "r/b").inertia->calc_matrix()), "");
  EXPECT_NE(repaired.notes.front().find("link 'b' has an inertia that belongs to no body"), std::string::npos);
  const std::string massless = with(link("a", "") + link("b", "") + hinge("j", "a", "b"));
  EXPECT_NE(error_of(massless).find("link 'b' moves on joint 'j', but neither it nor what it carries has a mass"),
            std::string::npos);
  EXPECT_EQ(body(read(massless, "repair = true\n"), "r/b").mass, 1e-3);
}

TEST(PossibleInertia, IsTheSameForABodyAndNearForNone) {
  MassProperties body{2.0, Vec3::Zero(), Vec3(1.0, 1.5, 2.0).asDiagonal()};
  EXPECT_EQ(find_inertial_defect(body), "");
  EXPECT_LT((make_possible(body).inertia - body.inertia).cwiseAbs().maxCoeff(), 1e-15);
  // Second moments 0.5 (4 - 2 I): -1.5 becomes a thousandth of the largest, 1.5: moments 1.5015, 1.5015, 3.
  body.inertia = Vec3(0.0, 0.0, 3.0).asDiagonal();
  EXPECT_LT((make_possible(body).inertia.diagonal() - Vec3(1.5015, 1.5015, 3.0)).norm(), 1e-12);
}

TEST_F(RobotTest, AnImportedSceneReadsBackToTheSameOne) {
  const std::string urdf =
      with(link("a", "") + link("b") + link("c") +
           hinge("j", "a", "b", "revolute", "<origin rpy=\"0.1 0 0\"/><limit lower=\"-1\" upper=\"1\"/>") +
           hinge("k", "b", "c", "floating", "<origin xyz=\"0 1 0\"/>"));
  write_text_file_atomically(path("r.urdf"), urdf);
  RobotImport request;
  request.robot.file = path("r.urdf");
  request.out = path("s.toml");
  const ImportedRobot imported = import_robot(request);
  const SceneSpec scene = read_scene_text(imported.text, request.out);
  EXPECT_EQ(imported.num_bodies, 3u);
  EXPECT_EQ(joint(scene, "r/k").type, JointKind::free);
  EXPECT_LT((body(scene, "r/c").position - Vec3(0, std::cos(0.1), std::sin(0.1))).norm(), 1e-15);
  request.as_link = true;
  const SceneSpec linked = read_scene_text(import_robot(request).text, request.out);
  EXPECT_EQ(scene_to_toml(linked), scene_to_toml(scene));
}

}  // namespace
}  // namespace abut
