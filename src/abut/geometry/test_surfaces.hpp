#pragma once

#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <vector>

#include "abut/geometry/shape.hpp"
#include "abut/math/pose.hpp"
#include "abut/math/test_random.hpp"

/// Independent descriptions of the finite shapes for brute-force tests: parametrised surfaces and membership.
namespace abut::testing {

constexpr double kPi = std::numbers::pi;

/// Surface point for (u, v) in the unit square; u is the angle of round patches and may leave it.
using Patch = std::function<Vec3(double, double)>;

inline Vec3 polar(double r, double angle, double z) { return {r * std::cos(angle), r * std::sin(angle), z}; }

inline std::vector<Patch> make_patches(const Ellipsoid& s) {
  return {[s](double u, double v) {
    return Vec3(s.semi_axes.cwiseProduct(polar(std::sin(kPi * v), 2 * kPi * u, std::cos(kPi * v))));
  }};
}
inline std::vector<Patch> make_patches(const Sphere& s) { return make_patches(Ellipsoid{Vec3::Constant(s.radius)}); }
inline std::vector<Patch> make_patches(const Box& s) {
  std::vector<Patch> patches;
  for (int axis = 0; axis < 3; ++axis) {
    for (double side : {-1.0, 1.0}) {
      patches.push_back([=](double u, double v) {
        Vec3 p;
        p[axis] = side * s.half_size[axis];
        p[(axis + 1) % 3] = (2 * std::min(1.0, std::max(0.0, u)) - 1) * s.half_size[(axis + 1) % 3];
        p[(axis + 2) % 3] = (2 * v - 1) * s.half_size[(axis + 2) % 3];
        return p;
      });
    }
  }
  return patches;
}
inline std::vector<Patch> make_patches(const Cylinder& s) {
  return {[s](double u, double v) { return polar(s.radius, 2 * kPi * u, (2 * v - 1) * s.half_length); },
          [s](double u, double v) { return polar(s.radius * v, 2 * kPi * u, s.half_length); },
          [s](double u, double v) { return polar(s.radius * v, 2 * kPi * u, -s.half_length); }};
}
inline std::vector<Patch> make_patches(const Cone& s) {
  const double base = s.height * std::tan(s.half_angle);
  return {[=](double u, double v) { return polar(base * v, 2 * kPi * u, -s.height * v); },
          [=](double u, double v) { return polar(base * v, 2 * kPi * u, -s.height); }};
}
inline std::vector<Patch> make_patches(const Capsule& s) {
  const auto cap = [s](double sign) {
    return [=](double u, double v) {
      const double a = 0.5 * kPi * v;
      return polar(s.radius * std::cos(a), 2 * kPi * u, sign * (s.half_length + s.radius * std::sin(a)));
    };
  };
  return {[s](double u, double v) { return polar(s.radius, 2 * kPi * u, (2 * v - 1) * s.half_length); }, cap(1.0),
          cap(-1.0)};
}

inline std::vector<Patch> make_patches(const Torus& s) {
  const auto half = [s](double sign) {
    return [=](double u, double v) {
      return polar(s.ring_radius + s.tube_radius * std::cos(kPi * v), 2 * kPi * u,
                   sign * s.tube_radius * std::sin(kPi * v));
    };
  };
  return {half(1.0), half(-1.0)};
}
/// Two walls from the bottom to the plane of the lip, and the ring between them.
inline std::vector<Patch> make_patches(const Bowl& s) {
  const double lip = s.depth - s.radius, outer = s.radius + s.thickness;
  const auto wall = [lip](double radius) {
    return [=](double u, double v) {
      const double a = std::acos(-lip / radius) * v;
      return polar(radius * std::sin(a), 2 * kPi * u, -radius * std::cos(a));
    };
  };
  const double from = std::sqrt(s.radius * s.radius - lip * lip), to = std::sqrt(outer * outer - lip * lip);
  return {wall(s.radius), wall(outer),
          [=](double u, double v) { return polar(from + (to - from) * v, 2 * kPi * u, lip); }};
}

inline bool is_inside(const Torus& s, const Vec3& p) {
  return std::hypot(p.head<2>().norm() - s.ring_radius, p.z()) <= s.tube_radius;
}
inline bool is_inside(const Bowl& s, const Vec3& p) {
  return p.z() <= s.depth - s.radius && p.norm() >= s.radius && p.norm() <= s.radius + s.thickness;
}
inline bool is_inside(const Sphere& s, const Vec3& p) { return p.norm() <= s.radius; }
inline bool is_inside(const Ellipsoid& s, const Vec3& p) { return p.cwiseQuotient(s.semi_axes).norm() <= 1.0; }
inline bool is_inside(const Box& s, const Vec3& p) { return (p.cwiseAbs().array() <= s.half_size.array()).all(); }
inline bool is_inside(const Cylinder& s, const Vec3& p) {
  return p.head<2>().norm() <= s.radius && std::abs(p.z()) <= s.half_length;
}
inline bool is_inside(const Cone& s, const Vec3& p) {
  return p.z() <= 0.0 && p.z() >= -s.height && p.head<2>().norm() <= -p.z() * std::tan(s.half_angle);
}
inline bool is_inside(const Capsule& s, const Vec3& p) {
  const double beyond = std::max(0.0, std::abs(p.z()) - s.half_length);
  return std::hypot(p.head<2>().norm(), beyond) <= s.radius;
}

/// Smallest value of f over the unit square: a grid, then ever finer grids about the best point.
inline double minimise_on_square(const std::function<double(double, double)>& f, int grid = 48) {
  double best = std::numeric_limits<double>::infinity();
  double u0 = 0.5, v0 = 0.5, half = 0.5;
  for (int round = 0; round < 45; ++round) {
    const int n = round == 0 ? grid : 6;
    const double u_c = u0, v_c = v0;
    for (int i = 0; i <= n; ++i) {
      for (int j = 0; j <= n; ++j) {
        const double u = u_c + half * (2.0 * i / n - 1.0);  // beyond the seam of a round patch if need be
        const double v = std::min(1.0, std::max(0.0, v_c + half * (2.0 * j / n - 1.0)));
        const double value = f(u, v);
        if (value < best) {
          best = value;
          u0 = u;
          v0 = v;
        }
      }
    }
    half = round == 0 ? 2.0 / grid : half * 0.6;
  }
  return best;
}

/// Signed distance by search over the surface; good to about 1e-9 of the size (the search ends at 1e-10 of a patch).
template <class Solid>
double brute_signed_distance(const Solid& solid, const Vec3& p) {
  double best = std::numeric_limits<double>::infinity();
  for (const Patch& patch : make_patches(solid)) {
    best = std::min(best, minimise_on_square([&](double u, double v) { return (patch(u, v) - p).norm(); }));
  }
  return is_inside(solid, p) ? -best : best;
}

}  // namespace abut::testing
