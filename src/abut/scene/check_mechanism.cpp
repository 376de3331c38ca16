#include <cmath>
#include <map>
#include <string_view>

#include <Eigen/Eigenvalues>
#include <fmt/format.h>

#include "abut/scene/check_specs.hpp"

namespace abut {
namespace {

using Type = JointSpec::Type;

/// q = ratio q_root + offset, as a chain of couplings says.
struct Follower {
  std::string_view root;
  double ratio = 1.0, offset = 0.0;
};

/// Joints that rigid couplings tie together.
class Chains {
 public:
  Follower find(std::string_view joint) const {
    const auto found = followers_.find(joint);
    return found == followers_.end() ? Follower{joint} : found->second;
  }
  /// q_a = ratio q_b + offset, of joints with different roots.
  void tie(std::string_view a, std::string_view b, double ratio, double offset) {
    // r_a q_A + o_a = ratio (r_b q_B + o_b) + offset
    const Follower from = find(a), to = find(b);
    const double scale = ratio * to.ratio / from.ratio;
    const double shift = (ratio * to.offset + offset - from.offset) / from.ratio;
    followers_.emplace(from.root, Follower{from.root});
    for (auto& [name, follower] : followers_) {
      if (follower.root != from.root) continue;
      follower = {to.root, follower.ratio * scale, follower.ratio * shift + follower.offset};
    }
  }

