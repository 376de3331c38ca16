#pragma once

#include <string>
#include <variant>
#include <vector>

#include "abut/scene/cartesian_control_spec.hpp"
#include "abut/scene/field.hpp"
#include "abut/scene/joint_control_spec.hpp"

namespace abut {

/// A function in a shared library (include/abut/controller.h).
struct LibraryControlSpec {
  static constexpr const char* kTag = "library";
  static constexpr const char* kDoc = "Code of one's own: a shared library with the functions of abut/controller.h.";
  std::string file;
  std::vector<std::string> joints;
  std::vector<std::string> sensors;
  std::vector<double> parameters;
};

/// A program that listens on a socket of this machine (docs/controllers.md).
struct SocketControlSpec {
  static constexpr const char* kTag = "socket";
  static constexpr const char* kDoc = "Another process on this machine: one line out, one line back at each sample.";
  std::string address;
  std::vector<std::string> joints;
  std::vector<std::string> sensors;
  double timeout = 5.0;   ///< [s]
  double deadline = 0.0;  ///< [s]
};

struct ControllerKindSpec : Located {
  std::variant<JointPidSpec, ComputedTorqueSpec, ImpedanceSpec, AdmittanceSpec, AccommodationSpec, LibraryControlSpec,
               SocketControlSpec>
      type;
};

/// What is sampled at its own rate, and commands motors in between by what it last said.
struct ControllerSpec : Located {
  std::string name;
  double rate = 0.0;   ///< [Hz]
  double delay = 0.0;  ///< [s]
  ControllerKindSpec kind;
};

template <class Visitor>
void visit_fields(Visitor& v, SpecOf<LibraryControlSpec> auto& s) {
  v(s.file, FieldInfo{.key = "file", .doc = "Shared library, beside the scene unless absolute.", .required = true});
  v(s.joints, control_detail::kJoints);
  v(s.sensors, FieldInfo{.key = "sensors", .doc = "Sensors that it reads.", .otherwise = "none"});
  v(s.parameters, FieldInfo{.key = "parameters", .doc = "Numbers that are handed to it.", .otherwise = "none"});
}
template <class Visitor>
void visit_fields(Visitor& v, SpecOf<SocketControlSpec> auto& s) {
  v(s.address,
    FieldInfo{
        .key = "address", .doc = "`localhost:PORT`, or the path of a socket in the file system.", .required = true});
  v(s.joints, control_detail::kJoints);
  v(s.sensors, FieldInfo{.key = "sensors", .doc = "Sensors that are sent.", .otherwise = "none"});
  v(s.timeout, FieldInfo{.key = "timeout",
                         .unit = "s",
                         .doc = "Wall time after which a missing answer ends the run.",
                         .minimum = 0,
                         .exclusive = true});
  v(s.deadline, FieldInfo{.key = "deadline",
                          .unit = "s",
                          .doc = "Wall time after which an answer counts as late; 0: a period of the controller.",
                          .minimum = 0});
}
template <class Visitor>
void visit_fields(Visitor& v, SpecOf<ControllerKindSpec> auto& s) {
  v(s.type, FieldInfo{.key = "type", .doc = "Kind of controller.", .required = true});
}
template <class Visitor>
void visit_fields(Visitor& v, SpecOf<ControllerSpec> auto& s) {
  v(s.name, FieldInfo{.key = "name", .doc = "Unique among controllers.", .required = true});
  v(s.rate, FieldInfo{.key = "rate",
                      .unit = "Hz",
                      .doc = "Samples a second; its commands are held in between.",
                      .minimum = 0,
                      .exclusive = true,
                      .required = true});
  v(s.delay, FieldInfo{.key = "delay",
                       .unit = "s",
                       .doc = "From a sample to the instant at which its commands take hold.",
                       .minimum = 0});
  v(s.kind, FieldInfo{.key = "kind", .doc = "What it does.", .required = true});
}

}  // namespace abut
