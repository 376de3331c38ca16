#pragma once

#include <string>
#include <vector>

#include "abut/geometry/shape.hpp"

namespace abut {

/// A shape of its kind, for tables.
struct SampleShape {
  std::string name;  ///< "cylinder", "endless cylinder", ...
  Shape shape;
};

/// One of each kind of shape a scene can have.
std::vector<SampleShape> make_sample_shapes();

/// Markdown: which shapes may meet, one table for each region, with the methods in the fields. docs/combinations.md is
/// this text.
std::string make_combination_page();

/// The same in a few lines for a terminal: the methods of each region and how many pairs of shapes each takes.
std::string make_combination_overview();

}  // namespace abut
