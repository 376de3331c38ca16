#include "abut/geometry/distance/lead_in_hole.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace abut {
namespace {

/// Of the coordinates: axes that differ by less are one.
constexpr double kRounding = 1e-14;
/// Every pair of a solid's points is cut; with more of them it would take too long.
constexpr std::size_t kMostPoints = 64;

/// The nearest point of outside the hole to a point above z = 0 may be on the circle itself, which lies on the cone; to
/// one below it, on the wall. So the least distance of each half of the solid from its own wall is a bound for both
/// together: cut in two, a solid is measured half by half.
class Clearance {
 public:
  Clearance(const LeadInHole& hole) : hole_(hole), steep_(std::hypot(1.0, hole.slope)) {}

  double least() const { return least_; }

  void offer(const Vec3& x) {
    const double beside = hole_.radius + hole_.slope * std::max(0.0, x.z()) - x.head<2>().norm();
    least_ = std::min({least_, x.z() < 0.0 ? beside : beside / steep_, x.z() - hole_.bottom});
  }
  /// At z = 0 to rounding: counts for both halves.
  void offer_on_border(const Vec3& x) {
    const double beside = hole_.radius - x.head<2>().norm();
    least_ = std::min(least_, beside > 0.0 ? beside / steep_ : beside);
  }

  void offer_rim(const PlacedRim& rim) {
    offer(rim.point(Vec2::UnitX()));  // where all are equal
    const CirclePoints farthest = find_axis_extrema(rim), highest = find_cone_maxima(rim, -hole_.slope);
    for (int k = 0; k < farthest.count; ++k) offer(rim.point(farthest.at[k]));
    for (int k = 0; k < highest.count; ++k) offer(rim.point(highest.at[k]));
    const Vec2 rise(rim.x.z(), rim.y.z());
    const double amplitude = rise.norm();
    if (amplitude > 0.0) {
      const Vec2 lowest = -rise / amplitude;
      offer(rim.point(lowest));
      if (std::abs(rim.center.z()) >= amplitude) return;
      const double along = rim.center.z() / amplitude, across = std::sqrt((1.0 - along) * (1.0 + along));
      const Vec2 side(-lowest.y(), lowest.x());
      offer_on_border(rim.point(along * lowest + across * side));
      offer_on_border(rim.point(along * lowest - across * side));
    }
  }

  /// The ellipse in which z = 0 cuts the side of a bar about `axis` between its two rims, `first` one of them and the
  /// other `length` further along the axis.
  void offer_side(const PlacedRim& first, const Vec3& axis, double length) {
    if (std::abs(axis.z()) < kRounding) return;  // two straight lines, whose ends are points of the rims
    const auto slide = [&axis](const Vec3& v) { return Vec3(v - v.z() / axis.z() * axis); };
    const PlacedRim cut{slide(first.center), slide(first.x), slide(first.y)};
    const auto offer_cut = [&](const Vec2& u) {
      const double along = axis.dot(cut.point(u) - first.center);
      if (along >= 0.0 && along <= length) offer_on_border(cut.point(u));
    };
    offer_cut(Vec2::UnitX());
    const CirclePoints farthest = find_axis_extrema(cut);
    for (int k = 0; k < farthest.count; ++k) offer_cut(farthest.at[k]);
  }

 private:
  const LeadInHole& hole_;
  double steep_;
  double least_ = std::numeric_limits<double>::infinity();
};

void offer_points(const std::vector<Vec3>& points, const Pose& X_HS, Clearance& clearance) {
  for (const Vec3& point : points) clearance.offer(X_HS * point);
  for (std::size_t i = 0; i < points.size(); ++i) {
    for (std::size_t j = i + 1; j < points.size(); ++j) {
      const Vec3 a = X_HS * points[i], b = X_HS * points[j];
      if ((a.z() < 0.0) != (b.z() < 0.0)) clearance.offer_on_border(a + a.z() / (a.z() - b.z()) * (b - a));
    }
  }
}

}  // namespace

std::optional<LeadInHole> find_lead_in(const CellPart& bore, const CellPart& cone) {
  const auto* cylinder = std::get_if<Cylinder>(&bore.shape);
  const auto* wide = std::get_if<Cone>(&cone.shape);
  if (cylinder == nullptr || wide == nullptr || !bore.is_complement || !cone.is_complement) return std::nullopt;
  const Vec3 up = -cone.X_SP.R.col(2), own = bore.X_SP.R.col(2), between = cone.X_SP.p - bore.X_SP.p;
  const double away = (between - between.dot(own) * own).norm();
  if (up.cross(own).norm() > kRounding || away > kRounding * (bore.X_SP.p.norm() + cone.X_SP.p.norm()))
    return std::nullopt;
  LeadInHole hole;
  hole.radius = cylinder->radius;
  hole.slope = std::tan(wide->half_angle);
  hole.X_CH.R = cone.X_SP.R * Vec3(1.0, -1.0, -1.0).asDiagonal();
  hole.X_CH.p = cone.X_SP.p + hole.radius / hole.slope * up;
  hole.bottom = up.dot(bore.X_SP.p - hole.X_CH.p) - cylinder->half_length;
  // The cylinder reaches up to the circle, and the cone out of the cell.
  if (up.dot(bore.X_SP.p - hole.X_CH.p) + cylinder->half_length < 0.0) return std::nullopt;
  return hole;
}

std::optional<double> calc_clearance(const ExtremeFeatures& solid, const Pose& X_CS, const LeadInHole& hole) {
  const Pose X_HS = hole.X_CH.inverse() * X_CS;
  const bool is_bar = solid.rims.size() == 2 && solid.rims[0].radius == solid.rims[1].radius;
  const bool is_tapered = !solid.rims.empty() && !is_bar;
  if (is_tapered || solid.points.size() > kMostPoints) return std::nullopt;
  Clearance clearance(hole);
  offer_points(solid.points, X_HS, clearance);
  for (const ExtremeFeatures::Rim& rim : solid.rims) clearance.offer_rim(place_rim(rim, X_HS));
  if (is_bar) {
    const ExtremeFeatures::Rim &upper = solid.rims[0], &lower = solid.rims[1];
    clearance.offer_side(place_rim(lower, X_HS), X_HS.R.col(2), upper.z - lower.z);
  }
  return clearance.least() - solid.margin;
}

}  // namespace abut
