#include "abut/contact_pair.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "abut/base/spelling.hpp"
#include "abut/base/thread_pool.hpp"
#include "abut/contact/region/perimeter_guard.hpp"
#include "abut/door/convert.hpp"
#include "abut/door/guard.hpp"
#include "abut/door/parts.hpp"
#include "abut/multibody/configuration.hpp"
#include "abut/scene/null_sink.hpp"
#include "abut/sim/compile.hpp"
#include "abut/sim/dynamics.hpp"
#include "abut/sim/run_book.hpp"
#include "abut/sim/state.hpp"

namespace abut::v0 {

namespace {

class EventList final : public NullSink {
 public:
  void event(const abut::ContactEvent& event) override { events.push_back(event); }
  std::vector<abut::ContactEvent> events;
};

/// Where the host's world lies in the one that the pair is evaluated in. A fixed body is where its scene has it there,
/// whatever the host moves it by: contact depends on motions of one body relative to the other.
struct Placing {
  Mat3 R = Mat3::Identity();                                       ///< from the host's axes
  Vec3 p = Vec3::Zero();                                           ///< of the host's origin [m]
  Vec3 center = Vec3::Zero(), v = Vec3::Zero(), w = Vec3::Zero();  ///< of the fixed body, in the host's world

  Pose place(const Motion& motion) const {
    const Mat3 R_WB = to_quat(motion.orientation).toRotationMatrix();
    return {Mat3(R * R_WB), Vec3(R * to_vec(motion.position) + p)};
  }
  Vec3 velocity(const Motion& motion) const {
    return R * (to_vec(motion.velocity) - v - w.cross(to_vec(motion.position) - center));
  }
  Vec3 angular_velocity(const Motion& motion) const { return R * (to_vec(motion.angular_velocity) - w); }
};

SceneSpec take_pair(const SceneSpec& scene, std::string_view a, std::string_view b) {
  if (a == b) throw InputError(fmt::format("'{}' is not two bodies", a));
  if (!method_traits(scene.run.method).follows_laws)
    throw InputError(fmt::format(
        "method \"{}\" finds the forces of contacts with the motion: there is nothing to evaluate for a pair alone. "
        "Give the scene method \"adaptive\" or \"explicit\", and contacts a normal law",
        enum_name(scene.run.method)));
  SceneSpec pair = scene;
  pair.body.clear();
  for (const std::string_view name : {a, b}) {
    const auto found =
        std::find_if(scene.body.begin(), scene.body.end(), [&](const BodySpec& body) { return body.name == name; });
    if (found == scene.body.end()) {
      std::vector<std::string> names;
      for (const BodySpec& body : scene.body) names.push_back(body.name);
      const std::string nearest = nearest_spelling(std::string(name), names);
      throw InputError(fmt::format("there is no body '{}'{}", name,
                                   nearest.empty() ? "" : fmt::format("; did you mean '{}'?", nearest)));
    }
    pair.body.push_back(*found);
  }
  if (pair.body[0].fixed && pair.body[1].fixed)
    throw InputError(fmt::format("'{}' and '{}' are both fixed: no contact acts between them", a, b));
  pair.joint.clear();
  pair.spring.clear();
  pair.force.clear();
  pair.controller.clear();
  pair.sensor.clear();
  // Steps are the host's; begin_step() says how long.
  pair.run.method = RunSpec::Method::explicit_;
  pair.run.integrator = RunSpec::Integrator::automatic;
  pair.run.step = scene.run.step.value_or(1e-3);
  return pair;
}

}  // namespace

struct PairState::Parts {
  abut::State state;
  bool has_begun = false;
  double origin = 0.0;                 ///< time of the first step, which is the start of what the pair goes through [s]
  double step = 0.0;                   ///< [s]
  std::vector<double> numbers_before;  ///< at the beginning of the step
  PerimeterGuard guard;
};

PairState::PairState(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
PairState::PairState(const PairState& other) : numbers(other.numbers), parts_(std::make_unique<Parts>(*other.parts_)) {}
PairState& PairState::operator=(const PairState& other) {
  if (this != &other) *this = PairState(other);
  return *this;
}
PairState::PairState(PairState&&) noexcept = default;
PairState& PairState::operator=(PairState&&) noexcept = default;
PairState::~PairState() = default;

struct ContactPair::Parts {
  explicit Parts(const SceneSpec& scene) : Parts(compile_for_host(scene)) {}
  explicit Parts(abut::Model made)
      : model(std::move(made)),
        threads(1),
        dynamics(model, threads),
        state(dynamics.make_initial_state()),
        book((dynamics.bind(state), dynamics), state, events) {
    link[0] = model.link_of_body[0];
    link[1] = model.link_of_body[1];
    if (model.find_rule(link[0], link[1]).rule < 0)
      throw InputError(fmt::format("no [[contact]] of the scene covers '{}' and '{}'", model.scene.body[0].name,
                                   model.scene.body[1].name));
    dynamics.calc_motion(0.0, state.y.data());
    for (int body = 0; body < 2; ++body) X_WB[body] = dynamics.kinematics().X_WB[link[body]];
  }

  /// The same pair without any patches, for looks that must leave no trace.
  Parts& looker() {
    if (looker_ == nullptr) looker_ = std::make_unique<Parts>(compile(model.scene, model));
    return *looker_;
  }

  bool is_fixed(int body) const { return model.scene.body[static_cast<std::size_t>(body)].fixed; }
  int num_friction() const { return dynamics.stride() * dynamics.num_places(); }
  std::size_t num_numbers() const {
    return static_cast<std::size_t>(num_friction() + kNumPatchWorks * dynamics.num_places());
  }

  Placing make_placing(const std::array<const Motion*, 2>& motions) const {
    Placing placing;
    for (int body = 0; body < 2; ++body) {
      if (!is_fixed(body)) continue;
      const Motion& motion = *motions[static_cast<std::size_t>(body)];
      placing.R = X_WB[body].R * to_quat(motion.orientation).toRotationMatrix().transpose();
      placing.center = to_vec(motion.position);
      placing.p = X_WB[body].p - placing.R * placing.center;
      placing.v = to_vec(motion.velocity);
      placing.w = to_vec(motion.angular_velocity);
    }
    return placing;
  }

  /// Before anything is changed.
  void check_motions(const Motion& a, const Motion& b) const {
    const std::array<const Motion*, 2> motions = {&a, &b};
    for (std::size_t body = 0; body < 2; ++body) {
      to_quat(motions[body]->orientation);
      for (const Vector3* v : {&motions[body]->position, &motions[body]->velocity, &motions[body]->angular_velocity}) {
        if (to_vec(*v).allFinite()) continue;
        throw InputError(fmt::format("the motion of '{}' has to be of finite numbers, not ({}, {}, {})",
                                     model.scene.body[body].name, (*v)[0], (*v)[1], (*v)[2]));
      }
    }
  }

  /// Puts both bodies where the host has them.
  Placing place(const Motion& a, const Motion& b) {
    const std::array<const Motion*, 2> motions = {&a, &b};
    const Placing placing = make_placing(motions);
    const std::span<double> q(state.y.data(), static_cast<std::size_t>(dynamics.num_q()));
    const std::span<double> v(state.y.data() + dynamics.num_q(), static_cast<std::size_t>(dynamics.num_v()));
    for (std::size_t body = 0; body < 2; ++body) {
      if (is_fixed(static_cast<int>(body))) continue;
      set_free_pose(model.tree, link[body], placing.place(*motions[body]), q);
      set_free_velocity(model.tree, link[body], placing.velocity(*motions[body]),
                        placing.angular_velocity(*motions[body]), q, v);
    }
    return placing;
  }

  void take_numbers(std::span<const double> numbers) {
    if (numbers.size() != num_numbers())
      throw InputError(fmt::format("a pair with {} numbers was given {}: begin_step() changes how many there are",
                                   num_numbers(), numbers.size()));
    const auto split = numbers.begin() + num_friction();
    std::copy(numbers.begin(), split, state.y.begin() + dynamics.friction_start());
    std::copy(split, numbers.end(), state.works.begin() + kNumGlobalWorks);
  }

  std::vector<double> give_numbers() const {
    std::vector<double> numbers(state.y.begin() + dynamics.friction_start(), state.y.end());
    numbers.resize(static_cast<std::size_t>(num_friction()));
    numbers.insert(numbers.end(), state.works.begin() + kNumGlobalWorks, state.works.end());
    numbers.resize(num_numbers());
    return numbers;
  }

  void update_patches() {
    const auto mass = [this](int a, int b, const Vec3& point, const Vec3& normal) {
      return dynamics.calc_effective_mass(a, b, point, normal);
    };
    ContactSet& contacts = dynamics.contacts();
    contacts.calc_geometry(dynamics.motion(), state.pool, Gaps::sign);
    contacts.update_patches(dynamics.motion(), state.time, state.time == 0.0, mass, state.pool, changes);
    for (const PatchChange& change : changes) {
      if (change.begins) {
        book.begin_patch(change.place, change.gap_rate, change.kin);
      } else {
        book.end_patch(change.patch, change.place, change.gap_rate, change.kin);
      }
    }
  }

  abut::Model model;
  ThreadPool threads;
  Dynamics dynamics;
  abut::State state;  ///< that of the PairState in use, swapped in
  EventList events;
  RunBook book;
  std::array<int, 2> link{};
  std::array<Pose, 2> X_WB;  ///< as the scene has them
  std::vector<PatchChange> changes;
  std::vector<double> rates, powers;

 private:
  std::unique_ptr<Parts> looker_;  ///< made when it is wanted
};

namespace {

/// The pair works on the state of its caller while this lives.
class Borrowed {
 public:
  Borrowed(abut::State& inner, abut::State& outer, Dynamics& dynamics) : inner_(inner), outer_(outer) {
    std::swap(inner_, outer_);
    dynamics.contacts().rematch(inner_.pool);
  }
  ~Borrowed() { std::swap(inner_, outer_); }
  Borrowed(const Borrowed&) = delete;
  Borrowed& operator=(const Borrowed&) = delete;

 private:
  abut::State& inner_;
  abut::State& outer_;
};

}  // namespace

ContactPair::ContactPair(const Scene& scene, std::string_view body_a, std::string_view body_b)
    : parts_(
          guard_door([&] { return std::make_unique<Parts>(take_pair(Inside::parts(scene).spec, body_a, body_b)); })) {}
ContactPair::ContactPair(ContactPair&&) noexcept = default;
ContactPair& ContactPair::operator=(ContactPair&&) noexcept = default;
ContactPair::~ContactPair() = default;

PairState ContactPair::start() const {
  return guard_door([&] {
    auto parts = std::make_unique<PairState::Parts>();
    parts->state = parts_->dynamics.make_initial_state();
    return PairState(std::move(parts));
  });
}

std::vector<ContactEvent> ContactPair::begin_step(PairState& state, double time, double step, const Motion& a,
                                                  const Motion& b) {
  return guard_door([&] {
    PairState::Parts& memory = *state.parts_;
    Parts& pair = *parts_;
    pair.check_motions(a, b);
    if (!std::isfinite(time) || !std::isfinite(step))
      throw InputError(fmt::format("no step leads from {} s over {} s", time, step));
    if (!(step > 0.0)) throw InputError(fmt::format("a step of {} s leads nowhere", step));
    const double origin = memory.has_begun ? memory.origin : time;
    // Hosts add up steps: instants are the same to rounding.
    if (time - origin < memory.state.time - 1e-6 * step)
      throw InputError(
          fmt::format("a pair at {:.9g} s cannot step from {:.9g} s", memory.origin + memory.state.time, time));
    memory.origin = origin;
    pair.events.events.clear();
    {
      const Borrowed borrowed(pair.state, memory.state, pair.dynamics);
      pair.take_numbers(state.numbers);
      pair.state.time = time - memory.origin;
      ContactSet& contacts = pair.dynamics.contacts();
      contacts.set_step(step);
      pair.dynamics.set_max_rate(1.0 / step);
      pair.place(a, b);
      pair.dynamics.calc_motion(pair.state.time, pair.state.y.data());
      if (contacts.needs_refresh(pair.dynamics.motion())) {
        pair.update_patches();
        contacts.refresh_candidates(pair.dynamics.motion(), pair.state.pool);
      }
      pair.update_patches();
      const double* works = pair.state.works.data() + kNumGlobalWorks;
      contacts.note_step(pair.dynamics.motion(), works, pair.state.pool);
      contacts.begin_step(pair.dynamics.motion(), pair.state.time, works, pair.state.pool);
      pair.dynamics.project_friction_states(pair.state.y.data());
      memory.guard.begin(pair.state.pool, step);
      state.numbers = pair.give_numbers();
    }
    memory.has_begun = true;
    memory.step = step;
    memory.numbers_before = state.numbers;
    std::vector<ContactEvent> events;
    for (abut::ContactEvent event : pair.events.events) {
      event.time += memory.origin;
      events.push_back(to_event(event, pair.model.scene));
    }
    return events;
  });
}

PairForce ContactPair::evaluate(const PairState& state, double time, const Motion& a, const Motion& b,
                                std::span<const double> numbers) {
  return guard_door([&] {
    PairState::Parts& memory = *state.parts_;
    Parts& pair = *parts_;
    pair.check_motions(a, b);
    const Borrowed borrowed(pair.state, memory.state, pair.dynamics);
    const std::vector<double> y_before = pair.state.y, works_before = pair.state.works;
    pair.take_numbers(numbers.empty() ? std::span<const double>(state.numbers) : numbers);
    const Placing placing = pair.place(a, b);
    Dynamics& dynamics = pair.dynamics;
    pair.rates.resize(static_cast<std::size_t>(dynamics.size()));
    pair.powers.resize(static_cast<std::size_t>(dynamics.num_quadratures()));
    dynamics.calc_rates(time - memory.origin, pair.state.y.data(), pair.rates.data(), pair.powers.data());

    PairForce out;
    out.rates.assign(pair.rates.begin() + dynamics.friction_start(), pair.rates.end());
    out.rates.insert(out.rates.end(), pair.powers.begin() + kNumGlobalWorks, pair.powers.end());
    const auto back = [&](const Vec3& v) { return to_array(Vec3(placing.R.transpose() * v)); };
    const std::array<Wrench*, 2> wrenches = {&out.on_a, &out.on_b};
    for (std::size_t body = 0; body < 2; ++body) {
      const abut::Wrench& wrench = dynamics.wrenches()[static_cast<std::size_t>(pair.link[body])];
      const Vec3 arm = dynamics.kinematics().p_WCm[static_cast<std::size_t>(pair.link[body])] -
                       dynamics.kinematics().X_WB[static_cast<std::size_t>(pair.link[body])].p;
      wrenches[body]->force = back(wrench.force);
      wrenches[body]->torque = back(Vec3(wrench.torque + arm.cross(wrench.force)));
    }
    for (std::size_t i = 0; i < dynamics.responses().size(); ++i) {
      const PatchResponse& response = dynamics.responses()[i];
      const Patch& patch = pair.state.pool.patches[static_cast<std::size_t>(pair.state.pool.active[i])];
      Contact contact;
      contact.body_a = pair.model.body_name(response.link_a);
      contact.body_b = pair.model.body_name(response.link_b);
      contact.patch = patch.key.point;
      contact.depth = -response.gap;
      contact.depth_rate = response.depth_rate;
      contact.point = to_array(Vec3(placing.R.transpose() * (response.point - placing.p)));
      contact.normal = back(response.normal);
      contact.force = back(response.force);
      contact.torque = back(response.torque);
      contact.normal_force = response.normal_force;
      contact.slip_velocity = back(response.slip);
      contact.is_sticking = response.sticking;
      out.contacts.push_back(contact);
    }
    pair.state.y = y_before;
    pair.state.works = works_before;
    return out;
  });
}

bool ContactPair::end_step(PairState& state, double time) {
  return guard_door([&] {
    PairState::Parts& memory = *state.parts_;
    Parts& pair = *parts_;
    const Borrowed borrowed(pair.state, memory.state, pair.dynamics);
    pair.take_numbers(state.numbers);
    double* works = pair.state.works.data() + kNumGlobalWorks;
    if (pair.dynamics.contacts().holds_forces() && !pair.state.pool.active.empty()) {
      const double* before = memory.numbers_before.data() + pair.num_friction();
      if (memory.guard.weaken(pair.model.rules, before, works, pair.state.pool)) {
        state.numbers = memory.numbers_before;
        return false;
      }
      pair.state.works[static_cast<std::size_t>(GlobalWork::time_stepping)] -=
          PerimeterGuard::settle(works, pair.state.pool);
      state.numbers = pair.give_numbers();
    }
    pair.state.time = time - memory.origin;
    return true;
  });
}

double ContactPair::gap(const Motion& a, const Motion& b) const {
  return guard_door([&] {
    Parts& look = parts_->looker();
    look.place(a, b);
    look.dynamics.calc_motion(0.0, look.state.y.data());
    ContactSet& contacts = look.dynamics.contacts();
    contacts.refresh_candidates(look.dynamics.motion(), look.state.pool);
    contacts.calc_geometry(look.dynamics.motion(), look.state.pool, Gaps::exact);
    double least = std::numeric_limits<double>::infinity();
    for (int point = 0; point < contacts.num_points(); ++point)
      least = std::min(least, contacts.point_geometry(point).gap);
    return least;
  });
}

Energy ContactPair::energy(const PairState& state, double time, const Motion& a, const Motion& b,
                           std::span<const double> numbers) {
  return guard_door([&] {
    PairState::Parts& memory = *state.parts_;
    Parts& pair = *parts_;
    pair.check_motions(a, b);
    const Borrowed borrowed(pair.state, memory.state, pair.dynamics);
    pair.take_numbers(numbers.empty() ? std::span<const double>(state.numbers) : numbers);
    pair.place(a, b);
    EnergyBalance balance =
        pair.dynamics.calc_energy(time - memory.origin, pair.state.y.data(), pair.state.works.data());
    balance[abut::Energy::kinetic] = 0.0;  // the host's
    balance[abut::Energy::gravitational] = 0.0;
    return to_energy(balance, 0.0);
  });
}

}  // namespace abut::v0
