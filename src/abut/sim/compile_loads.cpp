#include "abut/multibody/kinematics.hpp"
#include "abut/sim/compile_parts.hpp"

namespace abut {

namespace {

struct MotionMaker {
  MotionProfile operator()(const RateMotionSpec& s) const { return MotionProfile(ConstantRateMotion{s.start, s.rate}); }
  MotionProfile operator()(const SineMotionSpec& s) const {
    return MotionProfile(SineMotion{s.offset, s.amplitude, s.frequency, s.phase});
  }
  MotionProfile operator()(const TableMotionSpec& s) const { return MotionProfile(SplineMotion(s.time, s.value)); }
  MotionProfile operator()(const FileMotionSpec& s) const {
    if (s.time.size() < 2) throw InputError(fmt::format("'{}' was not read", s.file));
    std::vector<double> times = s.time;
    for (double& time : times) time += s.offset;
    return MotionProfile(SplineMotion(std::move(times), s.value));
  }
};

MotorMode make_motor_mode(MotorSpec::Mode mode) {
  switch (mode) {
    case MotorSpec::Mode::torque:
      return MotorMode::torque;
    case MotorSpec::Mode::velocity:
      return MotorMode::velocity;
    case MotorSpec::Mode::position:
      return MotorMode::position;
  }
  return MotorMode::none;
}

JointLoadEntry make_joint_load(const JointSpec& joint) {
  JointLoadEntry entry;
  JointLoad& load = entry.load;
  load.stiffness = joint.stiffness;
  load.rest = joint.rest;
  load.damping = joint.damping;
  if (joint.lower) load.lower = *joint.lower;
  if (joint.upper) load.upper = *joint.upper;
  load.limit_stiffness = joint.limit_stiffness.value_or(0.0);
  load.limit_damping = joint.limit_damping.value_or(0.0);
  if (joint.friction) {
    load.coulomb = joint.friction->coulomb;
    load.viscous = joint.friction->viscous;
    load.v_eps = joint.friction->v_eps;
    load.has_stiction = joint.friction->has_stiction();
    load.stiction = joint.friction->stiction.value_or(load.coulomb);
    load.sigma_0 = joint.friction->sigma_0.value_or(0.0);
    load.sigma_1 = joint.friction->sigma_1.value_or(0.0);
    load.v_stribeck = joint.friction->v_stribeck.value_or(0.0);
    load.tau_dwell = joint.friction->tau_dwell.value_or(0.0);
  }
  if (joint.motor) {
    load.motor.mode = make_motor_mode(joint.motor->mode);
    load.motor.gain = joint.motor->gain;
    load.motor.derivative_gain = joint.motor->derivative_gain;
    if (joint.motor->force_limit) load.motor.force_limit = *joint.motor->force_limit;
    entry.command = joint.motor->table ? TimeTable(joint.motor->table->time, joint.motor->table->value)
                                       : TimeTable(joint.motor->value.value_or(0.0));
  }
  return entry;
}

bool has_joint_load(const JointSpec& joint) {
  return joint.stiffness != 0.0 || joint.damping != 0.0 || joint.lower || joint.upper || joint.friction || joint.motor;
}

void add_breakpoints(std::span<const double> times, Model& model) {
  model.breakpoints.insert(model.breakpoints.end(), times.begin(), times.end());
}

/// A joint load acts on each scalar coordinate; joints that hold a quaternion have none, only their speeds can be
/// damped.
void compile_joint(const JointSpec& joint, int link_index, Model& model) {
  const Link& link = model.tree.link(link_index);
  if (joint.motion) {
    const MotionProfile motion = std::visit(MotionMaker{}, joint.motion->kind);
    add_breakpoints(motion.breakpoints(), model);
    model.prescribed.push_back({link.q_start, link.v_start, motion});
    model.q0[link.q_start] = motion.value(0.0);
    model.v0[link.v_start] = motion.rate(0.0);
  }
  if (!has_joint_load(joint)) return;
  const bool has_quaternion = quaternion_offset(link.joint) >= 0;
  if (has_quaternion && (joint.stiffness != 0.0 || joint.lower || joint.upper || joint.motor)) {
    fail_at(joint.where,
            fmt::format("joint '{}' is {}: it has no scalar coordinate for stiffness, limits or a motor; damping and "
                        "friction act on it.\nNothing was run.",
                        joint.name, joint_type_name(link.joint)));
  }
  JointLoadEntry entry = make_joint_load(joint);
  check_joint_load(entry.load);
  add_breakpoints(entry.command.breakpoints(), model);
  for (int k = 0; k < link.num_v; ++k) {
    entry.q_index = has_quaternion ? -1 : link.q_start + k;
    entry.v_index = link.v_start + k;
    model.joint_loads.push_back(entry);
  }
}

std::array<TimeTable, 3> make_components(const Vec3& constant, const std::vector<double>& time,
                                         const std::vector<Vec3>& values) {
  std::array<TimeTable, 3> components;
  for (int axis = 0; axis < 3; ++axis) {
    std::vector<double> column;
    for (const Vec3& value : values) column.push_back(value[axis]);
    components[axis] = values.empty() ? TimeTable(constant[axis]) : TimeTable(time, column);
  }
  return components;
}

AppliedForce make_force(const ForceSpec& spec, int link, Model& model) {
  AppliedForce force;
  force.link = link;
  force.point = spec.point.value_or(model.tree.link(link).mass.center_of_mass);
  force.in_body_axes = spec.frame == ForceSpec::Frame::body;
  const std::vector<double> time = spec.table ? spec.table->time : std::vector<double>{};
  force.force = make_components(spec.force, time, spec.table ? spec.table->force : std::vector<Vec3>{});
  force.torque = make_components(spec.torque, time, spec.table ? spec.table->torque : std::vector<Vec3>{});
  add_breakpoints(time, model);
  return force;
}

Mat6 make_matrix(const std::vector<double>& numbers) {
  Mat6 matrix = Mat6::Zero();
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const auto row = static_cast<Eigen::Index>(numbers.size() == 6 ? i : i / 6);
    matrix(row, static_cast<Eigen::Index>(numbers.size() == 6 ? i : i % 6)) = numbers[i];
  }
  return matrix;
}

Bushing make_bushing(const BushingSpec& spec, const LinkByName& links) {
  Bushing bushing;
  bushing.name = spec.name;
  bushing.link_a = spec.parent == kWorldName ? kWorld : links.at(spec.parent);
  bushing.link_b = links.at(spec.child);
  bushing.X_AF = make_pose(spec.parent_position, calc_orientation(spec.parent_orientation, spec.parent_rotation));
  bushing.X_BM = make_pose(spec.child_position, calc_orientation(spec.child_orientation, spec.child_rotation));
  bushing.stiffness = make_matrix(spec.stiffness);
  bushing.damping = make_matrix(spec.damping);
  return bushing;
}

/// A spring without a rest length is relaxed at the start.
PointSpring make_spring(const SpringSpec& spec, const LinkByName& links, const Model& model) {
  PointSpring spring;
  spring.link_a = spec.between[0] == kWorldName ? kWorld : links.at(spec.between[0]);
  spring.link_b = spec.between[1] == kWorldName ? kWorld : links.at(spec.between[1]);
  spring.point_a = spec.point_a;
  spring.point_b = spec.point_b;
  spring.stiffness = spec.stiffness;
  spring.damping = spec.damping;
  Kinematics kinematics;
  calc_kinematics(model.tree, model.q0, model.v0, kinematics);
  const auto place = [&](int link, const Vec3& point) {
    return link == kWorld ? point : Vec3(kinematics.X_WB[link] * point);
  };
  spring.rest_length =
      spec.rest_length.value_or((place(spring.link_a, spring.point_a) - place(spring.link_b, spring.point_b)).norm());
  return spring;
}

}  // namespace

void compile_loads(const SceneSpec& scene, const LinkByName& links, Model& model) {
  for (const JointSpec& joint : scene.joint) {
    if (!joint.closes_loop) compile_joint(joint, links.at(joint.child), model);
  }
  compile_loops(scene, links, model);
  for (const ForceSpec& force : scene.force) model.forces.push_back(make_force(force, links.at(force.body), model));
  for (const SpringSpec& spring : scene.spring) model.springs.push_back(make_spring(spring, links, model));
  for (const BushingSpec& bushing : scene.bushing) model.bushings.push_back(make_bushing(bushing, links));
}

}  // namespace abut
