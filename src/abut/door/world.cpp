#include "abut/world.hpp"

#include <utility>

#include <fmt/format.h>

#include "abut/door/control_law.hpp"
#include "abut/door/convert.hpp"
#include "abut/door/guard.hpp"
#include "abut/door/parts.hpp"

namespace abut::v0 {

namespace {

StepReport to_report(const abut::StepReport& report) {
  // A world that stopped without a word would look well.
  if (!report.is_ok() && report.message.empty()) return {report.time, "it cannot go on", report.advice};
  return {report.time, report.is_ok() ? std::string() : report.message, report.advice};
}

}  // namespace

World::Parts::Parts(const Model& model_in, int threads_in)
    : model(model_in),
      threads(threads_in),
      recording(std::make_shared<Recording>(abut::World(Inside::parts(model).model, threads))) {}

World::Parts& Inside::parts(World& world) { return *world.parts_; }

World::World(const Model& model, int threads)
    : parts_(guard_door([&] { return std::make_unique<Parts>(model, threads); })) {}

World::World(const World& other) : World(other.parts_->model, other.parts_->threads) {
  guard_door([&] { parts_->inner().adopt_controllers(other.parts_->inner()); });
  set_state(other.state());
}

World& World::operator=(const World& other) {
  if (this != &other) *this = World(other);
  return *this;
}

World::World(World&&) noexcept = default;
World& World::operator=(World&&) noexcept = default;
World::~World() = default;

Model World::model() const { return parts_->model; }
double World::time() const { return parts_->inner().time(); }

StepReport World::step() {
  return guard_door([&] { return to_report(parts_->inner().step()); });
}

StepReport World::advance(double time) {
  return guard_door([&] { return to_report(parts_->inner().advance(time)); });
}

StepReport World::report() const { return to_report(parts_->inner().report()); }

Motion World::body(std::string_view name) const {
  return guard_door([&] { return to_motion(parts_->inner().body(name)); });
}

std::vector<Contact> World::contacts() const {
  return guard_door([&] {
    std::vector<Contact> contacts;
    for (const ContactSample& sample : parts_->inner().contacts())
      contacts.push_back(to_contact(sample, parts_->inner().model().scene));
    return contacts;
  });
}

Energy World::energy() const {
  return guard_door([&] { return to_energy(parts_->inner().energy(), parts_->inner().residual()); });
}

std::vector<double> World::coordinates() const {
  return guard_door([&] {
    const std::span<const double> q = parts_->inner().coordinates();
    return std::vector<double>(q.begin(), q.end());
  });
}

std::vector<double> World::velocities() const {
  return guard_door([&] {
    const std::span<const double> v = parts_->inner().velocities();
    return std::vector<double>(v.begin(), v.end());
  });
}

double World::joint_position(std::string_view joint) const {
  return guard_door([&] { return parts_->inner().joint_position(joint); });
}

double World::joint_velocity(std::string_view joint) const {
  return guard_door([&] { return parts_->inner().joint_velocity(joint); });
}

std::vector<double> World::sensor(std::string_view name) const {
  return guard_door([&] {
    const std::span<const double> shown = parts_->inner().sensor(name);
    return std::vector<double>(shown.begin(), shown.end());
  });
}

std::vector<ContactEvent> World::take_events() {
  return guard_door([&] {
    std::vector<ContactEvent> events;
    for (const abut::ContactEvent& event : parts_->inner().take_events())
      events.push_back(to_event(event, parts_->inner().model().scene));
    return events;
  });
}

void World::set_force(std::string_view body, const ExternalForce& force) {
  guard_door([&] {
    parts_->inner().set_force(body, {to_vec(force.force), to_vec(force.torque), to_vec(force.point)});
  });
}

void World::set_command(std::string_view joint, double value) {
  guard_door([&] { parts_->inner().set_command(joint, value); });
}

void World::set_motion(std::string_view joint, double time, double position, double rate) {
  guard_door([&] { parts_->inner().set_motion(joint, time, position, rate); });
}

void World::add_controller(const ControllerSetup& setup, std::shared_ptr<Controller> controller) {
  guard_door([&] {
    if (controller == nullptr) throw InputError(fmt::format("controller '{}' is none: a null pointer", setup.name));
    parts_->inner().add_controller(setup.name, setup.rate, setup.delay, setup.joints,
                                   make_control_law(parts_->inner().model(), setup, std::move(controller)));
  });
}

void World::clear_inputs() {
  guard_door([&] { parts_->inner().clear_inputs(); });
}

State World::state() const {
  return guard_door([&] {
    abut::World& world = parts_->inner();
    return Inside::make_state(world.save(), world.time());
  });
}

void World::set_state(const State& state) {
  guard_door([&] {
    if (parts_->recording->sink != nullptr)
      throw InputError("a world that is being recorded cannot be set back: close its recorder first");
    parts_->inner().load(state.bytes());
  });
}

}  // namespace abut::v0
