#include <algorithm>
#include <cmath>
#include <memory>

#include "abut/base/error.hpp"
#include "abut/contact/region/carrier_field.hpp"

namespace abut {

/// The law that is nearest to the depth in the interference: the depth is the least of most laws, so the law with the
/// least integral has the least to be taken off. Holes of several faces have laws that may be less than the depth;
/// where they are far from it they are mostly below zero.
int CarrierField::choose_base() const {
  int best = 0;
  double least = HUGE_VAL;
  for (const FieldRegion& region : field_.regions) {
    const double stored = calc_field_wrench(field_.laws[region.law], parts_[0].metrics).stored;
    if (stored > 0.0 && stored < least) best = region.law, least = stored;
  }
  return best;
}

/// Of one part: one law for all of it, and in each region what its own differs from that. Parts that are far from each
/// other lie below different faces, so several have their regions alone: one law for all would have to be taken off
/// again where it is large, and leave the error of the volumes times its depth.
void CarrierField::add_regions(const Pose& X_WC, const Pose& X_WO, double weight) {
  const int base = parts_.size() == 1 ? choose_base() : -1;
  if (base >= 0) local_[0].add(calc_field_wrench(field_.laws[base], parts_[0].metrics), weight);
  cells_[0].resize(field_.regions.size());
  for (std::size_t k = 0; k < field_.regions.size(); ++k) {
    const FieldRegion& region = field_.regions[k];
    if (region.law == base) continue;
    if (cells_[0][k] == nullptr) cells_[0][k] = std::make_unique<Cell>(make_cell(region.shape, Pose()));
    calc_cell(*cells_[0][k], X_WC, X_WO);
    const FieldLaw law = base >= 0 ? field_.laws[region.law] - field_.laws[base] : field_.laws[region.law];
    for (const VolumeMetrics& piece : found_)
      local_[find_part_at(piece.centroid)].add(calc_field_wrench(law, piece), weight);
  }
}

CarrierField::Cell CarrierField::make_cell(const Shape& shape, const Pose& X) const {
  Cell cell;
  cell.X = X;
  cell.watch = ApartWatch(std::min(carrier_.bounding_radius, other_.bounding_radius));
  const auto* flat = std::get_if<Polyhedron>(&shape);
  if (flat != nullptr && flat->solid == nullptr) return cell;
  try {
    cell.interference =
        std::make_unique<Interference>(Interference::make(shape, other_.shape, {.relative_error = relative_error_}));
  } catch (const InputError&) {
    // A face as narrow as rounding leaves a solid that no mesh can stand for; next to nothing is in it.
  }
  return cell;
}

std::size_t CarrierField::find_part_at(const Vec3& point) const {
  std::size_t best = 0;
  double least = HUGE_VAL;
  for (std::size_t i = 0; i < parts_.size() && parts_.size() > 1; ++i) {
    const double remoteness = calc_remoteness(parts_[i].metrics, point);
    if (remoteness < least) best = i, least = remoteness;
  }
  return best;
}

}  // namespace abut
