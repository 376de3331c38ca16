#include "abut/sim/world.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "abut/base/spelling.hpp"
#include "abut/scene/null_sink.hpp"
#include "abut/sim/control/controller_bank.hpp"
#include "abut/sim/dynamics.hpp"
#include "abut/sim/run.hpp"

namespace abut {

namespace {

/// Keeps events; samples are looked at where they are wanted. Hands on both where somebody watches.
class EventSink final : public NullSink {
 public:
  void sample(const Sample& sample) override {
    if (observer != nullptr) observer->sample(sample);
  }
  void event(const ContactEvent& event) override {
    events.push_back(event);
    if (observer != nullptr) observer->event(event);
  }

  std::vector<ContactEvent> events;
  RecordSink* observer = nullptr;
};

[[noreturn]] void refuse_name(const char* what, std::string_view name, const std::vector<std::string>& names) {
  const std::string nearest = nearest_spelling(name, names);
  throw InputError(fmt::format("there is no {} '{}'{}", what, name,
                               nearest.empty() ? std::string(".") : fmt::format("; did you mean '{}'?", nearest)));
}

}  // namespace

struct World::Parts {
  Parts(std::shared_ptr<const Model> model_in, int threads_in)
      : model(std::move(model_in)), threads(threads_in), run(*model, sink, options, threads_in) {
    note();
  }

  int find_body(std::string_view name) const {
    const auto& bodies = model->scene.body;
    std::vector<std::string> names;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      if (bodies[i].name == name) return static_cast<int>(i);
      names.push_back(bodies[i].name);
    }
    refuse_name("body", name, names);
  }

  int find_joint(std::string_view name) const {
    std::vector<std::string> names;
    for (const NamedJoint& joint : model->joints) {
      if (joint.name == name) return joint.link;
      names.push_back(joint.name);
    }
    refuse_name("joint", name, names);
  }

  /// Of a joint with one coordinate.
  const Link& find_axis(std::string_view name) const {
    const Link& link = model->tree.link(find_joint(name));
    if (link.num_v != 1 || link.num_q != 1)
      throw InputError(fmt::format("joint '{}' has {} coordinates, not one", name, link.num_v));
    return link;
  }

  /// The next whole multiple of the duration: where a step with no other aim has to end at the latest [s].
  double calc_horizon() const {
    const double duration = model->scene.run.duration;
    return duration * (std::floor(run.time() / duration * (1.0 + 1e-12)) + 1.0);
  }

  StepReport note() {
    is_seen = false;
    report = {run.status(), run.time(), run.message(), run.advice()};
    return report;
  }

  void look() {
    if (is_seen) return;
    run.look(seen);
    is_seen = true;
  }

  std::shared_ptr<const Model> model;
  int threads;
  EventSink sink;
  RunOptions options;
  Run run;
  std::function<bool()> is_pause_wanted;
  StepReport report;
  Sample seen;
  bool is_seen = false;  ///< `seen` is of this instant
};

World::World(std::shared_ptr<const Model> model, int threads)
    : parts_(std::make_unique<Parts>(std::move(model), threads)) {}
World::~World() = default;
World::World(World&&) noexcept = default;
World& World::operator=(World&&) noexcept = default;

World World::copy() {
  World other(parts_->model, parts_->threads);
  other.adopt_controllers(*this);
  other.load(save());
  return other;
}

const Model& World::model() const { return *parts_->model; }
double World::time() const { return parts_->run.time(); }
int World::num_threads() const { return parts_->run.num_threads(); }
const StepReport& World::report() const { return parts_->report; }

StepReport World::step() {
  parts_->run.step(parts_->calc_horizon());
  return parts_->note();
}

StepReport World::advance(double time) {
  if (!(time >= parts_->run.time()) || !std::isfinite(time))
    throw InputError(fmt::format("a world at {:.9g} s cannot advance to {:.9g} s", parts_->run.time(), time));
  while (parts_->run.time() < time && parts_->run.step(time)) {
    if (parts_->is_pause_wanted && parts_->is_pause_wanted()) break;
  }
  return parts_->note();
}

void World::set_pause(std::function<bool()> is_pause_wanted) { parts_->is_pause_wanted = std::move(is_pause_wanted); }

const std::vector<BodySample>& World::bodies() {
  parts_->look();
  return parts_->seen.bodies;
}

const BodySample& World::body(std::string_view name) {
  const int index = parts_->find_body(name);
  return bodies()[static_cast<std::size_t>(index)];
}

const std::vector<ContactSample>& World::contacts() {
  parts_->look();
  return parts_->seen.contacts;
}

EnergyBalance World::energy() {
  parts_->look();
  EnergyBalance energy;
  std::copy_n(parts_->seen.energy.begin(), energy.values.size(), energy.values.begin());
  return energy;
}

double World::residual() {
  parts_->look();
  return parts_->seen.energy.back();
}

std::span<const double> World::coordinates() const {
  return std::span(parts_->run.state().y).first(static_cast<std::size_t>(parts_->model->tree.num_q()));
}

std::span<const double> World::velocities() const {
  const Tree& tree = parts_->model->tree;
  return std::span(parts_->run.state().y)
      .subspan(static_cast<std::size_t>(tree.num_q()), static_cast<std::size_t>(tree.num_v()));
}

