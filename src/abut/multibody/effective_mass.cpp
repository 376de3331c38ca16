#include "abut/multibody/effective_mass.hpp"

#include <array>
#include <vector>

#include "abut/multibody/articulated_body.hpp"

namespace abut {
namespace {

double calc_for_free_leaf(const FreeLeaf& leaf, const Kinematics& k, const Vec3& p_WQ, const Vec3& n) {
  const std::size_t i = static_cast<std::size_t>(leaf.link);
  const Vec3 moment = (p_WQ - k.p_WCm[i]).cross(n);
  const Vec3 moment_B = k.X_WB[i].R.transpose() * moment;
  const double angular =
      leaf.isotropic ? leaf.inverse_moment * moment.squaredNorm() : moment_B.dot(leaf.inverse_inertia * moment_B);
  return leaf.inverse_mass * n.squaredNorm() + angular;
}

/// A force of `sign` N along n on a link.
struct UnitForce {
  int link;
  double sign;
};

/// Acceleration along the forces' own directions, all links of one group at rest and unloaded otherwise.
double calc_response(const Tree& tree, const Kinematics& k, const std::vector<UnitForce>& forces, const Vec3& p_WQ,
                     const Vec3& n) {
  const IndexRange range = tree.groups()[static_cast<std::size_t>(tree.link(forces.front().link).group)];
  std::vector<ArticulatedBody> bodies(static_cast<std::size_t>(range.end - range.begin));
  set_rigid_bodies(tree, k, range, bodies);
  const auto body_of = [&](int link) -> ArticulatedBody& {
    return bodies[static_cast<std::size_t>(tree.link(link).articulated_index - range.begin)];
  };
  const auto direction_at = [&](int link) {
    Vec6 direction;
    direction.head<3>() = n;
    direction.tail<3>() = (p_WQ - k.p_WCm[static_cast<std::size_t>(link)]).cross(n);
    return direction;
  };
  for (const UnitForce& force : forces) body_of(force.link).p -= force.sign * direction_at(force.link);
  const JointInput input{{}, {}, false};
  reduce_bodies(tree, k, range, input, bodies);
  expand_bodies(tree, k, range, input, bodies, {}, {});
  double response = 0.0;
  for (const UnitForce& force : forces) response += force.sign * direction_at(force.link).dot(body_of(force.link).a);
  return response;
}

}  // namespace

double calc_inverse_effective_mass(const Tree& tree, const Kinematics& kinematics, int link_a, int link_b,
                                   const Vec3& p_WQ, const Vec3& direction_W) {
  if (link_a == link_b) return 0.0;
  double total = 0.0;
  std::vector<UnitForce> articulated;
  for (const UnitForce& side : std::array<UnitForce, 2>{{{link_a, 1.0}, {link_b, -1.0}}}) {
    if (tree.is_immovable(side.link)) continue;
    const int leaf = tree.free_leaf_index(side.link);
    if (leaf >= 0) {
      total += calc_for_free_leaf(tree.free_leaf_data()[static_cast<std::size_t>(leaf)], kinematics, p_WQ, direction_W);
    } else {
      articulated.push_back(side);
    }
  }
  const bool coupled =
      articulated.size() == 2 && tree.link(articulated[0].link).group == tree.link(articulated[1].link).group;
  if (coupled) return calc_response(tree, kinematics, articulated, p_WQ, direction_W);
  for (const UnitForce& side : articulated) total += calc_response(tree, kinematics, {side}, p_WQ, direction_W);
  return total;
}

}  // namespace abut
