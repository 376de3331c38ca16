#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "abut/contact.hpp"
#include "abut/controller.hpp"
#include "abut/geometry.hpp"
#include "abut/model.hpp"
#include "abut/state.hpp"

ABUT_DOOR_BEGIN

/// How a step ended, as data: a world that cannot go on is no exception.
struct StepReport {
  double time = 0.0;    ///< reached [s]
  std::string message;  ///< why it cannot go on; empty while it can
  std::string advice;   ///< what to try then

  bool is_ok() const { return message.empty(); }
};

/// Force and torque from outside, in world axes; the force acts at a place fixed in the body.
struct ExternalForce {
  Vector3 force{};   ///< [N]
  Vector3 torque{};  ///< [N m]
  Vector3 point{};   ///< in the body's frame [m]
};

/// A model on its way through time: stepped, looked at, pushed, saved and gone back to.
///
///   abut::World world(abut::Model(abut::Scene::read_file("scene.toml")));
///   while (world.time() < 2.0 && world.advance(world.time() + 1e-3).is_ok())
///     world.set_force("crate", {.force = {0, 0, k * (0.2 - world.body("crate").position[2])}});
///
/// Steps are those that `abut run` takes. Where they must end is part of them: advance(t) ends a step exactly at t,
/// which under the adaptive method makes other steps, to the tolerance, than running on. Looking changes nothing, not a
/// bit. A world is used by one thread at a time.
///
/// Names are those of the scene; an unknown one throws InputError with the nearest that there is.
class ABUT_API World {
 public:
  /// At time zero. `threads`: 0 for as many as the scene asks for; results do not depend on them.
  explicit World(const Model& model, int threads = 0);
  explicit World(const Scene& scene, int threads = 0) : World(Model(scene), threads) {}
  /// The same instant of the same model, going on by itself. InputError where it has failed.
  World(const World& other);
  World& operator=(const World& other);
  World(World&& other) noexcept;
  World& operator=(World&& other) noexcept;
  ~World();

  Model model() const;
  double time() const;  ///< [s]

  /// One step of the method, ending no later than the next whole multiple of run.duration.
  StepReport step();
  /// Steps until `time` [s], the last one ending there. InputError where that is in the past.
  StepReport advance(double time);
  /// Of the last call.
  StepReport report() const;

  // Looks.
  Motion body(std::string_view name) const;
  /// Patches in contact now, and what acts in them.
  std::vector<Contact> contacts() const;
  Energy energy() const;
  /// Generalised coordinates [m, rad] and velocities [m/s, rad/s], in the order of records.
  std::vector<double> coordinates() const;
  std::vector<double> velocities() const;
  double joint_position(std::string_view joint) const;  ///< of a joint with one coordinate [m, rad]
  double joint_velocity(std::string_view joint) const;  ///< [m/s, rad/s]
  /// What a sensor of the scene shows now, one number for each of its channels, in the order of docs/sensors.md.
  std::vector<double> sensor(std::string_view name) const;
  /// Touches, lifts, sticks and slips since they were taken last.
  std::vector<ContactEvent> take_events();

  // Acts. Held until changed; a change is an event, from which error-controlled steps begin afresh.
  void set_force(std::string_view body, const ExternalForce& force);
  /// Of the joint's motor, in the unit of its mode, instead of what the scene says.
  void set_command(std::string_view joint, double value);
  /// Of a joint whose motion the scene prescribes: on the cubic from where it is to `position` [m, rad] with `rate`
  /// [m/s, rad/s] at `time` [s], and on at that rate. Neither position nor rate ever jump, so that no blow is hidden.
  void set_motion(std::string_view joint, double time, double position, double rate = 0.0);
  /// From now on asks a controller of one's own for the commands of motors, at its rate. Not taken back; copies of this
  /// world have it, and a world that takes a state of this one needs as many. InputError where a name is unknown, a
  /// motor has a controller already, or steps of fixed length do not meet its samples.
  void add_controller(const ControllerSetup& setup, std::shared_ptr<Controller> controller);
  /// As the scene has them. Not for prescribed motion, which cannot jump back: InputError once it was set.
  void clear_inputs();

  /// This instant, and back to one: from there on the same bits, in this process or another. InputError where the world
  /// has failed, and where the state is one of another model.
  State state() const;
  void set_state(const State& state);

 private:
  struct Parts;
  struct Recording;
  friend class Inside;  // of the library
  friend class Recorder;

  std::unique_ptr<Parts> parts_;
};

ABUT_DOOR_END
