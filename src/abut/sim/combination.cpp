#include "abut/sim/combination.hpp"

#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "abut/base/error.hpp"
#include "abut/geometry/mesh/shape_mesh.hpp"
#include "abut/geometry/point_pair.hpp"
#include "abut/geometry/volume/interference.hpp"
#include "abut/sim/method_row.hpp"

namespace abut {

namespace {

/// What a region asks of a method.
struct RegionRow {
  ContactRegion region;
  bool needs_overlap;       ///< its force follows from how the bodies overlap
  bool is_held_over_steps;  ///< its force is not a function of the state alone
};

constexpr std::array<RegionRow, 3> kRegionRows = {{
    {ContactRegion::point, false, false},
    {ContactRegion::volume, true, false},
    {ContactRegion::perimeter, true, true},
}};

std::string quote(ContactRegion region) { return fmt::format("region = \"{}\"", enum_name(region)); }

std::string quote_methods(const std::vector<ContactMethod>& methods) {
  std::vector<std::string> words;
  for (const ContactMethod method : methods) words.push_back(fmt::format("\"{}\"", enum_name(method)));
  return fmt::format("method = {}", fmt::join(words, " or "));
}

std::string find_point_obstacle(const Shape& a, const Shape& b, ContactMethod method) {
  if (const auto find_own = method_row(method).find_point_obstacle) return find_own(a, b);
  return find_point_pair(a, b) ? std::string() : describe_missing_point_pair(a, b);
}

std::string find_volume_obstacle(const Shape& a, const Shape& b) {
  try {
    Interference::make(a, b);
  } catch (const InputError& error) {
    return error.what();
  }
  return {};
}

std::string find_perimeter_obstacle(const CombinationSide& a, const CombinationSide& b) {
  if (!is_finite(a.shape) && !is_finite(b.shape)) {
    return fmt::format("a {} and a {} are both endless, and so is the curve in which they cross", shape_name(a.shape),
                       shape_name(b.shape));
  }
  for (const CombinationSide* side : {&a, &b}) {
    if (std::holds_alternative<Mesh>(side->shape)) continue;  // has triangles of its own
    try {
      make_shape_mesh(side->shape);
    } catch (const InputError& error) {
      return error.what();
    }
  }
  return {};
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

std::string find_obstacle(ContactRegion region, ContactMethod method) {
  const RegionRow& needs = kRegionRows[static_cast<std::size_t>(region)];
  const MethodTraits& traits = method_traits(method);
  if (needs.needs_overlap && !traits.lets_overlap)
    return "its force follows from the overlap of the bodies, and this method lets them have none";
  if (needs.is_held_over_steps && traits.wants_smooth) {
    return "its springs are stretched once in a step and held until the next, so that no force is a function of the "
           "state alone, which error control needs";
  }
  return {};
}

std::string find_obstacle(const CombinationSide& a, const CombinationSide& b, ContactRegion region,
                          ContactMethod method) {
  if (const std::string obstacle = find_obstacle(region, method); !obstacle.empty()) return obstacle;
  if (region == ContactRegion::perimeter) return find_perimeter_obstacle(a, b);
  if (!a.has_inside || !b.has_inside) return "a mesh with surface = true has no inside";
  if (region == ContactRegion::volume) return find_volume_obstacle(a.shape, b.shape);
  return find_point_obstacle(a.shape, b.shape, method);
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