 private:
  std::map<std::string_view, Follower, std::less<>> followers_;
};

const JointSpec* find_joint(const SceneSpec& scene, const std::string& name) {
  for (const JointSpec& joint : scene.joint) {
    if (joint.name == name) return &joint;
  }
  return nullptr;
}

/// Null where the name is no joint that can be coupled; that is reported.
const JointSpec* check_end(const SceneSpec& scene, const CouplingSpec& coupling, const char* key,
                           const std::string& name, const std::string& label, ProblemList& problems) {
  if (coupling.is_unusable(key) || name.empty() || scene.is_unusable("joint")) return nullptr;
  const JointSpec* joint = find_joint(scene, name);
  if (joint == nullptr) {
    std::vector<std::string> names;
    for (const JointSpec& other : scene.joint) names.push_back(other.name);
    problems.add(coupling.location_of(key),
                 fmt::format("there is no joint '{}' for {} in {}.{}", name, key, label, suggest(name, names)),
                 fmt::format("Joints: {}.", list_names(names)));
    return nullptr;
  }
  if (joint->is_unusable("type")) return nullptr;
  const bool is_single = joint->type == Type::revolute || joint->type == Type::prismatic;
  if (!is_single || joint->closes_loop) {
    problems.add(coupling.location_of(key),
                 fmt::format("joint '{}' {}: {} takes revolute and prismatic joints of the tree", name,
                             joint->closes_loop ? "closes a loop and has no coordinate"
                                                : fmt::format("is {}", enum_name(joint->type)),
                             label));
    return nullptr;
  }
  return joint;
}

/// Numbers of a matrix as given: 6 on its diagonal, or all 36.
void check_matrix(const BushingSpec& bushing, const char* key, const std::vector<double>& numbers,
                  const std::string& label, ProblemList& problems) {
  if (bushing.is_unusable(key)) return;
  if (numbers.size() != 6 && numbers.size() != 36) {
    problems.add(bushing.location_of(key),
                 fmt::format("{} has {} numbers in {}; 6 or 36 are allowed", key, numbers.size(), label));
    return;
  }
  Mat6 matrix = Mat6::Zero();
  for (int i = 0; i < 6; ++i) {
    for (int j = 0; j < 6; ++j) {
      if (numbers.size() == 36) matrix(i, j) = numbers[static_cast<std::size_t>(6 * i + j)];
    }
    if (numbers.size() == 6) matrix(i, i) = numbers[static_cast<std::size_t>(i)];
  }
  if (!matrix.allFinite()) return;  // reported with its field
  const double largest = matrix.cwiseAbs().maxCoeff();
  if ((matrix - matrix.transpose()).cwiseAbs().maxCoeff() > 1e-9 * largest) {
    problems.add(bushing.location_of(key), fmt::format("{} is not symmetric in {}", key, label));
  } else if (Eigen::SelfAdjointEigenSolver<Mat6>(matrix, Eigen::EigenvaluesOnly).eigenvalues()[0] < -1e-9 * largest) {
    problems.add(bushing.location_of(key),
                 fmt::format("{} has a direction in which it is negative in {}: it would push bodies on", key, label));
  }
}

}  // namespace

void check_whole(const JointFrictionSpec& friction, const std::string& label, ProblemList& problems) {
  if (friction.stiction && *friction.stiction < friction.coulomb) {
    problems.add(friction.location_of("stiction"),
                 fmt::format("stiction {:g} is below coulomb {:g} in {}", *friction.stiction, friction.coulomb, label));
  }
  if (friction.has_stiction() && !(friction.coulomb > 0.0) && !friction.is_unusable("coulomb")) {
    problems.add(friction.where, fmt::format("friction with bristles needs coulomb > 0 in {}", label));
  }
}

void check_whole(const CouplingSpec& coupling, const std::string& label, ProblemList& problems) {
  if (coupling.ratio == 0.0) {
    problems.add(coupling.location_of("ratio"), fmt::format("ratio must not be zero in {}", label),
                 "A fixed joint holds what does not move.");
  }
  if (coupling.damping && !coupling.stiffness && !coupling.is_unusable("stiffness")) {
    problems.add(coupling.location_of("damping"),
                 fmt::format("damping without stiffness would let the joints drift apart in {}", label));
  }
}

void check_whole(const BushingSpec& bushing, const std::string& label, ProblemList& problems) {
  if (bushing.parent_orientation && bushing.parent_rotation) {
    problems.add(bushing.location_of("parent_rotation"),
                 fmt::format("parent_orientation and parent_rotation are both given in {}", label));
  }
  if (bushing.child_orientation && bushing.child_rotation) {
    problems.add(bushing.location_of("child_rotation"),
                 fmt::format("child_orientation and child_rotation are both given in {}", label));
  }
  check_matrix(bushing, "stiffness", bushing.stiffness, label, problems);
  if (!bushing.damping.empty()) check_matrix(bushing, "damping", bushing.damping, label, problems);
}

void check_couplings(const SceneSpec& scene, ProblemList& problems) {
  Chains chains;
  std::map<std::string_view, const JointSpec*> driven;  // prescribed joint of each chain, by root
  for (const CouplingSpec& coupling : scene.coupling) {
    const std::string label = coupling.name.empty() ? "[[coupling]]" : fmt::format("[[coupling]] '{}'", coupling.name);
    const JointSpec* joint = check_end(scene, coupling, "joint", coupling.joint, label, problems);
    const JointSpec* of = check_end(scene, coupling, "of", coupling.of, label, problems);
    if (joint == nullptr || of == nullptr) continue;
    if (joint == of) {
      problems.add(coupling.location_of("of"), fmt::format("{} couples joint '{}' to itself", label, coupling.of));
      continue;
    }
    if (coupling.is_compliant() || coupling.ratio == 0.0) continue;
    const Follower a = chains.find(joint->name), b = chains.find(of->name);
    if (a.root != b.root) {
      chains.tie(joint->name, of->name, coupling.ratio, coupling.offset);
      continue;
    }
    // a.ratio q + a.offset = ratio (b.ratio q + b.offset) + offset
    const double slope = a.ratio - coupling.ratio * b.ratio;
    const double rest = coupling.ratio * b.offset + coupling.offset - a.offset;
    const double size = std::abs(a.ratio) + std::abs(coupling.ratio * b.ratio);
    const double shift = std::abs(coupling.ratio * b.offset) + std::abs(coupling.offset) + std::abs(a.offset);
    if (std::abs(slope) > 1e-9 * size) {
      problems.add(coupling.location_of("ratio"),
                   fmt::format("{} and the couplings before it lock joint '{}': they can all hold only where joint "
                               "'{}' is at {:.6g}",
                               label, joint->name, a.root, rest / slope + 0.0),
                   fmt::format("Without it '{}' already follows '{}' with ratio {:.6g}.", joint->name, of->name,
                               a.ratio / b.ratio));
    } else if (std::abs(rest) > 1e-9 * shift) {
      problems.add(coupling.location_of("offset"),
                   fmt::format("{} contradicts the couplings before it: joint '{}' already follows '{}' with another "
                               "offset, {:.6g} apart",
                               label, joint->name, of->name, std::abs(rest)));
    }
  }
  for (const JointSpec& joint : scene.joint) {
    if (!joint.motion) continue;
    const auto [place, is_new] = driven.emplace(chains.find(joint.name).root, &joint);
    if (is_new) continue;
    problems.add(joint.location_of("motion"),
                 fmt::format("joints '{}' and '{}' both have a prescribed motion and are coupled to each other",
                             place->second->name, joint.name),
                 "Leave one motion out: the coupling moves that joint.");
  }
}

}  // namespace abut
