// How several points of one impact share the mass that they stop together.

#include <array>

#include <Eigen/Eigenvalues>

#include "abut/contact/region/point_region.hpp"

namespace abut {

namespace {

constexpr int kMaxSharers = 32;
/// Points whose normals are closer than this act along one direction (an angle of 1e-3) [1].
constexpr double kParallel = 1.0 - 5e-7;

using Square = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, kMaxSharers, kMaxSharers>;
using Column = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, kMaxSharers, 1>;

/// Least-squares solution of W m = 1: the masses that are stopped at each point when all of them are stopped at one
/// speed. W is singular where more points touch than the bodies have freedom; the masses of least squares are then the
/// even ones.
Column solve_masses(const Square& W) {
  const Eigen::SelfAdjointEigenSolver<Square> eigen(W);
  const Column values = eigen.eigenvalues();
  Column weights = eigen.eigenvectors().transpose() * Column::Ones(W.rows());
  const double least = 1e-9 * values[values.size() - 1];  // rounding of the entries is far below
  for (Eigen::Index i = 0; i < weights.size(); ++i) weights[i] = values[i] > least ? weights[i] / values[i] : 0.0;
  return eigen.eigenvectors() * weights;
}

}  // namespace

/// W_ij = velocity along the normal at point i by a unit impulse at point j. Two parallel impulses are one of twice the
/// size half-way between them, so that W_ij = (4 W(middle) - W_ii - W_jj) / 2.
void PointRegion::share_impact(int point, double time, const CalcEffectiveMass& effective_mass, PatchPool& pool) const {
  const Candidate& own = table_.candidates.candidate_of_point(point);
  const int link_a = table_.colliders[own.collider_a].link, link_b = table_.colliders[own.collider_b].link;
  if (own.pair.num_points == 1 && !has_several_colliders(link_a) && !has_several_colliders(link_b)) return;
  const Vec3 n = table_.geometry[point].normal;
  std::array<int, kMaxSharers> sharers{};
  int count = 0;
  for (int other = 0; other < table_.candidates.num_points() && count < kMaxSharers; ++other) {
    if (table_.patch_at[other] < 0) continue;
    const Candidate& candidate = table_.candidates.candidate_of_point(other);
    if (candidate.region != kKind) continue;
    if (table_.colliders[candidate.collider_a].link != link_a || table_.colliders[candidate.collider_b].link != link_b)
      continue;
    const Blow& blow = pool.patches[table_.patch_at[other]].blow;
    if (time > blow.touch_time + blow.hold_time || table_.geometry[other].normal.dot(n) < kParallel) continue;
    sharers[count++] = other;
  }
  if (count < 2) return;

  const auto calc_inverse = [&](const Vec3& at) { return 1.0 / effective_mass(link_a, link_b, at, n); };
  const auto position = [&](int i) {
    return Vec3(table_.geometry[sharers[i]].point + table_.geometry[sharers[i]].arm);
  };
  Square W(count, count);
  for (int i = 0; i < count; ++i) W(i, i) = calc_inverse(position(i));
  for (int i = 0; i < count; ++i) {
    for (int j = 0; j < i; ++j) {
      const double middle = calc_inverse(0.5 * (position(i) + position(j)));
      W(i, j) = W(j, i) = 2.0 * middle - 0.5 * (W(i, i) + W(j, j));
    }
  }
  const Column masses = solve_masses(W);
  for (int i = 0; i < count; ++i) {
    // A point that the others relieve altogether goes on as if it were alone.
    const double mass = masses[i] * W(i, i) > 0.05 ? masses[i] : 1.0 / W(i, i);
    Patch& patch = pool.patches[table_.patch_at[sharers[i]]];
    patch.effective_mass = mass;
    make_patch_law(table_.rules[patch.rule].normal, patch.normal.stiffness, patch);
  }
}

}  // namespace abut
