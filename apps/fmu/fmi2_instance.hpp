#pragma once

#include <string>

#include "fmi2_types.hpp"
#include "instance.hpp"

namespace abut::fmi {

/// One instance as FMI 2.0 has it.
struct Instance2 : Instance {
  using Instance::Instance;

  void say(fmi2Status status, LogCategory category, const std::string& message) const {
    if (logger == nullptr || !log.wants(category)) return;
    logger(environment, name.c_str(), status, kLogCategories[static_cast<std::size_t>(category)],
           double_characters(message, "#%").c_str());
  }
  fmi2Status fail(const std::string& message) {
    mode = Mode::error;
    say(fmi2Error, LogCategory::error, message);
    return fmi2Error;
  }

  Bytes save() { return save_with(has_experiment, start_time, tolerance); }
  void load(std::span<const std::byte> bytes) { load_with(bytes, has_experiment, start_time, tolerance); }

  std::string name;
  fmi2ComponentEnvironment environment = nullptr;
  fmi2CallbackLogger logger = nullptr;
  bool has_experiment = false;  ///< SetupExperiment was called
  double start_time = 0.0;
  std::optional<double> tolerance;
};

/// As call3 of FMI 3.0.
template <class Act>
fmi2Status call2(fmi2Component instance, const char* function, unsigned modes, const Act& act) noexcept {
  if (instance == nullptr) return fmi2Error;
  Instance2& unit = *static_cast<Instance2*>(instance);
  try {
    if (!unit.is_in(modes)) return unit.fail(fmt::format("{} is not allowed {}", function, describe(unit.mode)));
    return act(unit);
  } catch (...) {
    try {
      return unit.fail(fmt::format("{}: {}", function, describe_exception()));
    } catch (...) {
      unit.mode = Mode::error;
      return fmi2Error;
    }
  }
}

}  // namespace abut::fmi
