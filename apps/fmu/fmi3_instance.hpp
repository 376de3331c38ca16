#pragma once

#include <set>

#include "fmi3_types.hpp"
#include "instance.hpp"

namespace abut::fmi {

/// One instance as FMI 3.0 has it.
struct Instance3 : Instance {
  using Instance::Instance;

  void say(fmi3Status status, LogCategory category, const std::string& message) const {
    if (logger == nullptr || !log.wants(category)) return;
    logger(environment, status, kLogCategories[static_cast<std::size_t>(category)],
           double_characters(message, "#").c_str());
  }
  fmi3Status fail(const std::string& message) {
    mode = Mode::terminated;
    say(fmi3Error, LogCategory::error, message);
    return fmi3Error;
  }

  Bytes save() { return save_with(uses_events); }
  void load(std::span<const std::byte> bytes) { load_with(bytes, uses_events); }

  fmi3InstanceEnvironment environment = nullptr;
  fmi3LogMessageCallback logger = nullptr;
  fmi3IntermediateUpdateCallback on_update = nullptr;
  std::set<fmi3ValueReference> announced;  ///< for intermediate updates
  bool uses_events = false;
  bool may_return_early = false;
};

/// One call of the importer: refused where the instance is in none of `modes`; what is thrown becomes an error, and the
/// instance cannot go on.
template <class Act>
fmi3Status call3(fmi3Instance instance, const char* function, unsigned modes, const Act& act) noexcept {
  if (instance == nullptr) return fmi3Error;
  Instance3& unit = *static_cast<Instance3*>(instance);
  try {
    if (!unit.is_in(modes)) return unit.fail(fmt::format("{} is not allowed {}", function, describe(unit.mode)));
    return act(unit);
  } catch (...) {
    try {
      return unit.fail(fmt::format("{}: {}", function, describe_exception()));
    } catch (...) {
      unit.mode = Mode::terminated;
      return fmi3Error;
    }
  }
}

/// Of a function that this unit does not offer.
inline fmi3Status refuse3(fmi3Instance instance, const char* function, const char* why) noexcept {
  return call3(instance, function, kAnyMode,
               [&](Instance3& unit) { return unit.fail(fmt::format("{}: {}", function, why)); });
}

}  // namespace abut::fmi
