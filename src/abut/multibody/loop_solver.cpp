#include "abut/multibody/loop_solver.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "abut/multibody/spatial.hpp"

namespace abut {
namespace {

/// Gaps and speeds below these, in parts of the island's size and of its fastest point, are rounding.
constexpr double kClosedGap = 1e-13, kClosedSpeed = 1e-13;
/// Rounding of coordinates far from the origin [1].
constexpr double kRounding = 8.0 * std::numeric_limits<double>::epsilon();

std::size_t at(int i) { return static_cast<std::size_t>(i); }

}  // namespace

LoopSolver::LoopSolver(const Tree& tree, const LoopSet& set) : tree_(tree), set_(set) {
  scratch_.resize(set.islands().size());
  place_.assign(tree.articulated_links().size(), -1);
  change_.assign(tree.articulated_links().size(), Vec6::Zero());
  for (std::size_t i = 0; i < set.islands().size(); ++i) {
    const LoopIsland& island = set.islands()[i];
    Scratch& s = scratch_[i];
    s.K.setZero(island.num_columns, island.num_rows);
    s.P.resize(island.links.size());
    s.shares.resize(island.links.size());
    s.inverse.resize(island.links.size());
    for (std::size_t k = 0; k < island.links.size(); ++k)
      place_[at(tree.link(island.links[k]).articulated_index)] = static_cast<int>(k);
  }
}

void LoopSolver::look(const Kinematics& kinematics, std::span<const double> q, std::span<const double> v) {
  for (std::size_t i = 0; i < scratch_.size(); ++i)
    set_.calc_values(tree_, set_.islands()[i], kinematics, q, v, scratch_[i].geometry, scratch_[i].values);
}

double LoopSolver::calc_worst_gap() const {
  double worst = 0.0;
  for (std::size_t i = 0; i < scratch_.size(); ++i) {
    const LoopIsland& island = set_.islands()[i];
    const double gap = scratch_[i].values.gap.cwiseProduct(island.scale).lpNorm<Eigen::Infinity>();
    worst = std::max(worst, gap / island.size);
  }
  return worst;
}

bool LoopSolver::is_gap_closed() const {
  for (std::size_t i = 0; i < scratch_.size(); ++i) {
    const LoopIsland& island = set_.islands()[i];
    double far = 0.0;
    for (const LoopGeometry& loop : scratch_[i].geometry) far = std::max(far, loop.point.norm());
    const double least = std::max(kClosedGap * island.size, kRounding * far);
    if (!(scratch_[i].values.gap.cwiseProduct(island.scale).lpNorm<Eigen::Infinity>() <= least)) return false;
  }
  return true;
}

bool LoopSolver::is_speed_closed(const Kinematics& kinematics) const {
  for (std::size_t i = 0; i < scratch_.size(); ++i) {
    const LoopIsland& island = set_.islands()[i];
    double fastest = 0.0;
    for (const int link : island.links)
      fastest = std::max(fastest, kinematics.v_WCm[at(link)].norm() + island.size * kinematics.w_WB[at(link)].norm());
    const double speed = scratch_[i].values.speed.cwiseProduct(island.scale).lpNorm<Eigen::Infinity>();
    if (!(speed <= kClosedSpeed * fastest)) return false;
  }
  return true;
}

/// Wrenches of the rows at the ends of loops, handed inwards: K at each joint, the rest to the parent.
void LoopSolver::propagate(const LoopIsland& island, const Kinematics& kinematics,
                           std::span<const ArticulatedBody> bodies, Scratch& s) {
  const auto place_of = [&](int link) { return at(place_[at(tree_.link(link).articulated_index)]); };
  for (std::size_t k = 0; k < island.links.size(); ++k) s.P[k].setZero(6, island.rows[k].end - island.rows[k].begin);
  for (std::size_t l = 0; l < island.loops.size(); ++l) {
    const Loop& loop = set_.loops()[at(island.loops[l])];
    for (const double sign : {1.0, -1.0}) {
      const int link = sign > 0.0 ? loop.link_b : loop.link_a;
      if (tree_.is_static(link)) continue;
      const std::size_t k = place_of(link);
      const Vec3 arm = s.geometry[l].point - kinematics.p_WCm[at(link)];
      for (int row = 0; row < loop.num_rows(); ++row) {
        s.P[k].col(island.first_row[l] + row - island.rows[k].begin) +=
            sign * spatial::shift_force(s.geometry[l].wrench.col(row), arm);
      }
    }
  }
  s.K.setZero();
  for (std::size_t c = 0; c < island.couplings.size(); ++c) {
    const Coupling& coupling = set_.couplings()[at(island.couplings[c])];
    const int row = island.first_row[island.loops.size() + c];
    s.K(island.column[place_of(coupling.link)], row) += 1.0;
    s.K(island.column[place_of(coupling.link_of)], row) -= coupling.ratio;
  }
  for (std::size_t k = island.links.size(); k-- > 0;) {
    const int index = island.links[k];
    const Link& link = tree_.link(index);
    const ArticulatedBody& body = bodies[at(link.articulated_index)];
    const int first = island.rows[k].begin, count = island.rows[k].end - first, n = link.num_v;
    Mat6& inverse = s.inverse[k];
    inverse.setZero();
    if (n > 0) {
      const spatial::JointColumns S = spatial::calc_joint_columns(link, kinematics);
      auto K = s.K.block(island.column[k], first, n, count);
      K.noalias() += S.transpose() * s.P[k];
      if (!link.prescribed) {
        if (n == 1) {
          inverse(0, 0) = 1.0 / S.col(0).dot(body.I * S.col(0));
        } else {
          const MatX D = S.transpose() * body.I * S;
          inverse.topLeftCorner(n, n) = D.llt().solve(MatX::Identity(n, n));
        }
        if (link.joint != JointType::free) s.P[k].noalias() -= body.gain.topRows(n).transpose() * K;
      }
    }
    if (link.parent == kWorld || tree_.is_static(link.parent) || link.joint == JointType::free) continue;
    const std::size_t parent = place_of(link.parent);
    const Vec3 r = spatial::calc_arm(link, index, kinematics);
    for (int c = 0; c < count; ++c)
      s.P[parent].col(first + c - island.rows[parent].begin) += spatial::shift_force(s.P[k].col(c), r);
  }
}

void LoopSolver::make_matrix(const LoopIsland& island, Scratch& s) {
  MatX full = MatX::Zero(island.num_rows, island.num_rows);
  for (std::size_t k = 0; k < island.links.size(); ++k) {
    const Link& link = tree_.link(island.links[k]);
    if (link.num_v == 0 || link.prescribed) continue;
    const int first = island.rows[k].begin, count = island.rows[k].end - first, n = link.num_v;
    const auto K = s.K.block(island.column[k], first, n, count);
    full.block(first, first, count, count).noalias() += K.transpose() * (s.inverse[k].topLeftCorner(n, n) * K);
  }
  s.matrix.resize(island.num_active, island.num_active);
  for (int i = 0, row = 0; row < island.num_rows; ++row) {
    if (!island.is_active[at(row)]) continue;
    for (int j = 0, column = 0; column < island.num_rows; ++column) {
      if (!island.is_active[at(column)]) continue;
      s.matrix(i, j++) = island.scale[row] * full(row, column) * island.scale[column];
    }
    ++i;
  }
  s.is_full = island.rank == island.num_active;
  if (s.is_full) {
    s.llt.compute(s.matrix);
    // Next to a dead point rounding may make it indefinite.
    s.is_full = s.llt.info() == Eigen::Success;
  }
  if (!s.is_full) s.eigen.compute(s.matrix);
}

void LoopSolver::factor(const Kinematics& kinematics, std::span<const ArticulatedBody> bodies) {
  for (std::size_t i = 0; i < scratch_.size(); ++i) {
    propagate(set_.islands()[i], kinematics, bodies, scratch_[i]);
    make_matrix(set_.islands()[i], scratch_[i]);
  }
}

/// x from b.
void LoopSolver::solve(const LoopIsland& island, Scratch& s) {
  s.active.resize(island.num_active);
  for (int i = 0, row = 0; row < island.num_rows; ++row) {
    if (island.is_active[at(row)]) s.active[i++] = island.scale[row] * s.b[row];
  }
  if (s.is_full) {
    s.llt.solveInPlace(s.active);
  } else {
    const VecX& values = s.eigen.eigenvalues();  // ascending
    const MatX& vectors = s.eigen.eigenvectors();
    const int left_out = island.num_active - island.rank;
    VecX parts = vectors.transpose() * s.active;
    for (int k = 0; k < parts.size(); ++k) parts[k] = k < left_out ? 0.0 : parts[k] / values[k];
    s.active = vectors * parts;
  }
  s.x.setZero(island.num_rows);
  for (int i = 0, row = 0; row < island.num_rows; ++row) {
    if (island.is_active[at(row)]) s.x[row] = island.scale[row] * s.active[i++];
  }
}

/// Rates of joints under the multipliers x alone, roots to leaves, added to `rates`.
void LoopSolver::expand(const LoopIsland& island, const Kinematics& kinematics, std::span<ArticulatedBody> bodies,
                        std::span<double> rates, std::span<double> prescribed_force, bool keeps, Scratch& s) {
  s.u.noalias() = s.K * s.x;
  for (const IndexRange& group : island.groups) {
    for (int n = group.begin; n < group.end; ++n) {
      const int index = tree_.articulated_links()[at(n)];
      const Link& link = tree_.link(index);
      ArticulatedBody& body = bodies[at(n)];
      const int place = place_[at(n)], size = link.num_v;
      Vec6 a = Vec6::Zero();
      if (link.parent != kWorld) {
        const int parent = tree_.link(link.parent).articulated_index;
        a = spatial::shift_motion(change_[at(parent)], spatial::calc_arm(link, index, kinematics));
      }
      if (size > 0 && !link.prescribed) {
        Vec6 rate = Vec6::Zero();
        if (place >= 0)
          rate.head(size) =
              s.inverse[at(place)].topLeftCorner(size, size) * s.u.segment(island.column[at(place)], size);
        if (link.joint == JointType::free) {
          a = rate;
        } else {
          rate.head(size) -= body.gain.topRows(size) * a;
          a.noalias() += kinematics.S.middleCols(link.subspace_start, size) * rate.head(size);
        }
        for (int c = 0; c < size; ++c) rates[at(link.v_start + c)] += rate[c];
      } else if (size > 0 && !prescribed_force.empty()) {
        const auto S = kinematics.S.middleCols(link.subspace_start, size);
        Vec6 force = Vec6::Zero();
        force.head(size) = S.transpose() * (body.I * a);
        if (place >= 0) force.head(size) -= s.u.segment(island.column[at(place)], size);
        for (int c = 0; c < size; ++c) prescribed_force[at(link.v_start + c)] += force[c];
      }
      change_[at(n)] = a;
      if (keeps) body.a += a;
    }
  }
}

void LoopSolver::add_accelerations(const Kinematics& kinematics, std::span<ArticulatedBody> bodies,
                                   std::span<double> vdot, std::span<double> prescribed_force, double step,
                                   const std::vector<VecX>* start) {
  for (std::size_t i = 0; i < scratch_.size(); ++i) {
    const LoopIsland& island = set_.islands()[i];
    Scratch& s = scratch_[i];
    s.b = s.values.bias;
    for (std::size_t l = 0; l < island.loops.size(); ++l) {
      const Loop& loop = set_.loops()[at(island.loops[l])];
      for (const double sign : {1.0, -1.0}) {
        const int link = sign > 0.0 ? loop.link_b : loop.link_a;
        if (tree_.is_static(link)) continue;
        const Vec3 arm = s.geometry[l].point - kinematics.p_WCm[at(link)];
        s.b.segment(island.first_row[l], loop.num_rows()) +=
            sign * (s.geometry[l].wrench.transpose() *
                    spatial::shift_motion(bodies[at(tree_.link(link).articulated_index)].a, arm));
      }
    }
    for (std::size_t c = 0; c < island.couplings.size(); ++c) {
      const Coupling& coupling = set_.couplings()[at(island.couplings[c])];
      s.b[island.first_row[island.loops.size() + c]] +=
          vdot[at(tree_.link(coupling.link).v_start)] - coupling.ratio * vdot[at(tree_.link(coupling.link_of).v_start)];
    }
    if (step > 0.0) {
      s.u.resize(island.num_columns);
      for (std::size_t k = 0; k < island.links.size(); ++k) {
        const Link& link = tree_.link(island.links[k]);
        for (int c = 0; c < link.num_v; ++c) s.u[island.column[k] + c] = vdot[at(link.v_start + c)];
      }
      // g'' = J vdot + bias: half of the bias, and what the start is off by.
      s.b = 0.5 * (s.b + set_.calc_jacobian(tree_, island, kinematics, s.geometry) * s.u) + (*start)[i] / step;
    }
    s.b = -s.b;
    solve(island, s);
    expand(island, kinematics, bodies, vdot, prescribed_force, true, s);
  }
}

void LoopSolver::add_closing(Close what, const Kinematics& kinematics, std::span<ArticulatedBody> bodies,
                             std::span<double> change) {
  for (std::size_t i = 0; i < scratch_.size(); ++i) {
    Scratch& s = scratch_[i];
    s.b = what == Close::gap ? VecX(-s.values.gap) : VecX(-s.values.speed);
    solve(set_.islands()[i], s);
    expand(set_.islands()[i], kinematics, bodies, change, {}, false, s);
  }
}

void LoopSolver::add_wrenches(const Kinematics& kinematics, std::span<Vec6> wrenches) const {
  for (std::size_t i = 0; i < scratch_.size(); ++i) {
    const LoopIsland& island = set_.islands()[i];
    const Scratch& s = scratch_[i];
    for (std::size_t l = 0; l < island.loops.size(); ++l) {
      const Loop& loop = set_.loops()[at(island.loops[l])];
      const Vec6 wrench = s.geometry[l].wrench * s.x.segment(island.first_row[l], loop.num_rows());
      for (const double sign : {1.0, -1.0}) {
        const int link = sign > 0.0 ? loop.link_b : loop.link_a;
        if (link == kWorld) continue;
        wrenches[at(link)] += sign * spatial::shift_force(wrench, s.geometry[l].point - kinematics.p_WCm[at(link)]);
      }
    }
  }
}

void LoopSolver::add_coupling_forces(std::span<double> tau) const {
  for (std::size_t i = 0; i < scratch_.size(); ++i) {
    const LoopIsland& island = set_.islands()[i];
    for (std::size_t c = 0; c < island.couplings.size(); ++c) {
      const Coupling& coupling = set_.couplings()[at(island.couplings[c])];
      const double x = scratch_[i].x[island.first_row[island.loops.size() + c]];
      tau[at(tree_.link(coupling.link).v_start)] += x;
      tau[at(tree_.link(coupling.link_of).v_start)] -= coupling.ratio * x;
    }
  }
}

}  // namespace abut
