#pragma once

#include "abut/scene/field.hpp"

namespace abut {

/// How method = "micro" follows contacts inside of its steps.   [docs/theory/micro.md]
struct MicroSpec : Located {
  double ring = 0.25;
  double quiet = 0.02;
  double geometry_tolerance = 1e-6;
  int max_halvings = 8;
};

template <class Visitor>
void visit_fields(Visitor& v, SpecOf<MicroSpec> auto& s) {
  v(s.ring, FieldInfo{.key = "ring",
                      .unit = "1",
                      .doc = "Length of a sub-step in which contacts swing, over the fastest one's period by 2 pi.",
                      .minimum = 1e-3,
                      .maximum = 1.0});
  v(s.quiet, FieldInfo{.key = "quiet",
                       .unit = "1",
                       .doc = "Ripple of a contact's force, of the force, below which a step passes over it.",
                       .minimum = 0,
                       .maximum = 0.2});
  v(s.geometry_tolerance,
    FieldInfo{.key = "geometry_tolerance",
              .unit = "1",
              .doc = "What geometry that is frozen over a step may make of energy, of the largest energy of motion; "
                     "beyond, the step is taken in halves.",
              .minimum = 1e-12,
              .maximum = 1e-2});
  v(s.max_halvings,
    FieldInfo{.key = "max_halvings", .doc = "How often a step may be halved.", .minimum = 0, .maximum = 16});
}

}  // namespace abut
