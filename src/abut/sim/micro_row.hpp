#pragma once

#include "abut/contact/contact_rule.hpp"
#include "abut/contact/law/blow.hpp"
#include "abut/contact/patch.hpp"
#include "abut/math/time_table.hpp"
#include "abut/multibody/joint_friction.hpp"
#include "abut/multibody/joint_load.hpp"

namespace abut {

/// A contact at a point, or a joint at its limit, from touch to lift, as method micro follows it inside of a step.
struct MicroContact {
  int point = -1;  ///< candidate point; -1: a stop
  int stop = -1;   ///< joint load, of a stop; its side is `side`
  double side = 1.0;
  bool touches = false;
  double depth = 0.0;              ///< x [m]; below zero: apart
  NormalCoefficients normal;       ///< of the touch
  Blow blow;                       ///< what its damping was made for
  double effective_mass = 1.0;     ///< [kg]
  double touch_time = 0.0;         ///< [s]
  double touch_speed = 0.0;        ///< [m/s]
  Vec3 z_W = Vec3::Zero();         ///< bristles between steps, world axes [m]
  Vec2 z = Vec2::Zero();           ///< the same inside of one, in its tangents [m]
  double dwell = 0.0;              ///< [1]
  Vec3 force = Vec3::Zero();       ///< mean of the last sub-step: normal, tangents as they resist [N]
  Vec3 friction_W = Vec3::Zero();  ///< the same of the tangents between steps, world axes, on a [N]
  Vec3 normal_W = Vec3::UnitZ();   ///< of the last look, from b into a
  Vec3 slip_W = Vec3::Zero();      ///< at the end of the last sub-step, of a relative to b [m/s]
  double depth_rate = 0.0;         ///< then [m/s]
  bool sticks = false;
  PatchWork work;  ///< since the last touch inside of this step, or since it began [J]
  double peak_force = 0.0, peak_time = 0.0, peak_depth = 0.0;  ///< [N], [s], [m]
};

/// What acts along one coordinate of a joint but for its limits: spring, damper, friction, motor.
struct MicroJoint {
  int entry = -1;  ///< among the model's joint loads
  const JointLoad* load = nullptr;
  const TimeTable* command = nullptr;
  double q = 0.0;  ///< as the row has it [rad] or [m]
  JointFriction friction;
  double z = 0.0;                                    ///< of the friction [rad] or [m]
  double force = 0.0;                                ///< mean of the last sub-step, as it resists [N m] or [N]
  double impulse = 0.0;                              ///< of the step so far, on the coordinate [N m s] or [N s]
  double damping = 0.0, rubbing = 0.0, motor = 0.0;  ///< works of the step so far [J]
};

/// A row of contact space, or three of one contact: normal and two tangents.
struct MicroRow {
  enum class Kind { contact, stop, joint };
  Kind kind = Kind::contact;
  int first = 0, count = 1;
  int index = -1;  ///< among the contacts or the joints
  const ContactRule* rule = nullptr;
  double stiffness = 0.0;  ///< of a contact that touches now [N/m^p]; of a stop [N/m]
  double damper = 0.0;     ///< of a stop [N s/m]
};

/// What happened to a contact inside of a step.
struct MicroEvent {
  int contact = -1;
  bool begins = false;
  double time = 0.0;   ///< [s]
  double speed = 0.0;  ///< of the gap [m/s]
  MicroContact state;  ///< as it ended, with its works and peaks
};

/// What a run of contact space cost.
struct MicroCounts {
  long sub_steps = 0, implicit = 0, flights = 0, iterations = 0, rejected = 0;

  MicroCounts& operator+=(const MicroCounts& o) {
    sub_steps += o.sub_steps;
    implicit += o.implicit;
    flights += o.flights;
    iterations += o.iterations;
    rejected += o.rejected;
    return *this;
  }
};

}  // namespace abut
