#include "abut/sim/long_wait.hpp"

#include <limits>

#include <gtest/gtest.h>

#include "abut/base/thread_pool.hpp"
#include "abut/sim/run_clock.hpp"
#include "abut/sim/runs.hpp"
#include "abut/sim/scene_fixture_test.hpp"

namespace abut {
namespace {

/// What is said of a ball or a box that lies on the floor at the end of a short run.
std::string describe(SceneSpec scene, double wait, double step) {
  scene.run.duration = 0.05;
  scene.body.push_back(make_floor());
  const Model model = compile(scene);
  ThreadPool threads(1);
  Dynamics dynamics(model, threads);
  State state = dynamics.make_initial_state();
  dynamics.bind(state);
  MemorySink sink;
  RunBook book(dynamics, state, sink);
  const RunOptions options;
  RunClock clock(options, 0.0);
  const std::unique_ptr<Method> method = make_adaptive_method(dynamics, state, book, clock);
  method->begin();
  RunEnd end;
  while (state.time < scene.run.duration && method->step(scene.run.duration, end)) {
  }
  const std::vector<PatchResponse> responses = dynamics.calc_responses(state.time, state.y.data());
  return describe_long_wait(model, state, responses, book, wait, step);
}

SceneSpec make_resting_ball() {
  SceneSpec scene;
  scene.body = {make_ball("ball", 1.0, 0.1, Vec3(0, 0, 0.1))};
  scene.contact = {make_contact(NormalSpec::Law::gonthier, 1e6, 0.5)};
  return scene;
}

bool has(const std::string& text, const std::string& words) { return text.find(words) != std::string::npos; }

TEST(LongWait, NamesTheContactThatLimitsTheStepAndWhatWouldDo) {
  SceneSpec scene = make_resting_ball();
  const std::string spring = describe(scene, 7200.0, 1e-4);
  EXPECT_TRUE(has(spring, "will take about 2 h more: steps are 0.0001 s long")) << spring;
  EXPECT_TRUE(has(spring, "the spring of ball-floor")) << spring;
  EXPECT_TRUE(has(spring, "a lower stiffness or method = \"lcp\" would do")) << spring;
  add_coulomb(scene.contact[0], 0.5);
  const std::string friction = describe(scene, 7200.0, 1e-6);
  EXPECT_TRUE(has(friction, "the friction of ball-floor")) << friction;
  EXPECT_TRUE(has(friction, "a larger v_eps or method = \"lcp\" would do")) << friction;
  add_bristle(scene.contact[0], 0.5);
  scene.contact[0].friction->law = BristleSpec{.mu_c = 0.5, .sigma_1 = 1e6};
  const std::string bristle = describe(scene, 7200.0, 1e-6);
  EXPECT_TRUE(has(bristle, "a smaller sigma_1")) << bristle;
}

// Steps far below all time constants have another reason; and no contact, no blame.
TEST(LongWait, DoesNotBlameWhatDoesNotLimit) {
  const std::string jump = describe(make_resting_ball(), std::numeric_limits<double>::infinity(), 1e-12);
  EXPECT_TRUE(has(jump, "makes no headway")) << jump;
  EXPECT_TRUE(has(jump, "the force of ball-floor jumps")) << jump;
  SceneSpec flying = make_resting_ball();
  flying.body[0].position.z() = 10.0;
  const std::string free = describe(flying, 7200.0, 1e-6);
  EXPECT_TRUE(has(free, "no contact is active")) << free;
}

// Only what the pair can take is named: volumes of boxes have points under lcp.
TEST(LongWait, NamesMethodsThatThePairCanTake) {
  SceneSpec scene = make_resting_ball();
  scene.body = {make_box("box", 1.0, Vec3(0.2, 0.2, 0.2), Vec3(0, 0, 0.1))};
  scene.contact = {make_contact(NormalSpec::Law::gonthier, 1e9, 0.5)};
  scene.contact[0].region = ContactSpec::Region::volume;
  const std::string text = describe(scene, 7200.0, 1e-4);
  EXPECT_TRUE(has(text, "region = \"point\" with method = \"lcp\" would do")) << text;
}

SceneSpec make_stack() {
  SceneSpec scene;
  scene.body = {make_box("box", 1.0, Vec3(0.2, 0.2, 0.1), Vec3(0, 0, 0.05)), make_floor()};
  scene.contact = {make_contact(NormalSpec::Law::gonthier, 1e8, 0.5)};
  scene.contact[0].region = ContactSpec::Region::volume;
  scene.run.duration = 1.0;
  return scene;
}

/// A method is that of the whole run: what takes the pair that waits is no help where another pair is refused.
TEST(LongWait, NamesWhatTakesEveryPairOfTheScene) {
  SceneSpec scene = make_stack();
  EXPECT_EQ(suggest_faster(compile(scene), 0), "region = \"point\" with method = \"lcp\"");
  BodySpec washer = make_box("washer", 1.0, Vec3(0.1, 0.1, 0.02), Vec3(0, 0, 0.12));
  CellSpec cell;
  cell.part.resize(2);
  cell.part[0].type = BoxSpec{Vec3(0.1, 0.1, 0.02)};
  cell.part[1].type = CylinderSpec{0.03, 0.1};
  cell.part[1].complement = true;
  washer.shape = {make_shape_spec(cell)};
  scene.body.push_back(washer);
  EXPECT_EQ(suggest_faster(compile(scene), 0), "method = \"explicit\" with the step that abut check gives");
}

}  // namespace
}  // namespace abut
