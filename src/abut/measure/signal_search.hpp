#pragma once

#include <functional>
#include <optional>
#include <vector>

namespace abut {

using Signal = std::function<double(double time)>;

struct Extremum {
  double time = 0.0;
  double value = 0.0;
};

/// Searches on a signal known at increasing times, smooth or broken between them. What lies between two neighbouring
/// times is found only if one of them shows it; the place itself is then refined on the signal to rounding.

/// Largest value; the ends count.
Extremum find_max(const Signal& signal, const std::vector<double>& times);

/// Mean over the time from the first to the last, straight lines between.
double calc_mean(const Signal& signal, const std::vector<double>& times);

/// The n-th inner local maximum, counted from 1: larger than before, not smaller than after.
std::optional<Extremum> find_peak(const Signal& signal, const std::vector<double>& times, int n);

/// First and last time at which the signal is above zero; nothing when it never is.
std::optional<double> find_first_positive(const Signal& signal, const std::vector<double>& times);
std::optional<double> find_last_positive(const Signal& signal, const std::vector<double>& times);

}  // namespace abut
