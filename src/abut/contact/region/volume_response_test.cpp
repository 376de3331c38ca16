#include "abut/contact/region/volume_response.hpp"

#include <array>
#include <cmath>
#include <random>

#include <gtest/gtest.h>

namespace abut {
namespace {

/// A face of 0.1 m by 0.06 m, pressed in by `depth` [m], with the wrench and the energy of a half-space below it.
VolumeContact make_flat(double depth) {
  const double a = 0.1, b = 0.06, volume = a * b * depth;
  VolumeContact contact;
  contact.volume = volume;
  contact.area = a * b;
  const Vec3 squares(a * a, b * b, depth * depth);
  contact.inertia = (volume / 12.0 * (Vec3::Constant(squares.sum()) - squares)).asDiagonal();
  contact.gyration_radius = std::sqrt(contact.inertia(2, 2) / volume);
  contact.has_field = true;
  contact.field_force = volume * Vec3::UnitZ();
  contact.field_energy = 0.5 * volume * depth;
  return contact;
}

Patch make_patch(double damping) {
  Patch patch;
  patch.normal = {2e8, 1.0, 2e8 * damping, 1.0};
  patch.region = RegionKind::volume;
  return patch;
}

PatchResponse respond(const Patch& patch, const VolumeContact& contact, const Vec3& v, const Vec3& w, double time) {
  const std::array<Pose, 2> poses;
  const std::array<Vec3, 2> centers{Vec3::Zero(), Vec3::Zero()}, velocities{v, Vec3::Zero()}, spins{w, Vec3::Zero()};
  PatchResponse out;
  NormalLawParameters rule;
  calc_volume_response(patch, rule, PointContact{-contact.volume / contact.area, Vec3::UnitZ(), Vec3::Zero()}, contact,
                       {poses.data(), centers.data(), velocities.data(), spins.data()}, 0, 1, time, NoFriction{}, {},
                       out);
  return out;
}

TEST(VolumeResponse, AFlatFacePressesAsPublished) {
  // k V (1 + A vn) along the normal.   [Gonthier 2007 (4.62), (4.178)]
  const VolumeContact contact = make_flat(1e-4);
  const PatchResponse out = respond(make_patch(3.0), contact, Vec3(0.2, 0, -0.1), Vec3::Zero(), 0.0);
  EXPECT_NEAR(out.force.z(), 2e8 * contact.volume * 1.3, 1e-10);
  EXPECT_EQ(out.force.head<2>().norm(), 0.0);
  EXPECT_NEAR(out.stored, 0.5 * 2e8 * 0.006 * 1e-8, 1e-15);
  EXPECT_NEAR(out.power.damping, 2e8 * contact.volume * 0.3 * 0.1, 1e-10);
}

TEST(VolumeResponse, DampersOnlyTakeAndPowersAddUp) {
  std::mt19937 engine(3);
  std::uniform_real_distribution<double> draw(-1.0, 1.0);
  const auto vector = [&] { return Vec3(draw(engine), draw(engine), draw(engine)); };
  for (int k = 0; k < 200; ++k) {
    VolumeContact contact = make_flat(1e-4);
    contact.field_force = contact.volume * vector();
    contact.field_torque = 0.05 * contact.volume * vector();
    const Vec3 v = vector(), w = 5.0 * vector();
    const PatchResponse out = respond(make_patch(k % 2 == 0 ? 2.0 : 200.0), contact, v, w, 0.0);
    EXPECT_GE(out.power.damping, 0.0);
    // What the bodies lose is stored, dU/dt, or lost in the damper.
    const double rate = -2e8 * (contact.field_force.dot(v) + contact.field_torque.dot(w));
    const double power = out.force.dot(v) + out.torque.dot(w);
    EXPECT_NEAR(-power, rate + out.power.damping, 1e-9 * (1.0 + std::abs(rate) + out.power.damping));
  }
}

TEST(VolumeResponse, ALateTouchIsReleasedAndAccountedFor) {
  // Found 0.1 mm deep, at rest: the spring takes up energy only as what is hidden decays.
  const VolumeContact contact = make_flat(1e-4);
  Patch patch = make_patch(0.0);
  patch.relaxation_measure = std::sqrt(contact.field_energy);
  patch.relaxation_time = 0.01;
  EXPECT_EQ(respond(patch, contact, Vec3::Zero(), Vec3::Zero(), 0.0).force.norm(), 0.0);
  const double h = 1e-7;
  const auto at = [&](double t) { return respond(patch, contact, Vec3::Zero(), Vec3::Zero(), t); };
  EXPECT_NEAR((at(0.003 + h).stored - at(0.003 - h).stored) / (2 * h), at(0.003).power.relaxation, 1e-8);
  // The relaxed depth of a point, x (1 - exp(-t/tau)).   [Gonthier 2007 (3.44)]
  EXPECT_NEAR(at(0.003).force.z(), 2e8 * 0.006 * 1e-4 * (1.0 - std::exp(-0.3)), 1e-9);
}

TEST(VolumeResponse, TheGuardGivesBackInProportionToWhatIsHeld) {
  VolumeContact contact = make_flat(1e-4);
  contact.has_field = false;
  const Patch full = make_patch(0.0);
  EXPECT_EQ(calc_give_back(full, contact, 1.0), 1.0);
  EXPECT_EQ(calc_give_back(full, contact, -1.0), 0.0);
  Patch empty = full;
  empty.give_back = 0.25;
  const auto force = [&](const Patch& patch, double speed) {
    return respond(patch, contact, Vec3(0, 0, speed), Vec3::Zero(), 0.0).force.z();
  };
  EXPECT_EQ(force(empty, -0.1), force(full, -0.1));  // taking up
  EXPECT_NEAR(force(empty, 0.1), 0.25 * force(full, 0.1), 1e-9);
}

TEST(VolumeResponse, BristlesGoOnWhereTheTouchIsLost) {
  // Inside a step the volume may be gone before the lift is located: no force any more, but the same rates.
  const BristleParameters law{.mu_c = 0.3, .mu_s = 0.4, .sigma_0 = 4e3, .sigma_1 = 40.0, .v_stribeck = 0.02};
  VolumeContact contact = make_flat(1e-9);
  Patch patch = make_patch(0.0);
  patch.last_normal = Vec3::UnitZ();
  patch.last_volume = contact.volume;
  patch.last_inertia = contact.inertia;
  const std::array<double, 5> states{2e-5, -1e-5, 0.0, 0.0, 1e-5};
  const std::array<Pose, 2> poses;
  const std::array<Vec3, 2> centers{Vec3::Zero(), Vec3::Zero()}, velocities{Vec3(0.01, 0.02, 0.1), Vec3::Zero()},
      spins{Vec3(0, 0, 0.5), Vec3::Zero()};
  const auto respond_to = [&](const VolumeContact& volume) {
    PatchResponse out;
    calc_volume_response(patch, NormalLawParameters{}, PointContact{0.0, Vec3::UnitZ(), Vec3::Zero()}, volume,
                         {poses.data(), centers.data(), velocities.data(), spins.data()}, 0, 1, 0.0, law,
                         {states.data(), 1e6, 1.0}, out);
    return out;
  };
  const PatchResponse before = respond_to(contact), after = respond_to(VolumeContact{});
  EXPECT_GT(before.z_rate.norm(), 1e-4);
  EXPECT_LT((after.z_rate - before.z_rate).norm(), 1e-12);
  EXPECT_NEAR(after.rim_rate, before.rim_rate, 1e-12);
  EXPECT_EQ(after.force, Vec3(Vec3::Zero()));
  EXPECT_EQ(after.torque, Vec3(Vec3::Zero()));
}

}  // namespace
}  // namespace abut
