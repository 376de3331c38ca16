#pragma once

#include "abut/scene/law_text.hpp"

namespace abut {

/// Keys of the coefficients of a law, which of them may be left out, and which is not below the other.
struct CoefficientKeys {
  const char* sliding = "";  ///< of it and `stuck` either alone stands for both
  const char* stuck = "";    ///< not below `sliding`
  const char* both = "";     ///< short for the same value of both; empty: there is none
};

/// What all rooms ask about a friction law. It stands in its specification as kRow, beside the table of its fields.
struct FrictionLawRow {
  LawText text;
  CoefficientKeys coefficients = {};
  bool has_volume_form = false;     ///< for a patch that slides and spins
  bool has_perimeter_form = false;  ///< for the points of a curve
};

}  // namespace abut
