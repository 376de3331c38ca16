#include "stop_signals.hpp"

#include <csignal>

namespace abut {

namespace {

std::atomic<bool> stop_wanted{false};

extern "C" void handle_stop_signal(int signal) {
  if (stop_wanted.exchange(true)) {
    std::signal(signal, SIG_DFL);
    std::raise(signal);
  }
}

}  // namespace

std::atomic<bool>& watch_stop_signals() {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGXCPU, SIGUSR1}) {
    const auto before = std::signal(signal, handle_stop_signal);
    if (before == SIG_IGN && signal == SIGHUP) std::signal(signal, SIG_IGN);
  }
  return stop_wanted;
}

}  // namespace abut
