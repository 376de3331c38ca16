#pragma once

#include "abut/scene/ncp_spec.hpp"
#include "abut/sim/layer_step.hpp"

namespace abut {

/// Whether each contact has a layer made for its own two bodies: where the scene gives neither stiffness, damping nor
/// max_deflection. What it gives belongs to one layer for all contacts.
bool has_layers_by_contact(const NcpSpec& spec);

/// Part of the smaller body's size that the layer of a contact yields by where nothing is given [1]: nobody sees it,
/// and whatever presses on the bodies, they rest within it.
constexpr double kLayerOverSize = 1e-4;

/// The layer of a contact between bodies of this reduced mass [kg], the smaller of which reaches this far (Collider::
/// bounding_radius) [m]. Where the scene gives no layer
///   d_max = kLayerOverSize size,   k = 4 m g / d_max in all directions,   g = 9.81 m/s^2,
/// so that a body at rest yields by a quarter of the layer, of four alike on top of each other the lowest stands on its
/// core. Nothing of it depends on what else is in the scene.
Layer make_contact_layer(const NcpSpec& spec, double reduced_mass, double size);

/// 1 / (1 / a + 1 / b); immovable bodies have an infinite mass [kg].
double calc_reduced_mass(double mass_a, double mass_b);

}  // namespace abut
