#include "abut/measure/signal_search.hpp"

#include <algorithm>
#include <cmath>

#include "abut/math/bracketed_root.hpp"

namespace abut {

namespace {

std::vector<double> sample_signal(const Signal& signal, const std::vector<double>& times) {
  std::vector<double> values;
  values.reserve(times.size());
  for (const double t : times) values.push_back(signal(t));
  return values;
}

/// Golden-section search for the maximum in [low, high]; `best` is a point inside that is already known.
Extremum refine_max(const Signal& signal, double low, double high, Extremum best) {
  constexpr double kGolden = 0.6180339887498949;
  constexpr int kIterations = 60;  // 0.618^60 = 3e-13 of the interval
  double left = high - kGolden * (high - low), right = low + kGolden * (high - low);
  double at_left = signal(left), at_right = signal(right);
  for (int i = 0; i < kIterations; ++i) {
    if (at_left >= at_right) {
      high = right;
      right = left;
      at_right = at_left;
      left = high - kGolden * (high - low);
      at_left = signal(left);
    } else {
      low = left;
      left = right;
      at_left = at_right;
      right = low + kGolden * (high - low);
      at_right = signal(right);
    }
  }
  const Extremum found = at_left >= at_right ? Extremum{left, at_left} : Extremum{right, at_right};
  return found.value > best.value ? found : best;
}

/// Time in [low, high] at which the sign changes, the signal being above zero at exactly one end.
double locate_change(const Signal& signal, double low, double high) {
  constexpr int kTurns = 60;
  const bool low_is_positive = signal(low) > 0.0;
  const auto is_low = [&](double t) { return (signal(t) > 0.0) == low_is_positive; };
  return bisect({low, high}, kTurns, 0.0, is_low).middle();
}

}  // namespace

Extremum find_max(const Signal& signal, const std::vector<double>& times) {
  const std::vector<double> values = sample_signal(signal, times);
  const auto best = static_cast<std::size_t>(std::max_element(values.begin(), values.end()) - values.begin());
  const double low = times[best > 0 ? best - 1 : 0], high = times[std::min(best + 1, times.size() - 1)];
  return refine_max(signal, low, high, {times[best], values[best]});
}

double calc_mean(const Signal& signal, const std::vector<double>& times) {
  const std::vector<double> values = sample_signal(signal, times);
  double sum = 0.0;
  for (std::size_t i = 1; i < times.size(); ++i) sum += 0.5 * (values[i - 1] + values[i]) * (times[i] - times[i - 1]);
  return sum / (times.back() - times.front());
}

std::optional<Extremum> find_peak(const Signal& signal, const std::vector<double>& times, int n) {
  const std::vector<double> values = sample_signal(signal, times);
  int count = 0;
  for (std::size_t i = 1; i + 1 < values.size(); ++i) {
    const bool is_peak = values[i] > values[i - 1] && values[i] >= values[i + 1];
    if (is_peak && ++count == n) return refine_max(signal, times[i - 1], times[i + 1], {times[i], values[i]});
  }
  return std::nullopt;
}

std::optional<double> find_first_positive(const Signal& signal, const std::vector<double>& times) {
  const std::vector<double> values = sample_signal(signal, times);
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i] > 0.0) return i == 0 ? times[0] : locate_change(signal, times[i - 1], times[i]);
  }
  return std::nullopt;
}

std::optional<double> find_last_positive(const Signal& signal, const std::vector<double>& times) {
  const std::vector<double> values = sample_signal(signal, times);
  for (std::size_t i = values.size(); i-- > 0;) {
    if (values[i] > 0.0) return i + 1 == values.size() ? times[i] : locate_change(signal, times[i], times[i + 1]);
  }
  return std::nullopt;
}

}  // namespace abut
