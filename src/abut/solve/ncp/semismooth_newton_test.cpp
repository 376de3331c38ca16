#include "abut/solve/ncp/semismooth_newton.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace abut {
namespace {

NonsmoothSystem make_system(int n, std::function<void(const VecX&, VecX&)> residual) {
  return {std::move(residual), VecX::Ones(n), VecX::Ones(n)};
}

TEST(SemismoothNewton, FischerBurmeisterVanishesExactlyAtComplementarity) {
  EXPECT_EQ(calc_fischer_burmeister(0.0, 3.0), 0.0);
  EXPECT_EQ(calc_fischer_burmeister(2.0, 0.0), 0.0);
  EXPECT_LT(calc_fischer_burmeister(1.0, 1.0), 0.0);
  EXPECT_GT(calc_fischer_burmeister(-1.0, 2.0), 0.0);
  EXPECT_GT(calc_fischer_burmeister(-1.0, -1.0), 0.0);
  // No cancellation for a tiny a beside a large b: the value is about -a.
  EXPECT_NEAR(calc_fischer_burmeister(1e-12, 1.0), -1e-12, 1e-24);
}

// Kojima and Shindo's problem [Dirkse and Ferris 1995]: two solutions, one of them degenerate.
TEST(SemismoothNewton, SolvesAClassicProblemFromColdStarts) {
  const auto kojshin = [](const VecX& x, VecX& r) {
    const double a = x[0], b = x[1], c = x[2], d = x[3];
    const double f[4] = {3 * a * a + 2 * a * b + 2 * b * b + c + 3 * d - 6, 2 * a * a + a + b * b + 10 * c + 2 * d - 2,
                         3 * a * a + a * b + 2 * b * b + 2 * c + 9 * d - 9, a * a + 3 * b * b + 2 * c + 3 * d - 3};
    for (int i = 0; i < 4; ++i) r[i] = calc_fischer_burmeister(x[i], f[i]);
  };
  const NonsmoothSystem system = make_system(4, kojshin);
  for (const double start : {0.0, 1.0, 10.0, -1.0, 100.0}) {
    NcpOptions options;
    options.tolerance = 1e-8;  // the Jacobian is singular at the degenerate solution: half of the digits
    const NcpResult result = solve_semismooth_newton(system, VecX::Constant(4, start), options);
    ASSERT_TRUE(result.is_solved()) << start << " " << result.message;
    const Eigen::Vector4d regular(1.0, 0.0, 3.0, 0.0), degenerate(std::sqrt(6.0) / 2.0, 0.0, 0.0, 0.5);
    // There, 1e-8 in the residual is 1e-4 in the unknowns.
    EXPECT_LE(std::min((result.z - regular).norm(), (result.z - degenerate).norm()), 2e-4) << start;
  }
}

TEST(SemismoothNewton, SaysWhenThereIsNoSolution) {
  const NonsmoothSystem system = make_system(1, [](const VecX& z, VecX& r) { r[0] = z[0] * z[0] + 1.0; });
  const NcpResult result = solve_semismooth_newton(system, VecX::Constant(1, 3.0));
  EXPECT_FALSE(result.is_solved());
  EXPECT_NEAR(result.residual, 1.0, 1e-3);
  EXPECT_FALSE(result.message.empty());
  EXPECT_TRUE(result.z.allFinite());
}

TEST(SemismoothNewton, RefusesBadStarts) {
  const NonsmoothSystem system = make_system(1, [](const VecX& z, VecX& r) { r = z; });
  EXPECT_EQ(solve_semismooth_newton(system, VecX::Constant(1, std::nan(""))).status, NcpStatus::invalid);
  EXPECT_EQ(solve_semismooth_newton(system, VecX::Zero(2)).status, NcpStatus::invalid);
}

}  // namespace
}  // namespace abut
