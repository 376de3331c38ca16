#include "abut/geometry/polyhedron/exact_orientation.hpp"

#include <cmath>
#include <vector>

namespace abut {
namespace {

/// Exact number as an unevaluated sum of doubles that do not overlap, smallest first.
using Expansion = std::vector<double>;

/// a + b = sum + error exactly [D. E. Knuth].
double calc_sum(double a, double b, double& error) {
  const double sum = a + b;
  const double part = sum - a;
  error = (a - (sum - part)) + (b - part);
  return sum;
}

Expansion add(const Expansion& e, const Expansion& f) {
  Expansion result = e;
  for (const double term : f) {
    double carry = term;
    std::size_t count = 0;
    for (const double component : result) {
      double error = 0.0;
      carry = calc_sum(carry, component, error);
      if (error != 0.0) result[count++] = error;  // count never passes the component just read
    }
    result.resize(count);
    if (carry != 0.0 || result.empty()) result.push_back(carry);
  }
  return result;
}

Expansion multiply(const Expansion& e, const Expansion& f) {
  Expansion result = {0.0};
  for (const double x : e) {
    for (const double y : f) {
      const double product = x * y;
      result = add(result, {std::fma(x, y, -product), product});
    }
  }
  return result;
}

Expansion negate(Expansion e) {
  for (double& component : e) component = -component;
  return e;
}

Expansion subtract(double a, double b) {
  double error = 0.0;
  const double difference = calc_sum(a, -b, error);
  return {error, difference};
}

int calc_exact_orientation(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  Expansion u[3], v[3], w[3];
  for (int i = 0; i < 3; ++i) {
    u[i] = subtract(b[i], a[i]);
    v[i] = subtract(c[i], a[i]);
    w[i] = subtract(d[i], a[i]);
  }
  Expansion det = {0.0};
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    const Expansion minor = add(multiply(u[j], v[k]), negate(multiply(u[k], v[j])));
    det = add(det, multiply(minor, w[i]));
  }
  const double leading = det.back();
  return leading > 0.0 ? 1 : (leading < 0.0 ? -1 : 0);
}

}  // namespace

int calc_orientation(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  const Vec3 u = b - a, v = c - a, w = d - a;
  const double det = u.cross(v).dot(w);
  // Each of the six products carries three rounded differences, two products and three sums: below 9 units of 2^-53.
  double permanent = 0.0;
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    permanent += (std::abs(u[j] * v[k]) + std::abs(u[k] * v[j])) * std::abs(w[i]);
  }
  const double bound = 2e-15 * permanent;
  if (det > bound) return 1;
  if (det < -bound) return -1;
  return calc_exact_orientation(a, b, c, d);
}

}  // namespace abut
