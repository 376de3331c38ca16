#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "abut/scene/field.hpp"

namespace abut {

/// One point of a trajectory: a number for each channel (joint, or component of a pose).
struct PathPointSpec : Located {
  std::optional<double> time;  ///< [s]
  std::vector<double> at;      ///< [m, rad]
};

/// From point to point in straight lines, at rest in each; all channels start and arrive together.
struct TrapezoidTrajectorySpec {
  static constexpr const char* kTag = "trapezoid";
  static constexpr const char* kDoc =
      "From point to point, at rest in each: constant acceleration, constant speed, constant deceleration.";
  std::vector<PathPointSpec> points;
  std::vector<double> speed;         ///< [m/s, rad/s], one for all channels or one each
  std::vector<double> acceleration;  ///< [m/s^2, rad/s^2]
  double start = 0.0;                ///< [s]
  double dwell = 0.0;                ///< [s]
};

struct SCurveTrajectorySpec {
  static constexpr const char* kTag = "s-curve";
  static constexpr const char* kDoc = "As trapezoid, with limited jerk: the acceleration never jumps.";
  std::vector<PathPointSpec> points;
  std::vector<double> speed;
  std::vector<double> acceleration;
  std::vector<double> jerk;  ///< [m/s^3, rad/s^3]
  double start = 0.0;
  double dwell = 0.0;
};

struct SplineTrajectorySpec {
  static constexpr const char* kTag = "spline";
  static constexpr const char* kDoc =
      "Monotone cubic pieces through points in time: between two points no channel leaves the range of their values.";
  std::vector<PathPointSpec> points;
};

struct FileTrajectorySpec {
  static constexpr const char* kTag = "file";
  static constexpr const char* kDoc =
      "A measured motion: a CSV file with a line of names, time [s] in the first column; joined as `spline`.";
  std::string file;
  std::vector<std::string> columns;
  double offset = 0.0;                ///< [s]
  std::vector<PathPointSpec> points;  ///< what the file held, once it was read
};

/// Where something shall be, over time; before the first point and after the last it rests there.
struct TrajectorySpec : Located {
  std::variant<TrapezoidTrajectorySpec, SCurveTrajectorySpec, SplineTrajectorySpec, FileTrajectorySpec> kind;
};

template <class Visitor>
void visit_fields(Visitor& v, SpecOf<PathPointSpec> auto& s) {
  v(s.at, FieldInfo{.key = "at", .unit = "m or rad", .doc = "A number for each channel.", .required = true});
  v(s.time, FieldInfo{.key = "time",
                      .unit = "s",
                      .doc = "When it is passed (spline).",
                      .otherwise = "by speed and acceleration (trapezoid, s-curve)"});
}

namespace trajectory_detail {

template <class Visitor>
void visit_ramp(Visitor& v, auto& s) {
  v(s.points, FieldInfo{.key = "points", .doc = "Points; the motion begins at the first.", .required = true});
  v(s.speed, FieldInfo{.key = "speed",
                       .unit = "m/s or rad/s",
                       .doc = "Largest speed, one for all channels or one each.",
                       .minimum = 0,
                       .exclusive = true,
                       .required = true,
                       .single = true});
  v(s.acceleration, FieldInfo{.key = "acceleration",
                              .unit = "m/s^2 or rad/s^2",
                              .doc = "Largest acceleration, likewise.",
                              .minimum = 0,
                              .exclusive = true,
                              .required = true,
                              .single = true});
  v(s.start, FieldInfo{.key = "start", .unit = "s", .doc = "When the first point is left."});
  v(s.dwell, FieldInfo{.key = "dwell", .unit = "s", .doc = "Rest in each point between.", .minimum = 0});
}

}  // namespace trajectory_detail

template <class Visitor>
void visit_fields(Visitor& v, SpecOf<TrapezoidTrajectorySpec> auto& s) {
  trajectory_detail::visit_ramp(v, s);
}
template <class Visitor>
void visit_fields(Visitor& v, SpecOf<SCurveTrajectorySpec> auto& s) {
  trajectory_detail::visit_ramp(v, s);
  v(s.jerk, FieldInfo{.key = "jerk",
                      .unit = "m/s^3 or rad/s^3",
                      .doc = "Largest rate of the acceleration, likewise.",
                      .minimum = 0,
                      .exclusive = true,
                      .required = true,
                      .single = true});
}
template <class Visitor>
void visit_fields(Visitor& v, SpecOf<SplineTrajectorySpec> auto& s) {
  v(s.points, FieldInfo{.key = "points", .doc = "At least two points, each with its time.", .required = true});
}
template <class Visitor>
void visit_fields(Visitor& v, SpecOf<FileTrajectorySpec> auto& s) {
  v(s.file, FieldInfo{.key = "file", .doc = "CSV file, beside the scene unless absolute.", .required = true});
  v(s.columns, FieldInfo{.key = "columns",
                         .doc = "Columns for the channels, by name.",
                         .otherwise = "all behind the first, in their order"});
  v(s.offset, FieldInfo{.key = "offset", .unit = "s", .doc = "Added to the times of the file."});
  v(s.points, FieldInfo{.key = "points",
                        .doc = "What the file held when it was read; then it is not read again.",
                        .otherwise = "read from the file"});
}
template <class Visitor>
void visit_fields(Visitor& v, SpecOf<TrajectorySpec> auto& s) {
  v(s.kind, FieldInfo{.key = "kind", .doc = "Form of the trajectory.", .required = true});
}

}  // namespace abut
