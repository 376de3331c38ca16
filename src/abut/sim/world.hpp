#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "abut/math/archive.hpp"
#include "abut/math/pose.hpp"
#include "abut/scene/record.hpp"
#include "abut/sim/energy.hpp"
#include "abut/sim/model.hpp"
#include "abut/sim/run_summary.hpp"

namespace abut {

class ControlLaw;

/// How a call of World ended, as data.
struct StepReport {
  RunStatus status = RunStatus::done;
  double time = 0.0;    ///< reached [s]
  std::string message;  ///< why it cannot go on; empty while it can
  std::string advice;   ///< what to try then

  bool is_ok() const { return status == RunStatus::done; }
};

/// Force and torque from outside, in world axes; the force acts at a place fixed in the body.
struct ExternalForce {
  Vec3 force = Vec3::Zero();   ///< [N]
  Vec3 torque = Vec3::Zero();  ///< [N m]
  Vec3 point = Vec3::Zero();   ///< in the body's frame [m]
};

/// A model that can be stepped, looked at, pushed, saved and gone back to.
///
///   World world(std::make_shared<const Model>(compile(read_scene("scene.toml"))));
///   while (world.time() < 2.0 && world.advance(world.time() + 1e-3).is_ok())
///     world.set_force("crate", {.force = {0, 0, k * (0.2 - world.body("crate").position.z())}});
///
/// Steps are those that `abut run` takes; where they must end is part of them: advance(t) ends a step exactly at t,
/// which under the adaptive method makes other steps, to the tolerance, than running on. Looking changes nothing, not a
/// bit. A world is used by one thread at a time; worlds share their model.
class World {
 public:
  /// `threads`: 0 for as many as the scene asks for.
  explicit World(std::shared_ptr<const Model> model, int threads = 0);
  ~World();
  World(World&&) noexcept;
  World& operator=(World&&) noexcept;
  /// The same instant of the same model, going on by itself.
  World copy();

  const Model& model() const;
  double time() const;  ///< [s]
  /// At work on its steps, the caller's among them.
  int num_threads() const;

  /// One step of the method, ending no later than the next whole multiple of run.duration.
  StepReport step();
  /// Steps until `time` [s], the last one ending there.
  StepReport advance(double time);
  /// Asked between two steps of advance(), often and from its thread; where it answers true, advance() returns early.
  /// The same call again goes on to the same bits as if it had not been held up. Empty: nobody is asked.
  void set_pause(std::function<bool()> is_pause_wanted);
  /// Of the last call.
  const StepReport& report() const;

  // Looks. Names are those of the scene; an unknown one throws InputError with the nearest that there is.
  const std::vector<BodySample>& bodies();
  const BodySample& body(std::string_view name);
  /// Patches in contact now, and what acts in them.
  const std::vector<ContactSample>& contacts();
  EnergyBalance energy();
  /// What the ledger misses since the start [J].
  double residual();
  /// Generalised coordinates [m, rad] and velocities [m/s, rad/s].
  std::span<const double> coordinates() const;
  std::span<const double> velocities() const;
  double joint_position(std::string_view joint) const;  ///< of a joint with one coordinate [m, rad]
  double joint_velocity(std::string_view joint) const;  ///< [m/s, rad/s]
  /// What a sensor shows now, one number for each of its channels (Model::sensors has their names and units).
  std::span<const double> sensor(std::string_view name);
  /// Touches, lifts, sticks and slips since they were taken last.
  std::vector<ContactEvent> take_events();
  /// Everything that a sample of a record shows.
  const Sample& sample();
  /// From now on gets the samples and events of a run, as they come; changes nothing in it. Null: nobody. Not called
  /// are begin() and finish(), which are the caller's.
  void observe(RecordSink* observer);

  // Acts. Held until changed; a change is an event, from which error-controlled steps begin afresh.
  void set_force(std::string_view body, const ExternalForce& force);
  /// Of the joint's motor, in the unit of its mode, instead of what the scene says.
  void set_command(std::string_view joint, double value);
  /// Of a joint whose motion the scene prescribes: on the cubic from where it is to `position` [m, rad] with `rate`
  /// [m/s, rad/s] at `time` [s], and on at that rate. Neither position nor rate ever jump, so that no blow is hidden.
  void set_motion(std::string_view joint, double time, double position, double rate = 0.0);
  /// From now on samples one more controller, which stands in no scene. A world that loads what this one saved needs it
  /// too, before; copies have it.
  void add_controller(const std::string& name, double rate, double delay, const std::vector<std::string>& joints,
                      std::shared_ptr<ControlLaw> law);
  /// Those that were added to another world of the same model.
  void adopt_controllers(World& other);
  /// As the scene has them; not for prescribed motion, which cannot jump back: InputError.
  void clear_inputs();

  /// This instant as bytes, with all that the steps to come depend on: a world of the same model that loads them, in
  /// any process, goes on to the same bits. InputError where the world has failed.
  Bytes save();
  void load(std::span<const std::byte> bytes);
  /// Makes everything anew that save() does not hold, which changes no bit of what follows: for tests of that.
  void drop_scratch();

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace abut
