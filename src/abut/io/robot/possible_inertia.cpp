#include "abut/io/robot/possible_inertia.hpp"

#include <cmath>
#include <numbers>

#include <Eigen/Eigenvalues>
#include <fmt/format.h>

#include "abut/scene/body_spec.hpp"

namespace abut {
namespace {

constexpr double kWater = 1000.0;  // [kg/m^3]
/// A rod a thousandth as thick as long still turns about itself.
constexpr double kThinnest = 1e-3;

Mat3 calc_ball_inertia(double mass) {
  const double radius = std::cbrt(3.0 * mass / (4.0 * std::numbers::pi * kWater));
  return 0.4 * mass * radius * radius * Mat3::Identity();
}

}  // namespace

std::string find_inertial_defect(const MassProperties& inertial) {
  const bool has_inertia = !inertial.inertia.isZero(0.0);
  if (!(inertial.mass > 0.0)) return has_inertia ? "has an inertia but no mass" : "";
  if (!has_inertia) return fmt::format("has a mass of {} kg but no inertia", inertial.mass);
  const std::string defect = find_inertia_defect(inertial.inertia);
  return defect.empty() ? "" : "has an inertia that " + defect;
}

MassProperties make_possible(const MassProperties& inertial) {
  MassProperties made = inertial;
  if (!(inertial.mass > 0.0)) return MassProperties{};
  const Mat3 symmetric = 0.5 * (inertial.inertia + inertial.inertia.transpose());
  const Eigen::SelfAdjointEigenSolver<Mat3> solver(symmetric);
  const Vec3 moments = solver.eigenvalues();
  Vec3 second = Vec3::Constant(0.5 * moments.sum()) - moments;
  if (!(second.maxCoeff() > 0.0)) {
    made.inertia = calc_ball_inertia(inertial.mass);
    return made;
  }
  second = second.cwiseMax(kThinnest * second.maxCoeff());
  const Vec3 possible = Vec3::Constant(second.sum()) - second;
  const Mat3 axes = solver.eigenvectors();
  const Mat3 inertia = axes * possible.asDiagonal() * axes.transpose();
  made.inertia = 0.5 * (inertia + inertia.transpose());
  return made;
}

MassProperties make_small_ball() {
  constexpr double kGram = 1e-3;  // [kg]
  return {kGram, Vec3::Zero(), calc_ball_inertia(kGram)};
}

std::string describe_inertial(const MassProperties& inertial) {
  const Mat3& I = inertial.inertia;
  return fmt::format(
      "<mass value=\"{:.6g}\"/> <inertia ixx=\"{:.6g}\" ixy=\"{:.6g}\" ixz=\"{:.6g}\" iyy=\"{:.6g}\" iyz=\"{:.6g}\" "
      "izz=\"{:.6g}\"/>",
      inertial.mass, I(0, 0), I(0, 1), I(0, 2), I(1, 1), I(1, 2), I(2, 2));
}

}  // namespace abut
