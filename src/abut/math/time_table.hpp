#pragma once

#include <span>
#include <vector>

namespace abut {

/// A quantity given at instants: straight lines between them, the first and last value held outside.
class TimeTable {
 public:
  /// Zero at all times.
  TimeTable() : TimeTable(0.0) {}
  /// The same value at all times.
  explicit TimeTable(double value) : times_{0.0}, values_{value} {}
  /// Throws InputError unless there are as many values as times, at least one, all finite, times strictly increasing.
  TimeTable(std::vector<double> times, std::vector<double> values);

  double value(double t) const;
  /// Slope [unit of value / s]; at a breakpoint that of the side after it, 0 outside the table.
  double rate(double t) const;
  /// Mean over t0 <= t <= t1 with t1 > t0, exact.
  double mean(double t0, double t1) const;
  /// Whether the slope jumps inside of t0 < t < t1, beyond rounding.
  bool bends_within(double t0, double t1) const;
  /// Instants [s] where the slope jumps, increasing: an integrator that steps onto them keeps its order. Empty for a
  /// constant.
  std::span<const double> breakpoints() const;

  template <class Archive>
  void visit(Archive& archive) {
    archive(times_, values_);
  }

 private:
  std::vector<double> times_, values_;
};

/// The checks of TimeTable's constructor, for all tables over time. `least` is the smallest number of entries.
void check_time_table(std::span<const double> times, std::span<const double> values, int least);

/// Index k of the interval times[k] <= t < times[k + 1], limited to the first and the last interval; needs two times.
int find_interval(std::span<const double> times, double t);

}  // namespace abut
