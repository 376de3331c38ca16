// Contact of abut in Simbody: a force element whose states Simbody's integrator integrates.
//
//   SimTK::GeneralForceSubsystem forces(system);
//   SimbodyContact contact(forces, scene, "ball", ball, "floor", matter.updGround());
//   contact.add_steps_to(system, 1e-4);             // touches and lifts are looked for every 0.1 ms
//   ... realizeTopology, an integrator, a TimeStepper
//
// The frames of the mobilized bodies are those of the bodies of the scene.
#pragma once

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

// Simbody 3.7 was written before C++20, whose reversed candidates make comparisons of its index types ambiguous: two of
// one type are compared as what they are. Before its headers, which compare some themselves.
namespace SimTK {
template <class Index>
requires requires(const Index& index) { index.isValidExtended(); }
bool operator==(const Index& a, const Index& b) { return static_cast<int>(a) == static_cast<int>(b); }
}  // namespace SimTK

#include <Simbody.h>
#include <abut/abut.hpp>

inline abut::Motion to_motion(const SimTK::MobilizedBody& body, const SimTK::State& state) {
  const SimTK::Transform& X = body.getBodyTransform(state);
  const SimTK::SpatialVec& V = body.getBodyVelocity(state);
  const SimTK::Quaternion q = X.R().convertRotationToQuaternion();
  return {{X.p()[0], X.p()[1], X.p()[2]},
          {q[0], q[1], q[2], q[3]},
          {V[1][0], V[1][1], V[1][2]},
          {V[0][0], V[0][1], V[0][2]}};
}

inline SimTK::Vec3 to_simtk(const abut::Vector3& v) { return {v[0], v[1], v[2]}; }

/// What a contact remembers is a discrete variable of Simbody's state, the numbers among it are auxiliary variables z:
/// copying the state and going back with it is safe, and error control covers them.
class SimbodyContact {
 public:
  /// `room`: most numbers that the pair may have at a time.
  SimbodyContact(SimTK::GeneralForceSubsystem& forces, const abut::Scene& scene, const std::string& name_a,
                 const SimTK::MobilizedBody& a, const std::string& name_b, const SimTK::MobilizedBody& b, int room = 64)
      : force_(new Force(forces, scene, name_a, a, name_b, b, room)), custom_(forces, force_) {}

  /// Makes Simbody's integrators stop every `step` [s], where patches begin and end, and where the bodies meet.
  void add_steps_to(SimTK::MultibodySystem& system, double step) {
    system.addEventHandler(new Steps(*force_, step));
    system.addEventHandler(new Touches(*force_, step));
  }

  /// Of the contact alone, at a state that is realized to Stage::Velocity.
  abut::Energy energy(const SimTK::State& state) const { return force_->energy(state); }

 private:
  /// The abstract value of a discrete variable.
  struct Memory {
    abut::PairState pair;
    bool has_begun = false;
  };

  class Force final : public SimTK::Force::Custom::Implementation {
   public:
    Force(SimTK::GeneralForceSubsystem& forces, const abut::Scene& scene, const std::string& name_a,
          const SimTK::MobilizedBody& a, const std::string& name_b, const SimTK::MobilizedBody& b, int room)
        : forces_(forces),
          matter_(a.getMatterSubsystem()),
          pair_(scene, name_a, name_b),
          a_(a.getMobilizedBodyIndex()),
          b_(b.getMobilizedBodyIndex()),
          room_(room) {}

    void realizeTopology(SimTK::State& state) const override {
      z_ = forces_.allocateZ(state, SimTK::Vector(room_, SimTK::Real(0)));
      memory_ = forces_.allocateDiscreteVariable(state, SimTK::Stage::Dynamics,
                                                 new SimTK::Value<Memory>(Memory{pair_.start()}));
      result_ = forces_.allocateLazyCacheEntry(state, SimTK::Stage::Dynamics, new SimTK::Value<abut::PairForce>());
    }

    void calcForce(const SimTK::State& state, SimTK::Vector_<SimTK::SpatialVec>& body_forces,
                   SimTK::Vector_<SimTK::Vec3>&, SimTK::Vector&) const override {
      const abut::PairForce force = evaluate(state);
      body_forces[a_] += to_spatial(force.on_a);
      body_forces[b_] += to_spatial(force.on_b);
      // Kept for the rates of the same instant: Simbody asks for them a stage later.
      SimTK::Value<abut::PairForce>::updDowncast(forces_.updCacheEntry(state, result_)).upd() = force;
      forces_.markCacheValueRealized(state, result_);
    }

    void realizeAcceleration(const SimTK::State& state) const override {
      const std::vector<double>& rates =
          SimTK::Value<abut::PairForce>::downcast(forces_.getCacheEntry(state, result_)).get().rates;
      SimTK::Vector& z_dot = forces_.updZDot(state);
      for (int i = 0; i < room_; ++i) {
        const auto k = static_cast<std::size_t>(i);
        z_dot[z_ + i] = k < rates.size() ? rates[k] : 0.0;
      }
    }

