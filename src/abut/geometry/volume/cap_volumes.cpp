#include "abut/geometry/volume/cap_volumes.hpp"

#include <cmath>
#include <numbers>

namespace abut {
namespace {

constexpr double kPi = std::numbers::pi;

/// Of a spherical cap: second moments are about its centroid, along the axis and across it.
struct CapMoments {
  double volume = 0.0;               ///< [m^3]
  double centroid = 0.0;             ///< its distance below the base plane [m]
  double along = 0.0, across = 0.0;  ///< [m^5]
  double area = 0.0;                 ///< of the base [m^2]
};

/// Cap of height h, 0 < h <= 2R.
CapMoments calc_cap(double radius, double h) {
  const double R = radius;
  CapMoments cap;
  cap.volume = kPi * h * h * (3.0 * R - h) / 3.0;
  cap.centroid = h * (4.0 * R - h) / (4.0 * (3.0 * R - h));
  cap.across = kPi * h * h * h * (20.0 * R * R - 15.0 * R * h + 3.0 * h * h) / 60.0;
  const double from_pole = h - cap.centroid;
  cap.along = kPi * h * h * h * h * (0.5 * R - 0.2 * h) - cap.volume * from_pole * from_pole;
  cap.area = kPi * h * (2.0 * R - h);
  return cap;
}

/// Inertia of second moments `along` the unit vector u and `across` it.
Mat3 make_inertia(const Vec3& u, double along, double across) {
  return (along + across) * Mat3::Identity() + (across - along) * (u * u.transpose());
}

VolumeMetrics make_sphere(const Vec3& center, double radius) {
  const double volume = 4.0 / 3.0 * kPi * radius * radius * radius;
  return {volume, center, Mat3(0.4 * volume * radius * radius * Mat3::Identity()), Vec3::Zero()};
}

}  // namespace

VolumeMetrics calc_sphere_cap(const Vec3& p_WA, double radius, const Vec3& normal, double offset) {
  const double above = normal.dot(p_WA) - offset;
  const double depth = radius - above;
  if (!(depth > 0.0)) return {};
  if (depth >= 2.0 * radius) return make_sphere(p_WA, radius);
  const CapMoments cap = calc_cap(radius, depth);
  return {cap.volume, Vec3(p_WA - (above + cap.centroid) * normal), make_inertia(normal, cap.along, cap.across),
          Vec3(cap.area * normal)};
}

VolumeMetrics calc_ellipsoid_cap(const Pose& X_WA, const Vec3& semi_axes, const Vec3& normal, double offset) {
  // x = p + L y carries the unit sphere to the ellipsoid; n . x <= offset becomes (L'n) . y <= offset - n . p.
  const Mat3 L = X_WA.R * semi_axes.asDiagonal();
  const Vec3 m = L.transpose() * normal;
  const double stretch = m.norm(), det = semi_axes.prod();
  const VolumeMetrics unit = calc_sphere_cap(Vec3::Zero(), 1.0, m / stretch, (offset - normal.dot(X_WA.p)) / stretch);
  if (!(unit.volume > 0.0)) return {};
  const Mat3 second = 0.5 * unit.inertia.trace() * Mat3::Identity() - unit.inertia;
  const Mat3 carried = det * L * second * L.transpose();
  VolumeMetrics metrics;
  metrics.volume = det * unit.volume;
  metrics.centroid = X_WA * Vec3(semi_axes.cwiseProduct(unit.centroid));
  metrics.inertia = carried.trace() * Mat3::Identity() - carried;
  metrics.area_vector = det / stretch * unit.area() * normal;  // area = dV/d(offset)
  return metrics;
}

VolumeMetrics calc_sphere_lens(const Vec3& p_WA, double radius_a, const Vec3& p_WB, double radius_b) {
  const Vec3 from_b = p_WA - p_WB;
  const double distance = from_b.norm(), depth = radius_a + radius_b - distance;
  if (!(depth > 0.0)) return {};
  if (distance <= std::abs(radius_a - radius_b)) {
    return radius_a <= radius_b ? make_sphere(p_WA, radius_a) : make_sphere(p_WB, radius_b);
  }
  const Vec3 u = from_b / distance;
  const double height_a = (radius_b - radius_a + distance) * depth / (2.0 * distance);
  const double height_b = (radius_a - radius_b + distance) * depth / (2.0 * distance);
  const CapMoments a = calc_cap(radius_a, height_a), b = calc_cap(radius_b, height_b);
  VolumeMetrics lens;
  lens.volume = a.volume + b.volume;
  // Heights along u over the common base plane: A's cap hangs below it, B's stands above.
  const double middle = (b.volume * b.centroid - a.volume * a.centroid) / lens.volume;
  const double apart = a.centroid + b.centroid;
  const double along = a.along + b.along + a.volume * b.volume / lens.volume * apart * apart;
  lens.centroid = p_WA - (radius_a - height_a - middle) * u;
  lens.inertia = make_inertia(u, along, a.across + b.across);
  lens.area_vector = a.area * u;
  return lens;
}

VolumeMetrics calc_sphere_crescent(const Vec3& p_WA, double radius_a, const Vec3& p_WB, double radius_b) {
  const Vec3 from_b = p_WA - p_WB;
  const double distance = from_b.norm(), depth = distance + radius_a - radius_b;
  if (!(depth > 0.0)) return {};
  if (distance >= radius_a + radius_b) return make_sphere(p_WA, radius_a);
  VolumeMetrics crescent;
  if (distance <= radius_a - radius_b) {  // all around the hole
    const VolumeMetrics whole = make_sphere(p_WA, radius_a), hole = make_sphere(p_WB, radius_b);
    crescent.volume = whole.volume - hole.volume;
    crescent.centroid = p_WA + hole.volume / crescent.volume * from_b;
    const double parallel = whole.volume * hole.volume / crescent.volume;
    const Mat3 arm = distance * distance * Mat3::Identity() - from_b * from_b.transpose();
    crescent.inertia = whole.inertia - hole.inertia - parallel * arm;
    return crescent;
  }
  const Vec3 u = from_b / distance;
  const double height_a = depth * (distance + radius_a + radius_b) / (2.0 * distance);
  const double height_b = depth * (radius_a + radius_b - distance) / (2.0 * distance);
  const CapMoments a = calc_cap(radius_a, height_a), b = calc_cap(radius_b, height_b);
  crescent.volume = a.volume - b.volume;
  const double middle = (a.volume * a.centroid - b.volume * b.centroid) / crescent.volume;
  const double apart = a.centroid - b.centroid;
  const double along = a.along - b.along - a.volume * b.volume / crescent.volume * apart * apart;
  crescent.centroid = p_WA + (radius_a - height_a + middle) * u;
  crescent.inertia = make_inertia(u, along, a.across - b.across);
  crescent.area_vector = -a.area * u;
  return crescent;
}

}  // namespace abut
