#pragma once

#include <vector>

#include "abut/geometry/volume/unit_quadric.hpp"
#include "abut/math/types.hpp"

namespace abut {

/// A node of a line integral: the sum of f(x) . dx over the nodes is the integral along the curve.
struct CurveNode {
  Vec3 x = Vec3::Zero(), dx = Vec3::Zero();
};

/// Appends the nodes along the curve that a plane (unit normal n) cuts from a quadric, from p to q, both on it, with
/// the quadric's inside to the left seen against n. The curve is divided where its distance from the chord is not
/// analytic far enough beyond the ends for Gauss' rule to be exact to about 1e-13.
void add_conic_arc(const UnitQuadric& quadric, const Vec3& n, const Vec3& p, const Vec3& q,
                   std::vector<CurveNode>& nodes);

/// All around a closed curve, anticlockwise seen against n, about a point inside.
void add_closed_conic(const UnitQuadric& quadric, const Vec3& n, const Vec3& inside, std::vector<CurveNode>& nodes);

}  // namespace abut
