#include "abut/solve/lcp/friction_projection.hpp"

#include <algorithm>
#include <cmath>

namespace abut {

namespace {

void project_on_circle(double mu, const Vec3& y, FrictionProjection& out) {
  const Vec2 y_t = y.tail<2>();
  const double length = y_t.norm(), limit = mu * out.x[0];
  if (length <= limit) {
    out.x.tail<2>() = y_t;
    out.slope.block<2, 2>(1, 1).setIdentity();
    return;
  }
  const Vec2 along = y_t / length;
  out.x.tail<2>() = limit * along;
  if (y[0] > 0.0) out.slope.block<2, 1>(1, 0) = mu * along;
  out.slope.block<2, 2>(1, 1) = limit / length * (Eigen::Matrix2d::Identity() - along * along.transpose());
}

void project_on_box(double mu, const Vec3& y, FrictionProjection& out) {
  const double limit = mu * out.x[0];
  for (int k = 1; k < 3; ++k) {
    out.x[k] = std::clamp(y[k], -limit, limit);
    if (std::abs(y[k]) <= limit) {
      out.slope(k, k) = 1.0;
    } else if (y[0] > 0.0) {
      out.slope(k, 0) = std::copysign(mu, y[k]);
    }
  }
}

/// On the side whose wedge from the centre holds the argument, or on one of its corners.
void project_on_polygon(const FrictionContact& contact, const Vec3& y, FrictionProjection& out) {
  constexpr double kTurn = 6.283185307179586;
  const Vec2 y_t = y.tail<2>();
  const double limit = contact.mu * out.x[0], part = kTurn / contact.facets;
  const double angle = std::atan2(y_t.y(), y_t.x()) - contact.first_angle;
  const int side = static_cast<int>(std::floor(angle / part));
  // Outside, the nearest point may lie on a corner; the wedge of the centre then still names one of its two sides.
  const int first = ((side % contact.facets) + contact.facets) % contact.facets;
  const Vec2 low = calc_facet_direction(contact, first), high = calc_facet_direction(contact, first + 1);
  const Vec2 edge = (high - low).normalized(), normal(edge.y(), -edge.x());
  const double reach = normal.dot(low);  // of the side, for a limit of 1
  if (normal.dot(y_t) <= reach * limit) {
    out.x.tail<2>() = y_t;
    out.slope.block<2, 2>(1, 1).setIdentity();
    return;
  }
  const double along = edge.dot(y_t), least = limit * edge.dot(low), most = limit * edge.dot(high);
  if (along > least && along < most) {
    out.x.tail<2>() = reach * limit * normal + along * edge;
    if (y[0] > 0.0) out.slope.block<2, 1>(1, 0) = contact.mu * reach * normal;
    out.slope.block<2, 2>(1, 1) = edge * edge.transpose();
    return;
  }
  const Vec2& corner = along <= least ? low : high;
  out.x.tail<2>() = limit * corner;
  if (y[0] > 0.0) out.slope.block<2, 1>(1, 0) = contact.mu * corner;
}

}  // namespace

FrictionProjection project_on_friction(const FrictionContact& contact, const Vec3& argument) {
  FrictionProjection out;
  out.x[0] = std::max(0.0, argument[0]);
  if (argument[0] > 0.0) out.slope(0, 0) = 1.0;
  switch (contact.cone) {
    case FrictionCone::box:
      project_on_box(contact.mu, argument, out);
      break;
    case FrictionCone::polygon:
      project_on_polygon(contact, argument, out);
      break;
    case FrictionCone::circle:
      project_on_circle(contact.mu, argument, out);
      break;
  }
  return out;
}

}  // namespace abut
