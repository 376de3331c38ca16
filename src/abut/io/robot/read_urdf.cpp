#include "abut/io/robot/read_urdf.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "abut/base/spelling.hpp"
#include "abut/io/robot/urdf_values.hpp"
#include "abut/io/xml/xml_document.hpp"

namespace abut {
namespace {

/// A length that has to be there and above zero.
double read_size(const XmlElement& element, const char* key, UrdfContext& context) {
  const double value = read_number(element, key, std::nullopt, context);
  const XmlAttribute* attribute = element.find_attribute(key);
  if (attribute != nullptr && !(value > 0.0))
    context.problems.add(attribute->where, fmt::format("{} of <{}> must be > 0, found {}", key, element.name, value));
  return value;
}

MeshSpec read_mesh(const XmlElement& element, UrdfContext& context) {
  check_element(element, {{}, {"filename", "scale"}}, context);
  MeshSpec mesh;
  mesh.file = read_word(element, "filename", context);
  const Vec3 scale = read_vector(element, "scale", Vec3::Ones(), context);
  if (scale.prod() == 0.0)
    context.problems.add(element.find_attribute("scale")->where, "scale of <mesh> must not be zero");
  if (scale.x() > 0.0 && scale == Vec3::Constant(scale.x())) {
    mesh.scale = scale.x();
  } else {
    mesh.stretch = scale;
  }
  return mesh;
}

/// The shape of one <collision> or <visual>; nothing after a report.
std::optional<ShapeVariant> read_geometry(const XmlElement& owner, UrdfContext& context) {
  const XmlElement* geometry = owner.find("geometry");
  if (geometry == nullptr) {
    context.problems.add(owner.where, fmt::format("<geometry> is missing in {}", label_of(owner)));
    return std::nullopt;
  }
  check_element(*geometry, {{"box", "cylinder", "sphere", "capsule", "mesh"}, {}}, context);
  if (const XmlElement* box = geometry->find("box")) {
    check_element(*box, {{}, {"size"}}, context);
    if (box->find_attribute("size") == nullptr) context.problems.add(box->where, "attribute size is missing in <box>");
    const Vec3 size = read_vector(*box, "size", Vec3::Ones(), context);
    if (!(size.minCoeff() > 0.0))
      context.problems.add(box->find_attribute("size")->where,
                           fmt::format("size of <box> must be > 0, found {} {} {}", size.x(), size.y(), size.z()));
    return BoxSpec{size};
  }
  if (const XmlElement* sphere = geometry->find("sphere")) {
    check_element(*sphere, {{}, {"radius"}}, context);
    return SphereSpec{read_size(*sphere, "radius", context)};
  }
  for (const char* name : {"cylinder", "capsule"}) {
    const XmlElement* round = geometry->find(name);
    if (round == nullptr) continue;
    check_element(*round, {{}, {"radius", "length"}}, context);
    const double radius = read_size(*round, "radius", context), length = read_size(*round, "length", context);
    if (round->name == "capsule") return CapsuleSpec{radius, length};
    return CylinderSpec{radius, length};
  }
  if (const XmlElement* mesh = geometry->find("mesh")) return read_mesh(*mesh, context);
  if (geometry->children.empty())
    context.problems.add(geometry->where, fmt::format("<geometry> of {} holds no shape", label_of(owner)),
                         "It takes one of: box, cylinder, sphere, capsule, mesh.");
  return std::nullopt;
}

void read_shapes(const XmlElement& link, const char* kind, std::vector<ShapeSpec>& shapes, UrdfContext& context) {
  for (const XmlElement& element : link.children) {
    if (element.name != kind) continue;
    check_element(element, {{"origin", "geometry"}, {"name"}, {"material", "verbose", "contact_coefficients"}},
                  context);
    const UrdfOrigin origin = read_origin(element, context);
    std::optional<ShapeVariant> type = read_geometry(element, context);
    if (!type) continue;
    ShapeSpec& shape = shapes.emplace_back();
    shape.where = element.where;
    if (const XmlElement* geometry = element.find("geometry"); !geometry->children.empty())
      shape.where = geometry->children.front().where;
    shape.type = std::move(*type);
    shape.name = element.attribute("name");
    shape.position = origin.position;
    if (!origin.orientation.isApprox(Quat::Identity(), 0.0)) shape.orientation = origin.orientation;
    // Names of shapes are unique on their body; exporters often repeat that of the link.
    const auto same = std::count_if(shapes.begin(), shapes.end(), [&](const auto& s) { return s.name == shape.name; });
    if (same > 1) shape.name.clear();
  }
}

void read_inertial(const XmlElement& element, RobotLink& link, UrdfContext& context) {
  check_element(element, {{"origin", "mass", "inertia"}, {}}, context);
  MassProperties& found = link.inertial.emplace();
  link.inertial_where = element.where;
  const UrdfOrigin origin = read_origin(element, context);
  found.center_of_mass = origin.position;
  if (const XmlElement* mass = element.find("mass")) {
    check_element(*mass, {{}, {"value"}}, context);
    found.mass = read_number(*mass, "value", std::nullopt, context);
    if (found.mass < 0.0)
      context.problems.add(mass->find_attribute("value")->where,
                           fmt::format("the mass of link '{}' must not be negative, found {}", link.name, found.mass));
  } else {
    context.problems.add(element.where, fmt::format("<mass> is missing in the <inertial> of link '{}'", link.name));
  }
  const XmlElement* inertia = element.find("inertia");
  if (inertia == nullptr) {
    context.problems.add(element.where, fmt::format("<inertia> is missing in the <inertial> of link '{}'", link.name));
    return;
  }
  check_element(*inertia, {{}, {"ixx", "ixy", "ixz", "iyy", "iyz", "izz"}}, context);
  const auto moment = [&](const char* key) { return read_number(*inertia, key, std::nullopt, context); };
  const auto product = [&](const char* key) { return read_number(*inertia, key, 0.0, context); };
  const double xx = moment("ixx"), yy = moment("iyy"), zz = moment("izz");
  const double xy = product("ixy"), xz = product("ixz"), yz = product("iyz");
  Mat3 matrix;
  matrix << xx, xy, xz, xy, yy, yz, xz, yz, zz;
  if (!origin.orientation.isApprox(Quat::Identity(), 0.0)) {
    const Mat3 R = origin.orientation.toRotationMatrix();
    const Mat3 turned = R * matrix * R.transpose();
    matrix = 0.5 * (turned + turned.transpose());
  }
  found.inertia = matrix;
}

void read_link(const XmlElement& element, UrdfContext& context) {
  check_element(element, {{"inertial", "collision", "visual"}, {"name"}, {"contact", "self_collision_checking"}},
                context);
  RobotLink link;
  link.name = read_word(element, "name", context);
  link.where = element.where;
  if (const XmlElement* inertial = element.find("inertial")) read_inertial(*inertial, link, context);
  read_shapes(element, "collision", link.collision, context);
  read_shapes(element, "visual", link.visual, context);
  context.robot.links.push_back(std::move(link));
}

/// A number, or nothing for one without end ("inf", as exporters write for no limit).
std::optional<double> read_limit(const XmlElement& limit, const char* key, UrdfContext& context) {
  std::string word = limit.attribute(key);
  std::erase_if(word, [](char c) { return c == ' ' || c == '+' || c == '-'; });
  std::transform(word.begin(), word.end(), word.begin(), [](char c) { return c == 'I' ? 'i' : c; });
  if (word == "inf" || word == "infinity") return std::nullopt;
  return read_number(limit, key, 0.0, context);
}

void read_limits(const XmlElement& element, RobotJoint& joint, const std::string& type, UrdfContext& context) {
  const XmlElement* limit = element.find("limit");
  const bool needs_limit = type == "revolute" || type == "prismatic";
  if (limit == nullptr) {
    if (needs_limit)
      context.problems.add(element.where,
                           fmt::format("<limit> is missing in {}: a {} joint has one", label_of(element), type),
                           type == "revolute" ? "A joint that turns without end is of type continuous." : "");
    return;
  }
  check_element(*limit, {{}, {"lower", "upper", "effort", "velocity"}, {}}, context);
  const std::optional<double> lower = read_limit(*limit, "lower", context),
                              upper = read_limit(*limit, "upper", context);
  const double effort = read_limit(*limit, "effort", context).value_or(0.0);
  if (effort > 0.0) joint.effort = effort;
  if (const XmlAttribute* velocity = limit->find_attribute("velocity")) {
    if (read_limit(*limit, "velocity", context))
      context.robot.left_out.add("velocity limits of joints, which are not enforced", velocity->where.line);
  }
  if (!needs_limit) return;
  if (lower && upper && *lower > *upper) {
    const XmlAttribute* place = limit->find_attribute(limit->find_attribute("upper") != nullptr ? "upper" : "lower");
    context.problems.add(place->where, fmt::format("limits of joint '{}' are reversed: lower {} is above upper {}",
                                                   joint.name, *lower, *upper));
  } else if (lower && upper && *lower == *upper) {
    context.robot.left_out.add("limits that leave a joint no room (lower = upper): it moves without limits",
                               limit->where.line);
  } else {
    joint.lower = lower;
    joint.upper = upper;
  }
}

void read_mimic(const XmlElement& element, RobotJoint& joint, UrdfContext& context) {
  check_element(element, {{}, {"joint", "multiplier", "offset"}}, context);
  RobotMimic& mimic = joint.mimic.emplace();
  mimic.where = element.where;
  mimic.of = read_word(element, "joint", context);
  mimic.multiplier = read_number(element, "multiplier", 1.0, context);
  mimic.offset = read_number(element, "offset", 0.0, context);
}

struct UrdfJointType {
  const char* name;
  JointKind kind;
  bool has_axis;
};
constexpr UrdfJointType kJointTypes[] = {
    {"revolute", JointKind::revolute, true},    {"continuous", JointKind::revolute, true},
    {"prismatic", JointKind::prismatic, true},  {"fixed", JointKind::fixed, false},
    {"floating", JointKind::free, false},       {"planar", JointKind::planar, true},
    {"spherical", JointKind::spherical, false}, {"ball", JointKind::spherical, false}};

std::string read_type(const XmlElement& element, RobotJoint& joint, UrdfContext& context) {
  const std::string type = read_word(element, "type", context);
  std::vector<std::string> names;
  for (const UrdfJointType& row : kJointTypes) {
    names.emplace_back(row.name);
    if (type == row.name) {
      joint.kind = row.kind;
      return type;
    }
  }
  if (!type.empty())
    context.problems.add(element.find_attribute("type")->where,
                         fmt::format("unknown type '{}' of joint '{}'.{}", type, joint.name, suggest(type, names)),
                         "A joint is of type revolute, continuous, prismatic, fixed, floating, planar or spherical.",
                         type, names);
  return {};
}

void read_end(const XmlElement& element, const char* kind, std::string& name, SourceLocation& where,
              UrdfContext& context) {
  const XmlElement* end = element.find(kind);
  if (end == nullptr) {
    context.problems.add(element.where, fmt::format("<{} link=\"...\"> is missing in {}", kind, label_of(element)));
    return;
  }
  check_element(*end, {{}, {"link"}}, context);
  name = read_word(*end, "link", context);
  const XmlAttribute* link = end->find_attribute("link");
  where = link != nullptr ? link->where : end->where;
}

void read_joint(const XmlElement& element, UrdfContext& context) {
  check_element(element,
                {{"origin", "parent", "child", "axis", "limit", "dynamics", "mimic"},
                 {"name", "type"},
                 {"safety_controller", "calibration"}},
                context);
  RobotJoint joint;
  joint.name = read_word(element, "name", context);
  joint.where = element.where;
  const std::string type = read_type(element, joint, context);
  read_end(element, "parent", joint.parent, joint.parent_where, context);
  read_end(element, "child", joint.child, joint.child_where, context);
  const UrdfOrigin origin = read_origin(element, context);
  joint.position = origin.position;
  joint.orientation = origin.orientation;
  if (const XmlElement* axis = element.find("axis")) {
    check_element(*axis, {{}, {"xyz"}}, context);
    joint.axis = read_vector(*axis, "xyz", Vec3::UnitX(), context);
    if (!(joint.axis.norm() > 0.0) && joint_traits(joint.kind).num_axes > 0)
      context.problems.add(axis->find_attribute("xyz")->where,
                           fmt::format("the axis of joint '{}' must not be zero", joint.name));
  }
  if (!type.empty()) read_limits(element, joint, type, context);
  if (const XmlElement* dynamics = element.find("dynamics")) {
    check_element(*dynamics, {{}, {"damping", "friction"}}, context);
    for (const auto& [key, member] : {std::pair{"damping", &joint.damping}, std::pair{"friction", &joint.friction}}) {
      *member = read_number(*dynamics, key, 0.0, context);
      if (*member < 0.0)
        context.problems.add(dynamics->find_attribute(key)->where,
                             fmt::format("{} of joint '{}' must not be negative, found {}", key, joint.name, *member));
    }
  }
  if (const XmlElement* mimic = element.find("mimic")) read_mimic(*mimic, joint, context);
  context.robot.joints.push_back(std::move(joint));
}

/// Macros that nobody has expanded: one word about the first.
bool has_macros(const XmlElement& element, ProblemList& problems) {
  const bool is_macro = element.name.starts_with("xacro:");
  const auto is_open = [](const XmlAttribute& a) {
    return a.value.find("${") != std::string::npos || a.value.find("$(") != std::string::npos;
  };
  const auto attribute = std::find_if(element.attributes.begin(), element.attributes.end(), is_open);
  if (is_macro || attribute != element.attributes.end()) {
    problems.add(is_macro ? element.where : attribute->where,
                 is_macro
                     ? fmt::format("<{}> is a macro of xacro that has not been expanded", element.name)
                     : fmt::format("\"{}\" is an expression of xacro that has not been expanded", attribute->value),
                 "Expand the file first: xacro robot.urdf.xacro > robot.urdf");
    return true;
  }
  return std::any_of(element.children.begin(), element.children.end(),
                     [&](const XmlElement& child) { return has_macros(child, problems); });
}

}  // namespace

std::optional<RobotModel> parse_urdf(std::string_view text, const std::string& file, ProblemList& problems) {
  const std::optional<XmlElement> root = parse_xml(text, file, problems);
  if (!root) return std::nullopt;
  if (root->name != "robot") {
    const bool is_mjcf = root->name == "mujoco" || root->name == "mujocoinclude", is_sdf = root->name == "sdf";
    problems.add(root->where, fmt::format("a URDF file begins with <robot>, this one with <{}>", root->name),
                 is_mjcf  ? "This is MJCF, which `abut import` reads where libmujoco was there when it was built."
                 : is_sdf ? "This is SDF, which is not read; most programs that write it write URDF, too."
                          : "");
    return std::nullopt;
  }
  if (has_macros(*root, problems)) return std::nullopt;
  RobotModel robot;
  robot.file = file;
  UrdfContext context{robot, problems};
  robot.name = read_word(*root, "name", context);
  check_element(*root,
                {{"link", "joint"},
                 {"name", "version"},
                 {"transmission", "gazebo", "material", "sensor", "ros2_control", "mujoco", "plugin"}},
                context);
  for (const XmlElement& element : root->children) {
    if (element.name == "link") read_link(element, context);
    if (element.name == "joint") read_joint(element, context);
  }
  return robot;
}

}  // namespace abut
