#include "abut/sim/friction_form_watch.hpp"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "abut/sim/scene_fixture_test.hpp"

namespace abut {
namespace {

/// Notes of a box that slides to rest at some angle to the axes.
std::string slide(LcpSpec::Friction form, double angle) {
  SceneSpec scene;
  scene.run.method = RunSpec::Method::lcp;
  scene.run.step = 1e-3;
  scene.run.duration = 1.0;
  scene.lcp.friction = form;
  scene.body = {make_box("box", 1.0, Vec3(0.2, 0.2, 0.05), Vec3(0, 0, 0.025)), make_floor()};
  scene.body[0].velocity = Vec3(std::cos(angle), std::sin(angle), 0);
  scene.contact = {make_contact(NormalSpec::Law::gonthier, 1e6, 0.3)};
  add_coulomb(scene.contact[0], 0.3);
  MemorySink sink;
  std::string all;
  for (const std::string& note : simulate(compile(scene), sink).notes) all += note + "\n";
  return all;
}

// A box takes sqrt(2) mu N across its axes; an octagon cos(22.5 degrees) of it between its corners.
TEST(FrictionFormWatch, SaysWhatFixedAxesTakeBesideTheLaw) {
  using Form = LcpSpec::Friction;
  EXPECT_NE(slide(Form::box, M_PI / 4).find("box friction took 41"), std::string::npos) << slide(Form::box, M_PI / 4);
  EXPECT_NE(slide(Form::polygon, M_PI / 8).find("polygon friction took 7.6"), std::string::npos)
      << slide(Form::polygon, M_PI / 8);
  EXPECT_EQ(slide(Form::box, 0.0), "");
  EXPECT_EQ(slide(Form::polygon, M_PI / 4), "");
  for (const Form form : {Form::regularised, Form::cone}) EXPECT_EQ(slide(form, M_PI / 4), "");
}

}  // namespace
}  // namespace abut
