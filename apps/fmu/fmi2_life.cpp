// FMI 2.0: instances, initialization, states [Modelica Association 2014].
#include <cstring>

#include "fmi2_instance.hpp"
#include "resource_uri.hpp"

using namespace abut;
using namespace abut::fmi;

namespace {

std::unique_ptr<Instance2> make_instance(fmi2String name, fmi2Type type, fmi2String guid, fmi2String resources,
                                         bool logs) {
  if (const std::string mistake = find_name_mistake(name, guid); !mistake.empty()) throw InputError(mistake);
  if (type != fmi2CoSimulation) throw InputError("this unit is for co-simulation only, not for model exchange");
  if (resources == nullptr)
    throw InputError("this unit reads its scene from its resources, but got no location of them");
  auto model = std::make_shared<const FmuModel>(load_fmu_model(path_of_uri(resources)));
  if (model->token != guid)
    throw InputError(fmt::format("the guid {} is not that of this unit, {}", guid, model->token));
  auto unit = std::make_unique<Instance2>(std::move(model), logs);
  unit->name = name;
  return unit;
}

SavedState& as_state(fmi2FMUstate state) {
  if (state == nullptr) throw InputError("there is no state");
  return *static_cast<SavedState*>(state);
}

}  // namespace

ABUT_FMI_EXPORT const char* fmi2GetTypesPlatform() { return "default"; }
ABUT_FMI_EXPORT const char* fmi2GetVersion() { return "2.0"; }

ABUT_FMI_EXPORT fmi2Component fmi2Instantiate(fmi2String name, fmi2Type type, fmi2String guid, fmi2String resources,
                                              const fmi2CallbackFunctions* functions, fmi2Boolean, fmi2Boolean logs) {
  const fmi2CallbackLogger logger = functions == nullptr ? nullptr : functions->logger;
  const fmi2ComponentEnvironment environment = functions == nullptr ? nullptr : functions->componentEnvironment;
  try {
    std::unique_ptr<Instance2> unit = make_instance(name, type, guid, resources, logs != 0);
    unit->logger = logger;
    unit->environment = environment;
    return unit.release();
  } catch (...) {
    try {
      const std::string text = double_characters(describe_exception(), "#%");
      if (logs != 0 && logger != nullptr)
        logger(environment, name == nullptr ? "" : name, fmi2Error,
               kLogCategories[static_cast<std::size_t>(LogCategory::error)], text.c_str());
    } catch (...) {  // no memory for the message
    }
    return nullptr;
  }
}

ABUT_FMI_EXPORT void fmi2FreeInstance(fmi2Component instance) { delete static_cast<Instance2*>(instance); }

ABUT_FMI_EXPORT fmi2Status fmi2SetDebugLogging(fmi2Component instance, fmi2Boolean is_on, std::size_t size,
                                               const fmi2String categories[]) {
  return call2(instance, "fmi2SetDebugLogging", kAnyMode, [&](Instance2& unit) {
    if ((size > 0 && categories == nullptr) || !unit.log.set(is_on != 0, size, categories))
      return unit.fail("fmi2SetDebugLogging: there is no such category");
    return fmi2OK;
  });
}

ABUT_FMI_EXPORT fmi2Status fmi2SetupExperiment(fmi2Component instance, fmi2Boolean has_tolerance, fmi2Real tolerance,
                                               fmi2Real start_time, fmi2Boolean has_stop_time, fmi2Real stop_time) {
  return call2(instance, "fmi2SetupExperiment", any_of(Mode::instantiated), [&](Instance2& unit) {
    if (!std::isfinite(start_time)) throw InputError(fmt::format("{} is no start time", start_time));
    if (has_stop_time != 0 && !(stop_time >= start_time))
      throw InputError(fmt::format("the stop time {} s is not after the start time {} s", stop_time, start_time));
    unit.start_time = unit.last_time = start_time;
    unit.tolerance = has_tolerance != 0 ? std::optional<double>(tolerance) : std::nullopt;
    unit.stop_time = has_stop_time != 0 ? std::optional<double>(stop_time) : std::nullopt;
    unit.has_experiment = true;
    return fmi2OK;
  });
}

