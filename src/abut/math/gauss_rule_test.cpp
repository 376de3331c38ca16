#include "abut/math/gauss_rule.hpp"

#include <cmath>
#include <span>
#include <vector>

#include <gtest/gtest.h>

namespace abut {
namespace {

double integrate(std::span<const RuleNode> rule, int degree) {
  double sum = 0.0;
  for (const RuleNode& node : rule) sum += node.weight * std::pow(node.x, degree);
  return sum;
}

/// Integral of x^degree over [-1, 1].
double integrate_whole(int degree) { return degree % 2 == 0 ? 2.0 / (degree + 1.0) : 0.0; }

TEST(GaussRule, IsExactUpToItsDegreeAndNoFurther) {
  for (const int n : {2, 3, 4, 5, 6, 8}) {
    const std::span<const RuleNode> rule = get_gauss_rule(n);
    ASSERT_EQ(static_cast<int>(rule.size()), n);
    for (int degree = 0; degree < 2 * n; ++degree)
      EXPECT_NEAR(integrate(rule, degree), 1.0 / (degree + 1.0), 4e-16) << n;
    EXPECT_GT(std::abs(integrate(rule, 2 * n) - 1.0 / (2.0 * n + 1.0)), 1e-11) << n;
    for (int k = 1; k < n; ++k) EXPECT_LT(rule[k - 1].x, rule[k].x);
  }
  EXPECT_EQ(get_gauss_rule(1).size(), 2u);
  EXPECT_EQ(get_gauss_rule(7).size(), 8u);
}

TEST(GaussRule, ComputedOnesAreExactToo) {
  for (const int n : {1, 2, 7, 12}) {
    const std::vector<RuleNode> rule = calc_gauss_rule(n);
    ASSERT_EQ(static_cast<int>(rule.size()), n);
    for (int degree = 0; degree < 2 * n; ++degree)
      EXPECT_NEAR(integrate(rule, degree), integrate_whole(degree), 2e-14) << n;
    EXPECT_GT(std::abs(integrate(rule, 2 * n) - integrate_whole(2 * n)), 1e-8) << n;
  }
  for (const int n : {2, 3, 4, 5, 6, 8}) {  // the same as those on [0, 1]
    const std::vector<RuleNode> rule = calc_gauss_rule(n);
    for (int k = 0; k < n; ++k) {
      EXPECT_NEAR(0.5 * (1.0 + rule[k].x), get_gauss_rule(n)[k].x, 1e-15);
      EXPECT_NEAR(0.5 * rule[k].weight, get_gauss_rule(n)[k].weight, 1e-14);
    }
  }
}

TEST(GaussRule, NamedNodesAreThoseOfTheRules) {
  EXPECT_NEAR(kGauss2FromEnd, 0.5 * (1.0 - 1.0 / std::sqrt(3.0)), 1e-16);
  EXPECT_NEAR(kGauss2FromMiddle, 0.5 / std::sqrt(3.0), 1e-16);
  for (int k = 0; k < 4; ++k) {
    EXPECT_NEAR(0.5 * (1.0 + kUpperGauss8[k].x), get_gauss_rule(8)[4 + k].x, 1.2e-16);
    EXPECT_NEAR(0.5 * kUpperGauss8[k].weight, get_gauss_rule(8)[4 + k].weight, 1e-16);
  }
}

TEST(JacobiRule, IsExactForPolynomialsTimesItsWeight) {
  for (const int k : {0, 1, 2}) {
    for (const int n : {1, 2, 5}) {
      const std::vector<RuleNode> rule = calc_jacobi_rule(n, k);
      for (int degree = 0; degree < 2 * n; ++degree)
        EXPECT_NEAR(integrate(rule, degree), 1.0 / (degree + k + 1.0), 2e-15) << n << ' ' << k;
      EXPECT_GT(std::abs(integrate(rule, 2 * n) - 1.0 / (2.0 * n + k + 1.0)), 1e-8) << n << ' ' << k;
    }
  }
  for (int i = 0; i < 2; ++i) {
    EXPECT_NEAR(kTriangleGauss2[i].x, calc_jacobi_rule(2, 1)[i].x, 4e-15);
    EXPECT_NEAR(kTriangleGauss2[i].weight, 2.0 * calc_jacobi_rule(2, 1)[i].weight, 4e-15);
    EXPECT_NEAR(kConeGauss2[i].x, calc_jacobi_rule(2, 2)[i].x, 4e-15);
    EXPECT_NEAR(kConeGauss2[i].weight, 3.0 * calc_jacobi_rule(2, 2)[i].weight, 4e-15);
  }
}

TEST(KronrodRule, IsExactToDegree22AndHoldsTheRuleOfSeven) {
  for (int degree = 0; degree <= 24; degree += 2) {  // odd ones vanish by symmetry
    double kronrod = 0.0, gauss = 0.0;
    for (const KronrodNode& node : kKronrod15) {
      const double both = node.x > 0.0 ? 2.0 : 1.0;
      kronrod += both * node.weight * std::pow(node.x, degree);
      gauss += both * node.gauss_weight * std::pow(node.x, degree);
    }
    if (degree <= 22) {
      EXPECT_NEAR(kronrod, integrate_whole(degree), 1e-15) << degree;
    }
    if (degree == 24) {
      EXPECT_GT(std::abs(kronrod - integrate_whole(degree)), 1e-10);
    }
    if (degree <= 12) {
      EXPECT_NEAR(gauss, integrate_whole(degree), 1e-15) << degree;
    }
    if (degree == 14) {
      EXPECT_GT(std::abs(gauss - integrate_whole(degree)), 1e-6);
    }
  }
}

}  // namespace
}  // namespace abut
