#include "abut/solve/lcp/polygon_friction.hpp"

#include <limits>

#include "abut/base/error.hpp"

namespace abut {

PolygonProblem make_polygon_problem(const BoundedLcp& rows, std::span<const FrictionContact> contacts) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const int n = rows.size();
  std::vector<char> is_contact_row(n, 0);
  int size = n;
  for (const FrictionContact& contact : contacts) {
    ABUT_REQUIRE(contact.row >= 0 && contact.row + 2 < n && contact.facets >= 4 && contact.facets % 2 == 0,
                 "contact at row {} of {} with {} facets", contact.row, n, contact.facets);
    for (int k = 0; k < 3; ++k) is_contact_row[contact.row + k] = 1;
    size += contact.facets - 1;
  }
  PolygonProblem problem;
  BoundedLcp& lcp = problem.lcp;
  problem.to_rows = MatX::Zero(n, size);
  lcp.lower = VecX::Zero(size);
  lcp.upper = VecX::Constant(size, kInfinity);
  int at = 0;
  for (int i = 0; i < n; ++i) {
    if (is_contact_row[i]) continue;
    problem.to_rows(i, at) = 1.0;
    lcp.lower[at] = rows.lower[i];
    lcp.upper[at] = rows.upper[i];
    ++at;
  }
  MatX coupling = MatX::Zero(size, size);
  for (const FrictionContact& contact : contacts) {
    const int normal = at, gamma = at + 1 + contact.facets;
    problem.to_rows(contact.row, normal) = 1.0;
    coupling(gamma, normal) = contact.mu;
    for (int k = 0; k < contact.facets; ++k) {
      problem.to_rows.block<2, 1>(contact.row + 1, normal + 1 + k) = calc_facet_direction(contact, k);
      coupling(normal + 1 + k, gamma) = 1.0;
      coupling(gamma, normal + 1 + k) = -1.0;
    }
    at = gamma + 1;
  }
  lcp.A = problem.to_rows.transpose() * rows.A * problem.to_rows + coupling;
  lcp.b = problem.to_rows.transpose() * rows.b;
  return problem;
}

}  // namespace abut