ABUT_FMI_EXPORT fmi2Status fmi2EnterInitializationMode(fmi2Component instance) {
  return call2(instance, "fmi2EnterInitializationMode", any_of(Mode::instantiated), [](Instance2& unit) {
    if (!unit.has_experiment) return unit.fail("fmi2EnterInitializationMode is not allowed before fmi2SetupExperiment");
    unit.unit.start(unit.start_time, unit.tolerance);
    unit.mode = Mode::initialization;
    return fmi2OK;
  });
}

ABUT_FMI_EXPORT fmi2Status fmi2ExitInitializationMode(fmi2Component instance) {
  return call2(instance, "fmi2ExitInitializationMode", any_of(Mode::initialization), [](Instance2& unit) {
    unit.unit.latch();
    unit.mode = Mode::step;
    return fmi2OK;
  });
}

ABUT_FMI_EXPORT fmi2Status fmi2Terminate(fmi2Component instance) {
  return call2(instance, "fmi2Terminate", any_of(Mode::step, Mode::step_failed), [](Instance2& unit) {
    unit.mode = Mode::terminated;
    return fmi2OK;
  });
}

ABUT_FMI_EXPORT fmi2Status fmi2Reset(fmi2Component instance) {
  return call2(instance, "fmi2Reset", kAnyMode, [](Instance2& unit) {
    unit.unit.reset();
    unit.has_experiment = false;
    unit.tolerance.reset();
    unit.stop_time.reset();
    unit.start_time = unit.last_time = 0.0;
    unit.mode = Mode::instantiated;
    return fmi2OK;
  });
}

ABUT_FMI_EXPORT fmi2Status fmi2GetFMUstate(fmi2Component instance, fmi2FMUstate* state) {
  return call2(instance, "fmi2GetFMUstate", kAnyMode, [&](Instance2& unit) {
    if (state == nullptr) throw InputError("there is no place for the state");
    Bytes bytes = unit.save();
    if (*state == nullptr) *state = new SavedState();
    as_state(*state).bytes = std::move(bytes);
    return fmi2OK;
  });
}

ABUT_FMI_EXPORT fmi2Status fmi2SetFMUstate(fmi2Component instance, fmi2FMUstate state) {
  return call2(instance, "fmi2SetFMUstate", kAnyMode, [&](Instance2& unit) {
    unit.load(as_state(state).bytes);
    return fmi2OK;
  });
}

ABUT_FMI_EXPORT fmi2Status fmi2FreeFMUstate(fmi2Component instance, fmi2FMUstate* state) {
  return call2(instance, "fmi2FreeFMUstate", kAnyMode, [&](Instance2&) {
    if (state == nullptr) return fmi2OK;
    delete static_cast<SavedState*>(*state);
    *state = nullptr;
    return fmi2OK;
  });
}

ABUT_FMI_EXPORT fmi2Status fmi2SerializedFMUstateSize(fmi2Component instance, fmi2FMUstate state, std::size_t* size) {
  return call2(instance, "fmi2SerializedFMUstateSize", kAnyMode, [&](Instance2&) {
    if (size == nullptr) throw InputError("there is no place for the size");
    *size = as_state(state).bytes.size();
    return fmi2OK;
  });
}

ABUT_FMI_EXPORT fmi2Status fmi2SerializeFMUstate(fmi2Component instance, fmi2FMUstate state, fmi2Byte bytes[],
                                                 std::size_t size) {
  return call2(instance, "fmi2SerializeFMUstate", kAnyMode, [&](Instance2&) {
    const Bytes& saved = as_state(state).bytes;
    if (bytes == nullptr || size != saved.size())
      throw InputError(fmt::format("the state has {} bytes, the place for it {}", saved.size(), size));
    std::memcpy(bytes, saved.data(), size);
    return fmi2OK;
  });
}

ABUT_FMI_EXPORT fmi2Status fmi2DeSerializeFMUstate(fmi2Component instance, const fmi2Byte bytes[], std::size_t size,
                                                   fmi2FMUstate* state) {
  return call2(instance, "fmi2DeSerializeFMUstate", kAnyMode, [&](Instance2& unit) {
    if (state == nullptr || bytes == nullptr)
      throw InputError("there is no place for the state, or there are no bytes");
    const auto* first = reinterpret_cast<const std::byte*>(bytes);
    Bytes read(first, first + size);
    Instance2(unit.unit.shared_model(), false).load(read);  // whether they are one
    if (*state == nullptr) *state = new SavedState();
    as_state(*state).bytes = std::move(read);
    return fmi2OK;
  });
}
