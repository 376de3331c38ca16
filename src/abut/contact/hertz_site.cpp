#include "abut/contact/hertz_site.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "abut/contact/law/hertz_stiffness.hpp"
#include "abut/geometry/curvature.hpp"

namespace abut {

namespace {

/// Radius of a curvature, at most the size of the body [m].
double calc_radius(double kappa, double size) { return std::min(size, 1.0 / std::max(std::abs(kappa), 1e-300)); }

}  // namespace

HertzSite make_hertz_site(const Collider& a, const Collider& b, const BodyMotion& motion, const PointContact& contact) {
  HertzSite site;
  const auto find = [&](const Collider& collider, const Vec3& outward) {
    const Pose X_WS = calc_collider_pose(collider, motion.X_WB[collider.link]);
    const SurfaceCurvature found = calc_surface_curvature(collider.shape, X_WS, contact.point, outward)
                                       .value_or(SurfaceCurvature{0.0, 0.0, any_perpendicular(outward)});
    const double strong = std::max(std::abs(found.kappa_1), std::abs(found.kappa_2));
    const double weak = std::min(std::abs(found.kappa_1), std::abs(found.kappa_2));
    if (strong > 0.0) {
      site.radius_short = std::min(site.radius_short, calc_radius(strong, collider.bounding_radius));
      site.radius_long = std::min(site.radius_long, calc_radius(weak, collider.bounding_radius));
    }
    site.own_curvature = std::max(site.own_curvature, weak);
    return found;
  };
  const RelativeCurvature relative = calc_relative_curvature(find(a, Vec3(-contact.normal)), find(b, contact.normal));
  site.curvature_1 = relative.a;
  site.curvature_2 = relative.b;
  return site;
}

PatchSize calc_patch_size(const HertzSite& site, double depth, double force) {
  PatchSize size;
  if (!(depth > 0.0) || !(site.curvature_1 > 0.0) || !std::isfinite(site.curvature_1)) return size;
  if (!(site.curvature_2 > 0.0) || site.curvature_1 > kMaxCurvatureRatio * site.curvature_2) {
    size.short_axis = std::sqrt(depth / site.curvature_1);
    return size;
  }
  // The shape of the patch knows no modulus.
  const HertzContact hertz = make_hertz_contact(1.0, site.curvature_1, site.curvature_2);
  size.short_axis = hertz.short_axis_rate * std::sqrt(depth);
  size.long_axis = size.short_axis / hertz.axis_ratio;
  size.mean_pressure = std::max(0.0, force) / (std::numbers::pi * size.long_axis * size.short_axis);
  size.peak_pressure = 1.5 * size.mean_pressure;
  return size;
}

double calc_patch_ratio(const HertzSite& site, const PatchSize& size) {
  return std::max(size.short_axis / site.radius_short, size.long_axis / site.radius_long);
}

bool do_conform(const HertzSite& site) { return site.curvature_2 > 0.0 && site.curvature_2 < 0.5 * site.own_curvature; }

}  // namespace abut
