#include "abut/sim/contact_layer.hpp"

#include <cmath>

namespace abut {

bool has_layers_by_contact(const NcpSpec& spec) {
  const NcpSpec none;
  const bool is_written = spec.has_key("stiffness") || spec.has_key("damping") || spec.has_key("max_deflection");
  return !is_written && !spec.damping && spec.stiffness == none.stiffness && spec.max_deflection == none.max_deflection;
}

Layer make_contact_layer(const NcpSpec& spec, double reduced_mass, double size) {
  Layer layer;
  if (!has_layers_by_contact(spec) || !std::isfinite(reduced_mass) || !std::isfinite(size)) {
    layer.stiffness = spec.stiffness.asDiagonal();
    layer.damping = spec.damping.value_or(Vec3::Zero()).asDiagonal();
    layer.max_deflection = spec.max_deflection;
    return layer;
  }
  constexpr double kWeights = 4.0, kGravity = 9.81;  // [1], [m/s^2]
  layer.max_deflection = kLayerOverSize * size;
  layer.stiffness = Mat3::Identity() * (kWeights * reduced_mass * kGravity / layer.max_deflection);
  return layer;
}

double calc_reduced_mass(double mass_a, double mass_b) {
  if (!std::isfinite(mass_a)) return mass_b;
  if (!std::isfinite(mass_b)) return mass_a;
  return mass_a * mass_b / (mass_a + mass_b);
}

}  // namespace abut
