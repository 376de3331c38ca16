#include "mjcf/read_mjcf.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <memory>

#include <fmt/format.h>

#include "abut/base/error.hpp"
#include "abut/geometry/polyhedron/convex_polyhedron.hpp"
#include "abut/io/xml/xml_document.hpp"
#ifdef ABUT_HAS_MUJOCO
#include "mjcf/mjcf_library.hpp"
#endif

namespace abut {

bool is_mjcf(std::string_view text) {
  ProblemList ignored;
  const auto root = parse_xml(text, "", ignored);
  return root && root->name == "mujoco";
}

#ifdef ABUT_HAS_MUJOCO
namespace {

/// Elements of MJCF without a place in a scene; what is not named here is read or only says how to draw.
constexpr std::array<const char*, 21> kLeftOut = {
    "site",    "camera",   "light",     "tendon",  "sensor", "equality",    "keyframe",
    "exclude", "pair",     "composite", "skin",    "custom", "intvelocity", "cylinder",
    "muscle",  "adhesion", "damper",    "include", "hfield", "flexcomp",    "plugin"};

Vec3 to_vector(const mjtNum* p) { return {p[0], p[1], p[2]}; }
Quat to_quaternion(const mjtNum* q) { return Quat(q[0], q[1], q[2], q[3]).normalized(); }

class MjcfReader {
 public:
  MjcfReader(const mjModel& model, const std::string& path, const XmlElement& root) : m_(model) {
    out_.robot.file = path;
    out_.robot.name = root.attribute("model").empty() ? "robot" : root.attribute("model");
    out_.gravity = to_vector(m_.opt.gravity);
    note_places(root);
  }

  MjcfRobot read() {
    for (int body = 0; body < m_.nbody; ++body) read_body(body);
    for (int geom = 0; geom < m_.ngeom; ++geom) read_geom(geom);
    for (int actuator = 0; actuator < m_.nu; ++actuator) read_actuator(actuator);
    out_.robot.left_out.add("friction, softness and pairs of contacts: the scene needs a [contact_default]", 1);
    return std::move(out_);
  }

 private:
  /// Where names stand in the file, and what is left out.
  void note_places(const XmlElement& element) {
    // An actuator called <cylinder> and a shape differ by where they stand.
    for (const XmlElement& child : element.children) {
      const bool is_left_out = std::find(kLeftOut.begin(), kLeftOut.end(), child.name) != kLeftOut.end();
      if (is_left_out) out_.robot.left_out.add(fmt::format("<{}>", child.name), child.where.line);
      if (const XmlAttribute* armature = child.find_attribute("armature"))
        out_.robot.left_out.add("armature of joints: their motors have no inertia", armature->where.line);
      const std::string name = child.attribute("name");
      if (!name.empty()) places_.emplace(child.name + " " + name, child.where);
      note_places(child);
    }
  }

  SourceLocation place_of(const char* kind, const std::string& name) const {
    const auto found = places_.find(kind + (" " + name));
    return found == places_.end() ? SourceLocation{out_.robot.file, 0, 0, 0} : found->second;
  }

  /// A / stands between the name of the robot and that of its part.
  static std::string make_name(std::string name) {
    std::replace_if(
        name.begin(), name.end(), [](char c) { return c == '/' || c == '*' || c == '?'; }, '_');
    return name;
  }
  std::string name_of(int kind, int id, const std::string& otherwise) const {
    const char* name = MjcfLibrary::get().id2name(&m_, kind, id);
    return name == nullptr || *name == '\0' ? otherwise : make_name(name);
  }
  std::string body_name(int body) const { return name_of(mjOBJ_BODY, body, fmt::format("body_{}", body)); }

  void read_body(int body) {
    RobotLink link;
    link.name = body_name(body);
    link.where = place_of("body", link.name);
    link.inertial_where = link.where;
    if (body > 0 && m_.body_mass[body] > 0.0) {
      MassProperties& mass = link.inertial.emplace();
      mass.mass = m_.body_mass[body];
      mass.center_of_mass = to_vector(m_.body_ipos + 3 * body);
      const Mat3 R = to_quaternion(m_.body_iquat + 4 * body).toRotationMatrix();
      const Mat3 I = R * to_vector(m_.body_inertia + 3 * body).asDiagonal() * R.transpose();
      mass.inertia = 0.5 * (I + I.transpose());
    }
    link_of_body_.push_back(out_.robot.links.size());
    out_.robot.links.push_back(std::move(link));
    if (body > 0) read_joints(body);
  }

  RobotJoint make_joint(const std::string& name, const std::string& parent, const std::string& child) const {
    RobotJoint joint;
    joint.name = name;
    joint.where = joint.parent_where = joint.child_where = place_of("joint", name);
    joint.parent = parent;
    joint.child = child;
    return joint;
  }

