#pragma once

#include <vector>

#include <pybind11/numpy.h>

#include "abut/scene/body_sample.hpp"
#include "abut/scene/contact_event.hpp"
#include "abut/scene/contact_sample.hpp"

/// What a world shows, as rows of structured arrays.
namespace abut {

struct BodyRow {
  double position[3];          ///< [m]
  double orientation[4];       ///< w, x, y, z
  double velocity[3];          ///< [m/s]
  double angular_velocity[3];  ///< [rad/s]
};

struct ContactRow {
  int body_a, body_b;  ///< places in body_names
  int patch;
  bool is_sticking;
  double depth, depth_rate, normal_force;                             ///< [m], [m/s], [N]
  double point[3], normal[3], force[3], torque[3], slip_velocity[3];  ///< [m], [1], [N], [N m], [m/s]
};

struct EventRow {
  double time;  ///< [s]
  int kind;     ///< of EventKind
  int body_a, body_b, patch;
  double normal_speed;  ///< [m/s], < 0 approaching
};

BodyRow to_row(const BodySample& sample);
pybind11::array to_array_of_rows(const std::vector<ContactSample>& contacts);
pybind11::array to_array_of_rows(const std::vector<ContactEvent>& events);

}  // namespace abut
