#pragma once

#include <chrono>
#include <string>

namespace abut {

/// One line on a terminal about work that takes long, redrawn in place; nothing elsewhere or when quiet.
class StatusLine {
 public:
  explicit StatusLine(bool is_quiet);
  ~StatusLine() { clear(); }

  /// At once.
  void show(const std::string& text);
  /// Not in the first half second, and ten times a second at most.
  void update(const std::string& text);
  void clear();

 private:
  bool is_shown_;
  bool is_drawn_ = false;
  std::chrono::steady_clock::time_point start_, last_;
};

/// Shows how far a run is: a bar that is redrawn when standard error is a terminal, a plain line every few seconds
/// otherwise, nothing when quiet. Silent for runs shorter than half a second.
class ProgressBar {
 public:
  ProgressBar(double duration, bool is_quiet);

  void update(double time);
  /// Removes the bar, so that what follows starts on a clean line.
  void clear();

 private:
  using Clock = std::chrono::steady_clock;

  struct Mark {
    double time = 0.0;     ///< simulated [s]
    double elapsed = 0.0;  ///< since the start [s]
  };

  std::string make_text(double time, double elapsed);

  double duration_;
  bool is_quiet_;
  bool is_terminal_;
  bool is_drawn_ = false;
  Clock::time_point start_, last_line_;
  Mark first_, middle_;  ///< between which and now the pace is taken
};

}  // namespace abut
