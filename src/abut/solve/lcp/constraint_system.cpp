#include "abut/solve/lcp/constraint_system.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include <Eigen/Cholesky>

#include "abut/base/error.hpp"

namespace abut {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Products with row-major matrices of n columns; n = 6, a single body, is unrolled by the compiler.
template <int N>
void add_product(const double* A, int rows, int n, const double* x, double* y) {
  const int m = N > 0 ? N : n;
  for (int r = 0; r < rows; ++r) {
    double sum = 0.0;
    for (int j = 0; j < m; ++j) sum += A[r * m + j] * x[j];
    y[r] += sum;
  }
}

template <int N>
void add_transposed_product(const double* A, int rows, int n, const double* x, double* y) {
  const int m = N > 0 ? N : n;
  for (int r = 0; r < rows; ++r) {
    for (int j = 0; j < m; ++j) y[j] += A[r * m + j] * x[r];
  }
}

void add_product(const double* A, int rows, int n, const double* x, double* y) {
  if (n == 6)
    add_product<6>(A, rows, n, x, y);
  else
    add_product<0>(A, rows, n, x, y);
}

void add_transposed_product(const double* A, int rows, int n, const double* x, double* y) {
  if (n == 6)
    add_transposed_product<6>(A, rows, n, x, y);
  else
    add_transposed_product<0>(A, rows, n, x, y);
}

}  // namespace

void ConstraintSystem::clear() {
  start_.assign(1, 0);
  mass_start_.clear();
  mass_.clear();
  inverse_.clear();
  momentum_.clear();
  jacobian_.clear();
  groups_.clear();
  compliance.clear();
  offset.clear();
  lower.clear();
  upper.clear();
  num_rows_ = 0;
}

int ConstraintSystem::add_part(const MatX& mass, const VecX& momentum) {
  const Eigen::Index n = mass.rows();
  ABUT_REQUIRE(mass.cols() == n && momentum.size() == n, "part of {} x {} with {} momenta", n, mass.cols(),
               momentum.size());
  const MatX inverse = mass.llt().solve(MatX::Identity(n, n));
  mass_start_.push_back(static_cast<int>(mass_.size()));
  mass_.insert(mass_.end(), mass.data(), mass.data() + n * n);
  inverse_.insert(inverse_.end(), inverse.data(), inverse.data() + n * n);
  momentum_.insert(momentum_.end(), momentum.data(), momentum.data() + n);
  start_.push_back(start_.back() + static_cast<int>(n));
  return num_parts() - 1;
}

int ConstraintSystem::add_body(const Mat6& mass, const Mat6& inverse, const Vec6& momentum) {
  mass_start_.push_back(static_cast<int>(mass_.size()));
  mass_.insert(mass_.end(), mass.data(), mass.data() + 36);
  inverse_.insert(inverse_.end(), inverse.data(), inverse.data() + 36);
  momentum_.insert(momentum_.end(), momentum.data(), momentum.data() + 6);
  start_.push_back(start_.back() + 6);
  return num_parts() - 1;
}

int ConstraintSystem::add_rows(int num_rows, int part_a, const MatX& jacobian_a, int part_b, const MatX& jacobian_b) {
  // Two links of one mechanism: one Jacobian.
  if (part_a >= 0 && part_a == part_b) return add_rows(num_rows, part_a, jacobian_a + jacobian_b, -1, {});
  RowGroup group{num_rows_, num_rows, part_a, part_b, 0, 0};
  const auto append = [&](int part, const MatX& J) {
    const int data = static_cast<int>(jacobian_.size());
    if (part < 0) return data;
    ABUT_REQUIRE(J.rows() == num_rows && J.cols() == part_size(part), "Jacobian of {} x {} for {} rows and {} speeds",
                 J.rows(), J.cols(), num_rows, part_size(part));
    for (int r = 0; r < num_rows; ++r) {
      for (Eigen::Index j = 0; j < J.cols(); ++j) jacobian_.push_back(J(r, j));
    }
    return data;
  };
  group.data_a = append(part_a, jacobian_a);
  group.data_b = append(part_b, jacobian_b);
  groups_.push_back(group);
  num_rows_ += num_rows;
  compliance.resize(num_rows_, 0.0);
  offset.resize(num_rows_, 0.0);
  lower.resize(num_rows_, -kInfinity);
  upper.resize(num_rows_, kInfinity);
  return group.row;
}

