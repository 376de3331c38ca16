#pragma once

#include "abut/scene/field.hpp"

namespace abut {

/// How the direction of a small slip is rounded off below v_eps; r = |u|/v_eps.
enum class Regularisation {
  printed,  ///< magnitude r^2 (3 - r^2)/2, [Gonthier 2007 (3.33)] as printed; flat at 0, a kink at r = 1
  smooth    ///< magnitude r (3 - r^2)/2: once continuously differentiable
};

template <>
struct EnumNames<Regularisation> {
  static constexpr EnumTable<Regularisation, 2> values{
      {{Regularisation::printed, "printed"}, {Regularisation::smooth, "smooth"}}};
  static constexpr PlannedNames<0> planned{};
};

}  // namespace abut
