#include "abut/solve/ode/jacobian.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "abut/solve/ode/finite_difference_jacobian.hpp"

namespace abut {

namespace {

/// Below this size, or with more than this part of its entries, a dense factorisation is faster.
constexpr int kLeastSparseSize = 40;
constexpr double kDensest = 0.5;

std::optional<JacobianPlan> make_plan(const OdeSystem& system) {
  RateStructure structure;
  if (system.size() < kLeastSparseSize || !system.calc_structure(&structure)) return std::nullopt;
  JacobianPlan plan(structure);
  const double n = system.size();
  if (static_cast<double>(plan.pattern().nonZeros()) > kDensest * n * n) return std::nullopt;
  return plan;
}

}  // namespace

void Jacobian::restart(const OdeSystem& system) {
  size_ = system.size();
  plan_ = make_plan(system);
  if (plan_) {
    sparse_ = plan_->pattern();
    increments_.setZero(size_);
    ++pattern_count_;
  } else {
    dense_.setZero(size_, size_);
  }
}

bool Jacobian::calc(RateEvaluator& rates, const ErrorWeights& weights, double t, const VecX& y, const VecX& f,
                    double scale, VecX* y_scratch, VecX* f_scratch) {
  if (plan_) return calc_sparse(rates, weights, t, y, f, scale, y_scratch, f_scratch);
  return calc_jacobian(rates, weights, t, y, f, scale, y_scratch, f_scratch, &dense_);
}

bool Jacobian::calc_sparse(RateEvaluator& rates, const ErrorWeights& weights, double t, const VecX& y, const VecX& f,
                           double scale, VecX* y_scratch, VecX* f_scratch) {
  ++rates.work().jacobians;
  *y_scratch = y;
  for (int batch = 0; batch < plan_->num_batches(); ++batch) {
    bool is_fine = false;
    for (const double side : {1.0, -1.0}) {
      for (const int i : plan_->batch(batch)) {
        (*y_scratch)[i] = y[i] + side * calc_scaled_increment(weights, y, i, scale);
        increments_[i] = (*y_scratch)[i] - y[i];  // what was really added after rounding
      }
      is_fine = rates(t, *y_scratch, f_scratch);
      if (is_fine) break;
    }
    if (!is_fine) return false;
    for (const int i : plan_->batch(batch)) {
      for (Eigen::SparseMatrix<double>::InnerIterator entry(sparse_, i); entry; ++entry)
        entry.valueRef() = ((*f_scratch)[entry.row()] - f[entry.row()]) / increments_[i];
      (*y_scratch)[i] = y[i];
    }
  }
  return true;
}

}  // namespace abut
