#include <cmath>
#include <memory>
#include <span>

#include "abut/contact/region/carrier_field.hpp"

namespace abut {

/// The law that is nearest to the depth in the interference: the depth is the least of most laws, so the law with the
/// least integral has the least to be taken off. Holes of several faces have laws that may be less than the depth;
/// where they are far from it they are mostly below zero.
int CarrierField::choose_base() const {
  int best = 0;
  double least = HUGE_VAL;
  for (const FieldRegion& region : field_.regions) {
    double sum = 0.0;
    for (const LocalPart& part : parts_) sum += calc_field_wrench(field_.laws[region.law], part.metrics).stored;
    if (sum > 0.0 && sum < least) best = region.law, least = sum;
  }
  return best;
}

/// One law for all of the interference, and in each region what its own differs from that. The law is one for all
/// parts, so that a piece that is counted with another part than its own changes nothing about the sum.
void CarrierField::add_regions(const Pose& X_WC, const Pose& X_WO, double weight) {
  const int base = choose_base();
  for (std::size_t i = 0; i < parts_.size(); ++i)
    local_[i].add(calc_field_wrench(field_.laws[base], parts_[i].metrics), weight);
  cells_[0].resize(field_.regions.size());
  for (std::size_t k = 0; k < field_.regions.size(); ++k) {
    const FieldRegion& region = field_.regions[k];
    if (region.law == base) continue;
    if (cells_[0][k] == nullptr) cells_[0][k] = std::make_unique<Cell>(make_cell(region.shape, Pose()));
    calc_cell(*cells_[0][k], X_WC, X_WO);
    const FieldLaw law = field_.laws[region.law] - field_.laws[base];
    for (const VolumeMetrics& piece : found_)
      local_[find_part_at(piece.centroid)].add(calc_field_wrench(law, piece), weight);
  }
}

}  // namespace abut
