#include "abut/sim/control/controller_bank.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <variant>

#include <fmt/format.h>

namespace abut {

namespace {

/// Instants this near to each other, as a part of the period, are one.
constexpr double kSameInstant = 1e-9;

/// A delay as whole periods and what is left of it.
std::pair<std::int64_t, double> split_delay(double rate, double delay) {
  const double periods = delay * rate;
  const double whole = std::floor(periods + kSameInstant);
  const double rest = delay - whole / rate;
  return {static_cast<std::int64_t>(whole), rest * rate < kSameInstant ? 0.0 : rest};
}

bool is_whole(double number) { return std::abs(number - std::round(number)) <= kSameInstant * std::max(1.0, number); }

[[noreturn]] void refuse_at(const SourceLocation& where, const std::string& message) {
  if (where.line > 0) throw InputError(fmt::format("{}:{}:{}: {}", where.file, where.line, where.column, message));
  throw InputError(message);
}

}  // namespace

std::vector<ControlledMotor> find_motors(const Model& model, const std::vector<std::string>& joints) {
  std::vector<ControlledMotor> motors;
  for (const std::string& name : joints) {
    const auto joint = std::find_if(model.joints.begin(), model.joints.end(),
                                    [&](const NamedJoint& other) { return other.name == name; });
    if (joint == model.joints.end()) throw InputError(fmt::format("there is no joint '{}'", name));
    const Link& link = model.tree.link(joint->link);
    const auto load =
        std::find_if(model.joint_loads.begin(), model.joint_loads.end(), [&](const JointLoadEntry& entry) {
          return link.num_v == 1 && entry.v_index == link.v_start && entry.load.motor.mode != MotorMode::none;
        });
    if (load == model.joint_loads.end()) throw InputError(fmt::format("joint '{}' has no motor to command", name));
    motors.push_back(
        {name, link.q_start, link.v_start, static_cast<int>(load - model.joint_loads.begin()), load->load.motor});
  }
  return motors;
}

void check_rates(const Model& model) {
  const RunSpec& run = model.scene.run;
  if (!has_fixed_step(run.method) || !run.step) return;
  for (const ControllerSpec& spec : model.scene.controller) {
    const double steps = 1.0 / (spec.rate * *run.step);
    if (!is_whole(steps) || steps < 0.5) {
      const double whole = std::max(1.0, std::round(steps));
      refuse_at(spec.location_of("rate"),
                fmt::format("controller '{}' samples every {:.6g} s, which is {} of run.step = {:.6g} s: give rate = "
                            "{:.9g} or run.step = {:.9g}, or method = \"adaptive\", which stops at any instant.\n"
                            "Nothing was run.",
                            spec.name, 1.0 / spec.rate, steps < 1.0 ? "less than one step" : "no whole number of steps",
                            *run.step, 1.0 / (whole * *run.step), 1.0 / (spec.rate * whole)));
    }
    if (!is_whole(spec.delay / *run.step))
      refuse_at(
          spec.location_of("delay"),
          fmt::format("the delay of controller '{}', {:.6g} s, is no whole number of steps of {:.6g} s: give {:.9g} "
                      "or {:.9g}.\nNothing was run.",
                      spec.name, spec.delay, *run.step, std::floor(spec.delay / *run.step) * *run.step,
                      std::ceil(spec.delay / *run.step) * *run.step));
  }
}

ControllerBank::ControllerBank(const Model& model) : model_(model) {
  for (const ControllerSpec& spec : model.scene.controller) {
    ControlSite site{model, spec, {}};
    const auto& joints =
        std::visit([](const auto& kind) -> const std::vector<std::string>& { return kind.joints; }, spec.kind.type);
    site.motors = find_motors(model, joints);
    const auto [whole, rest] = split_delay(spec.rate, spec.delay);
    std::shared_ptr<ControlLaw> law =
        std::visit([&](const auto& kind) { return make_law(kind, site); }, spec.kind.type);
    add({spec.name, spec.rate, whole, rest, site.motors, std::move(law), {}, spec.delay});
  }
}

void ControllerBank::add(Controller controller) {
  for (const std::string& name : controller.law->sensors()) {
    const auto plan = std::find_if(model_.sensors.begin(), model_.sensors.end(),
                                   [&](const SensorPlan& other) { return other.name == name; });
    if (plan == model_.sensors.end())
      throw InputError(fmt::format("there is no sensor '{}' for controller '{}'", name, controller.name));
    controller.sensors.push_back({plan->first, plan->first + plan->num_channels()});
  }
  controllers_.push_back(std::move(controller));
}

void ControllerBank::add(const std::string& name, double rate, double delay, const std::vector<std::string>& joints,
                         std::shared_ptr<ControlLaw> law, State& state) {
  if (!(rate > 0.0) || !std::isfinite(rate) || !(delay >= 0.0) || !std::isfinite(delay))
    throw InputError(fmt::format("controller '{}' needs a rate > 0 and a delay >= 0", name));
  const RunSpec& run = model_.scene.run;
  if (has_fixed_step(run.method) && run.step && (!is_whole(1.0 / (rate * *run.step)) || !is_whole(delay / *run.step)))
    throw InputError(
        fmt::format("period and delay of controller '{}' must be whole numbers of steps of {:.6g} s", name, *run.step));
  std::vector<ControlledMotor> motors = find_motors(model_, joints);
  for (const ControlledMotor& motor : motors) {
    if (const std::string& other = commander(motor.load); !other.empty())
      throw InputError(fmt::format("joint '{}' is commanded by controller '{}'", motor.joint, other));
  }
  const auto [whole, rest] = split_delay(rate, delay);
  add({name, rate, whole, rest, std::move(motors), std::move(law), {}, delay, true});
  ControllerState fresh;
  fresh.next = static_cast<std::int64_t>(std::ceil(state.time * rate - kSameInstant));
  state.controllers.push_back(std::move(fresh));
}

void ControllerBank::adopt(const ControllerBank& other, State& state) {
  for (const Controller& controller : other.controllers_) {
    if (!controller.is_added) continue;
    std::vector<std::string> joints;
    for (const ControlledMotor& motor : controller.motors) joints.push_back(motor.joint);
    add(controller.name, controller.rate, controller.delay, joints, controller.law, state);
  }
}

std::vector<ControllerState> ControllerBank::make_states() const {
  return std::vector<ControllerState>(controllers_.size());
}

void ControllerBank::check(const std::vector<ControllerState>& states) const {
  if (states.size() != controllers_.size())
    throw InputError(
        fmt::format("it was saved with {} controllers, and here are {}", states.size(), controllers_.size()));
  for (std::size_t i = 0; i < states.size(); ++i) {
    const std::size_t count = controllers_[i].motors.size();
    bool fits = states[i].held.empty() || states[i].held.size() == count;
    for (const PendingCommands& pending : states[i].pending) fits = fits && pending.values.size() == count;
    if (!fits) throw InputError(fmt::format("controller '{}' commands another number of joints", controllers_[i].name));
  }
}

double ControllerBank::next_stop(const State& state) const {
  double next = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < controllers_.size(); ++i) {
    const ControllerState& own = state.controllers[i];
    next = std::min(next, sample_time(controllers_[i], own.next));
    if (!own.pending.empty()) next = std::min(next, effect_time(controllers_[i], own.pending.front().sample));
  }
  return next;
}

