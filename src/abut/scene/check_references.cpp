#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "abut/scene/body_index.hpp"
#include "abut/scene/check_specs.hpp"
#include "abut/scene/contact_match.hpp"

namespace abut {
namespace {

template <class Spec>
void check_unique(const std::vector<Spec>& specs, const char* kind, ProblemList& problems) {
  std::map<std::string, const Spec*> seen;
  for (const Spec& spec : specs) {
    if (spec.name.empty()) continue;
    const auto [place, is_new] = seen.emplace(spec.name, &spec);
    if (is_new) continue;
    problems.add(spec.location_of("name"), fmt::format("duplicate {} name '{}'", kind, spec.name),
                 fmt::format("First used at {}.", describe_place(place->second->location_of("name"))));
  }
}

template <class Spec>
void check_characters(const std::vector<Spec>& specs, const char* kind, ProblemList& problems) {
  for (const Spec& spec : specs) {
    const bool has_bad = std::any_of(spec.name.begin(), spec.name.end(), [](char c) {
      return c == '*' || c == '?' || static_cast<unsigned char>(c) < 0x20;
    });
    // Links of robots are called robot/link; an empty part would name nothing.
    const bool has_empty_part =
        spec.name.starts_with('/') || spec.name.ends_with('/') || spec.name.find("//") != std::string::npos;
    if (has_empty_part) {
      problems.add(spec.location_of("name"),
                   fmt::format("{} name '{}' begins or ends with /, or has two of them in a row", kind, spec.name),
                   "A / stands between the name of a robot and that of its part.");
    }
    if (!has_bad) continue;
    problems.add(spec.location_of("name"),
                 fmt::format("{} name '{}' contains a character that names may not have", kind, spec.name),
                 "Names may not contain *, ? or control characters.");
  }
}

void check_child_state(const BodySpec& body, const JointSpec& joint, const std::string& label, ProblemList& problems) {
  if (joint.type == JointSpec::Type::free || joint.is_unusable("type")) return;
  const auto refuse = [&](const char* key, bool given) {
    if (!given) return;
    problems.add(body.location_of(key), fmt::format("{} of body '{}' is decided by {}", key, body.name, label),
                 "Give coordinates and velocities of the joint, parent_position and child_position instead.");
  };
  refuse("position", body.has_key("position") || !body.position.isZero(0.0));
  refuse("orientation", body.orientation.has_value());
  refuse("rotation", body.rotation.has_value());
  refuse("velocity", body.has_key("velocity") || !body.velocity.isZero(0.0));
  refuse("angular_velocity", body.has_key("angular_velocity") || !body.angular_velocity.isZero(0.0));
}

/// Each joint on a loop would report it; the last one written closes it.
void check_loops(const SceneSpec& scene, const std::map<std::string, const JointSpec*>& joint_of_child,
                 ProblemList& problems) {
  std::map<std::string, int> visited;
  int round = 0;
  for (const JointSpec& start : scene.joint) {
    ++round;
    std::string body = start.child;
    while (joint_of_child.contains(body) && !visited.contains(body)) {
      visited[body] = round;
      body = joint_of_child.at(body)->parent;
    }
    if (!visited.contains(body) || visited[body] != round) continue;
    problems.add(
        start.location_of("parent"),
        fmt::format("joints form a loop through body '{}' ([[joint]] '{}'); they must form a tree", body, start.name),
        "Write closes_loop = true for one joint of the loop.");
  }
}

}  // namespace

void check_names(const SceneSpec& scene, ProblemList& problems) {
  for (const RobotSpec& robot : scene.robot)
    problems.add(robot.where,
                 fmt::format("[[robot]] '{}' was not read: its file is read with a scene in TOML", robot.file));
  check_unique(scene.body, "body", problems);
  check_unique(scene.joint, "joint", problems);
  check_unique(scene.coupling, "coupling", problems);
  check_unique(scene.spring, "spring", problems);
  check_unique(scene.bushing, "bushing", problems);
  check_unique(scene.force, "force", problems);
  check_unique(scene.contact, "contact", problems);
  check_unique(scene.controller, "controller", problems);
  check_unique(scene.sensor, "sensor", problems);
  check_characters(scene.body, "body", problems);
  check_characters(scene.joint, "joint", problems);
  check_characters(scene.contact, "contact", problems);
  check_characters(scene.sensor, "sensor", problems);
  for (const BodySpec& body : scene.body) {
    if (body.name == kWorldName) problems.add(body.location_of("name"), "the body name 'world' is reserved");
  }
}

void check_joint_tree(const SceneSpec& scene, ProblemList& problems) {
  const BodyIndex index(scene);
  std::map<std::string, const JointSpec*> joint_of_child;
  for (const JointSpec& joint : scene.joint) {
    const std::string label = fmt::format("[[joint]] '{}'", joint.name);
    check_reference(index, joint, "parent", joint.parent, World::allowed, label, problems);
    if (!check_reference(index, joint, "child", joint.child, World::refused, label, problems)) continue;
    const BodySpec& child = *index.find(joint.child);
    if (joint.child == joint.parent) {
      problems.add(joint.location_of("child"), fmt::format("{} joins body '{}' to itself", label, joint.child));
      continue;
    }
    if (joint.closes_loop) {
      const BodySpec* parent = index.find(joint.parent);
      if (child.fixed && (parent == nullptr || parent->fixed))
        problems.add(joint.location_of("child"), fmt::format("{} joins two bodies that cannot move", label));
      continue;
    }
    if (child.fixed) {
      problems.add(joint.location_of("child"), fmt::format("child '{}' of {} is a fixed body", joint.child, label),
                   "Remove fixed = true from the body, or make it the parent.");
    }
    const auto [place, is_new] = joint_of_child.emplace(joint.child, &joint);
    if (!is_new) {
      problems.add(joint.location_of("child"),
                   fmt::format("body '{}' is the child of two joints, '{}' and '{}'", joint.child, place->second->name,
                               joint.name),
                   "Each body hangs on one joint; write closes_loop = true for the other, which then only holds it.");
      continue;
    }
    check_child_state(child, joint, label, problems);
  }
  check_loops(scene, joint_of_child, problems);
  for (const BodySpec& body : scene.body) {
    const auto joint = joint_of_child.find(body.name);
    if (!body.frame || (joint != joint_of_child.end() && joint->second->type != JointSpec::Type::free)) continue;
    problems.add(body.location_of("frame"),
                 fmt::format("[[body]] '{}' is a frame without a joint to hang on", body.name),
                 "Give a [[joint]] with this child, a fixed one for instance; or mass and inertia.");
  }
}

void check_loads(const SceneSpec& scene, ProblemList& problems) {
  const BodyIndex index(scene);
  for (const SpringSpec& spring : scene.spring) {
    const std::string label = spring.name.empty() ? "[[spring]]" : fmt::format("[[spring]] '{}'", spring.name);
    bool moves = false;
    for (const std::string& name : spring.between) {
      const bool is_known = check_reference(index, spring, "between", name, World::allowed, label, problems);
      moves = moves || !is_known || (name != kWorldName && !index.find(name)->fixed);
    }
    if (!moves && spring.between[0] != spring.between[1]) {
      problems.add(spring.location_of("between"), fmt::format("both ends of {} are fixed", label));
    }
    if (!spring.is_unusable("between") && !spring.between[0].empty() && spring.between[0] == spring.between[1]) {
      problems.add(spring.location_of("between"), fmt::format("{} joins '{}' to itself", label, spring.between[0]));
    }
  }
  for (const BushingSpec& bushing : scene.bushing) {
    const std::string label = bushing.name.empty() ? "[[bushing]]" : fmt::format("[[bushing]] '{}'", bushing.name);
    const bool parent = check_reference(index, bushing, "parent", bushing.parent, World::allowed, label, problems);
    const bool child = check_reference(index, bushing, "child", bushing.child, World::refused, label, problems);
    if (!parent || !child) continue;
    const BodySpec* carrier = index.find(bushing.parent);
    if (bushing.parent == bushing.child) {
      problems.add(bushing.location_of("child"), fmt::format("{} joins '{}' to itself", label, bushing.child));
    } else if (index.find(bushing.child)->fixed && (carrier == nullptr || carrier->fixed)) {
      problems.add(bushing.location_of("child"), fmt::format("both ends of {} are fixed", label));
    }
  }
  for (const ForceSpec& force : scene.force) {
    const std::string label = force.name.empty() ? "[[force]]" : fmt::format("[[force]] '{}'", force.name);
    if (!check_reference(index, force, "body", force.body, World::refused, label, problems)) continue;
    if (index.find(force.body)->fixed) {
      problems.add(force.location_of("body"), fmt::format("{} acts on '{}', which is fixed", label, force.body));
    }
  }
}

namespace {

/// True when the glob or name covers at least one body that can touch something.
bool check_side(const BodyIndex& index, const ContactSpec& contact, const std::string& pattern,
                const std::string& label, ProblemList& problems) {
  if (!is_glob(pattern)) {
    if (!check_reference(index, contact, "between", pattern, World::refused, label, problems)) return false;
    const BodySpec& body = *index.find(pattern);
    if (!body.shape.empty() || body.is_unusable("shape")) return true;
    problems.add(contact.location_of("between"),
                 fmt::format("body '{}' of {} has no shape to touch with", pattern, label));
    return false;
  }
  const bool found = std::any_of(index.bodies().begin(), index.bodies().end(),
                                 [&](const BodySpec& body) { return matches_glob(pattern, body.name); });
  if (!found && index.knows_all_names()) {
    problems.add(contact.location_of("between"), fmt::format("'{}' matches no body in {}", pattern, label),
                 fmt::format("Bodies: {}.", list_names(index.names())));
  }
  return found;
}

void check_pair(const BodyIndex& index, const ContactSpec& contact, const std::string& label, ProblemList& problems) {
  const auto& [first, second] = contact.between;
  if (is_glob(first) || is_glob(second)) return;
  if (first == second) {
    problems.add(contact.location_of("between"), fmt::format("{} is between '{}' and itself", label, first));
  } else if (index.find(first)->fixed && index.find(second)->fixed) {
    problems.add(contact.location_of("between"),
                 fmt::format("'{}' and '{}' of {} are both fixed", first, second, label));
  }
}

}  // namespace

void check_contacts(const SceneSpec& scene, ProblemList& problems) {
  const BodyIndex index(scene);
  // Hard contacts and those with layers of their own have no use for a law of the normal force.
  const bool needs_normal = find_law_use(scene) == LawUse::all;
  const bool has_default_normal =
      scene.is_unusable("contact_default") ||
      (scene.contact_default && is_given(*scene.contact_default, "normal", scene.contact_default->normal));
  if (needs_normal && scene.contact_default && scene.contact_default->enabled && !has_default_normal) {
    problems.add(scene.contact_default->where, "normal is missing in [contact_default]");
  }
  for (const ContactSpec& contact : scene.contact) {
    const std::string label = contact.name.empty() ? "[[contact]]" : fmt::format("[[contact]] '{}'", contact.name);
    if (!contact.is_unusable("between") && !contact.between[0].empty() && !contact.between[1].empty()) {
      const bool first = check_side(index, contact, contact.between[0], label, problems);
      const bool second = check_side(index, contact, contact.between[1], label, problems);
      if (first && second) check_pair(index, contact, label, problems);
    }
    if (needs_normal && contact.enabled && !is_given(contact, "normal", contact.normal) && !has_default_normal) {
      problems.add(contact.where, fmt::format("normal is missing in {}", label),
                   "Give normal = { law = ..., ... } here or in [contact_default].");
    }
  }
}

}  // namespace abut