    SimTK::Real calcPotentialEnergy(const SimTK::State& state) const override {
      const abut::Energy energy = this->energy(state);
      return energy.elastic + energy.bristle;
    }

    abut::Energy energy(const SimTK::State& state) const {
      const abut::PairState& pair = memory(state).pair;
      return pair_.energy(pair, state.getTime(), motion(a_, state), motion(b_, state), numbers(state, pair));
    }

    /// Only its change of sign is asked for; far bodies are at some distance.
    double gap(const SimTK::State& state) const { return std::min(1.0, pair_.gap(place(a_, state), place(b_, state))); }

    /// The end of one step and the beginning of the next.
    void begin_step(SimTK::State& state, double step) const {
      Memory now = memory(state);
      now.pair.numbers = numbers(state, now.pair);
      if (now.has_begun && !pair_.end_step(now.pair, state.getTime()))
        throw std::runtime_error("this contact asks for steps to be taken again (region = \"perimeter\")");
      now.has_begun = true;
      pair_.begin_step(now.pair, state.getTime(), step, motion(a_, state), motion(b_, state));
      if (now.pair.numbers.size() > static_cast<std::size_t>(room_))
        throw std::runtime_error("a contact has " + std::to_string(now.pair.numbers.size()) + " numbers and room for " +
                                 std::to_string(room_));
      SimTK::Vector& z = forces_.updZ(state);
      for (int i = 0; i < room_; ++i) {
        const auto k = static_cast<std::size_t>(i);
        z[z_ + i] = k < now.pair.numbers.size() ? now.pair.numbers[k] : 0.0;
      }
      SimTK::Value<Memory>::updDowncast(forces_.updDiscreteVariable(state, memory_)).upd() = now;
    }

   private:
    static SimTK::SpatialVec to_spatial(const abut::Wrench& wrench) {
      return {to_simtk(wrench.torque), to_simtk(wrench.force)};
    }
    /// Without velocities, which Stage::Position does not have.
    abut::Motion place(SimTK::MobilizedBodyIndex body, const SimTK::State& state) const {
      const SimTK::Transform& X = matter_.getMobilizedBody(body).getBodyTransform(state);
      const SimTK::Quaternion q = X.R().convertRotationToQuaternion();
      return {{X.p()[0], X.p()[1], X.p()[2]}, {q[0], q[1], q[2], q[3]}, {}, {}};
    }
    abut::Motion motion(SimTK::MobilizedBodyIndex body, const SimTK::State& state) const {
      return to_motion(matter_.getMobilizedBody(body), state);
    }
    const Memory& memory(const SimTK::State& state) const {
      return SimTK::Value<Memory>::downcast(forces_.getDiscreteVariable(state, memory_)).get();
    }
    std::vector<double> numbers(const SimTK::State& state, const abut::PairState& pair) const {
      const SimTK::Vector& z = forces_.getZ(state);
      std::vector<double> out(pair.numbers.size());
      for (std::size_t i = 0; i < out.size(); ++i) out[i] = z[z_ + static_cast<int>(i)];
      return out;
    }
    abut::PairForce evaluate(const SimTK::State& state) const {
      const abut::PairState& pair = memory(state).pair;
      return pair_.evaluate(pair, state.getTime(), motion(a_, state), motion(b_, state), numbers(state, pair));
    }

    const SimTK::GeneralForceSubsystem& forces_;
    const SimTK::SimbodyMatterSubsystem& matter_;
    mutable abut::ContactPair pair_;  ///< what it computes depends on its arguments alone
    const SimTK::MobilizedBodyIndex a_, b_;
    int room_;
    mutable SimTK::ZIndex z_;
    mutable SimTK::DiscreteVariableIndex memory_;
    mutable SimTK::CacheEntryIndex result_;
  };

  class Steps final : public SimTK::PeriodicEventHandler {
   public:
    Steps(const Force& force, double step) : PeriodicEventHandler(step), force_(force), step_(step) {}
    void handleEvent(SimTK::State& state, SimTK::Real, bool&) const override { force_.begin_step(state, step_); }

   private:
    const Force& force_;
    double step_;
  };

  /// Where the gap goes through zero, so that no depth is found late. Further patches of bodies that touch already wait
  /// for the next step.
  class Touches final : public SimTK::TriggeredEventHandler {
   public:
    Touches(const Force& force, double step)
        : TriggeredEventHandler(SimTK::Stage::Position), force_(force), step_(step) {
      getTriggerInfo().setTriggerOnRisingSignTransition(false);
    }
    SimTK::Real getValue(const SimTK::State& state) const override { return force_.gap(state); }
    void handleEvent(SimTK::State& state, SimTK::Real, bool&) const override { force_.begin_step(state, step_); }

   private:
    const Force& force_;
    double step_;
  };

  Force* force_;  ///< owned by custom_
  SimTK::Force::Custom custom_;
};
