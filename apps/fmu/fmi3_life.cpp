// FMI 3.0: instances, initialization, states [Modelica Association 2022].
#include <cstring>

#include "fmi3_instance.hpp"

using namespace abut;
using namespace abut::fmi;

namespace {

constexpr unsigned kOutsideUpdate = kAnyMode & ~any_of(Mode::intermediate);

/// A message before there is an instance.
void say_early(bool logs, fmi3InstanceEnvironment environment, fmi3LogMessageCallback logger, const std::string& text) {
  if (logs && logger != nullptr)
    logger(environment, fmi3Error, kLogCategories[static_cast<std::size_t>(LogCategory::error)],
           double_characters(text, "#").c_str());
}

fmi3Instance refuse_kind(bool logs, fmi3InstanceEnvironment environment, fmi3LogMessageCallback logger,
                         const char* kind) noexcept {
  try {
    say_early(logs, environment, logger, fmt::format("this unit is for co-simulation only, not for {}", kind));
  } catch (...) {  // no memory for the message
  }
  return nullptr;
}

std::unique_ptr<Instance3> make_instance(fmi3String name, fmi3String token, fmi3String resources, bool logs) {
  if (const std::string mistake = find_name_mistake(name, token); !mistake.empty()) throw InputError(mistake);
  if (resources == nullptr) throw InputError("this unit reads its scene from its resources, but got no path to them");
  auto model = std::make_shared<const FmuModel>(load_fmu_model(resources));
  if (model->token != token)
    throw InputError(fmt::format("the token {} is not that of this unit, {}", token, model->token));
  return std::make_unique<Instance3>(std::move(model), logs);
}

SavedState& as_state(fmi3FMUState state) {
  if (state == nullptr) throw InputError("there is no state");
  return *static_cast<SavedState*>(state);
}

}  // namespace

ABUT_FMI_EXPORT const char* fmi3GetVersion() { return "3.0"; }

ABUT_FMI_EXPORT fmi3Instance fmi3InstantiateCoSimulation(
    fmi3String name, fmi3String token, fmi3String resources, fmi3Boolean, fmi3Boolean logs, fmi3Boolean uses_events,
    fmi3Boolean may_return_early, const fmi3ValueReference announced[], std::size_t num_announced,
    fmi3InstanceEnvironment environment, fmi3LogMessageCallback logger, fmi3IntermediateUpdateCallback on_update) {
  try {
    std::unique_ptr<Instance3> unit = make_instance(name, token, resources, logs);
    unit->environment = environment;
    unit->logger = logger;
    unit->on_update = on_update;
    unit->uses_events = uses_events;
    unit->may_return_early = may_return_early;
    for (std::size_t i = 0; announced != nullptr && i < num_announced; ++i) unit->announced.insert(announced[i]);
    return unit.release();
  } catch (...) {
    try {
      say_early(logs, environment, logger, describe_exception());
    } catch (...) {  // no memory for the message
    }
    return nullptr;
  }
}

ABUT_FMI_EXPORT fmi3Instance fmi3InstantiateModelExchange(fmi3String, fmi3String, fmi3String, fmi3Boolean,
                                                          fmi3Boolean logs, fmi3InstanceEnvironment environment,
                                                          fmi3LogMessageCallback logger) {
  return refuse_kind(logs, environment, logger, "model exchange");
}

ABUT_FMI_EXPORT fmi3Instance fmi3InstantiateScheduledExecution(fmi3String, fmi3String, fmi3String, fmi3Boolean,
                                                               fmi3Boolean logs, fmi3InstanceEnvironment environment,
                                                               fmi3LogMessageCallback logger, fmi3ClockUpdateCallback,
                                                               fmi3LockPreemptionCallback,
                                                               fmi3UnlockPreemptionCallback) {
  return refuse_kind(logs, environment, logger, "scheduled execution");
}

ABUT_FMI_EXPORT void fmi3FreeInstance(fmi3Instance instance) { delete static_cast<Instance3*>(instance); }

ABUT_FMI_EXPORT fmi3Status fmi3SetDebugLogging(fmi3Instance instance, fmi3Boolean is_on, std::size_t size,
                                               const fmi3String categories[]) {
  return call3(instance, "fmi3SetDebugLogging", kOutsideUpdate, [&](Instance3& unit) {
    if ((size > 0 && categories == nullptr) || !unit.log.set(is_on, size, categories))
      return unit.fail("fmi3SetDebugLogging: there is no such category");
    return fmi3OK;
  });
}