double World::joint_position(std::string_view joint) const { return coordinates()[parts_->find_axis(joint).q_start]; }
double World::joint_velocity(std::string_view joint) const { return velocities()[parts_->find_axis(joint).v_start]; }

std::span<const double> World::sensor(std::string_view name) {
  std::vector<std::string> names;
  for (const SensorPlan& plan : parts_->model->sensors) {
    if (plan.name == name) {
      parts_->look();
      return std::span(parts_->seen.sensors).subspan(static_cast<std::size_t>(plan.first), plan.channels.size());
    }
    names.push_back(plan.name);
  }
  refuse_name("sensor", name, names);
}

const Sample& World::sample() {
  parts_->look();
  return parts_->seen;
}

void World::observe(RecordSink* observer) { parts_->sink.observer = observer; }

std::vector<ContactEvent> World::take_events() { return std::exchange(parts_->sink.events, {}); }

void World::set_force(std::string_view body, const ExternalForce& force) {
  const int link = parts_->model->link_of_body[parts_->find_body(body)];
  if (!force.force.allFinite() || !force.torque.allFinite() || !force.point.allFinite())
    throw InputError(fmt::format("the force on '{}' has to be of finite numbers", body));
  const auto tables = [](const Vec3& v) { return std::array{TimeTable(v.x()), TimeTable(v.y()), TimeTable(v.z())}; };
  AppliedForce applied{link, force.point, false, tables(force.force), tables(force.torque)};
  std::vector<AppliedForce>& forces = parts_->run.dynamics().inputs().forces;
  const auto known = std::find_if(forces.begin(), forces.end(), [&](const AppliedForce& f) { return f.link == link; });
  if (known == forces.end()) {
    forces.push_back(std::move(applied));
  } else {
    *known = std::move(applied);
  }
  parts_->run.note_change();
  parts_->note();
}

void World::set_command(std::string_view joint, double value) {
  const int v_index = parts_->find_axis(joint).v_start;
  const std::vector<JointLoadEntry>& loads = parts_->model->joint_loads;
  const auto found = std::find_if(loads.begin(), loads.end(), [&](const JointLoadEntry& entry) {
    return entry.v_index == v_index && entry.load.motor.mode != MotorMode::none;
  });
  if (found == loads.end()) throw InputError(fmt::format("joint '{}' has no motor to command", joint));
  if (!std::isfinite(value)) throw InputError(fmt::format("joint '{}' cannot be commanded to {}", joint, value));
  const std::string& other = parts_->run.controllers().commander(static_cast<int>(found - loads.begin()));
  if (!other.empty()) throw InputError(fmt::format("joint '{}' is commanded by controller '{}'", joint, other));
  Inputs& inputs = parts_->run.dynamics().inputs();
  inputs.commands.resize(loads.size());
  inputs.commands[static_cast<std::size_t>(found - loads.begin())] = TimeTable(value);
  parts_->run.note_change();
  parts_->note();
}

void World::set_motion(std::string_view joint, double time, double position, double rate) {
  const int q_index = parts_->find_axis(joint).q_start;
  const std::vector<PrescribedJoint>& prescribed = parts_->model->prescribed;
  const auto found = std::find_if(prescribed.begin(), prescribed.end(),
                                  [&](const PrescribedJoint& entry) { return entry.q_index == q_index; });
  if (found == prescribed.end()) throw InputError(fmt::format("joint '{}' has no prescribed motion to replace", joint));
  const double now = parts_->run.time();
  if (!(time > now) || !std::isfinite(time) || !std::isfinite(position) || !std::isfinite(rate))
    throw InputError(fmt::format("joint '{}' at {:.9g} s cannot be sent to {} at {:.9g} s with rate {}", joint, now,
                                 position, time, rate));
  const auto k = static_cast<std::size_t>(found - prescribed.begin());
  Dynamics& dynamics = parts_->run.dynamics();
  const MotionSample from = dynamics.prescribed_motion(k, now);
  dynamics.inputs().motions.resize(prescribed.size());
  dynamics.inputs().motions[k] = CubicMotion{now, from.value, from.rate, time, position, rate};
  parts_->run.note_change();
  parts_->note();
}

void World::add_controller(const std::string& name, double rate, double delay, const std::vector<std::string>& joints,
                           std::shared_ptr<ControlLaw> law) {
  parts_->run.add_controller(name, rate, delay, joints, std::move(law));
  parts_->note();
}

void World::adopt_controllers(World& other) { parts_->run.adopt_controllers(other.parts_->run); }

void World::clear_inputs() {
  Inputs& inputs = parts_->run.dynamics().inputs();
  if (!inputs.motions.empty())
    throw InputError("prescribed motion that was set cannot jump back to the scene's: send it there with set_motion");
  inputs = {};
  parts_->run.hold_commands();
  parts_->run.note_change();
  parts_->note();
}

Bytes World::save() { return parts_->run.save(); }
void World::drop_scratch() { parts_->run.drop_scratch(); }

void World::load(std::span<const std::byte> bytes) {
  parts_->sink.events.clear();
  try {
    parts_->run.load(bytes);
  } catch (const InputError&) {
    parts_->note();
    throw;
  }
  parts_->note();
}

}  // namespace abut
