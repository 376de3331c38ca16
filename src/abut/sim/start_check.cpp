#include "abut/sim/start_check.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "abut/base/error.hpp"
#include "abut/geometry/distance/shape_bounds.hpp"
#include "abut/geometry/volume/interference.hpp"
#include "abut/geometry/volume/mass_properties.hpp"
#include "abut/sim/enclosed.hpp"

namespace abut {

namespace {

constexpr std::size_t kMost = 5;  ///< sentences of one kind

/// Bounded shapes of one body that overlap each other, as a part of their volume.
double calc_common_volume(const std::vector<const Collider*>& shapes) {
  double common = 0.0;
  std::vector<VolumeMetrics> pieces;
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    const Aabb box = calc_aabb(shapes[i]->shape, shapes[i]->X_LS);
    for (std::size_t j = 0; j < i; ++j) {
      const Aabb other = calc_aabb(shapes[j]->shape, shapes[j]->X_LS);
      if ((box.lower.array() >= other.upper.array()).any() || (other.lower.array() >= box.upper.array()).any())
        continue;
      try {
        Interference::make(shapes[i]->shape, shapes[j]->shape).calc(shapes[i]->X_LS, shapes[j]->X_LS, pieces);
      } catch (const InputError&) {
        continue;  // no kernel knows this pair: nothing can be said of it
      }
      for (const VolumeMetrics& piece : pieces) common += piece.volume;
    }
  }
  return common;
}

}  // namespace

std::vector<std::string> find_enclosed_bodies(Dynamics& dynamics, const char* verb) {
  std::vector<std::string> notes;
  const Model& model = dynamics.model();
  const ContactSet& contacts = dynamics.contacts();
  const BodyMotion motion = dynamics.motion();
  for (int c = 0; c < contacts.candidates().size() && notes.size() < kMost; ++c) {
    const Candidate& candidate = contacts.candidates()[c];
    if (!region_traits(candidate.region).sees_surfaces_only ||
        contacts.point_geometry(candidate.first_point).gap <= 0.0)
      continue;
    const Collider& a = model.colliders[candidate.collider_a];
    const Collider& b = model.colliders[candidate.collider_b];
    const Pose X_a = calc_collider_pose(a, motion.X_WB[a.link]), X_b = calc_collider_pose(b, motion.X_WB[b.link]);
    if (const auto text = describe_enclosed(model, a, X_a, b, X_b, verb)) notes.push_back(*text);
  }
  return notes;
}

std::vector<std::string> find_joints_beyond_limits(const Model& model) {
  constexpr double kMark = 1e-6;  // of the limit's size: nobody means less
  std::vector<std::string> notes;
  for (const JointLoadEntry& entry : model.joint_loads) {
    if (entry.q_index < 0 || entry.load.limit_stiffness == 0.0 || notes.size() == kMost) continue;
    const double q = model.q0[entry.q_index], above = q - entry.load.upper, below = entry.load.lower - q;
    const double beyond = std::max(above, below), limit = above > below ? entry.load.upper : entry.load.lower;
    if (!(beyond > kMark * std::max(1.0, std::abs(limit)))) continue;
    std::string name;
    for (const NamedJoint& joint : model.joints) {
      const Link& link = model.tree.link(joint.link);
      if (entry.v_index >= link.v_start && entry.v_index < link.v_start + link.num_v) name = joint.name;
    }
    notes.push_back(fmt::format(
        "joint '{}' starts {:.3g} beyond its {} limit, with {:.3g} J stored there: it will be "
        "thrown back",
        name, beyond, above > below ? "upper" : "lower", 0.5 * entry.load.limit_stiffness * beyond * beyond));
  }
  return notes;
}

std::vector<std::string> find_overlapping_shapes(const Model& model) {
  constexpr std::size_t kManyShapes = 100;  // pairs grow with the square
  constexpr int kManyBodies = 200;          // of a pile the first ones tell
  constexpr double kTrace = 1e-6;           // shapes that touch share the rounding of their places
  std::vector<std::string> notes;
  int num_bodies = 0;
  for (std::size_t body = 0; body < model.scene.body.size() && notes.size() < kMost; ++body) {
    const BodySpec& spec = model.scene.body[body];
    const int link = model.link_of_body[body];
    if (spec.fixed || spec.shape.size() < 2 || spec.shape.size() > kManyShapes || (spec.mass && spec.inertia)) continue;
    if (++num_bodies > kManyBodies) break;
    std::vector<const Collider*> shapes;
    double volume = 0.0;
    for (const Collider& collider : model.colliders) {
      if (collider.link != link || !has_inside(collider) || !is_finite(collider.shape)) continue;
      shapes.push_back(&collider);
      volume += calc_volume(collider.shape);
    }
    const double common = calc_common_volume(shapes);
    if (common <= kTrace * volume) continue;
    notes.push_back(
        fmt::format("'{}': its shapes overlap by {:.3g} of their volume, which counts twice in its {}: "
                    "give mass and inertia, or shapes that only touch",
                    spec.name, common / volume, spec.mass ? "centre of mass and inertia" : "mass and inertia"));
  }
  return notes;
}

}  // namespace abut
