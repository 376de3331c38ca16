#pragma once

#include <array>

#include "abut/math/types.hpp"

namespace abut {

/// One to four points whose hull is searched for the point nearest to the origin.
struct Simplex {
  int size = 0;
  std::array<Vec3, 4> points;
};

/// The nearest point and the smallest part of the simplex that holds it.
struct SimplexPoint {
  Vec3 point = Vec3::Zero();
  int size = 0;
  std::array<int, 4> corners = {};     ///< indices into the simplex
  std::array<double, 4> weights = {};  ///< of these, >= 0, summing to one
  bool is_inside = false;              ///< the origin lies inside a tetrahedron; the rest is then not set
};

/// Point of the simplex nearest to the origin. Flat tetrahedra and thin triangles are welcome: the answer is then that
/// of the best of their sides. Where a triangle holds it, the point is found along the triangle's normal, so that its
/// direction is right even where it is much nearer than the corners are far.
SimplexPoint calc_nearest_to_origin(const Simplex& simplex);

}  // namespace abut