void ConstraintSystem::calc_row_velocities(const double* v, double* u) const {
  std::fill(u, u + num_rows_, 0.0);
  for (const RowGroup& g : groups_) {
    if (g.part_a >= 0)
      add_product(jacobian(g.data_a), g.num_rows, part_size(g.part_a), v + start_[g.part_a], u + g.row);
    if (g.part_b >= 0)
      add_product(jacobian(g.data_b), g.num_rows, part_size(g.part_b), v + start_[g.part_b], u + g.row);
  }
}

double ConstraintSystem::calc_free_speed() const {
  const std::vector<double> none(num_rows(), 0.0);
  std::vector<double> v(num_velocities()), u(num_rows());
  calc_velocities(none.data(), v.data());
  calc_row_velocities(v.data(), u.data());
  double most = 0.0;
  for (std::size_t i = 0; i < u.size(); ++i) most = std::max(most, std::abs(u[i] + offset[i]));
  return most;
}

void ConstraintSystem::add_row_forces(const double* x, double* result) const {
  for (const RowGroup& g : groups_) {
    if (g.part_a >= 0)
      add_transposed_product(jacobian(g.data_a), g.num_rows, part_size(g.part_a), x + g.row, result + start_[g.part_a]);
    if (g.part_b >= 0)
      add_transposed_product(jacobian(g.data_b), g.num_rows, part_size(g.part_b), x + g.row, result + start_[g.part_b]);
  }
}

void ConstraintSystem::calc_momentum_of(const double* v, double* result) const {
  std::fill(result, result + num_velocities(), 0.0);
  for (int k = 0; k < num_parts(); ++k) {
    add_product(mass(k), part_size(k), part_size(k), v + start_[k], result + start_[k]);
  }
}

void ConstraintSystem::rotate_rows(int row, const Vec2& cosine_sine) {
  const auto group = std::partition_point(groups_.begin(), groups_.end(),
                                          [row](const RowGroup& g) { return g.row + g.num_rows <= row + 1; });
  ABUT_REQUIRE(group != groups_.end() && row >= group->row, "rows {} and {} are not of one group", row, row + 1);
  const double c = cosine_sine.x(), s = cosine_sine.y();
  const auto turn = [c, s](double& first, double& second) {
    const double a = first, b = second;
    first = c * a + s * b;
    second = c * b - s * a;
  };
  for (const auto& [part, data] : {std::pair(group->part_a, group->data_a), std::pair(group->part_b, group->data_b)}) {
    if (part < 0) continue;
    const int n = part_size(part);
    double* first = jacobian_.data() + data + (row - group->row) * n;
    for (int j = 0; j < n; ++j) turn(first[j], first[n + j]);
  }
  turn(offset[row], offset[row + 1]);
}

void ConstraintSystem::calc_velocities(const double* x, double* v) const {
  std::vector<double> total = momentum_;
  add_row_forces(x, total.data());
  std::fill(v, v + num_velocities(), 0.0);
  for (int k = 0; k < num_parts(); ++k) {
    add_product(inverse_mass(k), part_size(k), part_size(k), total.data() + start_[k], v + start_[k]);
  }
}

