#include "abut/sim/region_row.hpp"

namespace abut {

namespace {

constexpr std::array<const RegionRow*, kNumRegions> kRows = {&kPointRow, &kVolumeRow, &kPerimeterRow};

/// Scenes and contacts name the same regions in the same order.
constexpr bool are_names_equal() {
  const auto& names = EnumNames<ContactRegion>::values;
  if (names.size() != kNumRegions) return false;
  for (const auto& [region, name] : names) {
    if (region_traits(region_kind(region)).name != name) return false;
  }
  return true;
}
static_assert(are_names_equal());

}  // namespace

std::span<const RegionRow* const> region_rows() { return kRows; }

const RegionRow& region_row(RegionKind kind) { return *kRows[static_cast<std::size_t>(kind)]; }

}  // namespace abut
