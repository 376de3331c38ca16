#include "abut/sim/joint_pair_watch.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace abut {

namespace {

/// More would cost more than the contacts that do act.
constexpr std::size_t kMostWatched = 64;

std::string name_joint(const Model& model, const JointPair& pair) {
  const int link = pair.child;
  for (const Loop& loop : model.loops.loops()) {
    const bool is_tree = model.tree.link(pair.child).parent == pair.parent;
    if (!is_tree && std::minmax(loop.link_a, loop.link_b) == std::minmax(pair.child, pair.parent))
      return fmt::format("joint '{}'", loop.name);
  }
  const auto found = std::find_if(model.joints.begin(), model.joints.end(),
                                  [link](const NamedJoint& joint) { return joint.link == link; });
  return found == model.joints.end() ? std::string("a joint") : fmt::format("joint '{}'", found->name);
}

}  // namespace

std::vector<JointPair> list_joint_pairs(const Model& model) {
  std::vector<JointPair> pairs;
  for (int link = 0; link < model.tree.num_links(); ++link) {
    const int parent = model.tree.link(link).parent;
    if (parent == kWorld || model.class_rules[model.body_class[link]][model.body_class[parent]].rule < 0) continue;
    if (model.find_rule(link, parent).rule < 0) pairs.push_back({link, parent});
  }
  for (const Loop& loop : model.loops.loops()) {
    const int a = loop.link_a, b = loop.link_b;
    if (a == kWorld || b == kWorld || model.tree.link(a).parent == b || model.tree.link(b).parent == a) continue;
    if (model.class_rules[model.body_class[a]][model.body_class[b]].rule < 0 || model.find_rule(a, b).rule >= 0)
      continue;
    pairs.push_back({b, a});
  }
  return pairs;
}

std::string describe_joint_pair(const Model& model, const JointPair& pair) {
  return fmt::format(
      "{} excludes '{}' and '{}' from contact with each other; an entry with between = [\"{}\", \"{}\"] lets them "
      "touch",
      name_joint(model, pair), model.body_name(pair.child), model.body_name(pair.parent), model.body_name(pair.child),
      model.body_name(pair.parent));
}

JointPairWatch::JointPairWatch(const Model& model) : model_(model) {
  std::vector<std::vector<int>> colliders_of(model.tree.num_links());
  for (int i = 0; i < static_cast<int>(model.colliders.size()); ++i) colliders_of[model.colliders[i].link].push_back(i);
  for (const JointPair& pair : list_joint_pairs(model)) {
    if (watched_.size() == kMostWatched) break;
    Watched watched{pair, {}, -1.0};
    for (const int a : colliders_of[pair.child]) {
      for (const int b : colliders_of[pair.parent]) {
        const Collider &first = model.colliders[a], &second = model.colliders[b];
        if (first.surface != nullptr || second.surface != nullptr) continue;  // perhaps without an inside
        watched.shapes.push_back({a, b, Separator(first.shape, second.shape)});
      }
    }
    if (!watched.shapes.empty()) watched_.push_back(std::move(watched));
  }
}

bool JointPairWatch::is_through(Watched& watched, const BodyMotion& motion) const {
  return std::any_of(watched.shapes.begin(), watched.shapes.end(), [&](Shapes& shapes) {
    const Collider &a = model_.colliders[shapes.collider_a], &b = model_.colliders[shapes.collider_b];
    const SeparationBound bound =
        shapes.separator.calc(calc_collider_pose(a, motion.X_WB[a.link]), calc_collider_pose(b, motion.X_WB[b.link]));
    return bound.is_exact && bound.distance <= 0.0;
  });
}

void JointPairWatch::look(double t, const BodyMotion& motion) {
  if (!has_begun_) {
    has_begun_ = true;
    std::erase_if(watched_, [&](Watched& watched) { return is_through(watched, motion); });
  }
  for (Watched& watched : watched_) {
    if (watched.time_through < 0.0 && is_through(watched, motion)) watched.time_through = t;
  }
}

std::vector<std::string> JointPairWatch::make_notes() const {
  std::vector<std::string> notes;
  for (const Watched& watched : watched_) {
    if (watched.time_through < 0.0) continue;
    notes.push_back(fmt::format("'{}' and '{}' pass through each other from {:.4g} s on: {}",
                                model_.body_name(watched.pair.child), model_.body_name(watched.pair.parent),
                                watched.time_through, describe_joint_pair(model_, watched.pair)));
  }
  return notes;
}

}  // namespace abut
