#include "abut/sim/layer_sharing.hpp"

#include <algorithm>
#include <cmath>

namespace abut {

void share_layers(const ContactSet& set, std::span<const int> points, std::vector<LayerContact>& contacts) {
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    LayerContact& own = contacts[i];
    const Candidate& candidate = set.candidate_of_point(points[i]);
    const double size = std::min(set.collider(candidate.collider_a).bounding_radius,
                                 set.collider(candidate.collider_b).bounding_radius);
    if (!std::isfinite(size)) continue;
    const double patch = std::sqrt(2.0 * size * own.layer.max_deflection);
    double sum = 1.0;
    for (std::size_t j = 0; j < contacts.size(); ++j) {
      if (i == j || own.body_1 != contacts[j].body_1 || own.body_2 != contacts[j].body_2) continue;
      const double away = (set.point_geometry(points[i]).point - set.point_geometry(points[j]).point).norm() / patch;
      if (away < 1.0) sum += std::pow(1.0 - away * away, 2);
    }
    if (sum == 1.0) continue;
    for (Layer* layer : {&own.layer, own.other ? &*own.other : nullptr}) {
      if (layer == nullptr) continue;
      layer->stiffness /= sum;
      layer->damping /= sum;
    }
  }
}

}  // namespace abut
