#include "abut/sim/combination.hpp"

#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "abut/sim/region_row.hpp"

namespace abut {

namespace {

std::string quote(ContactRegion region) { return fmt::format("region = \"{}\"", enum_name(region)); }

std::string quote_methods(const std::vector<ContactMethod>& methods) {
  std::vector<std::string> words;
  for (const ContactMethod method : methods) words.push_back(fmt::format("\"{}\"", enum_name(method)));
  return fmt::format("method = {}", fmt::join(words, " or "));
}

std::vector<ContactMethod> list_methods(const CombinationSide& a, const CombinationSide& b, ContactRegion region) {
  std::vector<ContactMethod> methods;
  for (const ContactMethod method : kContactMethods) {
    if (find_obstacle(a, b, region, method).empty()) methods.push_back(method);
  }
  return methods;
}

}  // namespace

std::string describe_missing_point_pair(const Shape& a, const Shape& b) {
  return fmt::format("no point contact exists between a {} and a {}", shape_name(a), shape_name(b));
}

std::string describe_missing_inside() { return "a mesh with surface = true has no inside"; }

std::string find_obstacle(ContactRegion region, ContactMethod method) {
  const RegionTraits& needs = region_traits(region_kind(region));
  const MethodTraits& traits = method_traits(method);
  if (needs.needs_overlap && !traits.lets_overlap)
    return "its force follows from the overlap of the bodies, and this method lets them have none";
  if (needs.is_held_over_steps && traits.wants_smooth) {
    return "its springs are stretched once in a step and held until the next, so that no force is a function of the "
           "state alone, which error control needs";
  }
  if (traits.only_at_points && !needs.takes_nearest_points)
    return "this method follows springs over the depth at points, and knows no patches";
  return {};
}

std::string find_obstacle(const CombinationSide& a, const CombinationSide& b, ContactRegion region,
                          ContactMethod method) {
  if (const std::string obstacle = find_obstacle(region, method); !obstacle.empty()) return obstacle;
  return region_row(region_kind(region)).find_pair_obstacle(a, b, method);
}

std::string suggest_method(ContactRegion region) {
  std::vector<ContactMethod> methods;
  for (const ContactMethod method : kContactMethods) {
    if (find_obstacle(region, method).empty()) methods.push_back(method);
  }
  return fmt::format("{} needs {}", quote(region), quote_methods(methods));
}

std::string suggest_instead(const CombinationSide& a, const CombinationSide& b, ContactRegion region,
                            ContactMethod method) {
  std::vector<std::string> ways;
  for (const ContactRegion other : kContactRegions) {
    if (other != region && find_obstacle(a, b, other, method).empty()) ways.push_back(quote(other));
  }
  if (const auto methods = list_methods(a, b, region); !methods.empty()) ways.push_back(quote_methods(methods));
  if (ways.empty()) {
    for (const ContactRegion other : kContactRegions) {
      if (const auto methods = list_methods(a, b, other); !methods.empty() && other != region)
        ways.push_back(fmt::format("{} with {}", quote(other), quote_methods(methods)));
    }
  }
  if (!ways.empty()) return fmt::format("Use {}", fmt::join(ways, ", or "));
  if (!is_finite(a.shape) && !is_finite(b.shape))
    return "Give one of them an end: a box instead of a half-space, a cylinder or cone with a length";
  return "Give one of them another shape where they touch: spheres, a polyhedron or a mesh";
}

}  // namespace abut
