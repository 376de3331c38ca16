#include "abut/solve/ode/radau_block.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace abut {
namespace {

using Sparse = Eigen::SparseMatrix<double>;

/// Two chains, one of the even and one of the odd components below 2 n; the last component, alone, has no entry at all.
Sparse make_two_chains(int n) {
  Sparse out(2 * n + 1, 2 * n + 1);
  for (int i = 0; i + 2 < 2 * n; ++i) {
    out.insert(i, i + 2) = 1.0 + 0.01 * i;  // no diagonal: speeds act on places and the other way round
    out.insert(i + 2, i) = -3.0 + 0.02 * i;
  }
  out.makeCompressed();
  return out;
}

TEST(RadauBlock, PartsAreWhatDoesNotTouch) {
  const std::vector<std::vector<int>> parts = find_parts(make_two_chains(3));
  EXPECT_EQ(parts, (std::vector<std::vector<int>>{{0, 2, 4}, {1, 3, 5}, {6}}));
  Sparse one_way(3, 3);
  one_way.insert(2, 0) = 1.0;
  EXPECT_EQ(find_parts(one_way), (std::vector<std::vector<int>>{{0, 2}, {1}}));
}

TEST(RadauBlock, BlocksSolveWhatTheWholeMatrixDoes) {
  for (const int n : {5, 150}) {  // dense and sparse factors
    const Sparse jacobian = make_two_chains(n);
    const Eigen::Index size = jacobian.cols();
    const double shift = 7.0;
    const std::complex<double> complex_shift(4.0, 5.0);
    const VecX rhs = VecX::LinSpaced(size, -1.0, 2.0);
    VecX x = rhs;
    Eigen::VectorXcd z = rhs.cast<std::complex<double>>() * std::complex<double>(1.0, 0.5);
    const Eigen::VectorXcd complex_rhs = z;
    std::vector<int> local(size);
    for (const std::vector<int>& part : find_parts(jacobian)) {
      for (std::size_t i = 0; i < part.size(); ++i) local[part[i]] = static_cast<int>(i);
      RadauBlock block(part);
      ASSERT_TRUE(block.factorise(jacobian, local, 1.0, 1.0));
      ASSERT_TRUE(block.factorise(jacobian, local, shift, complex_shift));  // again, with the same pattern
      block.solve(&x);
      block.solve(&z);
    }
    const MatX whole = MatX(jacobian);
    EXPECT_LT((shift * x - whole * x - rhs).cwiseAbs().maxCoeff(), 1e-13);
    EXPECT_LT((complex_shift * z - whole * z - complex_rhs).cwiseAbs().maxCoeff(), 1e-13);
  }
}

}  // namespace
}  // namespace abut
