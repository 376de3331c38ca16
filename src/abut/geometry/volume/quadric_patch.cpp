#include "abut/geometry/volume/quadric_patch.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "abut/math/gauss_rule.hpp"

namespace abut {
namespace {

/// A boundary that comes closer than this to the source (as 1 + cosine) spoils the quadrature: another pole is tried.
constexpr double kSourceDistance = 0.3;
/// A boundary that comes closer to the apex than this part of its mean distance is seen from the apex.
constexpr double kApexDistance = 0.3;

double calc_source_distance(const std::vector<CurveNode>& boundary, const Vec3& pole) {
  double least = 2.0;
  for (const CurveNode& node : boundary) least = std::min(least, 1.0 + pole.dot(node.x));
  return least;
}

/// Adds sign w (1, y, y y') over (3, 4, 5): the moments of the cone over a bit of surface with (x - O) . n dA = w.
void add_cone(double w, const Vec3& y, VolumeMoments& moments) {
  moments.volume += w / 3.0;
  moments.first += w / 4.0 * y;
  moments.second += w / 5.0 * (y * y.transpose());
}

}  // namespace

QuadricPatch::QuadricPatch(const UnitQuadric& quadric, const std::vector<CurveNode>& boundary, bool is_apex_in)
    : quadric_(quadric) {
  Vec3 area = Vec3::Zero();
  for (const CurveNode& node : boundary) area -= 0.5 * node.x.cross(node.dx);
  if (quadric_.kind == QuadricKind::ellipsoid) {
    place_on_sphere(boundary, area);
  } else {
    place_on_bar(boundary, area, is_apex_in);
  }
}

void QuadricPatch::place_on_sphere(const std::vector<CurveNode>& boundary, const Vec3& area) {
  Vec3 mean = Vec3::Zero();
  for (const CurveNode& node : boundary) mean += node.dx.norm() * node.x;
  Vec3 pole = Vec3::UnitZ();
  double farthest = -1.0;
  // The directions of the area and of the boundary, their opposites, and the 26 of a cube.
  for (int k = 0; k < 30 && farthest < kSourceDistance; ++k) {
    const int code = k < 17 ? k - 4 : k - 3;
    Vec3 candidate(code % 3 - 1, code / 3 % 3 - 1, code / 9 - 1);
    if (k < 4) candidate = (k % 2 == 0 ? 1.0 : -1.0) * (k < 2 ? area : mean);
    if (!(candidate.norm() > 1e-200)) continue;
    candidate.normalize();
    const double distance = calc_source_distance(boundary, candidate);
    if (distance > farthest) farthest = distance, pole = candidate;
  }
  axes_.col(2) = pole;
  axes_.col(0) = any_perpendicular(pole);
  axes_.col(1) = pole.cross(Vec3(axes_.col(0)));
  origin_ = pole;
  source_ = -pole;
  has_source_ = true;
}

void QuadricPatch::place_on_bar(const std::vector<CurveNode>& boundary, const Vec3& area, bool is_apex_in) {
  double length = 0.0, height = 0.0, nearest = std::numeric_limits<double>::infinity();
  Vec2 across = Vec2::Zero();
  for (const CurveNode& node : boundary) {
    const double step = node.dx.norm();
    length += step;
    height += step * node.x.z();
    across += step * node.x.head<2>();
    nearest = std::min(nearest, -node.x.z());
  }
  if (length > 0.0) height /= length;
  // The area vector of a small patch looks outwards; that of a ring does not, and then any generator will do.
  if (area.head<2>().norm() > 1e-3 * area.norm()) across = area.head<2>();
  if (!(across.norm() > 1e-200)) across = Vec2::UnitX();
  across.normalize();
  axes_.col(0) = Vec3(across.x(), across.y(), 0.0);
  axes_.col(1) = Vec3(-across.y(), across.x(), 0.0);
  if (quadric_.kind == QuadricKind::cylinder) {
    origin_ << across, height;
    return;
  }
  if (is_apex_in || !(nearest > -kApexDistance * height)) return;
  reach_ = -height;
  origin_ << reach_ * quadric_.k * across, height;
}

void QuadricPatch::add(const CurveNode& node, double sign, VolumeMoments& moments) const {
  if (quadric_.kind == QuadricKind::ellipsoid) {
    add_sphere(node, sign, moments);
  } else if (quadric_.kind == QuadricKind::cylinder || reach_ > 0.0) {
    add_bar(node, sign, moments);
  }
}

/// With X, Y across the pole and h = 1 - cosine, dA = dh dphi and X dh dphi = dh ^ dY: the integral of f(h) is that of
/// P(h) (X dY - Y dX) / (h (2 - h)), of X f(h) that of P dY, of Y f(h) that of -P dX, with P the integral of f.
void QuadricPatch::add_sphere(const CurveNode& node, double sign, VolumeMoments& moments) const {
  const Vec3 y = axes_.transpose() * node.x, d = sign * (axes_.transpose() * node.dx);
  const double h = 0.5 * (node.x - origin_).squaredNorm();
  const double turn = (y.x() * d.y() - y.y() * d.x()) / (2.0 - h);
  const double p_1 = 0.5 * h * h, p_2 = h * h * h / 3.0;
  const double i_2 = h * h / 3.0 * turn, i_3 = 0.25 * h * h * h * turn;  // of h^2, h^3
  const double rest = (h * h / 6.0 - h * h * h / 8.0) * turn;            // of P_1 (1 - h)
  const Vec3 first(p_1 * d.y(), -p_1 * d.x(), -i_2);
  Mat3 second;
  second(0, 0) = y.x() * p_1 * d.y() - rest;
  second(1, 1) = -y.y() * p_1 * d.x() - rest;
  second(2, 2) = i_3;
  second(0, 1) = second(1, 0) = 0.5 * p_1 * (y.y() * d.y() - y.x() * d.x());
  second(0, 2) = second(2, 0) = -p_2 * d.y();
  second(1, 2) = second(2, 1) = p_2 * d.x();
  moments.volume += h * turn / 6.0;
  moments.first += first / 4.0;
  moments.second += second / 5.0;
}

/// Along each generator from O's height to the boundary, by a rule that is exact for the polynomial there is.
void QuadricPatch::add_bar(const CurveNode& node, double sign, VolumeMoments& moments) const {
  const bool is_cone = quadric_.kind == QuadricKind::cone;
  const double radius = is_cone ? -quadric_.k * node.x.z() : 1.0;
  const Vec3 u(node.x.x() / radius, node.x.y() / radius, 0.0), e = axes_.col(0);
  const double h = 0.5 * (u - e).squaredNorm(), side = u.dot(axes_.col(1));
  const double turn = (u.x() * node.dx.y() - u.y() * node.dx.x()) / radius;
  const double along = node.x.z() - origin_.z();
  for (const RuleNode& rule : get_gauss_rule(2)) {
    const double z = rule.x * along;
    double w = -0.5 * sign * h * along * turn, r = 1.0, r_0 = 1.0;
    if (is_cone) {
      const double k = quadric_.k, l = reach_ - z;
      w *= reach_ * k * k * l;
      r = k * l, r_0 = k * reach_;
    }
    add_cone(w, Vec3(r - r_0 - r * h, r * side, z), moments);
  }
}

VolumeMoments QuadricPatch::calc_source() const {
  VolumeMoments moments;  // the whole ball, seen from its pole
  const double volume = 4.0 / 3.0 * std::numbers::pi;
  moments.volume = volume;
  moments.first = -volume * origin_;
  moments.second = volume * (0.2 * Mat3::Identity() + origin_ * origin_.transpose());
  return moments;
}

Vec2 QuadricPatch::calc_chart(const Vec3& x) const {
  const Vec3 y = axes_.transpose() * x;
  const double angle = std::atan2(y.y(), y.x());
  if (quadric_.kind == QuadricKind::cylinder) return {angle, y.z()};
  return {-angle, quadric_.kind == QuadricKind::cone ? -y.z() : 1.0 - y.z()};
}

void QuadricPatch::add_strip(const CurveNode& node, double sign, int n, std::vector<SurfaceNode>& bits) const {
  const Vec3 y = axes_.transpose() * node.x, d = sign * (axes_.transpose() * node.dx);
  const double across = y.head<2>().squaredNorm();
  if (!(across > 0.0)) return;
  const double turn = (y.x() * d.y() - y.y() * d.x()) / across, h = 0.5 * (node.x - origin_).squaredNorm();
  const double along = node.x.z() - origin_.z();
  for (const RuleNode& rule : get_gauss_rule(n == 5 ? 6 : n)) {
    if (quadric_.kind == QuadricKind::ellipsoid) {
      const double h_s = rule.x * h, r = std::sqrt(std::max(0.0, h_s * (2.0 - h_s)) / across);
      const Vec3 x = axes_ * Vec3(r * y.x(), r * y.y(), 1.0 - h_s);
      bits.push_back({x, Vec3(rule.weight * h * turn * x)});
      continue;
    }
    const double z = origin_.z() + rule.x * along, w = -rule.weight * along * turn;
    if (quadric_.kind == QuadricKind::cylinder) {
      bits.push_back({Vec3(node.x.x(), node.x.y(), z), Vec3(w * node.x.x(), w * node.x.y(), 0.0)});
    } else {
      const double k = quadric_.k, size = -k * z / std::sqrt(across);
      const Vec2 u = node.x.head<2>() / std::sqrt(across);
      bits.push_back({Vec3(size * node.x.x(), size * node.x.y(), z), Vec3(-w * k * z * Vec3(u.x(), u.y(), k))});
    }
  }
}

CurveNode QuadricPatch::make_node_at_source(int k, int n) const {
  constexpr double kRadius = 1e-4;  // what is left out has 1e-8 of the area
  const double angle = 2.0 * std::numbers::pi * k / n;
  const Vec3 e = std::cos(angle) * axes_.col(0) + std::sin(angle) * axes_.col(1);
  const Vec3 f = std::cos(angle) * axes_.col(1) - std::sin(angle) * axes_.col(0);
  return {(source_ + kRadius * e).normalized(), Vec3(2.0 * std::numbers::pi / n * kRadius * f)};
}

}  // namespace abut
