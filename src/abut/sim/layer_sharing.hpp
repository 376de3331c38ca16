#pragma once

#include <span>
#include <vector>

#include "abut/contact/contact_set.hpp"
#include "abut/sim/layer_step.hpp"

namespace abut {

/// A layer belongs to a place of a body, not to each shape that reaches it: contacts of one pair of bodies within a
/// patch of each other share one. With w = (1 - (d / r)^2)^2 of the distance d between them, r = sqrt(2 R
/// max_deflection) the largest patch of a ball as large as the smaller shape, each has the layer over 1 + sum of w:
/// shapes in one place together as much as one of them alone, shapes a patch apart a layer each. `points`: candidate
/// point of each contact.
void share_layers(const ContactSet& set, std::span<const int> points, std::vector<LayerContact>& contacts);

}  // namespace abut