  /// Several joints of one body are a chain of frames without mass.
  void read_joints(int body) {
    const int first = m_.body_jntadr[body], count = m_.body_jntnum[body];
    const std::string child = body_name(body);
    std::string parent = body_name(m_.body_parentid[body]);
    Vec3 position = to_vector(m_.body_pos + 3 * body);
    Quat orientation = to_quaternion(m_.body_quat + 4 * body);
    if (count == 0) {
      RobotJoint& joint = out_.robot.joints.emplace_back(make_joint(child + "_weld", parent, child));
      joint.position = position;
      joint.orientation = orientation;
      return;
    }
    for (int k = 0; k < count; ++k) {
      const int id = first + k;
      const bool is_last = k + 1 == count;
      const std::string name =
          name_of(mjOBJ_JOINT, id, fmt::format("{}_joint{}", child, count > 1 ? fmt::format("_{}", k + 1) : ""));
      const std::string carried = is_last ? child : fmt::format("{}_{}", child, k + 1);
      if (!is_last) {
        RobotLink& frame = out_.robot.links.emplace_back();
        frame.name = carried;
        frame.where = place_of("joint", name);
      }
      RobotJoint& joint = out_.robot.joints.emplace_back(make_joint(name, parent, carried));
      joint_of_id_.resize(static_cast<std::size_t>(m_.njnt), -1);
      joint_of_id_[static_cast<std::size_t>(id)] = static_cast<int>(out_.robot.joints.size()) - 1;
      const Vec3 anchor = m_.jnt_type[id] == mjJNT_FREE ? Vec3(Vec3::Zero()) : to_vector(m_.jnt_pos + 3 * id);
      joint.position = position + orientation * anchor;
      joint.orientation = orientation;
      joint.child_position = anchor;
      set_motion(id, joint);
      parent = carried;
      position.setZero();
      orientation.setIdentity();
    }
  }

  void set_motion(int id, RobotJoint& joint) {
    const int dof = m_.jnt_dofadr[id], at = m_.jnt_qposadr[id];
    joint.axis = to_vector(m_.jnt_axis + 3 * id);
    joint.damping = m_.dof_damping[dof];
    joint.friction = m_.dof_frictionloss[dof];
    switch (m_.jnt_type[id]) {
      case mjJNT_FREE:
        joint.kind = JointKind::free;
        return;
      case mjJNT_BALL:
        joint.kind = JointKind::spherical;
        if (m_.jnt_limited[id] || m_.jnt_stiffness[id] > 0.0)
          out_.robot.left_out.add("limits and springs of ball joints", std::max(1, joint.where.line));
        return;
      case mjJNT_SLIDE:
        joint.kind = JointKind::prismatic;
        break;
      default:
        joint.kind = JointKind::revolute;
    }
    // Coordinates count from where the file draws the robot, not from MuJoCo's reference.
    const double reference = m_.qpos0[at];
    if (reference != 0.0)
      out_.robot.left_out.add("ref of joints: coordinates are zero where the file draws them",
                              std::max(1, joint.where.line));
    joint.stiffness = m_.jnt_stiffness[id];
    joint.rest = joint.stiffness > 0.0 ? m_.qpos_spring[at] - reference : 0.0;
    if (!m_.jnt_limited[id]) return;
    joint.lower = m_.jnt_range[2 * id] - reference;
    joint.upper = m_.jnt_range[2 * id + 1] - reference;
  }

  std::optional<ShapeVariant> make_shape(int geom) {
    const mjtNum* size = m_.geom_size + 3 * geom;
    switch (m_.geom_type[geom]) {
      case mjGEOM_PLANE:
        return HalfSpaceSpec{
            Vec3(to_quaternion(m_.geom_quat + 4 * geom) * Vec3::UnitZ()),
            to_vector(m_.geom_pos + 3 * geom).dot(to_quaternion(m_.geom_quat + 4 * geom) * Vec3::UnitZ())};
      case mjGEOM_SPHERE:
        return SphereSpec{size[0]};
      case mjGEOM_CAPSULE:
        return CapsuleSpec{size[0], 2.0 * size[1]};
      case mjGEOM_ELLIPSOID:
        return EllipsoidSpec{to_vector(size)};
      case mjGEOM_CYLINDER:
        return CylinderSpec{size[0], 2.0 * size[1]};
      case mjGEOM_BOX:
        return BoxSpec{2.0 * to_vector(size)};
      case mjGEOM_MESH:
        return make_hull(m_.geom_dataid[geom]);
      default:
        return std::nullopt;
    }
  }

  /// Meshes have lost their files here, and collide as their hulls in MuJoCo, too.
  std::optional<ShapeVariant> make_hull(int mesh) const {
    std::vector<Vec3> points;
    for (int i = 0; i < m_.mesh_vertnum[mesh]; ++i) {
      const float* v = m_.mesh_vert + 3 * (m_.mesh_vertadr[mesh] + i);
      points.emplace_back(v[0], v[1], v[2]);
    }
    return PolyhedronSpec{make_convex_hull(points).vertices()};
  }

