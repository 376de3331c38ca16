#include "abut/multibody/loop_assembly.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <Eigen/Cholesky>
#include <Eigen/QR>

#include "abut/multibody/configuration.hpp"

namespace abut {
namespace {

/// Part of the largest singular value (by pivots) below which a row says nothing new [1].
constexpr double kDependent = 1e-7;
/// Gaps and speeds that count as closed, in parts of the size [1].
constexpr double kClosed = 1e-12;

std::size_t at(int i) { return static_cast<std::size_t>(i); }

/// One island at some coordinates: rows in lengths, columns in lengths, so that both compare.
class Mechanism {
 public:
  Mechanism(const Tree& tree, const LoopSet& set, const LoopIsland& island) : tree_(tree), set_(set), island_(island) {
    kinematics_.resize(tree);
    unit_ = VecX::Ones(island.num_columns);
    for (std::size_t k = 0; k < island.links.size(); ++k) {
      const Link& link = tree.link(island.links[k]);
      for (int c = 0; c < link.num_v; ++c) {
        if (is_angle(link.joint, c)) unit_[island.column[k] + c] = 1.0 / island.size;
      }
    }
  }

  void look(const std::vector<double>& q, const std::vector<double>& v) {
    calc_articulated_kinematics(tree_, q, v, kinematics_);
    set_.calc_values(tree_, island_, kinematics_, q, v, geometry_, values_);
  }
  VecX gap() const { return values_.gap.cwiseProduct(island_.scale); }
  VecX speed() const { return values_.speed.cwiseProduct(island_.scale); }
  double worst_gap() const { return gap().lpNorm<Eigen::Infinity>(); }
  /// The loop or coupling with the largest part of `left`, and that part.
  LoopFailure find_worst(LoopFailure::Kind kind, const VecX& left) const {
    LoopFailure failure{kind, {}, -1.0, island_.size};
    for (std::size_t k = 0; k < island_.first_row.size(); ++k) {
      const int first = island_.first_row[k];
      const int end = k + 1 < island_.first_row.size() ? island_.first_row[k + 1] : island_.num_rows;
      const double part = left.segment(first, end - first).norm();
      if (!(part > failure.gap)) continue;
      failure.gap = part;
      failure.what = set_.describe_row(island_, first);
    }
    return failure;
  }

  /// Which joints keep what they have: those with a number in `order` from 1 to `most`.
  struct Holds {
    const std::vector<int>* order = nullptr;
    int most = 0;
    bool has(int link) const { return order != nullptr && (*order)[at(link)] > 0 && (*order)[at(link)] <= most; }
  };
  /// Numbers in `order` of the island's links, largest first, and 0: what is let go in turn.
  std::vector<int> list_holds(const std::vector<int>& order) const {
    std::vector<int> numbers = {0};
    for (const int link : island_.links) {
      if (order[at(link)] > 0) numbers.push_back(order[at(link)]);
    }
    std::sort(numbers.rbegin(), numbers.rend());
    numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
    constexpr std::size_t kMost = 12;
    if (numbers.size() > kMost) numbers.erase(numbers.begin() + kMost - 1, numbers.end() - 1);
    return numbers;
  }

  /// Scaled; columns of prescribed and of held joints are zero, or with `only_prescribed` all others.
  MatX calc_jacobian(Holds holds, bool only_prescribed = false) const {
    MatX J =
        island_.scale.asDiagonal() * set_.calc_jacobian(tree_, island_, kinematics_, geometry_) * unit_.asDiagonal();
    for (std::size_t k = 0; k < island_.links.size(); ++k) {
      const Link& link = tree_.link(island_.links[k]);
      const bool is_held = holds.has(island_.links[k]);
      if (only_prescribed ? link.prescribed : !link.prescribed && !is_held) continue;
      J.middleCols(island_.column[k], link.num_v).setZero();
    }
    return J;
  }

  /// Adds scaled changes to all coordinates' rates.
  void add(const VecX& change, std::vector<double>& rates) const {
    for (std::size_t k = 0; k < island_.links.size(); ++k) {
      const Link& link = tree_.link(island_.links[k]);
      for (int c = 0; c < link.num_v; ++c)
        rates[at(link.v_start + c)] += unit_[island_.column[k] + c] * change[island_.column[k] + c];
    }
  }

