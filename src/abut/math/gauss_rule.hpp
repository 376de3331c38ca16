#pragma once

#include <array>
#include <span>
#include <vector>

namespace abut {

/// The sum of f(x) weight over the nodes of a rule is the integral of f. Rules of Gauss with n nodes are exact for
/// polynomials of degree 2 n - 1.
struct RuleNode {
  double x = 0.0, weight = 0.0;
};

/// Gauss and Legendre's rule on [0, 1] with at least n nodes, rising: 2, 3, 4, 5, 6 or 8 of them.
std::span<const RuleNode> get_gauss_rule(int n);

/// The same on [-1, 1] with any number of nodes, computed: zeros of the Legendre polynomial by Newton's method.
std::vector<RuleNode> calc_gauss_rule(int n);

/// The rule of eight nodes on [-1, 1], those above 0: a node near an end has its last digits only when it is measured
/// from the middle, or from the end as get_gauss_rule() does.
inline constexpr std::array<RuleNode, 4> kUpperGauss8 = {{{0.18343464249564980494, 0.36268378337836198297},
                                                          {0.52553240991632898582, 0.31370664587788728734},
                                                          {0.79666647741362673959, 0.22238103445337447054},
                                                          {0.96028985649753623168, 0.10122853629037625915}}};

/// Of the rule of two nodes on [0, 1]: how far they are from the ends, (1 - 1/sqrt(3)) / 2, and from the middle.
inline constexpr double kGauss2FromEnd = 0.21132486540518711775;
inline constexpr double kGauss2FromMiddle = 0.28867513459481287;

/// Rules of two nodes on [0, 1] for the weights 2 x and 3 x^2: a triangle from its corner, a cone from its tip. Right
/// to 3e-15.
inline constexpr std::array<RuleNode, 2> kTriangleGauss2 = {
    {{0.35505102572168222, 0.36391723651204552}, {0.84494897427831778, 0.63608276348795448}}};
inline constexpr std::array<RuleNode, 2> kConeGauss2 = {
    {{0.45584815598877478, 0.30235764623947399}, {0.87748517734455855, 0.69764235376052601}}};

/// Gauss and Jacobi's rule of n nodes on [0, 1] for the weight x^k, from the Jacobi matrix of its polynomials.
std::vector<RuleNode> calc_jacobi_rule(int n, int k);

/// Kronrod's rule of 15 nodes on [-1, 1], exact to degree 22, and the rule of Gauss with 7 that uses every other one.
/// Nodes from the outermost to 0; each but 0 stands for -x and x.   [Piessens et al. 1983]
struct KronrodNode {
  double x, weight, gauss_weight;
};
inline constexpr std::array<KronrodNode, 8> kKronrod15 = {
    {{0.991455371120812639206854697526329, 0.022935322010529224963732008058970, 0.0},
     {0.949107912342758524526189684047851, 0.063092092629978553290700663189204, 0.129484966168869693270611432679082},
     {0.864864423359769072789712788640926, 0.104790010322250183839876322541518, 0.0},
     {0.741531185599394439863864773280788, 0.140653259715525918745189590510238, 0.279705391489276667901467771423780},
     {0.586087235467691130294144838258730, 0.169004726639267902826583426598550, 0.0},
     {0.405845151377397166906606412076961, 0.190350578064785409913256402421014, 0.381830050505118944950369775488975},
     {0.207784955007898467600689403773245, 0.204432940075298892414161999234649, 0.0},
     {0.0, 0.209482141084727828012999174891714, 0.417959183673469387755102040816327}}};

}  // namespace abut
