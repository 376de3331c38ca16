#include "abut/io/robot/add_robot.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "abut/io/robot/robot_files.hpp"
#include "abut/io/robot/robot_tree.hpp"
#include "abut/io/robot/settle_masses.hpp"

namespace abut {
namespace {

/// How far a limit gives way to the whole effort of its joint [rad], and [m] for one that slides.
constexpr double kLimitTurn = 1e-2, kLimitTravel = 1e-3;
/// Frequency at which what the joint carries swings against its limit, at least [rad/s]: 50 Hz.
constexpr double kLimitFrequency = 2.0 * 3.14159265358979323846 * 50.0;
/// Part of critical damping of a limit.
constexpr double kLimitDamping = 0.7;

/// Lengths in metres.
void scale_shape(ShapeSpec& shape, double scale) {
  shape.position *= scale;
  if (auto* box = std::get_if<BoxSpec>(&shape.type)) box->size *= scale;
  if (auto* sphere = std::get_if<SphereSpec>(&shape.type)) sphere->radius *= scale;
  if (auto* ellipsoid = std::get_if<EllipsoidSpec>(&shape.type)) ellipsoid->semi_axes *= scale;
  if (auto* mesh = std::get_if<MeshSpec>(&shape.type)) mesh->scale *= scale;
  if (auto* capsule = std::get_if<CapsuleSpec>(&shape.type)) capsule->radius *= scale, capsule->length *= scale;
  if (auto* cylinder = std::get_if<CylinderSpec>(&shape.type)) {
    cylinder->radius *= scale;
    if (cylinder->length) *cylinder->length *= scale;
  }
}

void scale_robot(RobotModel& robot, double scale) {
  for (RobotLink& link : robot.links) {
    if (link.inertial) link.inertial->center_of_mass *= scale;
    if (link.inertial) link.inertial->inertia *= scale * scale;
    for (ShapeSpec& shape : link.collision) scale_shape(shape, scale);
    for (ShapeSpec& shape : link.visual) scale_shape(shape, scale);
  }
  for (RobotJoint& joint : robot.joints) {
    joint.position *= scale;
    joint.child_position *= scale;
    if (joint.kind != JointKind::prismatic) continue;
    for (std::optional<double>* limit : {&joint.lower, &joint.upper}) {
      if (*limit) **limit *= scale;
    }
  }
}

Quat to_quaternion(const Mat3& R) { return Quat(R).normalized(); }

bool is_turned(const Quat& q) { return !q.isApprox(Quat::Identity(), 0.0); }

class RobotAdder {
 public:
  RobotAdder(RobotModel& robot, const RobotSpec& spec, const std::string& scene_path, SceneSpec& scene,
             ProblemList& problems)
      : robot_(robot),
        spec_(spec),
        scene_(scene),
        problems_(problems),
        files_(scene_path, robot.file, spec, problems),
        prefix_((spec.name.empty() ? robot.name : spec.name) + "/") {}

  void add(const RobotTree& tree) {
    tree_ = tree;
    const bool is_held = spec_.base == RobotSpec::Base::fixed && spec_.parent == kWorldName;
    masses_ = settle_masses(robot_, tree_, {is_held, spec_.repair, "repair = true in [[robot]] (abut import --repair)"},
                            problems_, notes_);
    check_joint_entries();
    for (std::size_t j = 0; j < robot_.joints.size(); ++j) joints_.push_back(make_joint(static_cast<int>(j)));
    for (std::size_t i = 0; i < robot_.links.size(); ++i) bodies_.push_back(make_body(static_cast<int>(i)));
    place_root();
    for (const int link : tree_.order) {
      const int joint = tree_.joint_of_link[at(link)];
      if (joint >= 0 && robot_.joints[at(joint)].kind == JointKind::free) release(joint, link);
    }
  }

  void commit() {
    const bool can_touch =
        std::count_if(bodies_.begin(), bodies_.end(), [](const BodySpec& body) { return !body.shape.empty(); }) > 1;
    for (BodySpec& body : bodies_) scene_.body.push_back(std::move(body));
    for (JointSpec& joint : joints_) scene_.joint.push_back(std::move(joint));
    for (CouplingSpec& coupling : couplings_) scene_.coupling.push_back(std::move(coupling));
    if (can_touch && !spec_.self_contact) {
      // First of all, so that any entry of the scene goes before it.
      ContactSpec& none = *scene_.contact.emplace(scene_.contact.begin());
      none.where = spec_.where;
      none.name = prefix_ + "self";
      none.between = {prefix_ + "*", prefix_ + "*"};
      none.enabled = false;
    }
    const std::string file = std::filesystem::path(robot_.file).filename().string();
    if (!clamped_.empty())
      notes_.push_back(fmt::format("{}: zero is outside of the limits of joints, which start at the nearest: {}", file,
                                   list_names(clamped_)));
    if (const std::vector<std::string> texts = robot_.left_out.list(); !texts.empty())
      notes_.push_back(fmt::format("{}: not taken over: {}", file, fmt::join(texts, "; ")));
    scene_.notes.insert(scene_.notes.end(), notes_.begin(), notes_.end());
  }

