#include "abut/scene/validate.hpp"

#include <functional>
#include <limits>

#include <gtest/gtest.h>

namespace abut {
namespace {

using Messages = std::vector<std::string>;

/// A ball with a hinged arm above a fixed floor; nothing is wrong with it.
SceneSpec make_scene() {
  SceneSpec scene;
  scene.run.duration = 1.0;
  scene.body.resize(3);
  scene.body[0].name = "ball";
  scene.body[0].shape.emplace_back().type = SphereSpec{0.1};
  scene.body[1].name = "arm";
  scene.body[1].mass = 1.0;
  scene.body[1].inertia = InertiaSpec{{1, 1, 1}};
  scene.body[2].name = "floor";
  scene.body[2].fixed = true;
  scene.body[2].shape.emplace_back().type = HalfSpaceSpec{};
  JointSpec& joint = scene.joint.emplace_back();
  joint.name = "hinge";
  joint.type = JointSpec::Type::revolute;
  joint.parent = "ball";
  joint.child = "arm";
  joint.axis = Vec3::UnitY();
  ContactSpec& contact = scene.contact.emplace_back();
  contact.between = {"ball", "fl*"};
  contact.normal.emplace();
  contact.normal->stiffness = 1e6;
  contact.normal->restitution = 0.5;
  contact.friction.emplace().law = BristleSpec{.mu_c = 0.4, .mu_s = 0.5};
  return scene;
}

Messages messages_after(const std::function<void(SceneSpec&)>& change) {
  SceneSpec scene = make_scene();
  change(scene);
  Messages messages;
  for (const Problem& problem : validate(scene)) messages.push_back(problem.message);
  return messages;
}

#define EXPECT_PROBLEMS(change, ...) EXPECT_EQ(messages_after([](SceneSpec& s) { change; }), (Messages{__VA_ARGS__}))

TEST(Validate, AcceptsAGoodScene) { EXPECT_PROBLEMS((void)s); }

TEST(Validate, NumbersOutsideTheirLimits) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_PROBLEMS(s.run.duration = 0, "duration must be > 0 and <= 1e+09 s, found 0 in [run]");
  EXPECT_PROBLEMS(s.run.tolerance = 0.5, "tolerance must be >= 1e-13 and <= 0.1, found 0.5 in [run]");
  EXPECT_PROBLEMS(s.body[1].mass = 1e308, "mass must be within 1e+50 kg, found 1e+308 in [[body]] 'arm'");
  EXPECT_PROBLEMS(s.gravity.z() = -1e200, "gravity must be within 1e+50 m/s^2, found -1e+200");
  EXPECT_PROBLEMS(s.run.duration = 5e-324, "duration must be at least 1e-50 s, found 5e-324 in [run]");
  EXPECT_PROBLEMS(s.run.threads = -1, "threads must be >= 0 and <= 1024, found -1 in [run]");
  EXPECT_PROBLEMS(s.body[1].mass = -2, "mass must be > 0 kg, found -2 in [[body]] 'arm'");
  EXPECT_PROBLEMS(std::get<SphereSpec>(s.body[0].shape[0].type).radius = 0,
                  "radius must be > 0 m, found 0 in [[body]] 'ball' shape");
  EXPECT_EQ(messages_after([&](SceneSpec& s) { s.gravity.y() = nan; }),
            Messages{"gravity must be a finite number, found nan"});
  EXPECT_EQ(messages_after([&](SceneSpec& s) { s.contact[0].normal->v_small = nan; }),
            Messages{"v_small must be a finite number, found nan in [[contact]] normal"});
  EXPECT_PROBLEMS(s.contact[0].normal->restitution = 1.5,
                  "restitution must be >= 0 and <= 1, found 1.5 in [[contact]] normal");
}

TEST(Validate, RunNeedsMatchingMethodAndIntegrator) {
  EXPECT_PROBLEMS(s.run.integrator = RunSpec::Integrator::rk4,
                  "integrator 'rk4' does not belong to method 'adaptive' in [run]");
  EXPECT_PROBLEMS(s.run.method = RunSpec::Method::explicit_, "method 'explicit' needs a step [s] in [run]");
  EXPECT_PROBLEMS(s.run.step = 1e-3, "step has no meaning with method 'adaptive' in [run]");
  EXPECT_PROBLEMS(s.run.method = RunSpec::Method::explicit_; s.run.step = 1e-3;
                  s.run.integrator = RunSpec::Integrator::bdf,
                  "integrator 'bdf' does not belong to method 'explicit' in [run]");
  EXPECT_PROBLEMS(s.run.method = RunSpec::Method::explicit_; s.run.step = 1e-3;
                  s.run.max_step = 1, "max_step has no meaning with method 'explicit' in [run]");
  SceneSpec scene = make_scene();
  scene.run.integrator = RunSpec::Integrator::heun;
  EXPECT_EQ(validate(scene).at(0).hint, "adaptive takes: auto, rk, radau, bdf, adams.");
}

TEST(Validate, Bodies) {
  EXPECT_PROBLEMS(s.body.clear(); s.joint.clear();
                  s.contact.clear(), "body is missing: a scene needs at least one [[body]]");
  EXPECT_PROBLEMS(s.body[0].mass = 1; s.body[0].density = 2, "mass and density are both given in [[body]] 'ball'");
  EXPECT_PROBLEMS(s.body[1].mass.reset(), "[[body]] 'arm' moves but its mass is unknown: it has no shape");
  EXPECT_PROBLEMS(s.body[1].inertia.reset(), "[[body]] 'arm' has a mass but its inertia is unknown: it has no shape");
  EXPECT_PROBLEMS(s.body[2].fixed = false,
                  "[[body]] 'floor' moves but its mass is unknown: none of its shapes has a volume");
  EXPECT_PROBLEMS((s.body[1].inertia = InertiaSpec{{1, 1, 3}}),
                  "inertia belongs to no body: the largest principal moment 3 exceeds the sum of the others, 2 in "
                  "[[body]] 'arm'");
  EXPECT_PROBLEMS((s.body[1].inertia = InertiaSpec{{1, 1}}), "inertia has 2 numbers in [[body]] 'arm'");
  EXPECT_PROBLEMS(s.body[2].velocity = Vec3::UnitX(), "[[body]] 'floor' is fixed but has a velocity");
  EXPECT_PROBLEMS(s.body[2].angular_velocity = Vec3::UnitX(), "[[body]] 'floor' is fixed but has an angular_velocity");
  EXPECT_PROBLEMS(s.body[0].orientation = Quat(1, 1, 0, 0),
                  "orientation must be a unit quaternion (w, x, y, z), its length is 1.41421356 in [[body]] 'ball'");
  EXPECT_PROBLEMS(s.body[0].orientation = Quat(1, 0, 0, 0); s.body[0].rotation.emplace().axis = Vec3::UnitX();
                  s.body[0].rotation->degrees = 1, "orientation and rotation are both given in [[body]] 'ball'");
  EXPECT_PROBLEMS(s.body[0].rotation.emplace().degrees = 1, "axis must not be zero in [[body]] 'ball' rotation");
  EXPECT_PROBLEMS(s.body[0].rotation.emplace().axis = Vec3::UnitX(),
                  "[[body]] 'ball' rotation needs either degrees or radians");
}

TEST(Validate, Shapes) {
  EXPECT_PROBLEMS(s.body[2].shape[0].type = HalfSpaceSpec{.normal = Vec3::Zero()},
                  "normal must not be zero in [[body]] 'floor' shape");
  EXPECT_PROBLEMS((s.body[2].shape[0].type = WedgeSpec{Vec3(1, 0, 1), Vec3(2, 0, 2)}),
                  "normal_1 and normal_2 are parallel in [[body]] 'floor' shape: no edge");
  EXPECT_PROBLEMS(s.body[2].shape[0].type = ConeSpec{}, "angle is missing in [[body]] 'floor' shape");
  EXPECT_PROBLEMS((s.body[2].shape[0].type = ConeSpec{.angle = 1, .angle_degrees = 1}),
                  "angle and angle_degrees are both given in [[body]] 'floor' shape");
  EXPECT_PROBLEMS(s.body[2].shape[0].type = ConeSpec{.angle_degrees = 180},
                  "the full apex angle must be below 180 degrees in [[body]] 'floor' shape");
  EXPECT_PROBLEMS((s.body[2].shape[0].type = TorusSpec{0.1, 0.2}),
                  "tube_radius must be below ring_radius (0.1 m) in [[body]] 'floor' shape, got 0.2");
  EXPECT_PROBLEMS(
      (s.body[2].shape[0].type = BowlSpec{0.1, 0.01, 0.3}),
      "depth must be below twice the radius (0.2 m) in [[body]] 'floor' shape, got 0.3: nothing is left open");
  EXPECT_PROBLEMS(s.body[2].shape[0].name = "x";
                  s.body[2].shape.push_back(s.body[2].shape[0]), "duplicate shape name 'x' in [[body]] 'floor'");
}

TEST(Validate, FramesWeighNothingAndHangOnJoints) {
  const auto make_frame = [](SceneSpec& s) {
    s.body[1].frame = true;
    s.body[1].mass.reset();
    s.body[1].inertia.reset();
  };
  EXPECT_EQ(messages_after(make_frame), Messages{});
  EXPECT_PROBLEMS(s.body[1].frame = true, "[[body]] 'arm' is a frame but has mass",
                  "[[body]] 'arm' is a frame but has inertia");
  EXPECT_EQ(messages_after([&](SceneSpec& s) {
              make_frame(s);
              s.joint.clear();
            }),
            Messages{"[[body]] 'arm' is a frame without a joint to hang on"});
}

TEST(Validate, PartsOfNames) {
  EXPECT_PROBLEMS(s.body[1].name = "a/b"; s.joint[0].child = "a/b");
  EXPECT_PROBLEMS(s.body[1].name = "a/";
                  s.joint[0].child = "a/", "body name 'a/' begins or ends with /, or has two of them in a row");
}

TEST(Validate, NamesAndReferences) {
  EXPECT_PROBLEMS(s.body[1].name = "ball"; s.joint.clear(), "duplicate body name 'ball'");
  EXPECT_PROBLEMS(s.body[1].name = "world"; s.joint.clear(), "the body name 'world' is reserved");
  EXPECT_PROBLEMS(s.body[1].name = "a*";
                  s.joint.clear(), "body name 'a*' contains a character that names may not have");
  EXPECT_PROBLEMS(s.body[1].name = ""; s.joint.clear(), "name must not be empty in [[body]]");
  EXPECT_PROBLEMS(s.joint[0].child = "amr",
                  "there is no body 'amr' for child in [[joint]] 'hinge'. Did you mean 'arm'?");
  EXPECT_PROBLEMS(s.joint[0].parent = "wrld",
                  "there is no body 'wrld' for parent in [[joint]] 'hinge'. Did you mean 'world'?");
  EXPECT_PROBLEMS(s.contact[0].between[1] = "wall*", "'wall*' matches no body in [[contact]]");
  EXPECT_PROBLEMS(s.contact[0].between[0] = "arm", "body 'arm' of [[contact]] has no shape to touch with");
  EXPECT_PROBLEMS(s.contact[0].between[1] = "ball", "[[contact]] is between 'ball' and itself");
  EXPECT_PROBLEMS(s.force.emplace_back().body = "floor";
                  s.force[0].force = Vec3::UnitX(), "[[force]] acts on 'floor', which is fixed");
  EXPECT_PROBLEMS(s.force.emplace_back().body = "ball", "[[force]] gives neither force [N] nor torque [N m] nor table");
  EXPECT_PROBLEMS((s.spring.emplace_back().between = {"ball", "ball"});
                  s.spring[0].stiffness = 1, "[[spring]] joins 'ball' to itself");
  EXPECT_PROBLEMS((s.spring.emplace_back().between = {"ball", "world"}),
                  "[[spring]] has neither stiffness [N/m] nor damping [N s/m]");
}

TEST(Validate, Joints) {
  EXPECT_PROBLEMS(s.joint[0].axis.reset(), "axis is missing in [[joint]] 'hinge': a revolute joint needs it");
  EXPECT_PROBLEMS(s.joint[0].axis = Vec3::Zero(), "axis must not be zero in [[joint]] 'hinge'");
  EXPECT_PROBLEMS(s.joint[0].type = JointSpec::Type::spherical,
                  "axis has no meaning for a spherical joint in [[joint]] 'hinge'");
  EXPECT_PROBLEMS(s.joint[0].type = JointSpec::Type::universal;
                  s.joint[0].axis_2 = Vec3(0, 1, 1), "axis_2 must be perpendicular to axis in [[joint]] 'hinge'");
  EXPECT_PROBLEMS((s.joint[0].coordinates = {1, 2}),
                  "a revolute joint has 1 coordinates, found 2 in [[joint]] 'hinge'");
  EXPECT_PROBLEMS(s.joint[0].axis.reset(); s.joint[0].type = JointSpec::Type::spherical;
                  (s.joint[0].coordinates = {1, 1, 0, 0}),
                  "coordinates must be a unit quaternion (w, x, y, z), its length is 1.41421356 in [[joint]] 'hinge'");
  EXPECT_PROBLEMS(s.joint[0].lower = 1; s.joint[0].upper = -1;
                  s.joint[0].limit_stiffness = 1,
                  "limits are reversed: lower 1 is not below upper -1 in [[joint]] 'hinge'");
  EXPECT_PROBLEMS(s.joint[0].lower = 1,
                  "limit_stiffness [N/m or N m/rad] is missing in [[joint]] 'hinge': limits are compliant");
  EXPECT_PROBLEMS(s.joint[0].child = "floor", "child 'floor' of [[joint]] 'hinge' is a fixed body");
  EXPECT_PROBLEMS(s.joint[0].parent = "arm", "[[joint]] 'hinge' joins body 'arm' to itself");
  EXPECT_PROBLEMS(s.body[1].position = Vec3::UnitX(), "position of body 'arm' is decided by [[joint]] 'hinge'");
  EXPECT_PROBLEMS(s.joint.push_back(s.joint[0]); s.joint[1].name = "second";
                  s.joint[1].parent = "world", "body 'arm' is the child of two joints, 'hinge' and 'second'");
  EXPECT_PROBLEMS(s.joint.push_back(s.joint[0]); s.joint[1].name = "second"; s.joint[1].parent = "arm";
                  s.joint[1].child = "ball",
                  "joints form a loop through body 'arm' ([[joint]] 'hinge'); they must form a tree");
  EXPECT_PROBLEMS(s.joint[0].axis.reset(); s.joint[0].type = JointSpec::Type::free,
                                           "a free joint has no parent but the world in [[joint]] 'hinge'");
  EXPECT_PROBLEMS(s.joint[0].axis.reset(); s.joint[0].type = JointSpec::Type::fixed;
                  s.joint[0].stiffness = 1, "stiffness is not possible on a fixed joint in [[joint]] 'hinge'");
}

TEST(Validate, MotorsAndMotion) {
  EXPECT_PROBLEMS(s.joint[0].motor.emplace(), "[[joint]] 'hinge' motor needs either value or table");
  EXPECT_PROBLEMS(s.joint[0].motor.emplace().value = 1; s.joint[0].motor->mode = MotorSpec::Mode::velocity,
                                                        "[[joint]] 'hinge' motor needs a gain > 0 in velocity mode");
  EXPECT_PROBLEMS(s.joint[0].motor.emplace().value = 1;
                  s.joint[0].motor->gain = 1, "gain has no meaning in torque mode in [[joint]] 'hinge' motor");
  EXPECT_PROBLEMS((s.joint[0].motion.emplace().kind = TableMotionSpec{{0, 2, 1}, {1, 2, 3}}),
                  "time must increase in [[joint]] 'hinge' motion: 1 follows 2");
  EXPECT_PROBLEMS((s.joint[0].motion.emplace().kind = TableMotionSpec{{0}, {1}}),
                  "time needs at least two entries in [[joint]] 'hinge' motion");
  EXPECT_PROBLEMS((s.joint[0].motion.emplace().kind = TableMotionSpec{{0, 1}, {1, 2, 3}}),
                  "value has 3 entries but time has 2 in [[joint]] 'hinge' motion");
  EXPECT_PROBLEMS(s.joint[0].motion.emplace();
                  (s.joint[0].coordinates = {1}),
                  "[[joint]] 'hinge' has a prescribed motion, which already says where it starts");
  EXPECT_PROBLEMS(s.joint[0].motion.emplace();
                  s.joint[0].motor.emplace().value = 1, "[[joint]] 'hinge' has both a motor and a prescribed motion");
}

TEST(Validate, NormalLaws) {
  EXPECT_PROBLEMS(s.contact[0].normal.reset(), "normal is missing in [[contact]]");
  EXPECT_PROBLEMS(s.contact[0].normal.reset(); s.contact[0].enabled = false);
  EXPECT_PROBLEMS(s.contact[0].normal->stiffness.reset(), "stiffness is missing in [[contact]] normal");
  EXPECT_PROBLEMS(s.contact[0].normal->young = 1e9;
                  s.contact[0].normal->poisson = 0.3,
                  "stiffness and material data (young, poisson) are both given in [[contact]] normal");
  EXPECT_PROBLEMS(s.contact[0].normal->stiffness.reset();
                  s.contact[0].normal->young = 1e9,
                  "young and poisson belong together in [[contact]] normal: poisson is missing");
  EXPECT_PROBLEMS(s.contact[0].normal->young_b = 1e9,
                  "young_b describes the second body, but young and poisson of the first are missing in [[contact]] "
                  "normal");
  EXPECT_PROBLEMS(s.contact[0].normal->restitution.reset(), "restitution is missing in [[contact]] normal");
  EXPECT_PROBLEMS(s.contact[0].normal->restitution_slope = 0.1,
                  "restitution and restitution_slope are both given in [[contact]] normal");
  EXPECT_PROBLEMS(s.contact[0].normal->law = NormalSpec::Law::hunt_crossley;
                  s.contact[0].normal->damping = 1, "damping and restitution are both given in [[contact]] normal");
  EXPECT_PROBLEMS(s.contact[0].normal->law = NormalSpec::Law::hertz,
                  "restitution does not belong to hertz in [[contact]] normal");
  EXPECT_PROBLEMS(s.contact[0].normal->law = NormalSpec::Law::azad_featherstone;
                  s.contact[0].normal->exponent = 2,
                  "exponent does not belong to azad-featherstone in [[contact]] normal");
  EXPECT_PROBLEMS(s.contact[0].normal->restitution = 0.005,
                  "restitution 0.005 is too small for gonthier (0.01 to 1) in [[contact]] normal");
  EXPECT_PROBLEMS(s.contact[0].normal->law = NormalSpec::Law::flores;
                  s.contact[0].normal->restitution = 0,
                  "restitution 0 is too small for flores (above 0 to 1) in [[contact]] normal");
  EXPECT_PROBLEMS(s.contact[0].normal->law = NormalSpec::Law::hunt_crossley; s.contact[0].normal->restitution = 0);
  EXPECT_PROBLEMS(s.contact[0].normal->law = NormalSpec::Law::kelvin_voigt; s.contact[0].normal->stiffness.reset();
                  s.contact[0].normal->young = 1e9;
                  s.contact[0].normal->poisson = 0.3,
                  "material data give the stiffness of exponent 1.5, not of 1, in [[contact]] normal");
  EXPECT_PROBLEMS(s.contact[0].normal->restitution.reset();
                  (s.contact[0].normal->restitution_table.emplace().speed = {1, 1});
                  (s.contact[0].normal->restitution_table->restitution = {0.5, 0.4}),
                  "speed must increase in [[contact]] normal restitution_table: 1 follows 1");
}

TEST(Validate, FrictionLaws) {
  EXPECT_PROBLEMS(s.contact[0].friction->law = BristleSpec{}, "mu_c is missing in [[contact]] friction");
  EXPECT_PROBLEMS((s.contact[0].friction->law = BristleSpec{.mu_c = 0.5, .mu_s = 0.4}),
                  "mu_s 0.4 is below mu_c 0.5 in [[contact]] friction");
  EXPECT_PROBLEMS((s.contact[0].friction->law = CoulombSpec{.mu = 0.5, .mu_s = 0.4}),
                  "mu and mu_s are both given in [[contact]] friction");
  EXPECT_PROBLEMS(s.contact[0].friction->law = CoulombSpec{.mu = -0.5},
                  "mu must be >= 0, found -0.5 in [[contact]] friction");
  EXPECT_PROBLEMS(s.contact[0].friction->law = LugreSpec{}, "mu_d is missing in [[contact]] friction");
  EXPECT_PROBLEMS(s.contact[0].friction->law = NoFrictionSpec{});
}

TEST(Validate, ReportsEverythingInFileOrder) {
  SceneSpec scene = make_scene();
  scene.run.where.line = 9;
  scene.run.duration = -1;
  scene.body[0].where.line = 4;
  scene.body[0].mass = -1;
  scene.body[0].key_locations["mass"] = {"f", 6, 2, 1};
  scene.contact[0].where.line = 1;
  scene.contact[0].friction->where.line = 2;
  scene.contact[0].friction->law = CoulombSpec{};
  const std::vector<Problem> problems = validate(scene);
  ASSERT_EQ(problems.size(), 3u);
  EXPECT_EQ(problems[0].message, "mu_c is missing in [[contact]] friction");
  EXPECT_EQ(problems[1].message, "mass must be > 0 kg, found -1 in [[body]] 'ball'");
  EXPECT_EQ(problems[2].message, "duration must be > 0 and <= 1e+09 s, found -1 in [run]");
}

TEST(Validate, KeysAlreadyReportedAreNotReportedAgain) {
  SceneSpec scene = make_scene();
  scene.body[1].mass.reset();
  scene.body[1].unusable_keys.insert("mass");
  scene.contact[0].normal->stiffness.reset();
  scene.contact[0].normal->unusable_keys.insert("stiffness");
  EXPECT_TRUE(validate(scene).empty());
}

TEST(Validate, RunsThatWouldNeverEnd) {
  EXPECT_PROBLEMS((s.run.method = RunSpec::Method::explicit_, s.run.step = 1e-15),
                  "duration 1 s / step 1e-15 s are 1e+15 steps, more than 1e+12, in [run]");
  EXPECT_PROBLEMS(s.run.record_interval = 1e-12,
                  "duration 1 s / record_interval 1e-12 s are 1e+12 samples, more than 1e+08, in [run]");
  EXPECT_PROBLEMS((s.run.method = RunSpec::Method::explicit_, s.run.step = 1e-6, s.run.record_interval = 1e-6));
}

TEST(Validate, WorldAndFixedBodiesAsPartners) {
  EXPECT_PROBLEMS((s.contact[0].between = {"ball", "world"}), "between cannot be 'world' in [[contact]]");
  EXPECT_PROBLEMS((s.spring.resize(1), s.spring[0].between = {"floor", "world"}, s.spring[0].stiffness = 1),
                  "both ends of [[spring]] are fixed");
  EXPECT_PROBLEMS((s.spring.resize(1), s.spring[0].between = {"ball", "world"}, s.spring[0].stiffness = 1));
}

TEST(Validate, RestitutionBelowWhatTheLawCanRepresent) {
  EXPECT_PROBLEMS((s.contact[0].normal->law = NormalSpec::Law::kelvin_voigt, s.contact[0].normal->restitution = 0),
                  "restitution 0 is too small for kelvin-voigt (0.01 to 1) in [[contact]] normal");
  EXPECT_PROBLEMS((s.contact[0].normal->law = NormalSpec::Law::hunt_crossley, s.contact[0].normal->restitution = 0));
}

}  // namespace
}  // namespace abut
