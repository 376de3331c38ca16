#include "abut/solve/ode/jacobian.hpp"

#include <cmath>
#include <set>

#include <gtest/gtest.h>

#include "abut/solve/ode/finite_difference_jacobian.hpp"
#include "abut/solve/ode/ode_test_systems.hpp"
#include "abut/solve/ode/radau.hpp"

namespace abut {
namespace {

using testing::FunctionSystem;

constexpr int kMasses = 30;

/// A closed ring of masses (place, speed) on stiff springs with damping; some neighbours also share a state of their
/// own, as a patch's bristles do: blocks of two and of one. Not numbered in the order of the ring.
FunctionSystem make_ring() {
  const auto place = [](int i) { return (7 * i) % kMasses; };  // of mass i among the states
  const int n = 3 * kMasses;
  FunctionSystem ring(n, [place](double, const double* y, double* f, double*) {
    const double* x = y;
    const double* v = y + kMasses;
    const double* z = y + 2 * kMasses;
    for (int i = 0; i < kMasses; ++i) {
      f[place(i)] = v[place(i)];
      f[kMasses + place(i)] = -0.1 * v[place(i)] - std::sin(x[place(i)]);
    }
    for (int i = 0; i < kMasses; ++i) {
      const int a = place(i), b = place((i + 1) % kMasses);
      const double pull = 1e4 * (x[b] - x[a]) + 10.0 * (v[b] - v[a]) + 50.0 * z[i];
      f[kMasses + a] += pull;
      f[kMasses + b] -= pull;
      f[2 * kMasses + i] = v[b] - v[a] - 200.0 * z[i];
    }
    return true;
  });
  RateStructure structure;
  structure.num_blocks = 2 * kMasses;
  structure.block_of_state.resize(n);
  for (int i = 0; i < kMasses; ++i) {
    structure.block_of_state[i] = structure.block_of_state[kMasses + i] = i;
    structure.block_of_state[2 * kMasses + i] = kMasses + i;
    const int a = place(i), b = place((i + 1) % kMasses);
    structure.couplings.insert(structure.couplings.end(), {{a, b}, {b, kMasses + i}, {kMasses + i, a}});
  }
  ring.with_structure(structure);
  return ring;
}

VecX make_state() {
  VecX y(3 * kMasses);
  for (int i = 0; i < y.size(); ++i) y[i] = 0.1 * std::sin(1.0 + 2.3 * i);
  return y;
}

TEST(JacobianPlan, NoRateDependsOnTwoColumnsOfABatch) {
  const FunctionSystem ring = make_ring();
  RateStructure structure;
  ASSERT_TRUE(ring.calc_structure(&structure));
  const JacobianPlan plan(structure);
  std::set<int> columns;
  for (int batch = 0; batch < plan.num_batches(); ++batch) {
    std::set<int> rows;
    for (const int column : plan.batch(batch)) {
      EXPECT_TRUE(columns.insert(column).second) << "column " << column << " stands in two batches";
      for (Eigen::SparseMatrix<double>::InnerIterator entry(plan.pattern(), column); entry; ++entry)
        EXPECT_TRUE(rows.insert(static_cast<int>(entry.row())).second) << "batch " << batch << " row " << entry.row();
    }
  }
  EXPECT_EQ(columns.size(), 3u * kMasses);
  // A ring with two hops wants some five colours of two columns and a few more of one; 90 without sharing.
  EXPECT_LE(plan.num_batches(), 20);
}

TEST(Jacobian, SparseHasTheEntriesOfTheDense) {
  FunctionSystem ring = make_ring();
  WorkCounter work;
  RateEvaluator rates(ring, work);
  const ErrorWeights weights = ErrorWeights::uniform(ring.size(), 1e-6, 1e-6);
  const VecX y = make_state();
  VecX f(y.size()), y_scratch(y.size()), f_scratch(y.size());
  ASSERT_TRUE(rates(0.0, y, &f));
  MatX dense(y.size(), y.size());
  ASSERT_TRUE(calc_jacobian(rates, weights, 0.0, y, f, 1.0, &y_scratch, &f_scratch, &dense));
  Jacobian jacobian;
  jacobian.restart(ring);
  ASSERT_TRUE(jacobian.is_sparse());
  const long before = work.rate_evaluations;
  ASSERT_TRUE(jacobian.calc(rates, weights, 0.0, y, f, 1.0, &y_scratch, &f_scratch));
  EXPECT_LE(work.rate_evaluations - before, 20);
  // The same differences of the same numbers, summed in the same order: equal to the last bit but where a rate sums
  // over neighbours that were perturbed apart.
  EXPECT_LT((MatX(jacobian.sparse()) - dense).cwiseAbs().maxCoeff(), 1e-12 * dense.cwiseAbs().maxCoeff());
}

TEST(Jacobian, SmallOrFullSystemsStayDense) {
  FunctionSystem chirp = testing::make_chirp();
  Jacobian jacobian;
  jacobian.restart(chirp);
  EXPECT_FALSE(jacobian.is_sparse());
  FunctionSystem full(60, [](double, const double*, double*, double*) { return true; });
  RateStructure one;
  one.num_blocks = 1;
  one.block_of_state.assign(60, 0);
  full.with_structure(one);
  jacobian.restart(full);
  EXPECT_FALSE(jacobian.is_sparse());
}

TEST(Radau, StructureChangesTheCostNotTheResult) {
  FunctionSystem ring = make_ring();
  FunctionSystem plain(
      ring.size(), [&ring](double t, const double* y, double* f, double* q) { return ring.calc_rates(t, y, f, q); });
  const ErrorWeights weights = ErrorWeights::uniform(ring.size(), 1e-8, 1e-8);
  Radau sparse(ring), dense(plain);
  const testing::RunResult a = run_to(sparse, ring, 0.0, 1.0, make_state(), weights);
  const testing::RunResult b = run_to(dense, plain, 0.0, 1.0, make_state(), weights);
  // Newton stops at 1e-7 of the weights at best: far below the tolerance of 1e-8.
  EXPECT_LT((a.y - b.y).cwiseAbs().maxCoeff(), 1e-9);
  EXPECT_LT(sparse.work().rate_evaluations, dense.work().rate_evaluations);
}

}  // namespace
}  // namespace abut