void ConstraintSystem::add_group_response(const RowGroup& g, const double* x, double* v) const {
  for (const auto& [part, data] : {std::pair(g.part_a, g.data_a), std::pair(g.part_b, g.data_b)}) {
    if (part < 0) continue;
    const int n = part_size(part);
    if (n == 6) {
      double force[6] = {};
      add_transposed_product<6>(jacobian(data), g.num_rows, 6, x, force);
      add_product<6>(inverse_mass(part), 6, 6, force, v + start_[part]);
    } else {
      std::vector<double> force(n, 0.0);
      add_transposed_product<0>(jacobian(data), g.num_rows, n, x, force.data());
      add_product<0>(inverse_mass(part), n, n, force.data(), v + start_[part]);
    }
  }
}

void ConstraintSystem::calc_diagonal(double* diagonal) const {
  std::copy(compliance.begin(), compliance.end(), diagonal);
  std::vector<double> response;
  for (const RowGroup& g : groups_) {
    for (const auto& [part, data] : {std::pair(g.part_a, g.data_a), std::pair(g.part_b, g.data_b)}) {
      if (part < 0) continue;
      const int n = part_size(part);
      response.resize(n);
      for (int r = 0; r < g.num_rows; ++r) {
        const double* row = jacobian(data) + r * n;
        std::fill(response.begin(), response.end(), 0.0);
        add_product(inverse_mass(part), n, n, row, response.data());
        add_product(row, 1, n, response.data(), diagonal + g.row + r);
      }
    }
  }
}

void ConstraintSystem::calc_group_velocity(const RowGroup& group, const double* v, double* u) const {
  std::fill(u, u + group.num_rows, 0.0);
  for (const auto& [part, data] : {std::pair(group.part_a, group.data_a), std::pair(group.part_b, group.data_b)}) {
    if (part < 0) continue;
    const int n = part_size(part);
    const double* J = jacobian(data);
    const double* speed = v + part_start(part);
    for (int r = 0; r < group.num_rows; ++r) {
      for (int j = 0; j < n; ++j) u[r] += J[r * n + j] * speed[j];
    }
  }
}

MatX ConstraintSystem::calc_group_matrix(const RowGroup& group, VecX& work) const {
  const int k = group.num_rows;
  MatX W(k, k);
  for (int r = 0; r < k; ++r) {
    for (const int part : {group.part_a, group.part_b}) {
      if (part >= 0) work.segment(part_start(part), part_size(part)).setZero();
    }
    const VecX unit = VecX::Unit(k, r);
    VecX u(k);
    add_group_response(group, unit.data(), work.data());
    calc_group_velocity(group, work.data(), u.data());
    W.col(r) = u;
  }
  W = (0.5 * (W + W.transpose())).eval();
  for (int r = 0; r < k; ++r) W(r, r) += compliance[group.row + r];
  return W;
}

void ConstraintSystem::clear_momentum() { std::fill(momentum_.begin(), momentum_.end(), 0.0); }

BoundedLcp ConstraintSystem::make_dense() const {
  BoundedLcp problem;
  const int n = num_rows_;
  problem.A = MatX::Zero(n, n);
  VecX v(num_velocities()), u(n), x = VecX::Zero(n);
  calc_velocities(x.data(), v.data());
  calc_row_velocities(v.data(), u.data());
  problem.b = u + Eigen::Map<const VecX>(offset.data(), n);
  for (const RowGroup& g : groups_) {
    for (int r = 0; r < g.num_rows; ++r) {
      std::vector<double> unit(g.num_rows, 0.0);
      unit[r] = 1.0;
      v.setZero();
      add_group_response(g, unit.data(), v.data());
      calc_row_velocities(v.data(), u.data());
      problem.A.col(g.row + r) = u;
    }
  }
  // Symmetric but for rounding, which the solvers need not see.
  problem.A = (0.5 * (problem.A + problem.A.transpose())).eval();
  problem.A.diagonal() += Eigen::Map<const VecX>(compliance.data(), n);
  problem.lower = Eigen::Map<const VecX>(lower.data(), n);
  problem.upper = Eigen::Map<const VecX>(upper.data(), n);
  return problem;
}

}  // namespace abut
