#include "progress_bar.hpp"

#include <algorithm>
#include <cstdio>

#include <fmt/format.h>
#include <unistd.h>

#include "tell.hpp"
#include "text.hpp"

namespace abut {

namespace {

constexpr int kWidth = 32;
constexpr double kSilentSeconds = 0.5;
constexpr double kSecondsBetweenLines = 5.0;
constexpr double kSecondsBetweenDraws = 0.1;
/// The pace is that of the last one or two of these.
constexpr double kSecondsOfPace = 5.0;

double seconds_between(std::chrono::steady_clock::time_point from, std::chrono::steady_clock::time_point to) {
  return std::chrono::duration<double>(to - from).count();
}

}  // namespace

StatusLine::StatusLine(bool is_quiet)
    : is_shown_(!is_quiet && isatty(STDERR_FILENO) != 0), start_(std::chrono::steady_clock::now()), last_(start_) {}

void StatusLine::show(const std::string& text) {
  if (!is_shown_) return;
  tell("\r{}\x1b[K", text);
  std::fflush(stderr);
  last_ = std::chrono::steady_clock::now();
  is_drawn_ = true;
}

void StatusLine::update(const std::string& text) {
  const auto now = std::chrono::steady_clock::now();
  if (seconds_between(start_, now) >= kSilentSeconds && seconds_between(last_, now) >= kSecondsBetweenDraws) show(text);
}

void StatusLine::clear() {
  if (is_drawn_) tell("\r\x1b[K");
  is_drawn_ = false;
  std::fflush(stderr);
}

ProgressBar::ProgressBar(double duration, bool is_quiet)
    : duration_(duration),
      is_quiet_(is_quiet),
      is_terminal_(isatty(STDERR_FILENO) != 0),
      start_(Clock::now()),
      last_line_(start_) {}

/// By the pace of the last seconds: what went fast before says nothing about what is slow now.
std::string ProgressBar::make_text(double time, double elapsed) {
  if (elapsed - middle_.elapsed >= kSecondsOfPace) {
    first_ = middle_;
    middle_ = {time, elapsed};
  }
  const double pace = (time - first_.time) / (elapsed - first_.elapsed);
  const std::string left = pace > 0.0 ? "about " + format_time_left((duration_ - time) / pace) + " left"
                                      : fmt::format("no headway for {:.0f} s", elapsed - first_.elapsed);
  return fmt::format("{:.4g} of {:.6g} s simulated in {:.1f} s, {}", time, duration_, elapsed, left);
}

void ProgressBar::update(double time) {
  if (is_quiet_) return;
  const Clock::time_point now = Clock::now();
  const double elapsed = seconds_between(start_, now);
  if (elapsed < kSilentSeconds) return;
  if (is_terminal_) {
    const int filled = static_cast<int>(kWidth * std::clamp(time / duration_, 0.0, 1.0));
    std::string bar;
    for (int i = 0; i < kWidth; ++i) bar += i < filled ? "\u2588" : "\u2591";
    tell("\r{}  {}\x1b[K", bar, make_text(time, elapsed));
    is_drawn_ = true;
  } else if (seconds_between(last_line_, now) >= kSecondsBetweenLines) {
    tell("{}\n", make_text(time, elapsed));
    last_line_ = now;
  }
  std::fflush(stderr);
}

void ProgressBar::clear() {
  if (is_drawn_) tell("\r\x1b[K");
  is_drawn_ = false;
  std::fflush(stderr);
}

}  // namespace abut
