#pragma once

#include <array>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "abut/math/types.hpp"
#include "abut/scene/field.hpp"
#include "abut/scene/joint_spec.hpp"
#include "abut/scene/orientation_spec.hpp"

namespace abut {

/// Where a sensor sits, in the frame that its kind names.
struct SensorPlace {
  Vec3 position = Vec3::Zero();  ///< [m]
  std::optional<Quat> orientation;
  std::optional<RotationSpec> rotation;
};

template <class Visitor>
void visit_place(Visitor& v, auto& s) {
  v(s.position, FieldInfo{.key = "position", .unit = "m", .doc = "Origin of the sensor's frame in that one."});
  v(s.orientation, FieldInfo{.key = "orientation",
                             .unit = "1",
                             .doc = "Its unit quaternion (w, x, y, z).",
                             .otherwise = "`rotation`, or no turn"});
  v(s.rotation, FieldInfo{.key = "rotation", .doc = "The same by axis and angle.", .otherwise = "`orientation`"});
}

/// What a joint does to its child.
struct ReactionSensorSpec : SensorPlace {
  static constexpr const char* kTag = "reaction";
  static constexpr const char* kDoc =
      "Force and torque that a joint exerts on its child, fixed ones too: a wrist sensor.";
  enum class Part { total, constraint, actuated };
  enum class Side { child, parent };

  std::string joint;
  Part part = Part::total;
  Side side = Side::child;
  std::optional<std::string> body;
};

template <>
struct EnumNames<ReactionSensorSpec::Part> {
  using Part = ReactionSensorSpec::Part;
  static constexpr EnumTable<Part, 3> values{
      {{Part::total, "total"}, {Part::constraint, "constraint"}, {Part::actuated, "actuated"}}};
  static constexpr PlannedNames<0> planned{};
};
template <>
struct EnumNames<ReactionSensorSpec::Side> {
  using Side = ReactionSensorSpec::Side;
  static constexpr EnumTable<Side, 2> values{{{Side::child, "child"}, {Side::parent, "parent"}}};
  static constexpr PlannedNames<0> planned{};
};

template <class Visitor>
void visit_fields(Visitor& v, SpecOf<ReactionSensorSpec> auto& s) {
  v(s.joint, FieldInfo{.key = "joint", .doc = "Joint that is cut open.", .required = true});
  v(s.part, FieldInfo{.key = "part",
                      .doc = "All of it, what holds the joint together, or what acts along the ways it lets free."});
  v(s.side, FieldInfo{.key = "side", .doc = "Whose joint frame the sensor's is given in, without `body`."});
  v(s.body, FieldInfo{.key = "body",
                      .doc = "Body, or `world`, in whose frame the sensor's is given.",
                      .otherwise = "the joint's frame"});
  visit_place(v, s);
}

/// What all contacts do to some bodies.
struct ContactWrenchSensorSpec : SensorPlace {
  static constexpr const char* kTag = "contact_wrench";
  static constexpr const char* kDoc = "Sum of the contacts on bodies about one point: a force plate, a load cell.";

  std::vector<std::string> on;
  std::optional<std::string> body;
};

template <class Visitor>
void visit_fields(Visitor& v, SpecOf<ContactWrenchSensorSpec> auto& s) {
  v(s.on, FieldInfo{.key = "on",
                    .doc = "Bodies, by names or patterns with * and ?; contacts among them cancel.",
                    .required = true,
                    .single = true});
  v(s.body, FieldInfo{.key = "body",
                      .doc = "Body, or `world`, in whose frame the sensor's is given.",
                      .otherwise = "the body of `on`, where that is one name; else the world"});
  visit_place(v, s);
}

/// Of one frame in another.
struct MotionSensorSpec : SensorPlace {
  static constexpr const char* kTag = "motion";
  static constexpr const char* kDoc = "Pose, velocity and acceleration of a frame as seen from another one.";

  std::string body;
  std::string relative_to = kWorldName;
  Vec3 relative_position = Vec3::Zero();  ///< [m]
  std::optional<Quat> relative_orientation;
  std::optional<RotationSpec> relative_rotation;
};

template <class Visitor>
void visit_fields(Visitor& v, SpecOf<MotionSensorSpec> auto& s) {
  v(s.body, FieldInfo{.key = "body", .doc = "Body that carries the sensor's frame.", .required = true});
  visit_place(v, s);
  v(s.relative_to, FieldInfo{.key = "relative_to", .doc = "Body, or `world`, that carries the frame to look from."});
  v(s.relative_position, FieldInfo{.key = "relative_position", .unit = "m", .doc = "Origin of that frame on it."});
  v(s.relative_orientation, FieldInfo{.key = "relative_orientation",
                                      .unit = "1",
                                      .doc = "Its unit quaternion (w, x, y, z).",
                                      .otherwise = "`relative_rotation`, or no turn"});
  v(s.relative_rotation,
    FieldInfo{.key = "relative_rotation", .doc = "The same by axis and angle.", .otherwise = "`relative_orientation`"});
}

/// Encoder and load cell of a joint.
struct JointSensorSpec {
  static constexpr const char* kTag = "joint";
  static constexpr const char* kDoc = "Coordinates of a joint, their rates, and what acts along them.";

