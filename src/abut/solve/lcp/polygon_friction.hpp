#pragma once

#include <span>

#include "abut/solve/lcp/bounded_lcp.hpp"
#include "abut/solve/lcp/friction_contact.hpp"

namespace abut {

/// Friction with a polygon in place of the circle, as a linear complementarity problem [Stewart and Trinkle 1996;
/// Anitescu and Potra 1997].
///   0 <= x_n   _|_ w_n >= 0
///   0 <= beta  _|_ D' w_T + gamma >= 0,      x_T = D beta, columns of D the directions of the corners
///   0 <= gamma _|_ mu x_n - sum beta >= 0,   gamma the slip speed
/// Unknowns: rows of no contact first, in their order; then for each contact x_n, beta_1 ..., gamma.
struct PolygonProblem {
  BoundedLcp lcp;
  MatX to_rows;  ///< x of the rows = to_rows times the unknowns
};

/// From the problem in the rows' own unknowns: only bounds of rows outside contacts are kept.
PolygonProblem make_polygon_problem(const BoundedLcp& rows, std::span<const FrictionContact> contacts);

}  // namespace abut
