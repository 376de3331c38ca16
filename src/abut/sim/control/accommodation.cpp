#include <algorithm>
#include <cmath>

#include "abut/math/time_table.hpp"
#include "abut/sim/control/held_pose.hpp"
#include "abut/sim/control/tool_wrench.hpp"

namespace abut {

namespace {

/// u cut by its dead band: u max(0, 1 - u0 / |u|).
Vec3 cut_dead_band(const Vec3& u, double u0) {
  const double size = u.norm();
  return size > u0 ? Vec3((1.0 - u0 / size) * u) : Vec3::Zero();
}

Vec3 limit_size(const Vec3& u, const std::optional<double>& most) {
  const double size = u.norm();
  return most && size > *most ? Vec3(*most / size * u) : u;
}

/// Commanded velocity over time.
class VelocityTable {
 public:
  explicit VelocityTable(const std::optional<ToolVelocitySpec>& spec) {
    if (!spec) return;
    fill(spec->time, spec->linear, 0);
    fill(spec->time, spec->angular, 3);
  }
  Vec6 sample(double t) const {
    Vec6 twist;
    for (int i = 0; i < 6; ++i) twist[i] = channels_[static_cast<std::size_t>(i)].value(t);
    return twist;
  }

 private:
  void fill(const std::vector<double>& time, const std::vector<Vec3>& values, int first) {
    if (values.empty()) return;
    for (int i = 0; i < 3; ++i) {
      std::vector<double> column;
      for (const Vec3& value : values) column.push_back(value[i]);
      channels_[static_cast<std::size_t>(first + i)] = TimeTable(time, column);
    }
  }
  std::array<TimeTable, 6> channels_;
};

/// Force-moment accommodation [Gonthier 2007]:
///   v_ref = v_d + db(F, F0) / B,   w_ref = w_d + db(M, M0) / B_M,   x_ref integrates them from sample to sample,
///   a = kp (x_ref - x) + kv (v_ref - v),   tau = M J^-1 (a - J' v) + h - J' w.
/// The last term makes the tool go as it is told under load, as the source takes its loop of accelerations to do;
/// without it the reference would have to run ahead by F / (m kp), centimetres, before the force is what it is to be.
/// At rest against something the force is F0 + B v_d, whatever the stiffness.
class Accommodation final : public ControlLaw {
 public:
  Accommodation(const AccommodationSpec& spec, const ControlSite& site)
      : spec_(spec), tool_(spec, spec.nominal, site), wrench_(spec.sensor, site, tool_), command_(spec.command) {}

  std::vector<std::string> sensors() const override { return {spec_.sensor}; }

  void sample(const ControlInput& input, std::vector<double>& memory, std::span<double> commands) override {
    tool_.update(input);
    const bool is_first = memory.empty();
    memory.resize(HeldPose::kSize, 0.0);
    HeldPose held(memory, 0);
    if (is_first) held.set(tool_.pose());
    const Vec6 wrench = wrench_.read(input, tool_);
    const ToolReference reference{held.position(), held.R(), calc_reference_twist(input.time, wrench)};
    const Vec6 acceleration = spec_.kp * tool_.calc_error(reference) + spec_.kv * (reference.twist - tool_.twist());
    const VecX forces = tool_.calc_forces(acceleration, spec_.kv, wrench);
    for (std::size_t i = 0; i < commands.size(); ++i) commands[i] = forces[static_cast<long>(i)];
    held.move(reference.twist, input.period);
  }

 private:
  Vec6 calc_reference_twist(double time, const Vec6& wrench) const {
    const Mat3 R = spec_.axes == ControlAxes::tool ? tool_.pose().R : Mat3(Mat3::Identity());
    const auto give_way = [&R](const Vec3& load, double dead_band, const Vec3& b) {
      const Vec3 own = (R.transpose() * cut_dead_band(load, dead_band)).cwiseQuotient(b);
      return Vec3(R * own);
    };
    Vec6 twist = command_.sample(time);
    if (spec_.force_limit && wrench.head<3>().norm() > *spec_.force_limit) twist.setZero();
    twist.head<3>() += give_way(wrench.head<3>(), spec_.dead_band, spec_.b);
    twist.tail<3>() += give_way(wrench.tail<3>(), spec_.turn_dead_band, spec_.b_turn);
    twist.head<3>() = limit_size(twist.head<3>(), spec_.speed_limit);
    twist.tail<3>() = limit_size(twist.tail<3>(), spec_.turn_speed_limit);
    return twist;
  }

  AccommodationSpec spec_;
  ToolMotion tool_;
  ToolWrench wrench_;
  VelocityTable command_;
};

}  // namespace

std::unique_ptr<ControlLaw> make_law(const AccommodationSpec& spec, const ControlSite& site) {
  return std::make_unique<Accommodation>(spec, site);
}

}  // namespace abut
