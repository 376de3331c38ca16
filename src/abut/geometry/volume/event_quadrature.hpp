#pragma once

#include <cstdint>
#include <vector>

#include "abut/math/types.hpp"

namespace abut {

/// What is integrated: volume (or area), three first and six second moments, three components of a surface integral.
using SliceSums = Eigen::Array<double, 13, 1>;

struct QuadratureOptions {
  double relative_error = 1e-6;  ///< of the volume, the moments (over their scale) and the area vector (over the area)
  int max_intervals = 400;       ///< a hard end; what is missing then is in the error estimate
  bool has_all_events = false;   ///< the breaks are complete: no need to look for others near the ends
  double negligible = 0.0;       ///< a total below this is rounding, and is not refined
  double rounding = 0.0;  ///< of the places of surfaces [m]: no error below this over the mean thickness is asked for
};

/// One evaluation that was used: the integral is the weighted sum over these.
struct QuadratureNode {
  double t = 0.0, weight = 0.0;
  int stretch = 0;      ///< nodes without an event between them have the same
  int evaluation = -1;  ///< the how-manieth of Integrand::calc() it was; -1 where it was none, since nothing is there
};

/// Integrates functions of t that are analytic but for events, where the shape of what they measure changes and which
/// they may meet with square roots. Between events a Gauss-Kronrod rule is used in a variable s, t = middle + half
/// sin(s pi/2), in which such roots are analytic. Known events are given as breaks; others are noticed by a change of
/// the signature between nodes, located by bisection and made breaks. Where the 7- and the 15-point rule disagree, the
/// interval is halved.
class EventQuadrature {
 public:
  /// Evaluates the integrand at t and returns the signature of its shape, 0 where it is empty (and the sums zero).
  class Integrand {
   public:
    virtual ~Integrand() = default;
    virtual std::uint64_t calc(double t, SliceSums& sums) = 0;
    /// The signature alone.
    virtual std::uint64_t calc_signature(double t) {
      SliceSums sums;
      return calc(t, sums);
    }
  };

  /// `breaks` ascending, at least two or the integral is zero.
  void calc(Integrand& integrand, const std::vector<double>& breaks, const QuadratureOptions& options);

  const SliceSums& total() const { return total_; }
  double relative_error() const { return error_; }  ///< estimated
  int num_evaluations() const { return num_evaluations_; }
  /// Whether a stretch without anything lies between two with something; slivers at the level of rounding are nothing.
  bool has_gap() const;
  /// The signatures met, in order, without repetitions, combined: 0 when there is nothing.
  std::uint64_t signature() const { return signature_; }

  /// Appends the nodes whose weighted sum is the total, in the order of t.
  void add_nodes(std::vector<QuadratureNode>& nodes) const;
  /// A coarser rule on the same stretches of t, with `count` nodes in each.
  void add_coarse_nodes(int count, std::vector<QuadratureNode>& nodes) const;

 private:
  struct Interval {
    double a = 0.0, b = 0.0;       ///< between two events
    double from = -1.0, to = 1.0;  ///< the part of it, in s
    SliceSums value = SliceSums::Zero();
    double error = 0.0;       ///< of the moments, in the units of the first sum
    double area = 0.0;        ///< size of the surface integral
    double area_error = 0.0;  ///< of it
    std::uint64_t signature = 0;
    int first_evaluation = -1;  ///< that of its first node; -1: nothing is there
  };

  void evaluate_graded(double a, double b, double gap_before, double gap_after);
  /// Whether a few nodes of a stretch find nothing: then there is nothing, since events bound what there is.
  bool is_empty(const Interval& interval, double middle, double half);
  void evaluate(Interval interval);
  bool split_at_change(const Interval& interval, double t_lower, double t_upper, std::uint64_t before);
  bool split_near_end(const Interval& interval, double t_first, double t_last, std::uint64_t seen);
  void refine(const QuadratureOptions& options);

  Integrand* integrand_ = nullptr;
  std::vector<Interval> intervals_;
  SliceSums total_ = SliceSums::Zero();
  double error_ = 0.0;
  int num_changes_ = 0, num_evaluations_ = 0;
  int num_sums_ = 0;  ///< calls of Integrand::calc()
  bool has_all_events_ = false;
  std::uint64_t signature_ = 0;
};

}  // namespace abut
