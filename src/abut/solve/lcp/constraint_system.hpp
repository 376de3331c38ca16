#pragma once

#include <span>
#include <vector>

#include "abut/math/types.hpp"
#include "abut/solve/lcp/bounded_lcp.hpp"

namespace abut {

/// Consecutive rows that act on the same one or two parts: the three rows of a contact, the rows of a joint.
struct RowGroup {
  int row = 0, num_rows = 0;
  int part_a = -1, part_b = -1;  ///< -1: nothing that can move
  int data_a = 0, data_b = 0;    ///< where the row-major Jacobians begin in ConstraintSystem::jacobian()
};

/// One velocity step of a system of independent parts (single bodies, mechanisms) with rows that couple them, in the
/// sparse form in which it is posed.   [Peiret et al. 2016 (21)-(31)]
///   M v - J' x = p,    w = J v + C x + c,    lower <= x <= upper, complementary to w as in BoundedLcp.
/// M is block diagonal over the parts (symmetric, positive definite), C >= 0 diagonal. Here x are impulses [N s], v and
/// w velocities [m/s], p momenta, C compliances over h^2 [m/(s N s)]; any consistent units do.
/// Refilled every step without allocation once it has grown.
class ConstraintSystem {
 public:
  void clear();

  /// Takes the part's mass matrix and its momentum p (the right-hand side); returns its index.
  int add_part(const MatX& mass, const VecX& momentum);
  /// The same with the inverse known, for single bodies.
  int add_body(const Mat6& mass, const Mat6& inverse, const Vec6& momentum);
  /// Rows with Jacobians num_rows x size of the part, for parts that are not -1. Sets C = 0, c = 0 and no bounds;
  /// returns the index of the first row.
  int add_rows(int num_rows, int part_a, const MatX& jacobian_a, int part_b, const MatX& jacobian_b);

  /// Turns rows `row` and `row + 1` of one group, tangents of a contact, by the angle of this cosine and sine: the
  /// first becomes c first + s second, the second c second - s first. Offsets too; compliances must be zero.
  void rotate_rows(int row, const Vec2& cosine_sine);

  int num_parts() const { return static_cast<int>(start_.size()) - 1; }
  int num_velocities() const { return start_.back(); }
  int num_rows() const { return num_rows_; }
  int part_start(int part) const { return start_[part]; }
  int part_size(int part) const { return start_[part + 1] - start_[part]; }
  std::span<const RowGroup> groups() const { return groups_; }
  const double* jacobian(int data) const { return jacobian_.data() + data; }
  const double* mass(int part) const { return mass_.data() + mass_start_[part]; }
  const double* inverse_mass(int part) const { return inverse_.data() + mass_start_[part]; }
  std::span<const double> momentum() const { return momentum_; }

  std::vector<double> compliance, offset;  ///< C and c, one a row
  std::vector<double> lower, upper;        ///< bounds, one a row

  /// w - C x - c = J v.
  void calc_row_velocities(const double* v, double* u) const;
  /// max |w| at x = 0 [m/s]: what residuals are compared with.
  double calc_free_speed() const;
  /// result += J' x.
  void add_row_forces(const double* x, double* result) const;
  /// result = M v.
  void calc_momentum_of(const double* v, double* result) const;
  /// v = M^-1 (p + J' x).
  void calc_velocities(const double* x, double* v) const;
  /// Diagonal of J M^-1 J' + C.
  void calc_diagonal(double* diagonal) const;
  /// result (part velocities) += M^-1 J_row' times; of the rows of one group.
  void add_group_response(const RowGroup& group, const double* x, double* v) const;
  /// u = J v of the rows of one group.
  void calc_group_velocity(const RowGroup& group, const double* v, double* u) const;
  /// The diagonal block of S = J M^-1 J' + C that belongs to one group; `work`: as many numbers as velocities.
  MatX calc_group_matrix(const RowGroup& group, VecX& work) const;
  /// Takes all momenta away: what is left are the rows and the masses.
  void clear_momentum();

  /// The reduced problem S x + b with S = J M^-1 J' + C, b = J M^-1 p + c, dense.
  BoundedLcp make_dense() const;

 private:
  std::vector<int> start_ = {0}, mass_start_;
  std::vector<double> mass_, inverse_, momentum_, jacobian_;
  std::vector<RowGroup> groups_;
  int num_rows_ = 0;
};

}  // namespace abut
