#pragma once

#include <algorithm>
#include <cmath>

#include "abut/contact/law/normal_force.hpp"

namespace abut {

/// A normal force over a sub-step of length eta [s], in which the speed of approach goes from w to w+ [m/s]: implicit
/// in w+, so that energy can only be lost, and an isolated impact lies on its exact curve of speed over depth.
/// [docs/theory/micro.md]
///
///   ringing   x+ = x + eta wx,  wx = (L - 1) / a,  f = L (U(x+) - U(x)) / (x+ - x),
///             L = (s+ - s) / ln(s+ / s),  s = 1 + a w,  a = lambda / k           r = p: a logarithmic mean
///             wx = <w>,  f = max(0, (U(x+) - U(x)) / (x+ - x) (1 + a <w>))       r = p, under a load: a plain mean
///             wx = <w>,  f = max(0, (U(x+) - U(x)) / (x+ - x) + lambda <x^r> wx)   r < p
///   quiet     x+ = x + eta w+,  f = max(0, k x+^p + lambda x+^r w+)
///
/// U is the energy of the spring, <> the mean of both ends. Where one end is apart U is zero there.
struct NormalStep {
  double depth = 0.0;    ///< x+ [m]
  double force = 0.0;    ///< mean of the sub-step [N]
  double elastic = 0.0;  ///< of it, the spring's: what changes U over the way x+ - x [N]
  double slope = 0.0;    ///< d force / d w+ [N s/m]
};

/// Mean force of the spring between two depths [N], and its derivative by the second [N/m].
struct MeanElastic {
  double force = 0.0, slope = 0.0;
};

inline MeanElastic calc_mean_elastic(const NormalCoefficients& c, double x, double y) {
  const double k = c.stiffness;
  if (x <= 0.0 && y <= 0.0) return {};
  if (y <= 0.0) {
    const double f = calc_elastic_energy(c, x) / (x - y);
    return {f, f / (x - y)};
  }
  if (x <= 0.0) {
    const double f = calc_elastic_energy(c, y) / (y - x);
    return {f, (k * calc_power(y, c.exponent) - f) / (y - x)};
  }
  if (c.exponent == 1.0) return {0.5 * k * (x + y), 0.5 * k};
  if (c.exponent == 1.5) {
    // Divided by the difference of the roots, so that nothing cancels.
    const double s = std::sqrt(x), t = std::sqrt(y), sum = s + t;
    const double s2 = s * s, t2 = t * t;
    return {0.4 * k * (t2 * t2 + t2 * t * s + t2 * s2 + t * s2 * s + s2 * s2) / sum,
            0.2 * k * (3.0 * t2 * t + 6.0 * t2 * s + 4.0 * t * s2 + 2.0 * s2 * s) / (sum * sum)};
  }
  const double p = c.exponent, mean = 0.5 * (x + y), r = (y - x) / (x + y);
  if (std::abs(r) < 0.02) {
    // Series of the quotient about the middle; the next term is of r^4, 1e-7 at most.
    const double f = k * calc_power(mean, p), curve = p * (p - 1.0) / 3.0, third = 0.5 * curve * r * r;
    return {f * (1.0 + third), 0.5 * f / mean * (p * (1.0 + third) + curve * r * (1.0 - r))};
  }
  const double f = (calc_elastic_energy(c, y) - calc_elastic_energy(c, x)) / (y - x);
  return {f, (k * calc_power(y, p) - f) / (y - x)};
}

/// L = (v - u) / ln(v / u) of u, v > 0; gap = (u + v) / 2 - L >= 0 without cancellation; by_v = dL/dv.
struct LogarithmicMean {
  double value = 0.0, gap = 0.0, by_v = 0.0;
};

inline LogarithmicMean calc_logarithmic_mean(double u, double v) {
  const double sum = u + v, mean = 0.5 * sum, r = (v - u) / sum, r2 = r * r;
  if (r2 < 3.6e-3) {
    // r / atanh r, and its derivative.
    const double part = r2 * (1.0 / 3.0 + r2 * (4.0 / 45.0 + r2 * (44.0 / 945.0 + r2 * (428.0 / 14175.0))));
    const double by_r = -r * (2.0 / 3.0 + r2 * (16.0 / 45.0 + r2 * (264.0 / 945.0 + r2 * (3424.0 / 14175.0))));
    return {mean * (1.0 - part), mean * part, 0.5 * (1.0 - part) + mean * by_r * 2.0 * u / (sum * sum)};
  }
  const double l = std::log(v / u), value = (v - u) / l;
  return {value, mean - value, 1.0 / l - (v - u) / (l * l * v)};
}

/// `is_free`: nothing but the contact acts to speak of, and the logarithmic mean is taken. Under a load it would move
/// the depth by another way than the load's, which costs energy: bodies that swing on their contacts take the plain
/// one.
inline NormalStep step_ringing_force(const NormalCoefficients& c, double x, double w, double w_end, double eta,
                                     bool is_free = true) {
  const double mean = 0.5 * (w + w_end);
  NormalStep out;
  if (c.damping > 0.0 && c.damping_exponent != c.exponent) {
    out.depth = x + eta * mean;
    const MeanElastic spring = calc_mean_elastic(c, x, out.depth);
    // x^r is averaged over the way as the spring's force is.
    const NormalCoefficients width_law{.stiffness = 1.0, .exponent = c.damping_exponent};
    const MeanElastic width = calc_mean_elastic(width_law, x, out.depth);
    const double force = spring.force + c.damping * width.force * mean;
    out.elastic = spring.force;
    if (!(force > 0.0)) return out;
    out.force = force;
    out.slope = 0.5 * eta * spring.slope + c.damping * (0.5 * width.force + 0.5 * eta * width.slope * mean);
    return out;
  }
  double factor = 1.0, by_factor = 0.0, speed = mean, by_speed = 0.5;
  if (c.damping > 0.0) {
    const double a = c.damping / c.stiffness, s = 1.0 + a * w, s_end = 1.0 + a * w_end;
    if (!is_free) {
      factor = std::max(0.0, 1.0 + a * mean);
      by_factor = factor > 0.0 ? 0.5 * a : 0.0;
    } else if (s > 0.0 && s_end > 0.0) {
      const LogarithmicMean L = calc_logarithmic_mean(s, s_end);
      factor = L.value;
      by_factor = a * L.by_v;
      speed = mean - L.gap / a;
      by_speed = L.by_v;
    } else if (mean <= 0.0) {
      factor = 0.0;  // it lets go; what the spring holds is lost with it
    }
    // A blow and a pull within one sub-step: the spring alone, or it would store what nobody paid for.
  }
  out.depth = x + eta * speed;
  const MeanElastic spring = calc_mean_elastic(c, x, out.depth);
  out.elastic = spring.force;
  out.force = spring.force * factor;
  out.slope = spring.slope * eta * by_speed * factor + spring.force * by_factor;
  return out;
}

inline NormalStep step_quiet_force(const NormalCoefficients& c, double x, double w_end, double eta) {
  NormalStep out;
  out.depth = x + eta * w_end;
  if (!(out.depth > 0.0)) return out;
  const NormalForce force = calc_normal_force(c, out.depth, w_end);
  out.elastic = force.elastic;
  out.force = force.total;
  if (!(force.total > 0.0)) return out;
  const NormalForceGradient by = calc_normal_force_gradient(c, out.depth, w_end);
  out.slope = eta * by.by_depth + by.by_rate;
  return out;
}

/// The same two of a stop: f = U' + clip(c w, -U', U'), a spring k x whose damper may at most match it
/// (multibody/joint_load.hpp). `damper`: c [N s/m].
inline NormalStep clip_damper(NormalStep spring, double spring_slope, double damper, double speed, double by_speed) {
  const double limit = spring.elastic, wanted = damper * speed;
  spring.force = limit + std::clamp(wanted, -limit, limit);
  if (std::abs(wanted) < limit)
    spring.slope = spring_slope + damper * by_speed;
  else
    spring.slope = wanted > 0.0 ? 2.0 * spring_slope : 0.0;
  return spring;
}

inline NormalStep step_ringing_stop(double stiffness, double damper, double x, double w, double w_end, double eta) {
  const NormalCoefficients c{.stiffness = stiffness, .exponent = 1.0, .damping = 0.0, .damping_exponent = 1.0};
  const double mean = 0.5 * (w + w_end);
  NormalStep out;
  out.depth = x + eta * mean;
  const MeanElastic spring = calc_mean_elastic(c, x, out.depth);
  out.elastic = spring.force;
  return clip_damper(out, 0.5 * eta * spring.slope, damper, mean, 0.5);
}

inline NormalStep step_quiet_stop(double stiffness, double damper, double x, double w_end, double eta) {
  NormalStep out;
  out.depth = x + eta * w_end;
  if (!(out.depth > 0.0)) return out;
  out.elastic = stiffness * out.depth;
  return clip_damper(out, eta * stiffness, damper, w_end, 1.0);
}

}  // namespace abut
