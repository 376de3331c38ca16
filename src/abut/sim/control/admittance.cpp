#include "abut/sim/control/held_pose.hpp"
#include "abut/sim/control/tool_wrench.hpp"

namespace abut {

namespace {

/// A point that moves by the sensed wrench as a body on springs and dampers would,
///   m a_c = F - d (v_c - dr/dt) - k (x_c - r),   speeds first, then the pose, each over one period,
/// and the tool behind it: a = a_c + kp (x_c - x) + kv (v_c - v), tau = M J^-1 (a - J' v) + h - J' w.
class Admittance final : public ControlLaw {
 public:
  Admittance(const AdmittanceSpec& spec, const ControlSite& site)
      : spec_(spec),
        tool_(spec, spec.nominal, site),
        wrench_(spec.sensor, site, tool_),
        reference_(spec.trajectory, site, spec) {}

  std::vector<std::string> sensors() const override { return {spec_.sensor}; }

  void sample(const ControlInput& input, std::vector<double>& memory, std::span<double> commands) override {
    tool_.update(input);
    const bool is_first = memory.empty();
    memory.resize(HeldPose::kSize + 6, 0.0);
    HeldPose held(memory, 0);
    if (is_first) held.set(tool_.pose());
    Eigen::Map<Vec6> speed(memory.data() + HeldPose::kSize);
    const Vec6 wrench = wrench_.read(input, tool_);
    const Vec6 own_acceleration = calc_own_acceleration(input.time, wrench, held, speed);
    const ToolReference followed{held.position(), held.R(), speed};
    const Vec6 acceleration =
        own_acceleration + spec_.kp * tool_.calc_error(followed) + spec_.kv * (followed.twist - tool_.twist());
    const VecX forces = tool_.calc_forces(acceleration, spec_.kv, wrench);
    for (std::size_t i = 0; i < commands.size(); ++i) commands[i] = forces[static_cast<long>(i)];
    speed += input.period * own_acceleration;
    held.move(speed, input.period);
  }

 private:
  Vec6 calc_own_acceleration(double time, const Vec6& wrench, const HeldPose& held, const Vec6& speed) const {
    const ToolReference target = reference_.sample(time);
    const Vec6 rate = speed - target.twist;
    const Vec3 turn = calc_rotation_vector(held.R() * target.R.transpose());
    const Mat3 R = spec_.axes == ControlAxes::tool ? tool_.pose().R : Mat3(Mat3::Identity());
    const auto part = [&R](const Vec3& load, const Vec3& away, const Vec3& rate_in, const Vec3& m, const Vec3& d,
                           const Vec3& k) {
      const Vec3 own =
          R.transpose() * load - d.cwiseProduct(R.transpose() * rate_in) - k.cwiseProduct(R.transpose() * away);
      return Vec3(R * own.cwiseQuotient(m));
    };
    Vec6 acceleration;
    acceleration << part(wrench.head<3>(), held.position() - target.position, rate.head<3>(), spec_.mass, spec_.damping,
                         spec_.stiffness),
        part(wrench.tail<3>(), turn, rate.tail<3>(), spec_.turn_inertia, spec_.turn_damping, spec_.turn_stiffness);
    return acceleration;
  }

  AdmittanceSpec spec_;
  ToolMotion tool_;
  ToolWrench wrench_;
  PoseReference reference_;
};

}  // namespace

std::unique_ptr<ControlLaw> make_law(const AdmittanceSpec& spec, const ControlSite& site) {
  return std::make_unique<Admittance>(spec, site);
}

}  // namespace abut
