#include "abut/sim/control/arm_model.hpp"
#include "abut/sim/control/joint_reference.hpp"

namespace abut {

namespace {

/// tau = M(q) (d2r/dt2 + kp e + kd de/dt) + h(q, v).   [Siciliano et al. 2009, 8.5.2]
class ComputedTorque final : public ControlLaw {
 public:
  ComputedTorque(const ComputedTorqueSpec& spec, const ControlSite& site)
      : motors_(site.motors),
        kp_(spread(spec.kp, motors_.size(), 0.0)),
        kd_(spread(spec.kd, motors_.size(), 0.0)),
        arm_(site, spec.nominal),
        reference_(make_joint_reference(spec.trajectory, site)),
        now_(motors_.size()),
        wanted_(static_cast<long>(motors_.size())) {}

  void sample(const ControlInput& input, std::vector<double>&, std::span<double> commands) override {
    reference_.sample(input.time, now_);
    for (std::size_t i = 0; i < motors_.size(); ++i) {
      const double error = now_[i].value - input.q[motors_[i].q_index];
      const double error_rate = now_[i].rate - input.v[motors_[i].v_index];
      wanted_[static_cast<long>(i)] = now_[i].acceleration + kp_[i] * error + kd_[i] * error_rate;
    }
    arm_.update(input);
    const VecX forces = arm_.calc_forces(wanted_);
    for (std::size_t i = 0; i < motors_.size(); ++i) commands[i] = forces[static_cast<long>(i)];
  }

 private:
  std::vector<ControlledMotor> motors_;
  std::vector<double> kp_, kd_;
  ArmModel arm_;
  Trajectory reference_;
  std::vector<MotionSample> now_;
  VecX wanted_;
};

}  // namespace

std::unique_ptr<ControlLaw> make_law(const ComputedTorqueSpec& spec, const ControlSite& site) {
  return std::make_unique<ComputedTorque>(spec, site);
}

}  // namespace abut
