#pragma once

#include <array>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "abut/contact.hpp"
#include "abut/geometry.hpp"
#include "abut/scene.hpp"

ABUT_DOOR_BEGIN

/// What a contact remembers, kept by the program that integrates: a value, copied to go back. Made by
/// ContactPair::start(), good for that pair only.
class ABUT_API PairState {
 public:
  PairState(const PairState& other);
  PairState& operator=(const PairState& other);
  PairState(PairState&&) noexcept;
  PairState& operator=(PairState&&) noexcept;
  ~PairState();

  /// Continuous states: deflections of bristles, dwell, and the works done in each patch [J]. To be integrated with
  /// PairForce::rates, like the host's own. begin_step() changes their number when patches begin.
  std::vector<double> numbers;

 private:
  struct Parts;
  explicit PairState(std::unique_ptr<Parts> parts);
  friend class ContactPair;

  std::unique_ptr<Parts> parts_;
};

/// What acts between the two bodies at one instant.
struct PairForce {
  Wrench on_a, on_b;          ///< about the origins of their frames
  std::vector<double> rates;  ///< of PairState::numbers [1/s of each]
  /// Where and how each patch in contact acts, in the order of their places.
  std::vector<Contact> contacts;
};

/// Derivatives of the wrenches. Rows: force and torque on a, force and torque on b; columns: position [m], rotation
/// about the axes of the world [rad], velocity [m/s] and angular velocity [rad/s] of one body.
struct PairJacobian {
  using Matrix = std::array<std::array<double, 12>, 12>;
  Matrix by_a{}, by_b{};
  /// What each entry may be wrong by: the difference of the two best of its approximations, and rounding. Large where
  /// the force has a kink, such as a contact that opens within the smallest displacement.
  Matrix error_by_a{}, error_by_b{};
};

/// Contact forces alone, for programs with an integrator of their own: two bodies of a scene and the [[contact]] that
/// covers them; motions in, wrenches and rates of states out. The scene gives shapes, laws, masses (the effective mass
/// of an impact is that of the two bodies flying freely) and nothing of the motion: joints, loads and gravity have no
/// part, and a body may be `fixed` whatever moves it here.
///
///   abut::ContactPair pair(scene, "ball", "floor");
///   abut::PairState state = pair.start();
///   each step of length h, from time t:
///     pair.begin_step(state, t, h, ball, floor);               // touches and lifts
///     ... any integrator, with rates from
///     abut::PairForce f = pair.evaluate(state, t, ball, floor);
///     if (!pair.end_step(state, t + h)) go back to time t and take the step again;
///
/// Patches begin and end only in begin_step(): a touch is found up to a step late, unless steps end where gap() is
/// zero. The depth it has by then is hidden from the law at first and let out over `relaxation_time`; what that puts in
/// is `relaxation` in energy(). At points and in volumes forces follow the motion within a step; perimeter contact
/// holds them from its beginning to its end.
class ABUT_API ContactPair {
 public:
  /// InputError where no contact covers the two, both are fixed, or the scene's method has no forces to evaluate (lcp
  /// and ncp find them with the motion).
  ContactPair(const Scene& scene, std::string_view body_a, std::string_view body_b);
  ContactPair(ContactPair&&) noexcept;
  ContactPair& operator=(ContactPair&&) noexcept;
  ~ContactPair();

  /// Of bodies that have never met.
  PairState start() const;
  /// Which patches exist from `time` to `time` + `step` [s]. Returns what began and ended. Instants must not go back
  /// but with the state.
  std::vector<ContactEvent> begin_step(PairState& state, double time, double step, const Motion& a, const Motion& b);
  /// The patches of the last begin_step() at these motions. `numbers`: continuous states other than those in `state`,
  /// as stages of an integrator have them.
  PairForce evaluate(const PairState& state, double time, const Motion& a, const Motion& b,
                     std::span<const double> numbers = {});
  /// How what evaluate() gives changes with the motions, patches and continuous states held: central differences,
  /// extrapolated to displacement zero, some 100 to 500 evaluations. The first displacement is an eighth of the
  /// greatest depth (at least 0.1 um) and of the greatest speed in the contact (at least 1 mm/s), for rotations over
  /// the distance of the contact from the body's origin; each further one is half the one before.
  PairJacobian jacobian(const PairState& state, double time, const Motion& a, const Motion& b,
                        std::span<const double> numbers = {});
  /// After state.numbers were integrated to the end of the step. False where contacts would have given back more than
  /// they hold, which only perimeter contact can: its forces are weaker now, the numbers again those of the beginning,
  /// and the step is to be taken again from there.
  bool end_step(PairState& state, double time);
  /// Between the surfaces at these motions [m], negative where they overlap; infinite where they are too far from each
  /// other to be looked at closely. It goes through zero with the touch, so that a host that locates events can end a
  /// step there: a patch that begins at its touch has no depth to hide. No part of any state.
  double gap(const Motion& a, const Motion& b) const;
  /// Of the contact alone: elastic, bristle, damping, friction, viscous_friction, volume_hysteresis, time_stepping and
  /// relaxation; all else is zero, and the host knows it.
  /// `numbers` as in evaluate().
  Energy energy(const PairState& state, double time, const Motion& a, const Motion& b,
                std::span<const double> numbers = {});

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

ABUT_DOOR_END
