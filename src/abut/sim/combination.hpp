#pragma once

#include <array>
#include <string>

#include "abut/contact/region/region_traits.hpp"
#include "abut/geometry/shape.hpp"
#include "abut/scene/contact_spec.hpp"
#include "abut/scene/run_spec.hpp"

namespace abut {

/// Which shapes may meet under which region and method. The checks of a scene, their words, `abut models combinations`
/// and docs/combinations.md all ask here.

using ContactRegion = ContactDefaultSpec::Region;
using ContactMethod = RunSpec::Method;

inline constexpr auto kContactRegions = [] {
  std::array<ContactRegion, kNumRegions> kinds{};
  for (std::size_t i = 0; i < kinds.size(); ++i) kinds[i] = static_cast<ContactRegion>(kRegions[i].kind);
  return kinds;
}();
inline constexpr auto kContactMethods = [] {
  std::array<ContactMethod, kMethods.size()> kinds{};
  for (std::size_t i = 0; i < kinds.size(); ++i) kinds[i] = kMethods[i].kind;
  return kinds;
}();

/// One side of a pair.
struct CombinationSide {
  const Shape& shape;
  bool has_inside = true;  ///< false for a mesh with surface = true
};

/// Why no pair at all can have this region under this method, or an empty string.
std::string find_obstacle(ContactRegion region, ContactMethod method);

/// Why these two cannot meet under this region and method, or an empty string: then they can.
std::string find_obstacle(const CombinationSide& a, const CombinationSide& b, ContactRegion region,
                          ContactMethod method);

/// What takes the two instead, as an order to the reader ("Use region = \"volume\" ..."). Another region under the same
/// method comes first.
std::string suggest_instead(const CombinationSide& a, const CombinationSide& b, ContactRegion region,
                            ContactMethod method);

/// For the regions that ask for bodies with an inside.
std::string describe_missing_inside();

/// For the methods that ask where no point pair exists.
std::string describe_missing_point_pair(const Shape& a, const Shape& b);

/// What takes the region instead of the method, likewise.
std::string suggest_method(ContactRegion region);

}  // namespace abut