 private:
  static std::size_t at(int index) { return static_cast<std::size_t>(index); }

  void check_joint_entries() {
    std::vector<std::string> names;
    for (const RobotJoint& joint : robot_.joints) names.push_back(joint.name);
    std::set<std::string> seen;
    for (const RobotJointSpec& entry : spec_.joint) {
      if (entry.name.empty()) continue;
      if (std::find(names.begin(), names.end(), entry.name) == names.end()) {
        problems_.add(
            entry.location_of("name"),
            fmt::format("there is no joint '{}' in {}.{}", entry.name, robot_.file, suggest(entry.name, names)),
            fmt::format("Joints: {}.", list_names(names)), entry.name, names);
      } else if (!seen.insert(entry.name).second) {
        problems_.add(entry.location_of("name"), fmt::format("two entries are about joint '{}'", entry.name));
      }
    }
  }

  const RobotJointSpec* find_entry(const std::string& name) const {
    const auto found =
        std::find_if(spec_.joint.begin(), spec_.joint.end(), [&](const auto& entry) { return entry.name == name; });
    return found == spec_.joint.end() ? nullptr : &*found;
  }

  void set_limits(const RobotJoint& from, int index, JointSpec& joint) {
    joint.lower = from.lower;
    joint.upper = from.upper;
    if (!from.lower && !from.upper) return;
    const CarriedMass carried = calc_carried_mass(robot_, tree_, masses_, index);
    const bool slides = from.kind == JointKind::prismatic;
    const Vec3 axis = from.axis.normalized();
    const double inertia = slides ? carried.mass : axis.dot(carried.inertia * axis);
    const double give = slides ? kLimitTravel : kLimitTurn;
    const double stiffness = std::max(from.effort.value_or(0.0) / give, inertia * kLimitFrequency * kLimitFrequency);
    // Three digits: the rule is not worth more, and people read them.
    const auto shorten = [](double value) { return std::stod(fmt::format("{:.3g}", value)); };
    joint.limit_stiffness = shorten(stiffness);
    joint.limit_damping = shorten(2.0 * kLimitDamping * std::sqrt(stiffness * inertia));
  }

  void set_start(const RobotJoint& from, JointSpec& joint) {
    if (joint_traits(from.kind).coordinates.size() != 1) return;
    double start = from.start;
    if (from.lower && start < *from.lower) start = *from.lower;
    if (from.upper && start > *from.upper) start = *from.upper;
    if (start != from.start) clamped_.push_back(from.name);
    if (start != 0.0) joint.coordinates = {start};
  }

  JointSpec make_joint(int index) {
    const RobotJoint& from = robot_.joints[at(index)];
    JointSpec joint;
    joint.where = from.where;
    joint.name = prefix_ + from.name;
    joint.type = from.kind;
    joint.parent = prefix_ + from.parent;
    joint.child = prefix_ + from.child;
    if (joint_traits(from.kind).num_axes > 0) joint.axis = from.axis;
    joint.parent_position = from.position;
    if (is_turned(from.orientation)) joint.parent_orientation = from.orientation;
    joint.child_position = from.child_position;
    joint.stiffness = from.stiffness;
    joint.rest = from.rest;
    if (!joint_traits(from.kind).speeds.empty()) joint.damping = from.damping;
    if (from.friction > 0.0 && !joint_traits(from.kind).speeds.empty())
      joint.friction.emplace().coulomb = from.friction;
    joint.motor = from.motor;
    set_limits(from, index, joint);
    const RobotJointSpec* entry = find_entry(from.name);
    if (entry == nullptr || (!entry->motion && entry->coordinates.empty())) set_start(from, joint);
    if (entry != nullptr) apply(*entry, from, joint);
    if (from.effort && !joint.motor) robot_.left_out.add("effort limits of joints without a motor", from.where.line);
    if (from.mimic) add_mimic(from);
    return joint;
  }

