#include "abut/scene/joint_spec.hpp"

namespace abut {

int num_coordinates(JointSpec::Type type) {
  if (type == JointSpec::Type::spherical) return 4;
  if (type == JointSpec::Type::free) return 7;
  return num_velocities(type);
}

int num_velocities(JointSpec::Type type) {
  switch (type) {
    case JointSpec::Type::fixed:
      return 0;
    case JointSpec::Type::revolute:
    case JointSpec::Type::prismatic:
      return 1;
    case JointSpec::Type::universal:
      return 2;
    case JointSpec::Type::spherical:
    case JointSpec::Type::planar:
    case JointSpec::Type::translational:
      return 3;
    case JointSpec::Type::free:
      return 6;
  }
  return 0;
}

int num_axes(JointSpec::Type type) {
  switch (type) {
    case JointSpec::Type::revolute:
    case JointSpec::Type::prismatic:
    case JointSpec::Type::planar:
      return 1;
    case JointSpec::Type::universal:
      return 2;
    default:
      return 0;
  }
}

}  // namespace abut