ABUT_FMI_EXPORT fmi3Status fmi3EnterInitializationMode(fmi3Instance instance, fmi3Boolean has_tolerance,
                                                       fmi3Float64 tolerance, fmi3Float64 start_time,
                                                       fmi3Boolean has_stop_time, fmi3Float64 stop_time) {
  return call3(instance, "fmi3EnterInitializationMode", any_of(Mode::instantiated), [&](Instance3& unit) {
    if (!std::isfinite(start_time)) throw InputError(fmt::format("{} is no start time", start_time));
    if (has_stop_time && !(stop_time >= start_time))
      throw InputError(fmt::format("the stop time {} s is not after the start time {} s", stop_time, start_time));
    unit.unit.start(start_time, has_tolerance ? std::optional<double>(tolerance) : std::nullopt);
    unit.stop_time = has_stop_time ? std::optional<double>(stop_time) : std::nullopt;
    unit.last_time = start_time;
    unit.mode = Mode::initialization;
    return fmi3OK;
  });
}

ABUT_FMI_EXPORT fmi3Status fmi3ExitInitializationMode(fmi3Instance instance) {
  return call3(instance, "fmi3ExitInitializationMode", any_of(Mode::initialization), [&](Instance3& unit) {
    unit.unit.latch();
    unit.unit.hold_flags(unit.uses_events);
    unit.mode = unit.uses_events ? Mode::event : Mode::step;
    return fmi3OK;
  });
}

ABUT_FMI_EXPORT fmi3Status fmi3Terminate(fmi3Instance instance) {
  return call3(instance, "fmi3Terminate", any_of(Mode::event, Mode::step), [](Instance3& unit) {
    unit.mode = Mode::terminated;
    return fmi3OK;
  });
}

ABUT_FMI_EXPORT fmi3Status fmi3Reset(fmi3Instance instance) {
  return call3(instance, "fmi3Reset", kOutsideUpdate, [](Instance3& unit) {
    unit.unit.reset();
    unit.stop_time.reset();
    unit.last_time = 0.0;
    unit.mode = Mode::instantiated;
    return fmi3OK;
  });
}

ABUT_FMI_EXPORT fmi3Status fmi3GetFMUState(fmi3Instance instance, fmi3FMUState* state) {
  return call3(instance, "fmi3GetFMUState", kOutsideUpdate, [&](Instance3& unit) {
    if (state == nullptr) throw InputError("there is no place for the state");
    Bytes bytes = unit.save();
    if (*state == nullptr) *state = new SavedState();
    as_state(*state).bytes = std::move(bytes);
    return fmi3OK;
  });
}

ABUT_FMI_EXPORT fmi3Status fmi3SetFMUState(fmi3Instance instance, fmi3FMUState state) {
  return call3(instance, "fmi3SetFMUState", kOutsideUpdate, [&](Instance3& unit) {
    unit.load(as_state(state).bytes);
    return fmi3OK;
  });
}

ABUT_FMI_EXPORT fmi3Status fmi3FreeFMUState(fmi3Instance instance, fmi3FMUState* state) {
  return call3(instance, "fmi3FreeFMUState", kOutsideUpdate, [&](Instance3&) {
    if (state == nullptr) return fmi3OK;
    delete static_cast<SavedState*>(*state);
    *state = nullptr;
    return fmi3OK;
  });
}

ABUT_FMI_EXPORT fmi3Status fmi3SerializedFMUStateSize(fmi3Instance instance, fmi3FMUState state, std::size_t* size) {
  return call3(instance, "fmi3SerializedFMUStateSize", kOutsideUpdate, [&](Instance3&) {
    if (size == nullptr) throw InputError("there is no place for the size");
    *size = as_state(state).bytes.size();
    return fmi3OK;
  });
}

ABUT_FMI_EXPORT fmi3Status fmi3SerializeFMUState(fmi3Instance instance, fmi3FMUState state, fmi3Byte bytes[],
                                                 std::size_t size) {
  return call3(instance, "fmi3SerializeFMUState", kOutsideUpdate, [&](Instance3&) {
    const Bytes& saved = as_state(state).bytes;
    if (bytes == nullptr || size != saved.size())
      throw InputError(fmt::format("the state has {} bytes, the place for it {}", saved.size(), size));
    std::memcpy(bytes, saved.data(), size);
    return fmi3OK;
  });
}

ABUT_FMI_EXPORT fmi3Status fmi3DeserializeFMUState(fmi3Instance instance, const fmi3Byte bytes[], std::size_t size,
                                                   fmi3FMUState* state) {
  return call3(instance, "fmi3DeserializeFMUState", kOutsideUpdate, [&](Instance3& unit) {
    if (state == nullptr || bytes == nullptr)
      throw InputError("there is no place for the state, or there are no bytes");
    const auto* first = reinterpret_cast<const std::byte*>(bytes);
    Bytes read(first, first + size);
    Instance3(unit.unit.shared_model(), false).load(read);  // whether they are one
    if (*state == nullptr) *state = new SavedState();
    as_state(*state).bytes = std::move(read);
    return fmi3OK;
  });
}
