#include "abut/scene/lcp_spec.hpp"

#include <fmt/format.h>

#include "abut/scene/problem_list.hpp"

namespace abut {

void check_whole(const LcpSpec& lcp, const std::string& label, ProblemList& problems) {
  if (lcp.facets % 2 != 0) {
    problems.add(lcp.location_of("facets"), fmt::format("facets must be even, found {}, in {}", lcp.facets, label));
  }
  if (lcp.tangential_stiffness && lcp.friction != LcpSpec::Friction::regularised) {
    problems.add(
        lcp.location_of("tangential_stiffness"),
        fmt::format("tangential_stiffness has no meaning with friction '{}' in {}", enum_name(lcp.friction), label),
        "Only regularised friction has bristles.");
  }
}

}  // namespace abut
