#pragma once
#include <cmath>
#include <numbers>
#include <vector>

#include "abut/geometry/volume/solid.hpp"
#include "abut/geometry/volume/volume_metrics.hpp"
namespace abut {
struct VolumeOptions {
  double relative_error = 1e-6;
};
class VolumePair {
 public:
  static VolumePair make(const Solid& a, const Solid& b, const VolumeOptions&) {
    VolumePair p;
    p.a_ = a;
    p.b_ = b;
    return p;
  }
  void calc(const Pose& X_WA, const Pose& X_WB, std::vector<VolumeMetrics>& out) {
    const double h = -calc_separation(X_WA, X_WB);
    if (!(h > 0)) return;
    const double R = std::get<Sphere>(a_.shape).radius, pi = std::numbers::pi;
    const Vec3 n = X_WB.R * std::get<HalfSpace>(b_.shape).normal;
    VolumeMetrics m;
    m.volume = pi * h * h * (3 * R - h) / 3;
    const double dc = h * (4 * R - h) / (4 * (3 * R - h));
    const double Jn = pi * h * h * h * (20 * R * R - 15 * R * h + 3 * h * h) / 30;
    const double Mn = pi * (R * std::pow(h, 4) / 2 - std::pow(h, 5) / 5) - m.volume * (h - dc) * (h - dc);
    m.centroid = X_WA.p - n * (R - h + dc);
    m.inertia = (Jn / 2 + Mn) * Mat3::Identity() + (Jn / 2 - Mn) * n * n.transpose();
    m.area_vector = n * pi * (2 * R * h - h * h);
    out.push_back(m);
  }
  double calc_separation(const Pose& X_WA, const Pose& X_WB) {
    const auto& p = std::get<HalfSpace>(b_.shape);
    const Vec3 n = X_WB.R * p.normal;
    return n.dot(X_WA.p - X_WB.p) - p.offset - std::get<Sphere>(a_.shape).radius;
  }
  void calc_samples(const Pose&, const Pose&, int, std::vector<VolumeSample>&) {}
  Solid a_, b_;
};
}  // namespace abut
