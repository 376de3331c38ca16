#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <pybind11/pybind11.h>

#include "abut/door/parts.hpp"
#include "abut/record.hpp"
#include "abut/world.hpp"
#include "interrupt.hpp"
#include "looks.hpp"

namespace abut {

/// A world as Python has it. Python promises nothing about threads, so that a world in use by one refuses all others,
/// and one whose threads a fork has left behind says so; both would otherwise crash or hang the process.
class WorldObject {
 public:
  WorldObject(const v0::Model& model, int threads);
  WorldObject(WorldObject& other);

  double time() { return look().time(); }
  double step();
  double advance(double time);
  void load(const v0::State& state);

  /// For looks and acts: throws where another thread steps the world, or where a fork has cut off its threads.
  abut::World& look();
  v0::World& door();

  // Kept at one place for as long as the world lives; brought up to date by each of these calls.
  const std::vector<double>& coordinates();
  const std::vector<double>& velocities();
  const std::vector<BodyRow>& bodies();

  void start_recording(const std::string& path);
  void stop_recording();
  bool is_recording() const { return recorder_.has_value(); }

 private:
  void require_usable() const;
  template <class Act>
  double move(const Act& act);

  v0::World world_;
  abut::World* inner_;
  int threads_;
  bool is_busy_ = false;  ///< read and written under Python's lock
  unsigned fork_count_;   ///< when it was made
  std::shared_ptr<Interrupt> interrupt_ = std::make_shared<Interrupt>();
  std::vector<double> coordinates_, velocities_;
  std::vector<BodyRow> bodies_;
  std::optional<v0::Recorder> recorder_;
};

}  // namespace abut
