#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "abut/sim/model.hpp"
#include "abut/sim/run_summary.hpp"

namespace abut {

/// What a live run needs from the program around it.
struct LiveSource {
  std::string name;        ///< of the scene
  std::string path;        ///< of its file, where what it refers to lies
  std::string version;     ///< of the program
  std::string scene_text;  ///< TOML, read once
  std::function<std::string(const Model&)> describe;
  std::function<std::string(const RunSummary&, const Model&)> summarize;  ///< JSON
};

/// A run in a thread of its own that goes at a chosen multiple of real time (never faster than it computes), can be
/// paused, stepped and started again with other numbers, and tells what happens as a list of server-sent events.
/// All functions may be called from any thread.
class LiveRun {
 public:
  /// Starts at once. Throws InputError when the scene is wrong.
  LiveRun(LiveSource source, double speed);
  ~LiveRun();

  void pause();
  void resume();
  /// Lets `count` samples through, and is paused afterwards.
  void step(int count);
  /// From the start again, with the settings made so far.
  void restart();
  /// > 0, in simulated seconds for each second.
  void set_speed(double speed);
  /// Changes numbers of the scene, by path ("body.ball.mass", "gravity[2]"), and starts again. Throws InputError, and
  /// changes nothing, when a path is unknown or the scene would be wrong.
  void set_numbers(const std::vector<std::pair<std::string, double>>& numbers);
  /// Ends the run and wakes whoever waits for messages.
  void shut_down();

  /// Where a listener stands; a new one is told everything from the start of the current run.
  struct Cursor {
    long generation = -1;
    std::size_t next = 0;
  };
  /// Waits up to `seconds` for news and returns them, as text of server-sent events; empty when there are none. At most
  /// one event more than `most_bytes` at once: the rest the next time. False after shut_down().
  bool wait_for_messages(Cursor& cursor, double seconds, std::string& text, std::size_t most_bytes = 1u << 18);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace abut