bool ControllerBank::act(Dynamics& dynamics, State& state, const ReadSensors& read_sensors) {
  if (controllers_.empty()) return false;
  dynamics.inputs().commands.resize(model_.joint_loads.size());
  bool has_changed = false, has_looked = false;
  for (std::size_t i = 0; i < controllers_.size(); ++i) {
    const Controller& controller = controllers_[i];
    ControllerState& own = state.controllers[i];
    const double now = state.time + kSameInstant / controller.rate;
    while (sample_time(controller, own.next) <= now) {
      if (!has_looked) look(dynamics, state, read_sensors);
      has_looked = true;
      sample(controller, own, state);
    }
    while (!own.pending.empty() && effect_time(controller, own.pending.front().sample) <= now) {
      own.held = std::move(own.pending.front().values);
      own.pending.erase(own.pending.begin());
      has_changed = apply(controller, own, dynamics.inputs()) || has_changed;
    }
  }
  return has_changed;
}

/// Coordinates and speeds as the steps see them, and what the sensors show that are read at this instant.
void ControllerBank::look(Dynamics& dynamics, const State& state, const ReadSensors& read_sensors) {
  const auto reads_now = [&](std::size_t i) {
    return !controllers_[i].sensors.empty() &&
           sample_time(controllers_[i], state.controllers[i].next) <= state.time + kSameInstant / controllers_[i].rate;
  };
  bool is_read = false;
  for (std::size_t i = 0; i < controllers_.size(); ++i) is_read = is_read || reads_now(i);
  if (is_read) read_sensors(shown_);
  const auto num_q = static_cast<long>(model_.tree.num_q()), num_v = static_cast<long>(model_.tree.num_v());
  q_.assign(state.y.begin(), state.y.begin() + num_q);
  v_.assign(state.y.begin() + num_q, state.y.begin() + num_q + num_v);
  acceleration_.assign(model_.prescribed.empty() ? 0 : static_cast<std::size_t>(num_v), 0.0);
  for (std::size_t k = 0; k < model_.prescribed.size(); ++k) {
    const PrescribedJoint& joint = model_.prescribed[k];
    const MotionSample motion = dynamics.prescribed_motion(k, state.time);
    q_[joint.q_index] = motion.value;
    v_[joint.v_index] = motion.rate;
    acceleration_[joint.v_index] = motion.acceleration;
  }
}