  static void apply(const RobotJointSpec& entry, const RobotJoint& from, JointSpec& joint) {
    if (!entry.coordinates.empty()) joint.coordinates = entry.coordinates;
    joint.velocities = entry.velocities;
    if (entry.damping) joint.damping = *entry.damping;
    if (entry.limit_stiffness) joint.limit_stiffness = entry.limit_stiffness;
    if (entry.limit_damping) joint.limit_damping = entry.limit_damping;
    if (entry.friction) joint.friction = entry.friction;
    if (entry.motor) joint.motor = entry.motor;
    if (entry.motor && from.effort && !entry.motor->force_limit) joint.motor->force_limit = from.effort;
    joint.motion = entry.motion;
    // Mistakes in what the scene says are shown there.
    joint.where = entry.where;
    joint.key_locations = entry.key_locations;
    joint.unusable_keys = entry.unusable_keys;
  }

  /// q = multiplier q_of + offset, as the coupling has it.
  void add_mimic(const RobotJoint& joint) {
    const RobotMimic& mimic = *joint.mimic;
    const auto is_named = [&](const RobotJoint& other) { return other.name == mimic.of; };
    const auto of = std::find_if(robot_.joints.begin(), robot_.joints.end(), is_named);
    if (of == robot_.joints.end()) {
      problems_.add(mimic.where, fmt::format("joint '{}' mimics '{}', which is no joint", joint.name, mimic.of));
      return;
    }
    const auto has_one = [](const RobotJoint& one) {
      return one.kind == JointKind::revolute || one.kind == JointKind::prismatic;
    };
    if (!has_one(joint) || !has_one(*of)) {
      robot_.left_out.add("<mimic> between joints without one coordinate each", mimic.where.line);
      return;
    }
    CouplingSpec coupling;
    coupling.where = mimic.where;
    coupling.name = prefix_ + joint.name + "/mimic";
    coupling.joint = prefix_ + joint.name;
    coupling.of = prefix_ + mimic.of;
    coupling.ratio = mimic.multiplier;
    coupling.offset = mimic.offset;
    couplings_.push_back(std::move(coupling));
  }

  BodySpec make_body(int index) {
    const RobotLink& link = robot_.links[at(index)];
    const MassProperties& mass = masses_[at(index)];
    BodySpec body;
    body.where = link.where;
    body.name = prefix_ + link.name;
    if (mass.mass > 0.0) {
      const Mat3& I = mass.inertia;
      body.mass = mass.mass;
      body.inertia = InertiaSpec{{I(0, 0), I(1, 1), I(2, 2), I(0, 1), I(0, 2), I(1, 2)}};
      body.center_of_mass = mass.center_of_mass;
    } else {
      body.frame = true;
    }
    if (spec_.collision != RobotSpec::Collision::none) body.shape = link.collision;
    if (spec_.visual) body.visual = link.visual;
    std::erase_if(body.shape, [&](ShapeSpec& shape) {
      return !settle_shape(shape, "collision = \"none\" in [[robot]] leaves collision shapes out.");
    });
    std::erase_if(body.visual, [&](ShapeSpec& shape) {
      return !settle_shape(shape, "visual = false in [[robot]] leaves them out.");
    });
    for (ShapeSpec& shape : body.shape) {
      if (auto* mesh = std::get_if<MeshSpec>(&shape.type)) mesh->hull = spec_.collision == RobotSpec::Collision::hull;
    }
    return body;
  }

  bool settle_shape(ShapeSpec& shape, const char* remedy) {
    auto* mesh = std::get_if<MeshSpec>(&shape.type);
    if (mesh == nullptr) return true;
    if (mesh->file.empty()) return false;
    mesh->file = files_.find_mesh(mesh->file, shape.where, remedy, problems_);
    return !mesh->file.empty();
  }

  Pose base_pose() const { return Pose(calc_orientation(spec_.orientation, spec_.rotation), spec_.position); }

  static void set_pose(BodySpec& body, const Pose& X) {
    body.position = X.p;
    if (const Quat q = to_quaternion(X.R); is_turned(q)) body.orientation = q;
  }

  void place_root() {
    BodySpec& root = bodies_[at(tree_.root)];
    if (spec_.base == RobotSpec::Base::floating) {
      set_free(tree_.root, base_pose());
    } else if (spec_.parent == kWorldName) {
      root.fixed = true;
      root.frame = false;
      set_pose(root, base_pose());
    } else {
      JointSpec& joint = joints_.emplace_back();
      joint.where = spec_.where;
      joint.key_locations = spec_.key_locations;
      joint.name = prefix_ + "base";
      joint.parent = spec_.parent;
      joint.child = root.name;
      joint.parent_position = spec_.position;
      if (const Quat q = to_quaternion(base_pose().R); is_turned(q)) joint.parent_orientation = q;
    }
  }

