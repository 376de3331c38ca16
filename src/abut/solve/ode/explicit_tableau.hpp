#pragma once

#include <array>

namespace abut {

/// Explicit Runge-Kutta method: stage s at t + c_s h from y + h sum_j a_sj k_j; result y + h sum_s b_s k_s.
struct ExplicitTableau {
  static constexpr int kMaxStages = 7;
  int num_stages;
  std::array<double, kMaxStages> c;
  std::array<std::array<double, kMaxStages>, kMaxStages> a;
  std::array<double, kMaxStages> b;
};

inline constexpr ExplicitTableau kEulerTableau{1, {0.0}, {}, {1.0}};

/// Heun's trapezoidal rule, order 2.
inline constexpr ExplicitTableau kHeunTableau{2, {0.0, 1.0}, {{{}, {1.0}}}, {0.5, 0.5}};

/// Order 3 [Bogacki and Shampine 1989].
inline constexpr ExplicitTableau kBogackiShampineTableau{
    3, {0.0, 0.5, 0.75}, {{{}, {0.5}, {0.0, 0.75}}}, {2.0 / 9.0, 1.0 / 3.0, 4.0 / 9.0}};

inline constexpr ExplicitTableau kClassicalTableau{
    4, {0.0, 0.5, 0.5, 1.0}, {{{}, {0.5}, {0.0, 0.5}, {0.0, 0.0, 1.0}}}, {1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0}};

/// Order 5 [Dormand and Prince 1980]. The seventh stage sits at the end of the step with the row of b: it is the first
/// stage of the next step and completes the error estimate and the dense output; the order 5 result does not need it.
inline constexpr ExplicitTableau kDormandPrinceTableau{
    7,
    {0.0, 0.2, 0.3, 0.8, 8.0 / 9.0, 1.0, 1.0},
    {{{},
      {0.2},
      {3.0 / 40.0, 9.0 / 40.0},
      {44.0 / 45.0, -56.0 / 15.0, 32.0 / 9.0},
      {19372.0 / 6561.0, -25360.0 / 2187.0, 64448.0 / 6561.0, -212.0 / 729.0},
      {9017.0 / 3168.0, -355.0 / 33.0, 46732.0 / 5247.0, 49.0 / 176.0, -5103.0 / 18656.0},
      {35.0 / 384.0, 0.0, 500.0 / 1113.0, 125.0 / 192.0, -2187.0 / 6784.0, 11.0 / 84.0}}},
    {35.0 / 384.0, 0.0, 500.0 / 1113.0, 125.0 / 192.0, -2187.0 / 6784.0, 11.0 / 84.0, 0.0}};

}  // namespace abut
