#include "abut/geometry/volume/slice_events.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "abut/math/trig_quadratic.hpp"

namespace abut {
namespace {

/// An event counts when everything else holds at its point to within this part of the scale: a few too many cost time
/// only.
constexpr double kSlack = 1e-6;

class EventFinder {
 public:
  EventFinder(const SlicedRegion& sliced, std::vector<double>& events)
      : sliced_(sliced), region_(sliced.region), events_(events), slack_(kSlack * sliced.scale) {}

  void find_all() {
    for (std::size_t i = 0; i < sliced_.slices.size(); ++i) add_poles(sliced_.slices[i]);
    const std::vector<int>& lines = sliced_.line_planes;
    for (std::size_t k = 0; k < lines.size(); ++k) {
      for (std::size_t l = k + 1; l < lines.size(); ++l) add_edge(lines[k], lines[l]);
      for (const QuadricSlices& slices : sliced_.slices) add_touching_line(region_.planes[lines[k]], slices);
      add_rims(region_.planes[lines[k]]);
    }
  }

  /// Whether a plane cuts two quadrics in curves that are no ellipses, so that their common points were not found.
  bool has_open_rims() const { return has_open_rims_; }

 private:
  void add(const Vec3& x) {
    if (x.z() <= sliced_.t_lower || x.z() >= sliced_.t_upper) return;
    if (is_within(region_, x, slack_)) events_.push_back(x.z());
  }

  void add_at(const QuadricSlices& slices, double t) {
    if (!std::isfinite(t)) return;
    Vec3 x;
    x << slices.center(t), t;
    add(x);
  }

  void add_poles(const QuadricSlices& slices) {
    add_at(slices, slices.t_lower);
    add_at(slices, slices.t_upper);
  }

  /// The edge of two planes: its ends, and where it pierces quadrics.
  void add_edge(int k, int l) {
    const RegionPlane &a = region_.planes[k], &b = region_.planes[l];
    const Vec3 d = a.normal.cross(b.normal);
    const double dd = d.squaredNorm();
    if (dd < 1e-24) return;
    const Vec3 p = (a.offset * b.normal.cross(d) + b.offset * d.cross(a.normal)) / dd;
    double lower = -std::numeric_limits<double>::infinity(), upper = -lower;
    for (std::size_t m = 0; m < region_.planes.size(); ++m) {
      if (static_cast<int>(m) == k || static_cast<int>(m) == l) continue;
      const RegionPlane& c = region_.planes[m];
      const double slope = c.normal.dot(d), rest = c.offset - c.normal.dot(p);
      if (slope > 0.0) {
        upper = std::min(upper, rest / slope);
      } else if (slope < 0.0) {
        lower = std::max(lower, rest / slope);
      } else if (rest < 0.0) {
        return;
      }
    }
    if (lower > upper + slack_) return;
    if (std::isfinite(lower)) add(p + lower * d);
    if (std::isfinite(upper)) add(p + upper * d);
    add_line_roots(p, d);
  }

  void add_line_roots(const Vec3& p, const Vec3& d) {
    for (const Quadric& quadric : region_.quadrics) {
      const std::optional<LineInterval> inside = calc_line_interval(quadric, p, d);
      if (!inside) continue;
      if (std::isfinite(inside->lower)) add(p + inside->lower * d);
      if (std::isfinite(inside->upper)) add(p + inside->upper * d);
    }
  }

  /// The extremes in t of the conic that the plane cuts from the quadric: there the line touches the ellipse. With
  /// tau = t - t_ref the distance of the centre from the line is a - b tau, and the reach of the ellipse r s(t).
  void add_touching_line(const RegionPlane& plane, const QuadricSlices& slices) {
    const double flat = plane.normal.head<2>().norm();
    const Vec2 n = plane.normal.head<2>() / flat;
    const double rate = plane.normal.z() / flat;
    const Vec2 g = slices.axes.transpose() * n;
    const double r = g.norm(), k = slices.root_g;
    const double a = plane.offset / flat - rate * slices.t_ref - n.dot(slices.center_ref);
    const double b = rate + n.dot(slices.center_rate);
    if (slices.e == 0.0) {
      for (const double q : {b + r * k, b - r * k}) {
        if (q != 0.0) add_touching_point(slices, g / r, a, b, a / q);
      }
      return;
    }
    const double curve = b * b + r * r * k * k, rest = b * b + k * k * (r - a) * (r + a);
    if (curve == 0.0 || rest < 0.0) return;
    for (const double sign : {1.0, -1.0}) {
      add_touching_point(slices, g / r, a, b, (a * b + sign * r * std::sqrt(rest)) / curve);
    }
  }

  void add_touching_point(const QuadricSlices& slices, const Vec2& u, double a, double b, double tau) {
    const double t = slices.t_ref + tau;
    const double s = std::sqrt(std::max(0.0, slices.scale_squared(t)));
    Vec3 x;
    x << slices.center(t) + std::copysign(s, a - b * tau) * (slices.axes * u), t;
    if (x.allFinite()) add(x);
  }

