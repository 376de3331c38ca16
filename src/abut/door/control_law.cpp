#include "abut/door/control_law.hpp"

#include <utility>

#include <fmt/format.h>

#include "abut/sim/control/controller_bank.hpp"

namespace abut::v0 {

namespace {

class OwnControl final : public ControlLaw {
 public:
  OwnControl(const abut::Model& model, const ControllerSetup& setup, std::shared_ptr<Controller> controller)
      : motors_(find_motors(model, setup.joints)),
        sensors_(setup.sensors),
        controller_(std::move(controller)),
        q_(motors_.size()),
        v_(motors_.size()) {}

  std::vector<std::string> sensors() const override { return sensors_; }

  void sample(const ControlInput& input, std::vector<double>& memory, std::span<double> commands) override {
    for (std::size_t i = 0; i < motors_.size(); ++i) {
      q_[i] = input.q[motors_[i].q_index];
      v_[i] = input.v[motors_[i].v_index];
    }
    const Measured measured{input.time, input.period, q_, v_, {input.sensors.begin(), input.sensors.end()}};
    Commands answer{commands, memory};
    try {
      controller_->sample(measured, answer);
    } catch (const std::exception& error) {
      throw ControlFailure(fmt::format("it threw: {}", error.what()), "Look at that controller's own code.");
    } catch (...) {
      throw ControlFailure("it threw something that says nothing", "Look at that controller's own code.");
    }
  }

 private:
  std::vector<ControlledMotor> motors_;
  std::vector<std::string> sensors_;
  std::shared_ptr<Controller> controller_;
  std::vector<double> q_, v_;
};

}  // namespace

Controller::~Controller() = default;

std::shared_ptr<ControlLaw> make_control_law(const abut::Model& model, const ControllerSetup& setup,
                                             std::shared_ptr<Controller> controller) {
  return std::make_shared<OwnControl>(model, setup, std::move(controller));
}

}  // namespace abut::v0
