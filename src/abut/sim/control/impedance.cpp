#include "abut/sim/control/tool_motion.hpp"

namespace abut {

namespace {

/// tau = J' (K e + D de/dt) + h(q, v), e from the tool to the reference.   [Hogan 1985]
class Impedance final : public ControlLaw {
 public:
  Impedance(const ImpedanceSpec& spec, const ControlSite& site)
      : spec_(spec), tool_(spec, spec.nominal, site), reference_(spec.trajectory, site, spec) {}

  void sample(const ControlInput& input, std::vector<double>&, std::span<double> commands) override {
    tool_.update(input);
    const ToolReference reference = reference_.sample(input.time);
    const Vec6 error = tool_.calc_error(reference), error_rate = reference.twist - tool_.twist();
    const Mat3 R = spec_.axes == ControlAxes::tool ? tool_.pose().R : Mat3(Mat3::Identity());
    const auto act = [&R](const Vec3& k, const Vec3& e, const Vec3& d, const Vec3& e_rate) {
      const Vec3 own = k.cwiseProduct(R.transpose() * e) + d.cwiseProduct(R.transpose() * e_rate);
      return Vec3(R * own);
    };
    Vec6 wrench;
    wrench << act(spec_.stiffness, error.head<3>(), spec_.damping, error_rate.head<3>()),
        act(spec_.turn_stiffness, error.tail<3>(), spec_.turn_damping, error_rate.tail<3>());
    const VecX forces = tool_.calc_static_forces(wrench);
    for (std::size_t i = 0; i < commands.size(); ++i) commands[i] = forces[static_cast<long>(i)];
  }

 private:
  ImpedanceSpec spec_;
  ToolMotion tool_;
  PoseReference reference_;
};

}  // namespace

std::unique_ptr<ControlLaw> make_law(const ImpedanceSpec& spec, const ControlSite& site) {
  return std::make_unique<Impedance>(spec, site);
}

}  // namespace abut