  /// Where the curve that a plane cuts from one quadric pierces another.
  void add_rims(const RegionPlane& plane) {
    for (std::size_t i = 0; i < region_.quadrics.size(); ++i) {
      for (std::size_t j = i + 1; j < region_.quadrics.size(); ++j) {
        if (!add_rim(plane, region_.quadrics[i], region_.quadrics[j])) {
          if (!add_rim(plane, region_.quadrics[j], region_.quadrics[i])) has_open_rims_ = true;
        }
      }
    }
  }

  bool add_rim(const RegionPlane& plane, const Quadric& rim, const Quadric& other) {
    Pose X_FP;  // P: the plane's frame, z along its normal, at the plane's foot of the quadric's origin
    X_FP.R.col(2) = plane.normal;
    X_FP.R.col(0) = any_perpendicular(plane.normal);
    X_FP.R.col(1) = plane.normal.cross(Vec3(X_FP.R.col(0)));
    X_FP.p = rim.X.p + (plane.offset - plane.normal.dot(rim.X.p)) * plane.normal;
    Quadric local = rim;
    local.X = X_FP.inverse() * rim.X;
    if (calc_slice_quality(local, Vec3::UnitZ()) < 1e-3) return add_generators(plane, rim, other);
    const std::optional<QuadricSlices> slices = make_quadric_slices(local);
    if (!slices) return false;
    const double squared = slices->scale_squared(0.0);
    if (!(squared > 0.0)) return true;
    const EllipseFrame ellipse = slices->ellipse(0.0, std::sqrt(squared));
    const Vec3 center = X_FP.R.leftCols<2>() * ellipse.center + X_FP.p;
    const Eigen::Matrix<double, 3, 2> axes = X_FP.R.leftCols<2>() * ellipse.axes;
    const QuadraticForm form = make_quadratic_form(other);
    const Vec3 gradient = form.Q * center + form.b;
    const double cc = axes.col(0).dot(form.Q * axes.col(0)), ss = axes.col(1).dot(form.Q * axes.col(1));
    const TrigQuadratic h{form.value(center) + 0.5 * (cc + ss), 2.0 * gradient.dot(axes.col(0)),
                          2.0 * gradient.dot(axes.col(1)), 0.5 * (cc - ss), axes.col(0).dot(form.Q * axes.col(1))};
    const CirclePoints roots = find_roots(h, 1e-15 * (std::abs(h.a0) + std::abs(cc + ss))).points;
    for (int k = 0; k < roots.count; ++k) add(center + axes * roots.at[k]);
    return true;
  }

  /// A plane along a cylinder cuts two straight lines from it.
  bool add_generators(const RegionPlane& plane, const Quadric& rim, const Quadric& other) {
    if (rim.kind != QuadricKind::cylinder || std::abs(plane.normal.dot(rim.axis())) > 1e-9) return false;
    const double distance = plane.offset - plane.normal.dot(rim.X.p), radius = rim.size.x();
    if (std::abs(distance) >= radius) return true;
    const Vec3 side = plane.normal.cross(rim.axis()) * std::sqrt((radius - distance) * (radius + distance));
    const Vec3 foot = rim.X.p + distance * plane.normal;
    for (const Vec3& p : {Vec3(foot + side), Vec3(foot - side)}) {
      const std::optional<LineInterval> inside = calc_line_interval(other, p, rim.axis());
      if (!inside) continue;
      if (std::isfinite(inside->lower)) add(p + inside->lower * rim.axis());
      if (std::isfinite(inside->upper)) add(p + inside->upper * rim.axis());
    }
    return true;
  }

  const SlicedRegion& sliced_;
  const Region& region_;
  std::vector<double>& events_;
  double slack_;
  bool has_open_rims_ = false;
};

}  // namespace

void find_slice_events(const SlicedRegion& sliced, std::vector<double>& events) {
  EventFinder finder(sliced, events);
  finder.find_all();
  const int n = static_cast<int>(sliced.slices.size());
  if (n < 2) return;
  const bool needs_tracing = n > 2 || finder.has_open_rims();
  double lower = sliced.t_lower, upper = sliced.t_upper;
  // Where nothing ends the range, what has been found so far does, and the caller checks what lies beyond.
  for (const double t : events) {
    if (!std::isfinite(sliced.t_lower)) lower = std::isfinite(lower) ? std::min(lower, t) : t;
    if (!std::isfinite(sliced.t_upper)) upper = std::isfinite(upper) ? std::max(upper, t) : t;
  }
  if (!std::isfinite(lower)) lower = std::isfinite(upper) ? upper - 100.0 * sliced.scale : -100.0 * sliced.scale;
  if (!std::isfinite(upper)) upper = lower + 100.0 * sliced.scale;
  for (int i = 0; i < n; ++i) {
    for (int j = i + 1; j < n; ++j) {
      find_touching_slices(sliced, i, j, lower, upper, events);
      if (needs_tracing) find_curve_ends(sliced, i, j, lower, upper, events);
    }
  }
}

}  // namespace abut