void ControllerBank::sample(const Controller& controller, ControllerState& own, const State& state) {
  ControlInput input;
  input.time = state.time;
  input.period = 1.0 / controller.rate;
  input.q = q_;
  input.v = v_;
  input.prescribed_acceleration = acceleration_;
  read_.clear();
  for (const IndexRange& range : controller.sensors)
    read_.push_back(std::span<const double>(shown_).subspan(static_cast<std::size_t>(range.begin),
                                                            static_cast<std::size_t>(range.end - range.begin)));
  input.sensors = read_;
  PendingCommands commands{own.next, std::vector<double>(controller.motors.size(), 0.0)};
  try {
    controller.law->sample(input, own.memory, commands.values);
  } catch (const ControlFailure& failure) {
    throw ControlFailure(fmt::format("controller '{}': {}", controller.name, failure.what()), failure.advice());
  }
  for (std::size_t i = 0; i < commands.values.size(); ++i) {
    if (!std::isfinite(commands.values[i]))
      throw ControlFailure(fmt::format("controller '{}' commands joint '{}' to {}", controller.name,
                                       controller.motors[i].joint, commands.values[i]),
                           "Look at its gains, at its rate, and at what it measures.");
  }
  own.pending.push_back(std::move(commands));
  ++own.next;
}

bool ControllerBank::apply(const Controller& controller, const ControllerState& own, Inputs& inputs) {
  bool has_changed = false;
  for (std::size_t i = 0; i < controller.motors.size(); ++i) {
    std::optional<TimeTable>& command = inputs.commands[static_cast<std::size_t>(controller.motors[i].load)];
    const double value = own.held[i];
    if (command && std::bit_cast<std::uint64_t>(command->value(0.0)) == std::bit_cast<std::uint64_t>(value)) continue;
    command = TimeTable(value);
    has_changed = true;
  }
  return has_changed;
}

void ControllerBank::hold(Dynamics& dynamics, const State& state) const {
  if (controllers_.empty()) return;
  dynamics.inputs().commands.resize(model_.joint_loads.size());
  for (std::size_t i = 0; i < controllers_.size(); ++i) {
    if (!state.controllers[i].held.empty()) apply(controllers_[i], state.controllers[i], dynamics.inputs());
  }
}

const std::string& ControllerBank::commander(int load) const {
  static const std::string kNobody;
  for (const Controller& controller : controllers_) {
    for (const ControlledMotor& motor : controller.motors) {
      if (motor.load == load) return controller.name;
    }
  }
  return kNobody;
}

void ControllerBank::report(std::vector<std::string>& notes) const {
  for (const Controller& controller : controllers_) {
    std::vector<std::string> own;
    controller.law->report(own);
    for (const std::string& note : own) notes.push_back(fmt::format("controller '{}': {}", controller.name, note));
  }
}

}  // namespace abut
