#pragma once

#include <ctime>
#include <optional>

#include <pybind11/pybind11.h>

namespace abut {

/// Ctrl-C while the library works: Python only notes the signal, and asks its handlers where we let it. To be asked
/// between two steps; looks at Python ten times a second at most, since that needs its lock.
class Interrupt {
 public:
  /// Whether a handler has raised, as KeyboardInterrupt. Called without the lock (GIL).
  bool is_wanted() {
    const double now = read_clock();
    if (raised_ || now - last_look_ < kSecondsBetweenLooks) return raised_.has_value();
    last_look_ = now;
    const pybind11::gil_scoped_acquire lock;
    look();
    return raised_.has_value();
  }
  /// With the lock held.
  void look() {
    if (!raised_ && PyErr_CheckSignals() != 0) raised_.emplace();
  }
  /// Calls what may raise, with the lock held.
  template <class Act>
  void guard(const Act& act) {
    try {
      act();
    } catch (pybind11::error_already_set& error) {
      if (!raised_) raised_.emplace(std::move(error));
    }
  }
  /// With the lock held; once.
  void rethrow() {
    if (!raised_) return;
    pybind11::error_already_set error = std::move(*raised_);
    raised_.reset();
    throw error;
  }
  bool has_raised() const { return raised_.has_value(); }

 private:
  static constexpr double kSecondsBetweenLooks = 0.1;

  /// Right to a few milliseconds, read in as many nanoseconds.
  static double read_clock() {
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
  }

  double last_look_ = read_clock();  ///< [s]
  std::optional<pybind11::error_already_set> raised_;
};

}  // namespace abut
