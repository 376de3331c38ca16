#pragma once

#include <span>
#include <string>
#include <vector>

#include "abut/api.hpp"

ABUT_DOOR_BEGIN

/// What a controller sees at a sample. Joints and sensors are in the order in which its setup names them.
struct Measured {
  double time = 0.0;                             ///< [s]
  double period = 0.0;                           ///< from sample to sample [s]
  std::span<const double> position, velocity;    ///< of each joint [m, rad], [m/s, rad/s]
  std::vector<std::span<const double>> sensors;  ///< channels of each sensor
};

/// What it answers.
struct Commands {
  std::span<double> values;     ///< for each joint, in the unit of its motor's mode; zero before it is written
  std::vector<double>& memory;  ///< what it remembers; empty at the first sample, saved with the state of the world
};

/// When it is asked, and what it has to do with.
struct ControllerSetup {
  std::string name{};
  double rate = 0.0;                   ///< samples a second [Hz]
  double delay = 0.0;                  ///< from a sample to the instant at which its commands take hold [s]
  std::vector<std::string> joints{};   ///< whose motors it commands
  std::vector<std::string> sensors{};  ///< that it reads
};

/// A controller of one's own, given to World::add_controller(). Its commands are held from sample to sample.
///
/// What it remembers belongs in Commands::memory: the same measurement and memory should give the same commands, so
/// that a world that is copied, saved or set back goes on to the same bits. Copies of a world share the controller.
/// Whatever it throws ends the run of the world, in words.
class ABUT_API Controller {
 public:
  Controller() = default;
  Controller(const Controller&) = delete;
  Controller& operator=(const Controller&) = delete;
  virtual ~Controller();
  virtual void sample(const Measured& measured, Commands& commands) = 0;
};

ABUT_DOOR_END