  void read_geom(int geom) {
    const std::string name = name_of(mjOBJ_GEOM, geom, "");
    const SourceLocation where = place_of("geom", name);
    const std::optional<ShapeVariant> type = make_shape(geom);
    if (!type) {
      out_.robot.left_out.add("shapes of other kinds (height fields)", std::max(1, where.line));
      return;
    }
    ShapeSpec shape;
    shape.where = where;
    shape.type = *type;
    if (m_.geom_type[geom] != mjGEOM_PLANE) {
      shape.position = to_vector(m_.geom_pos + 3 * geom);
      const Quat q = to_quaternion(m_.geom_quat + 4 * geom);
      if (!q.isApprox(Quat::Identity(), 0.0)) shape.orientation = q;
    }
    const bool touches = m_.geom_contype[geom] != 0 || m_.geom_conaffinity[geom] != 0;
    RobotLink& link = out_.robot.links[link_of_body_[static_cast<std::size_t>(m_.geom_bodyid[geom])]];
    std::vector<ShapeSpec>& shapes = touches ? link.collision : link.visual;
    shape.name = name;
    if (std::any_of(shapes.begin(), shapes.end(), [&](const ShapeSpec& s) { return s.name == name; }))
      shape.name.clear();
    shapes.push_back(std::move(shape));
  }

  /// <motor>, <position>, <velocity> on one joint; their commands are zero.
  void read_actuator(int id) {
    const std::string name = name_of(mjOBJ_ACTUATOR, id, fmt::format("actuator {}", id));
    const mjtNum *gain = m_.actuator_gainprm + mjNGAIN * id, *bias = m_.actuator_biasprm + mjNBIAS * id;
    const double gear = m_.actuator_gear[6 * id];
    const bool is_simple = m_.actuator_trntype[id] == mjTRN_JOINT && m_.actuator_dyntype[id] == mjDYN_NONE &&
                           m_.actuator_gaintype[id] == mjGAIN_FIXED && gear != 0.0;
    const auto leave_out = [&] {
      out_.robot.left_out.add("actuators that are no motor, position or velocity of one joint",
                              std::max(1, place(name).line));
    };
    if (!is_simple) return leave_out();
    const int index = joint_of_id_[static_cast<std::size_t>(m_.actuator_trnid[2 * id])];
    RobotJoint& joint = out_.robot.joints[static_cast<std::size_t>(index)];
    if (joint_traits(joint.kind).coordinates.size() != 1 || joint.motor) return leave_out();
    MotorSpec motor;
    motor.where = place(name);
    motor.value = 0.0;
    const bool has_bias = m_.actuator_biastype[id] == mjBIAS_AFFINE;
    if (!has_bias) {
      motor.mode = MotorSpec::Mode::torque;
    } else if (bias[1] < 0.0 && gain[0] == -bias[1]) {
      motor.mode = MotorSpec::Mode::position;
      motor.gain = gain[0] * gear * gear;
      motor.derivative_gain = 0.0 - bias[2] * gear * gear;
    } else if (bias[1] == 0.0 && bias[2] < 0.0 && gain[0] == -bias[2]) {
      motor.mode = MotorSpec::Mode::velocity;
      motor.gain = gain[0] * gear * gear;
    } else {
      return leave_out();
    }
    double limit = 0.0;
    if (m_.actuator_forcelimited[id]) limit = std::abs(gear * m_.actuator_forcerange[2 * id + 1]);
    const double control = m_.actuator_ctrlrange[2 * id + 1];
    if (limit == 0.0 && !has_bias && m_.actuator_ctrllimited[id]) limit = std::abs(gear * gain[0] * control);
    if (limit > 0.0) motor.force_limit = limit;
    joint.motor = motor;
  }

  SourceLocation place(const std::string& name) const {
    for (const char* kind : {"motor", "position", "velocity", "general"}) {
      if (const auto found = places_.find(kind + (" " + name)); found != places_.end()) return found->second;
    }
    return {out_.robot.file, 0, 0, 0};
  }

  const mjModel& m_;
  MjcfRobot out_;
  std::map<std::string, SourceLocation> places_;
  std::vector<std::size_t> link_of_body_;
  std::vector<int> joint_of_id_;
};

}  // namespace

MjcfRobot read_mjcf(const std::string& path, const std::string& text) {
  const MjcfLibrary& library = MjcfLibrary::get();
  std::array<char, 1000> error{};
  const std::unique_ptr<mjModel, decltype(library.delete_model)> model(
      library.load_xml(path.c_str(), nullptr, error.data(), static_cast<int>(error.size())), library.delete_model);
  if (model == nullptr)
    throw InputError(fmt::format("{}: MuJoCo refuses it: {}\nNothing was written.", path, error.data()));
  ProblemList problems;
  const auto root = parse_xml(text, path, problems);
  return MjcfReader(*model, path, root.value()).read();
}

#else

MjcfRobot read_mjcf(const std::string& path, const std::string&) {
  throw SystemError(
      fmt::format("{}: this is MJCF, which is read by libmujoco; abut was built without it (libmujoco-dev)", path));
}

#endif

}  // namespace abut