  std::string joint;
  std::optional<int> bits;
};

template <class Visitor>
void visit_fields(Visitor& v, SpecOf<JointSensorSpec> auto& s) {
  v(s.joint, FieldInfo{.key = "joint", .doc = "Joint that is looked at.", .required = true});
  v(s.bits, FieldInfo{.key = "bits",
                      .doc = "Encoder: angles come in steps of a turn over 2 to this power.",
                      .minimum = 1,
                      .maximum = 40,
                      .otherwise = "no steps, or those of `quantum`"});
}

/// Distance of two bodies.
struct GapSensorSpec {
  static constexpr const char* kTag = "gap";
  static constexpr const char* kDoc = "Least distance of two bodies, negative by the depth of contacts that overlap.";

  std::array<std::string, 2> between;
};

template <class Visitor>
void visit_fields(Visitor& v, SpecOf<GapSensorSpec> auto& s) {
  v(s.between, FieldInfo{.key = "between", .doc = "Two bodies with shapes.", .required = true});
}

using SensorKindVariant =
    std::variant<ReactionSensorSpec, ContactWrenchSensorSpec, MotionSensorSpec, JointSensorSpec, GapSensorSpec>;

struct SensorKindSpec : Located {
  SensorKindVariant type;
};

template <class Visitor>
void visit_fields(Visitor& v, SpecOf<SensorKindSpec> auto& s) {
  v(s.type, FieldInfo{.key = "type", .doc = "What is sensed.", .required = true});
}

/// Something that looks at the motion and changes nothing in it. How its numbers come about: docs/sensors.md.
struct SensorSpec : Located {
  std::string name;
  SensorKindSpec kind;
  std::optional<double> rate;      ///< [Hz]
  double delay = 0.0;              ///< [s]
  std::optional<double> low_pass;  ///< corner [Hz]
  std::vector<double> gain, offset, noise, quantum;
  int seed = 1;
};

template <class Visitor>
void visit_fields(Visitor& v, SpecOf<SensorSpec> auto& s) {
  constexpr const char* kOfQuantity = "that of the quantity";
  v(s.name, FieldInfo{.key = "name", .doc = "Unique among sensors.", .required = true});
  v(s.kind, FieldInfo{.key = "kind", .doc = "What it senses, and where.", .required = true});
  v(s.rate, FieldInfo{.key = "rate",
                      .unit = "Hz",
                      .doc = "Samples a second, the first at time 0; held in between.",
                      .minimum = 0,
                      .exclusive = true,
                      .otherwise = "the true value, whenever it is looked at"});
  v(s.delay, FieldInfo{.key = "delay", .unit = "s", .doc = "From a sample to when it can be read.", .minimum = 0});
  v(s.low_pass, FieldInfo{.key = "low_pass",
                          .unit = "Hz",
                          .doc = "Corner of a filter of first order before the sampling.",
                          .minimum = 0,
                          .exclusive = true,
                          .otherwise = "no filter"});
  v(s.gain, FieldInfo{.key = "gain",
                      .unit = "1",
                      .doc = "Factor: one for all, for each quantity or for each number.",
                      .otherwise = "1",
                      .single = true});
  v(s.offset, FieldInfo{.key = "offset",
                        .unit = kOfQuantity,
                        .doc = "What a reading has too much, likewise.",
                        .otherwise = "0",
                        .single = true});
  v(s.noise, FieldInfo{.key = "noise",
                       .unit = kOfQuantity,
                       .doc = "Standard deviation of white noise, likewise; of an orientation in rad.",
                       .minimum = 0,
                       .otherwise = "0",
                       .single = true});
  v(s.quantum, FieldInfo{.key = "quantum",
                         .unit = kOfQuantity,
                         .doc = "Readings are whole multiples of this, likewise; 0: any.",
                         .minimum = 0,
                         .otherwise = "0",
                         .single = true});
  v(s.seed, FieldInfo{.key = "seed", .doc = "Of the noise; sensors of other names have other noise.", .minimum = 0});
}

}  // namespace abut
