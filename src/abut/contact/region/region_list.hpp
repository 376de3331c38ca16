#pragma once

#include <utility>

#include "abut/contact/region/perimeter_region.hpp"
#include "abut/contact/region/point_region.hpp"
#include "abut/contact/region/volume_region.hpp"

namespace abut {

/// Calls use.operator()<R>() with the class R of a region, for what needs no object of it.
template <class Use>
decltype(auto) with_region_type(RegionKind kind, const Use& use) {
  if (kind == RegionKind::point) return use.template operator()<PointRegion>();
  return kind == RegionKind::volume ? use.template operator()<VolumeRegion>()
                                    : use.template operator()<PerimeterRegion>();
}

/// One object of each region, over one table.
class RegionList {
 public:
  explicit RegionList(ContactTable& table) : points_(table), volumes_(table), perimeters_(table) {}

  /// Calls use(region) with the object of one region.
  template <class Use>
  decltype(auto) with(RegionKind kind, const Use& use) {
    return pick(*this, kind, use);
  }
  template <class Use>
  decltype(auto) with(RegionKind kind, const Use& use) const {
    return pick(*this, kind, use);
  }
  /// With each in turn.
  template <class Use>
  void for_each(const Use& use) {
    use(points_), use(volumes_), use(perimeters_);
  }
  template <class Use>
  void for_each(const Use& use) const {
    use(points_), use(volumes_), use(perimeters_);
  }

  /// The one with a fused step.
  PointRegion& fused() { return points_; }
  const PointRegion& fused() const { return points_; }

 private:
  template <class Self, class Use>
  static decltype(auto) pick(Self& self, RegionKind kind, const Use& use) {
    if (kind == RegionKind::point) return use(self.points_);
    return kind == RegionKind::volume ? use(self.volumes_) : use(self.perimeters_);
  }

  PointRegion points_;
  VolumeRegion volumes_;
  PerimeterRegion perimeters_;
  static_assert(RegionClass<PointRegion> && RegionClass<VolumeRegion> && RegionClass<PerimeterRegion>);
};

}  // namespace abut
