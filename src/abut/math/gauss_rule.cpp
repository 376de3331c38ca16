#include "abut/math/gauss_rule.hpp"

#include <cmath>
#include <numbers>

#include <Eigen/Eigenvalues>

#include "abut/math/types.hpp"

namespace abut {
namespace {

constexpr std::array<RuleNode, 2> kGauss2 = {{{0.21132486540518711775, 0.5}, {0.78867513459481288225, 0.5}}};
constexpr std::array<RuleNode, 3> kGauss3 = {
    {{0.11270166537925831148, 5.0 / 18.0}, {0.5, 8.0 / 18.0}, {0.88729833462074168852, 5.0 / 18.0}}};
constexpr std::array<RuleNode, 4> kGauss4 = {{{0.06943184420297371239, 0.17392742256872692869},
                                              {0.33000947820757186760, 0.32607257743127307131},
                                              {0.66999052179242813240, 0.32607257743127307131},
                                              {0.93056815579702628761, 0.17392742256872692869}}};
constexpr std::array<RuleNode, 5> kGauss5 = {{{0.04691007703066800360, 0.11846344252809454376},
                                              {0.23076534494715845448, 0.23931433524968323402},
                                              {0.5, 0.28444444444444444444},
                                              {0.76923465505284154552, 0.23931433524968323402},
                                              {0.95308992296933199640, 0.11846344252809454376}}};
constexpr std::array<RuleNode, 6> kGauss6 = {{{0.03376524289842398609, 0.08566224618958517252},
                                              {0.16939530676686774317, 0.18038078652406930378},
                                              {0.38069040695840154568, 0.23395696728634552369},
                                              {0.61930959304159845432, 0.23395696728634552369},
                                              {0.83060469323313225683, 0.18038078652406930378},
                                              {0.96623475710157601391, 0.08566224618958517252}}};
constexpr std::array<RuleNode, 8> kGauss8 = {{{0.01985507175123188416, 0.05061426814518812958},
                                              {0.10166676129318663020, 0.11119051722668723527},
                                              {0.23723379504183550709, 0.15685332293894364367},
                                              {0.40828267875217509753, 0.18134189168918099148},
                                              {0.59171732124782490247, 0.18134189168918099148},
                                              {0.76276620495816449291, 0.15685332293894364367},
                                              {0.89833323870681336980, 0.11119051722668723527},
                                              {0.98014492824876811584, 0.05061426814518812958}}};

}  // namespace

std::span<const RuleNode> get_gauss_rule(int n) {
  if (n <= 2) return kGauss2;
  if (n == 3) return kGauss3;
  if (n == 4) return kGauss4;
  if (n == 5) return kGauss5;
  return n == 6 ? std::span<const RuleNode>(kGauss6) : kGauss8;
}

std::vector<RuleNode> calc_gauss_rule(int n) {
  std::vector<RuleNode> rule;
  for (int k = 0; k < n; ++k) {
    double x = -std::cos(std::numbers::pi * (k + 0.75) / (n + 0.5)), slope = 1.0;
    for (int i = 0; i < 20; ++i) {
      double p = 1.0, before = 0.0;
      for (int m = 1; m <= n; ++m) {
        const double next = ((2.0 * m - 1.0) * x * p - (m - 1.0) * before) / m;
        before = p;
        p = next;
      }
      slope = n * (x * p - before) / (x * x - 1.0);
      const double step = p / slope;
      x -= step;
      if (std::abs(step) < 1e-15) break;
    }
    rule.push_back({x, 2.0 / ((1.0 - x * x) * slope * slope)});
  }
  return rule;
}

std::vector<RuleNode> calc_jacobi_rule(int n, int k) {
  // Golub and Welsch: nodes are eigenvalues, weights the squares of the first components.
  MatX jacobi = MatX::Zero(n, n);
  const double b = k;  // Jacobi weight (1 + s)^b on [-1, 1]
  for (int i = 0; i < n; ++i) {
    const double m = 2.0 * i + b;
    jacobi(i, i) = i == 0 ? b / (b + 2.0) : b * b / (m * (m + 2.0));
    if (i == 0) continue;
    const double top = 4.0 * i * i * (i + b) * (i + b);
    const double off =
        i == 1 ? 4.0 * (1.0 + b) / ((2.0 + b) * (2.0 + b) * (3.0 + b)) : top / (m * m * (m + 1.0) * (m - 1.0));
    jacobi(i, i - 1) = jacobi(i - 1, i) = std::sqrt(off);
  }
  const Eigen::SelfAdjointEigenSolver<MatX> solver(jacobi);
  std::vector<RuleNode> nodes;
  for (int i = 0; i < n; ++i) {
    const double first = solver.eigenvectors()(0, i);
    nodes.push_back({0.5 * (1.0 + solver.eigenvalues()[i]), first * first / (k + 1.0)});
  }
  return nodes;
}

}  // namespace abut