  /// The child of a floating joint starts where the joint puts it.
  void release(int joint, int link) {
    if (spec_.parent != kWorldName) {
      problems_.add(robot_.joints[at(joint)].where,
                    fmt::format("floating joint '{}' needs a robot that stands on the world, not on '{}'",
                                robot_.joints[at(joint)].name, spec_.parent));
      return;
    }
    set_free(link, calc_pose(link));
    JointSpec released;
    released.where = joints_[at(joint)].where;
    released.name = joints_[at(joint)].name;
    released.type = JointKind::free;
    released.child = bodies_[at(free_root_)].name;
    joints_[at(joint)] = released;
  }

  /// Where the joints put a link at the start.
  Pose calc_pose(int link) const {
    const int j = tree_.joint_of_link[at(link)];
    if (j < 0) return base_pose();
    const RobotJoint& from = robot_.joints[at(j)];
    const std::vector<double>& q = joints_[at(j)].coordinates;
    Pose motion;
    if (from.kind == JointKind::revolute && q.size() == 1)
      motion.R = Eigen::AngleAxisd(q[0], from.axis.normalized()).toRotationMatrix();
    if (from.kind == JointKind::prismatic && q.size() == 1) motion.p = q[0] * from.axis.normalized();
    return calc_pose(tree_.parent_of_link[at(link)]) * Pose(from.orientation, from.position) * motion *
           Pose(Mat3::Identity(), -from.child_position);
  }

  /// A free body needs a mass: where the link has none, the first one that is fixed to it and has takes its place, and
  /// the joints between them are turned about.
  void set_free(int link, const Pose& X) {
    std::vector<int> reached = {link}, from = {-1};
    std::vector<Pose> poses = {X};
    for (std::size_t k = 0; k < reached.size(); ++k) {
      if (masses_[at(reached[k])].mass > 0.0) {
        turn_about(reached, from, static_cast<int>(k));
        free_root_ = reached[k];
        set_pose(bodies_[at(free_root_)], poses[k]);
        return;
      }
      for (const int j : tree_.joints_from_link[at(reached[k])]) {
        const RobotJoint& joint = robot_.joints[at(j)];
        if (joint.kind != JointKind::fixed) continue;
        reached.push_back(tree_.child_of_joint[at(j)]);
        from.push_back(static_cast<int>(k));
        poses.push_back(poses[k] * Pose(joint.orientation, joint.position));
      }
    }
    free_root_ = link;
    problems_.add(robot_.links[at(link)].where,
                  fmt::format("link '{}' moves freely, but neither it nor what is fixed to it has a mass",
                              robot_.links[at(link)].name),
                  "Give it an <inertial>, or hold it: base = \"fixed\".");
  }

  void turn_about(const std::vector<int>& reached, const std::vector<int>& from, int last) {
    for (int k = last; from[at(k)] >= 0; k = from[at(k)]) {
      JointSpec& joint = joints_[at(tree_.joint_of_link[at(reached[at(k)])])];
      std::swap(joint.parent, joint.child);
      const Pose back = Pose(calc_orientation(joint.parent_orientation, {}), joint.parent_position).inverse();
      joint.parent_position = back.p.array() + 0.0;  // no -0
      if (joint.parent_orientation) joint.parent_orientation = to_quaternion(back.R);
    }
  }

  RobotModel& robot_;
  const RobotSpec& spec_;
  SceneSpec& scene_;
  ProblemList& problems_;
  RobotFiles files_;
  std::string prefix_;
  RobotTree tree_;
  std::vector<MassProperties> masses_;
  std::vector<BodySpec> bodies_;
  std::vector<JointSpec> joints_;
  std::vector<CouplingSpec> couplings_;  ///< of joints that mimic others
  std::vector<std::string> notes_, clamped_;
  int free_root_ = 0;
};

}  // namespace

void add_robot(RobotModel robot, const RobotSpec& spec, const std::string& scene_path, SceneSpec& scene,
               ProblemList& problems) {
  if (spec.scale != 1.0) scale_robot(robot, spec.scale);
  ProblemList found;
  const std::optional<RobotTree> tree = make_robot_tree(robot, found);
  if (tree) {
    RobotAdder adder(robot, spec, scene_path, scene, found);
    adder.add(*tree);
    std::vector<Problem> mistakes = found.take();
    if (mistakes.empty()) return adder.commit();
    for (Problem& problem : mistakes)
      problems.add(problem.where, problem.message, problem.hint, problem.found, problem.allowed);
    return;
  }
  for (Problem& problem : found.take())
    problems.add(problem.where, problem.message, problem.hint, problem.found, problem.allowed);
}

}  // namespace abut
