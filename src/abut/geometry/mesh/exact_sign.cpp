#include "abut/geometry/mesh/exact_sign.hpp"

#include <array>
#include <cmath>

// Exact arithmetic on sums of doubles whose bits do not overlap ("expansions") [Shewchuk 1997].
// Needs round-to-nearest and no contraction.

namespace abut {
namespace {

/// a + b = high + low, exactly.
struct Pair {
  double high, low;
};

Pair add_exactly(double a, double b) {
  const double high = a + b;
  const double b_part = high - a, a_part = high - b_part;
  return {high, (a - a_part) + (b - b_part)};
}

Pair split(double a) {
  const double c = 134217729.0 * a;  // 2^27 + 1: two halves of 26 bits
  const double high = c - (c - a);
  return {high, a - high};
}

Pair multiply_exactly(double a, double b) {
  const double high = a * b;
  const Pair x = split(a), y = split(b);
  return {high, x.low * y.low - (((high - x.high * y.high) - x.low * y.high) - x.high * y.low)};
}

/// Components by increasing magnitude, without zeros.
template <int kCapacity>
struct Expansion {
  std::array<double, kCapacity> parts;
  int count = 0;

  void add(double b) {
    int kept = 0;
    for (int i = 0; i < count; ++i) {
      const Pair sum = add_exactly(b, parts[i]);
      if (sum.low != 0.0) parts[kept++] = sum.low;
      b = sum.high;
    }
    if (b != 0.0) parts[kept++] = b;
    count = kept;
  }
  void add_product(double a, double b) {
    if (a == 0.0 || b == 0.0) return;
    const Pair product = multiply_exactly(a, b);
    add(product.low);
    add(product.high);
  }
  /// Right to a few roundings, with the sign of the last and largest component.
  double estimate() const {
    double sum = 0.0;
    for (int i = 0; i < count; ++i) sum += parts[i];
    return sum;
  }
  int sign() const { return count == 0 ? 0 : (parts[count - 1] > 0.0 ? 1 : -1); }
};

/// p - q, exactly, on each axis.
struct ExactDifference {
  std::array<Pair, 3> axis;
  ExactDifference(const Vec3& p, const Vec3& q) {
    for (int i = 0; i < 3; ++i) axis[i] = add_exactly(p[i], -q[i]);
  }
};

/// u_i v_j - u_j v_i.
Expansion<16> calc_minor(const ExactDifference& u, const ExactDifference& v, int i, int j) {
  Expansion<16> minor;
  for (const double x : {u.axis[i].low, u.axis[i].high}) {
    for (const double y : {v.axis[j].low, v.axis[j].high}) minor.add_product(x, y);
  }
  for (const double x : {u.axis[j].low, u.axis[j].high}) {
    for (const double y : {v.axis[i].low, v.axis[i].high}) minor.add_product(-x, y);
  }
  return minor;
}

}  // namespace

double calc_exact_determinant(const Vec3& p0, const Vec3& q0, const Vec3& p1, const Vec3& q1, const Vec3& p2,
                              const Vec3& q2) {
  // Of points in one plane across an axis, as flush faces have them.
  for (int i = 0; i < 3; ++i) {
    if (p0[i] == q0[i] && p1[i] == q1[i] && p2[i] == q2[i]) return 0.0;
  }
  const ExactDifference u(p0, q0), v(p1, q1), w(p2, q2);
  Expansion<192> sum;
  for (int i = 0; i < 3; ++i) {
    if (u.axis[i].high == 0.0) continue;
    const Expansion<16> minor = calc_minor(v, w, (i + 1) % 3, (i + 2) % 3);
    for (int k = 0; k < minor.count; ++k) {
      sum.add_product(minor.parts[k], u.axis[i].low);
      sum.add_product(minor.parts[k], u.axis[i].high);
    }
  }
  return sum.estimate();
}

int calc_exact_cross_sign(const Vec3& p1, const Vec3& q1, const Vec3& p2, const Vec3& q2) {
  const ExactDifference u(p1, q1), v(p2, q2);
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    const double x = u.axis[j].high * v.axis[k].high, y = u.axis[k].high * v.axis[j].high;
    if (x == 0.0 && y == 0.0) continue;  // neither product underflows: then a factor of each is exactly zero
    if (std::abs(x - y) > TrianglePlane::kFilter * (std::abs(x) + std::abs(y))) return x > y ? 1 : -1;
    const int sign = calc_minor(u, v, j, k).sign();
    if (sign != 0) return sign;
  }
  return 0;
}

double TrianglePlane::calc_exact_height(const Vec3& p) const {
  const Vec3& a = corners_[0];
  return calc_exact_determinant(p, a, corners_[1], a, corners_[2], a);
}

double calc_exact_edge_volume(const Vec3& p0, const Vec3& p1, const Vec3& q0, const Vec3& q1) {
  const Vec3 u = p1 - p0, w = q0 - p0, v = q1 - q0;
  const double volume = u.dot(w.cross(v));
  const Vec3 a = w.cwiseAbs(), b = v.cwiseAbs();
  const Vec3 bound(a.y() * b.z() + a.z() * b.y(), a.z() * b.x() + a.x() * b.z(), a.x() * b.y() + a.y() * b.x());
  if (std::abs(volume) > TrianglePlane::kFilter * u.cwiseAbs().dot(bound)) return volume;
  return calc_exact_determinant(p1, p0, q0, p0, q1, q0);
}

}  // namespace abut
