// Joints that close loops and couplings: their conditions, the start that fits them, and what is to be said of them.

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "abut/multibody/kinematics.hpp"
#include "abut/multibody/loop_assembly.hpp"
#include "abut/sim/compile_parts.hpp"

namespace abut {

namespace {

/// Movements below this part of an island's size are the rounding of written numbers [1].
constexpr double kWorthSaying = 1e-5;
/// Joints that are named in one note.
constexpr std::size_t kMostNamed = 4;

int find_link(const LinkByName& links, const std::string& name) { return name == kWorldName ? kWorld : links.at(name); }

Loop compile_loop(const JointSpec& joint, const LinkByName& links) {
  try {
    return make_loop(
        joint.name, joint_type_from_name(enum_name(joint.type)).value(), find_link(links, joint.parent),
        find_link(links, joint.child),
        make_pose(joint.parent_position, calc_orientation(joint.parent_orientation, joint.parent_rotation)),
        make_pose(joint.child_position, calc_orientation(joint.child_orientation, joint.child_rotation)),
        joint.axis.value_or(Vec3::UnitZ()), joint.axis_2.value_or(Vec3::UnitX()));
  } catch (const InputError& error) {
    fail_at(joint.where, error.what());
  }
}

const JointSpec& find_joint(const SceneSpec& scene, const std::string& name) {
  return *std::find_if(scene.joint.begin(), scene.joint.end(), [&](const JointSpec& j) { return j.name == name; });
}

std::string name_coupling(const CouplingSpec& spec) {
  return spec.name.empty() ? fmt::format("{}-{}", spec.joint, spec.of) : spec.name;
}

std::string list_rows(const LoopSet& set, const LoopIsland& island) {
  std::vector<std::string> names;
  for (const int first : island.first_row) names.push_back(set.describe_row(island, first));
  const std::size_t left_out = names.size() > kMostNamed ? names.size() - kMostNamed : 0;
  names.resize(names.size() - left_out);
  std::string text = fmt::format("{}", fmt::join(names, ", "));
  if (left_out > 0) text += fmt::format(" and {} more", left_out);
  return text;
}

/// "joint 'b' by 0.12 rad": the joints whose coordinates (or speeds) were changed most.
std::string list_ways(const Model& model, const std::vector<double>& way, const char* per) {
  std::vector<int> moved;
  constexpr double kTrace = 1e-6;  // of the longest: rounding
  const double longest = *std::max_element(way.begin(), way.end());
  for (int link = 0; link < model.tree.num_links(); ++link) {
    if (way[link] > kTrace * longest) moved.push_back(link);
  }
  std::stable_sort(moved.begin(), moved.end(), [&](int a, int b) { return way[a] > way[b]; });
  std::vector<std::string> names;
  for (const int link : moved) {
    if (names.size() == kMostNamed) {
      names.push_back(fmt::format("{} more", moved.size() - kMostNamed));
      break;
    }
    const auto joint =
        std::find_if(model.joints.begin(), model.joints.end(), [&](const NamedJoint& j) { return j.link == link; });
    const bool travels = model.tree.link(link).joint == JointType::prismatic;
    const bool mixes = model.tree.link(link).num_v > 2;
    const std::string name = joint != model.joints.end() ? fmt::format("joint '{}'", joint->name)
                                                         : fmt::format("body '{}'", model.body_name(link));
    names.push_back(fmt::format("{} by {:.4g}{}{}", name, way[link],
                                mixes     ? ""
                                : travels ? " m"
                                          : " rad",
                                mixes ? "" : per));
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

[[noreturn]] void fail_assembly(const SceneSpec& scene, const LoopFailure& failure) {
  SourceLocation where = scene.where;
  for (const JointSpec& joint : scene.joint) {
    if (failure.what == fmt::format("joint '{}'", joint.name)) where = joint.where;
  }
  for (const CouplingSpec& coupling : scene.coupling) {
    if (failure.what == fmt::format("coupling '{}'", name_coupling(coupling))) where = coupling.where;
  }
  if (failure.kind == LoopFailure::Kind::speed) {
    fail_at(where, fmt::format("the velocities at the start do not fit {}, and no others do with the prescribed "
                               "motions: {:.3g} m/s are left.\nNothing was run.",
                               failure.what, failure.gap));
  }
  fail_at(where, fmt::format("the loop of {} cannot be closed: from the given coordinates the smallest gap reached is "
                             "{:.4g} m (angles count as {:.3g} m a radian).\nCheck lengths and frames, or begin with "
                             "coordinates nearer to a closed loop. Nothing was run.",
                             failure.what, failure.gap, failure.size));
}

void say_what_moved(Model& model, const LoopAssembly& assembly, double size) {
  const double most = *std::max_element(assembly.way.begin(), assembly.way.end());
  if (assembly.moved && (assembly.gap > kWorthSaying * size || most > kWorthSaying)) {
    model.loop_notes.push_back(fmt::format("loops did not close at the start, the widest by {:.3g} m: moved {}",
                                           assembly.gap, list_ways(model, assembly.way, "")));
  }
  const double fastest = *std::max_element(assembly.quickened.begin(), assembly.quickened.end());
  if (assembly.turned && fastest > kWorthSaying) {
    model.loop_notes.push_back(fmt::format("velocities at the start did not fit the loops: changed {}",
                                           list_ways(model, assembly.quickened, "/s")));
  }
}

void judge_island(const SceneSpec& scene, LoopIsland& island, Model& model) {
  const Tree& tree = model.tree;
  const bool is_singular = find_rank(tree, model.loops, island, model.q0);
  const std::string rows = list_rows(model.loops, island);
  if (is_overdriven(tree, model.loops, island, model.q0)) {
    fail_at(scene.where,
            fmt::format("prescribed motions drive the mechanism closed by {} in ways that its loops do not "
                        "let it move: leave one of the motions out.\nNothing was run.",
                        rows));
  }
  const int same = island.num_rows - island.rank, free = count_freedoms(tree, island);
  if (same > 0) {
    model.loop_notes.push_back(
        fmt::format("{}: over-constrained, {} of {} conditions follow from the others; they are solved together, and "
                    "share their reactions by least squares",
                    rows, same, island.num_rows));
  }
  const bool is_driven =
      std::any_of(island.links.begin(), island.links.end(), [&](int link) { return tree.link(link).prescribed; });
  if (free == 0 && !is_driven) model.loop_notes.push_back(fmt::format("{}: the mechanism cannot move", rows));
  if (is_singular) {
    model.loop_notes.push_back(fmt::format(
        "{}: the start is a singular position, from which the mechanism may go on in more than one way; a start beside "
        "it says which",
        rows));
  }
}

}  // namespace

void compile_loops(const SceneSpec& scene, const LinkByName& links, Model& model) {
  std::vector<Loop> loops;
  std::vector<Coupling> couplings;
  for (const JointSpec& joint : scene.joint) {
    if (joint.closes_loop) loops.push_back(compile_loop(joint, links));
  }
  for (const CouplingSpec& spec : scene.coupling) {
    const int link = links.at(find_joint(scene, spec.joint).child), of = links.at(find_joint(scene, spec.of).child);
    if (!spec.is_compliant()) {
      couplings.push_back({name_coupling(spec), link, of, spec.ratio, spec.offset});
      continue;
    }
    const Link &first = model.tree.link(link), &second = model.tree.link(of);
    model.gearboxes.push_back({name_coupling(spec), first.q_start, first.v_start, second.q_start, second.v_start,
                               spec.ratio, spec.offset, spec.stiffness.value_or(0.0), spec.damping.value_or(0.0)});
  }
  if (loops.empty() && couplings.empty()) return;
  const RunSpec::Integrator integrator = scene.run.integrator;
  if (integrator == RunSpec::Integrator::bdf || integrator == RunSpec::Integrator::adams) {
    fail_at(scene.run.location_of("integrator"),
            fmt::format("integrator '{}' goes on from its own history, in which loops and couplings would drift open: "
                        "use auto, rk or radau.\nNothing was run.",
                        enum_name(integrator)));
  }
  model.loops = LoopSet(model.tree, std::move(loops), std::move(couplings));
  // What was given is kept while the rest can close the loops alone: poses of free bodies longest, then joints in their
  // order.
  std::vector<int> holds_q(model.tree.num_links(), 0), holds_v(model.tree.num_links(), 0);
  int given = 1;
  for (int link = 0; link < model.tree.num_links(); ++link) {
    if (model.tree.link(link).joint != JointType::free) continue;
    const BodySpec& body = scene.body[model.body_of_link[link]];
    holds_q[link] = 1;
    holds_v[link] = body.velocity.isZero(0.0) && body.angular_velocity.isZero(0.0) ? 0 : 1;
  }
  for (const JointSpec& joint : scene.joint) {
    if (joint.closes_loop || joint.type == JointSpec::Type::free) continue;
    ++given;
    holds_q[links.at(joint.child)] = joint.coordinates.empty() ? 0 : given;
    holds_v[links.at(joint.child)] = joint.velocities.empty() ? 0 : given;
  }
  LoopAssembly assembly;
  const LoopFailure failure = assemble_loops(model.tree, model.loops, holds_q, holds_v, model.q0, model.v0, assembly);
  if (!failure.is_none()) fail_assembly(scene, failure);
  double size = HUGE_VAL;
  for (const LoopIsland& island : model.loops.islands()) size = std::min(size, island.size);
  say_what_moved(model, assembly, size);
  for (LoopIsland& island : model.loops.islands()) judge_island(scene, island, model);
}

}  // namespace abut
