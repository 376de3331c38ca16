#include <algorithm>
#include <cmath>
#include <limits>

#include "abut/sim/control/joint_reference.hpp"

namespace abut {

namespace {

/// u_k = kp e_k + I_k + kd (dr/dt - v),   I_k = I_(k-1) + ki T e_k,   |u_k| <= limit.
/// Where the limit cuts and the error would push further, the integral stays as it was.
class JointPid final : public ControlLaw {
 public:
  JointPid(const JointPidSpec& spec, const ControlSite& site)
      : motors_(site.motors),
        kp_(spread(spec.kp, motors_.size(), 0.0)),
        ki_(spread(spec.ki, motors_.size(), 0.0)),
        kd_(spread(spec.kd, motors_.size(), 0.0)),
        limit_(spread(spec.limit, motors_.size(), std::numeric_limits<double>::infinity())),
        reference_(make_joint_reference(spec.trajectory, site)),
        now_(motors_.size()) {
    for (std::size_t i = 0; i < motors_.size(); ++i) limit_[i] = std::min(limit_[i], motors_[i].motor.force_limit);
  }

  void sample(const ControlInput& input, std::vector<double>& memory, std::span<double> commands) override {
    memory.resize(motors_.size(), 0.0);
    reference_.sample(input.time, now_);
    for (std::size_t i = 0; i < motors_.size(); ++i) {
      const double error = now_[i].value - input.q[motors_[i].q_index];
      const double error_rate = now_[i].rate - input.v[motors_[i].v_index];
      const double integral = memory[i] + ki_[i] * input.period * error;
      const double wanted = kp_[i] * error + integral + kd_[i] * error_rate;
      if (std::abs(wanted) <= limit_[i] || wanted * error < 0.0) memory[i] = integral;
      commands[i] = std::clamp(kp_[i] * error + memory[i] + kd_[i] * error_rate, -limit_[i], limit_[i]);
    }
  }

 private:
  std::vector<ControlledMotor> motors_;
  std::vector<double> kp_, ki_, kd_, limit_;
  Trajectory reference_;
  std::vector<MotionSample> now_;
};

}  // namespace

std::unique_ptr<ControlLaw> make_law(const JointPidSpec& spec, const ControlSite& site) {
  return std::make_unique<JointPid>(spec, site);
}

}  // namespace abut