  /// Newton's method; the gap never grows. Where its direction does not help, as where the mechanism is stretched out,
  /// steps of Levenberg and Marquardt lead to the smallest gap around. True where closed.
  bool close(Holds holds, std::vector<double>& q) {
    constexpr int kMost = 200;
    constexpr std::array kDampings = {0.0,  0.0, 0.0,  1e-4,
                                      1e-2, 1.0, 100.0};  // of J' J, in which 1 is a lever of the size
    const std::vector<double> rest(at(tree_.num_v()), 0.0);
    look(q, rest);
    for (int k = 0; k < kMost && !(worst_gap() <= kClosed * island_.size); ++k) {
      const VecX now = gap();
      const MatX J = calc_jacobian(holds);
      const double start = now.norm();
      double least = start, part = 1.0;
      std::vector<double> best;
      for (const double damping : kDampings) {
        const VecX step = damping == 0.0 ? VecX(-decompose(J).solve(now)) : calc_damped_step(J, now, damping);
        std::vector<double> next = take(q, step, damping == 0.0 ? part : 1.0);
        part *= 0.3;
        look(next, rest);
        if (!(gap().norm() < least)) continue;
        least = gap().norm();
        best = std::move(next);
        if (least < 0.5 * start) break;
      }
      // By more than rounding, or there is nothing to be gained.
      if (!(least < (1.0 - 1e-6) * start)) break;
      q = std::move(best);
      look(q, rest);
    }
    return is_nearly_closed(q, rest);
  }

  static Eigen::CompleteOrthogonalDecomposition<MatX> decompose(const MatX& J) {
    Eigen::CompleteOrthogonalDecomposition<MatX> factors(J.rows(), J.cols());
    factors.setThreshold(kDependent);
    factors.compute(J);
    return factors;
  }

 private:
  static bool is_angle(JointType joint, int c) {
    switch (joint) {
      case JointType::revolute:
      case JointType::spherical:
      case JointType::universal:
        return true;
      case JointType::planar:
        return c == 2;
      case JointType::free:
        return c >= 3;
      default:
        return false;
    }
  }
  static VecX calc_damped_step(const MatX& J, const VecX& gap, double damping) {
    MatX A = J.transpose() * J;
    A.diagonal().array() += damping;
    return -A.ldlt().solve(J.transpose() * gap);
  }
  /// Coordinates after part of a step, which is at most a third of the size long.
  std::vector<double> take(const std::vector<double>& q, const VecX& step, double part) const {
    constexpr double kLongest = 0.3;
    const double length = step.lpNorm<Eigen::Infinity>();
    if (!std::isfinite(length)) return q;
    std::vector<double> change(at(tree_.num_v()), 0.0), next = q;
    add(part * std::min(1.0, kLongest * island_.size / std::max(length, 1e-300)) * step, change);
    move_coordinates(tree_, change, 1.0, next);
    return next;
  }
  bool is_nearly_closed(const std::vector<double>& q, const std::vector<double>& rest) {
    look(q, rest);
    return worst_gap() <= 100.0 * kClosed * island_.size;
  }

  const Tree& tree_;
  const LoopSet& set_;
  const LoopIsland& island_;
  Kinematics kinematics_;
  std::vector<LoopGeometry> geometry_;
  LoopSet::Values values_;
  VecX unit_;
};

void note_ways(const Tree& tree, const LoopIsland& island, const std::vector<double>& before,
               const std::vector<double>& after, bool is_speed, std::vector<double>& way) {
  for (const int i : island.links) {
    const Link& link = tree.link(i);
    const int start = is_speed ? link.v_start : link.q_start, count = is_speed ? link.num_v : link.num_q;
    for (int c = start; c < start + count; ++c)
      way[at(i)] = std::max(way[at(i)], std::abs(after[at(c)] - before[at(c)]));
  }
}

LoopFailure close_gap(const Tree& tree, const LoopSet& set, const LoopIsland& island, const std::vector<int>& holds,
                      std::vector<double>& q, LoopAssembly& assembly) {
  Mechanism mechanism(tree, set, island);
  mechanism.look(q, std::vector<double>(at(tree.num_v()), 0.0));
  assembly.gap = std::max(assembly.gap, mechanism.worst_gap());
  if (mechanism.worst_gap() <= kClosed * island.size) return {};
  const std::vector<double> before = q;
  bool is_closed = false;
  for (const int most : mechanism.list_holds(holds)) {
    q = before;
    is_closed = mechanism.close({&holds, most}, q);
    if (is_closed) break;
  }
  if (!is_closed) return mechanism.find_worst(LoopFailure::Kind::gap, mechanism.gap());
  assembly.moved = true;
  note_ways(tree, island, before, q, false, assembly.way);
  return {};
}

LoopFailure close_speed(const Tree& tree, const LoopSet& set, const LoopIsland& island, const std::vector<int>& holds,
                        const std::vector<double>& q, std::vector<double>& v, LoopAssembly& assembly) {
  Mechanism mechanism(tree, set, island);
  const std::vector<double> before = v;
  mechanism.look(q, v);
  const double fast = std::max(1.0, mechanism.speed().lpNorm<Eigen::Infinity>());
  if (mechanism.speed().lpNorm<Eigen::Infinity>() <= kClosed * island.size * fast) return {};
  for (const int most : mechanism.list_holds(holds)) {
    v = before;
    for (int k = 0; k < 2; ++k) {  // the second takes the rounding of the first
      mechanism.look(q, v);
      const MatX J = mechanism.calc_jacobian({&holds, most});
      mechanism.add(-Mechanism::decompose(J).solve(mechanism.speed()), v);
    }
    mechanism.look(q, v);
    if (!(mechanism.speed().lpNorm<Eigen::Infinity>() <= 1e3 * kClosed * island.size * fast)) continue;
    assembly.turned = true;
    note_ways(tree, island, before, v, true, assembly.quickened);
    return {};
  }
  return mechanism.find_worst(LoopFailure::Kind::speed, mechanism.speed());
}

}  // namespace

LoopFailure assemble_loops(const Tree& tree, const LoopSet& set, const std::vector<int>& holds_q,
                           const std::vector<int>& holds_v, std::vector<double>& q, std::vector<double>& v,
                           LoopAssembly& assembly) {
  assembly.way.assign(at(tree.num_links()), 0.0);
  assembly.quickened.assign(at(tree.num_links()), 0.0);
  for (const LoopIsland& island : set.islands()) {
    LoopFailure failure = close_gap(tree, set, island, holds_q, q, assembly);
    if (failure.is_none()) failure = close_speed(tree, set, island, holds_v, q, v, assembly);
    if (!failure.is_none()) return failure;
  }
  return {};
}

bool find_rank(const Tree& tree, const LoopSet& set, LoopIsland& island, const std::vector<double>& q) {
  constexpr double kNear = 0.03;  // of the size
  Mechanism mechanism(tree, set, island);
  const std::vector<double> rest(at(tree.num_v()), 0.0);
  std::vector<char> is_active(at(island.num_rows), 0);
  int rank = 0, first_rank = 0;
  const auto take = [&] {
    const MatX J = mechanism.calc_jacobian({});
    rank = std::max(rank, static_cast<int>(Mechanism::decompose(J).rank()));
    const double largest = J.size() > 0 ? J.cwiseAbs().maxCoeff() : 0.0;
    for (int row = 0; row < island.num_rows; ++row) {
      if (J.cols() > 0 && J.row(row).cwiseAbs().maxCoeff() > kDependent * largest) is_active[at(row)] = 1;
    }
  };
  mechanism.look(q, rest);
  take();
  first_rank = rank;
  // Along what the loops leave free, by directions that mix all of it.
  for (int trial = 0; trial < 4; ++trial) {
    VecX direction(island.num_columns);
    for (int c = 0; c < direction.size(); ++c) direction[c] = std::cos(1.7 * (c + 1) * (trial + 1)) + 0.3;
    mechanism.look(q, rest);
    const MatX J = mechanism.calc_jacobian({});
    VecX free = direction - Mechanism::decompose(J).solve(J * direction);
    for (std::size_t k = 0; k < island.links.size(); ++k) {
      const Link& link = tree.link(island.links[k]);
      if (link.prescribed) free.segment(island.column[k], link.num_v).setZero();
    }
    const double length = free.lpNorm<Eigen::Infinity>();
    if (!(length > 1e-9)) continue;
    std::vector<double> change(at(tree.num_v()), 0.0), near = q;
    mechanism.add((trial % 2 == 0 ? 1.0 : -1.0) * kNear * island.size / length * free, change);
    move_coordinates(tree, change, 1.0, near);
    if (mechanism.close({}, near)) take();
  }
  island.is_active = is_active;
  island.num_active = static_cast<int>(std::count(is_active.begin(), is_active.end(), 1));
  island.rank = rank;
  return first_rank < rank;
}

int count_freedoms(const Tree& tree, const LoopIsland& island) {
  int count = 0;
  for (const int link : island.links) count += tree.link(link).prescribed ? 0 : tree.link(link).num_v;
  return count - island.rank;
}

bool is_overdriven(const Tree& tree, const LoopSet& set, const LoopIsland& island, const std::vector<double>& q) {
  Mechanism mechanism(tree, set, island);
  mechanism.look(q, std::vector<double>(at(tree.num_v()), 0.0));
  const MatX driven = mechanism.calc_jacobian({}, true);
  if (driven.isZero(0.0)) return false;
  const MatX J = mechanism.calc_jacobian({});
  MatX left = driven - J * Mechanism::decompose(J).solve(driven);
  return left.cwiseAbs().maxCoeff() > 1e-6 * driven.cwiseAbs().maxCoeff();
}

}  // namespace abut
