// FMI 2.0: values of variables and communication steps [Modelica Association 2014].
#include "fmi2_instance.hpp"

using namespace abut;
using namespace abut::fmi;

namespace {

/// More than the standard asks for: importers read parameters and outputs whenever they like.
constexpr unsigned kReading = kAnyMode;
constexpr unsigned kWriting = any_of(Mode::instantiated, Mode::initialization, Mode::step);

Place find_number(const Instance2& unit, fmi2ValueReference reference, bool wants_flag) {
  const std::optional<Place> place = find_place(unit.unit.model(), reference);
  if (!place || unit.unit.model().ports[place->port].is_flag() != wants_flag)
    throw InputError(fmt::format("there is no {} with value reference {}", wants_flag ? "Boolean" : "Real", reference));
  return *place;
}

void check_arrays(const void* references, std::size_t size, const void* values) {
  if (size > 0 && (references == nullptr || values == nullptr)) throw InputError("an array is missing");
}

fmi2Status access_none(fmi2Component instance, const char* function, unsigned modes, std::size_t size) {
  return call2(instance, function, modes, [&](Instance2& unit) {
    return size == 0 ? fmi2OK : unit.fail(fmt::format("{}: there is no variable of this type", function));
  });
}

/// A status that the unit does not have.
fmi2Status discard(fmi2Component instance, const char* function) {
  return call2(instance, function, kAnyMode, [&](Instance2& unit) {
    unit.say(fmi2Discard, LogCategory::discard, fmt::format("{}: the unit has no such status", function));
    return fmi2Discard;
  });
}

}  // namespace

ABUT_FMI_EXPORT fmi2Status fmi2GetReal(fmi2Component instance, const fmi2ValueReference references[], std::size_t size,
                                       fmi2Real values[]) {
  return call2(instance, "fmi2GetReal", kReading, [&](Instance2& unit) {
    check_arrays(references, size, values);
    for (std::size_t i = 0; i < size; ++i) {
      if (references[i] == 0) {
        values[i] = unit.unit.time();
        continue;
      }
      const Place place = find_number(unit, references[i], false);
      unit.unit.read(place.port, place.first, {values + i, 1});
    }
    return fmi2OK;
  });
}

ABUT_FMI_EXPORT fmi2Status fmi2SetReal(fmi2Component instance, const fmi2ValueReference references[], std::size_t size,
                                       const fmi2Real values[]) {
  return call2(instance, "fmi2SetReal", kWriting, [&](Instance2& unit) {
    check_arrays(references, size, values);
    for (std::size_t i = 0; i < size; ++i) {
      if (references[i] == 0) throw InputError("time cannot be set");
      const FmuPort& port = unit.unit.model().ports[find_number(unit, references[i], false).port];
      if (port.role == FmuPort::Role::output) throw InputError(fmt::format("{} cannot be set", port.name));
      if (port.role == FmuPort::Role::parameter && unit.mode == Mode::step)
        throw InputError(fmt::format("{} is fixed once the unit runs", port.name));
    }
    for (std::size_t i = 0; i < size; ++i) {
      const Place place = find_number(unit, references[i], false);
      unit.unit.write(place.port, place.first, {values + i, 1});
    }
    return fmi2OK;
  });
}

ABUT_FMI_EXPORT fmi2Status fmi2GetBoolean(fmi2Component instance, const fmi2ValueReference references[],
                                          std::size_t size, fmi2Boolean values[]) {
  return call2(instance, "fmi2GetBoolean", kReading, [&](Instance2& unit) {
    check_arrays(references, size, values);
    for (std::size_t i = 0; i < size; ++i) {
      double value = 0.0;
      unit.unit.read(find_number(unit, references[i], true).port, 0, {&value, 1});
      values[i] = value != 0.0;
    }
    return fmi2OK;
  });
}

ABUT_FMI_EXPORT fmi2Status fmi2SetBoolean(fmi2Component instance, const fmi2ValueReference[], std::size_t size,
                                          const fmi2Boolean[]) {
  return access_none(instance, "fmi2SetBoolean", kWriting, size);
}
ABUT_FMI_EXPORT fmi2Status fmi2GetInteger(fmi2Component instance, const fmi2ValueReference[], std::size_t size,
                                          fmi2Integer[]) {
  return access_none(instance, "fmi2GetInteger", kReading, size);
}
ABUT_FMI_EXPORT fmi2Status fmi2SetInteger(fmi2Component instance, const fmi2ValueReference[], std::size_t size,
                                          const fmi2Integer[]) {
  return access_none(instance, "fmi2SetInteger", kWriting, size);
}
ABUT_FMI_EXPORT fmi2Status fmi2GetString(fmi2Component instance, const fmi2ValueReference[], std::size_t size,
                                         fmi2String[]) {
  return access_none(instance, "fmi2GetString", kReading, size);
}
ABUT_FMI_EXPORT fmi2Status fmi2SetString(fmi2Component instance, const fmi2ValueReference[], std::size_t size,
                                         const fmi2String[]) {
  return access_none(instance, "fmi2SetString", kWriting, size);
}

ABUT_FMI_EXPORT fmi2Status fmi2DoStep(fmi2Component instance, fmi2Real from, fmi2Real step, fmi2Boolean) {
  return call2(instance, "fmi2DoStep", any_of(Mode::step), [&](Instance2& unit) {
    if (const std::string mistake = find_step_mistake(unit, from, step); !mistake.empty()) throw InputError(mistake);
    const FmuAdvance advance = unit.unit.advance(from + step, {});
    unit.last_time = advance.time;
    if (!advance.message.empty()) {
      unit.mode = Mode::step_failed;
      unit.say(fmi2Discard, LogCategory::discard, fmt::format("stopped at {} s: {}", advance.time, advance.message));
      return fmi2Discard;
    }
    if (advance.has_event && unit.log.wants(LogCategory::event))
      unit.say(fmi2OK, LogCategory::event, fmt::format("a contact began or ended, up to {} s", advance.time));
    return fmi2OK;
  });
}

ABUT_FMI_EXPORT fmi2Status fmi2CancelStep(fmi2Component instance) {
  return call2(instance, "fmi2CancelStep", 0u, [](Instance2&) { return fmi2OK; });  // no step is ever pending
}

ABUT_FMI_EXPORT fmi2Status fmi2GetRealStatus(fmi2Component instance, const fmi2StatusKind kind, fmi2Real* value) {
  if (kind != fmi2LastSuccessfulTime || value == nullptr) return discard(instance, "fmi2GetRealStatus");
  return call2(instance, "fmi2GetRealStatus", kAnyMode, [&](Instance2& unit) {
    *value = unit.last_time;
    return fmi2OK;
  });
}

ABUT_FMI_EXPORT fmi2Status fmi2GetBooleanStatus(fmi2Component instance, const fmi2StatusKind kind, fmi2Boolean* value) {
  if (kind != fmi2Terminated || value == nullptr) return discard(instance, "fmi2GetBooleanStatus");
  return call2(instance, "fmi2GetBooleanStatus", kAnyMode, [&](Instance2& unit) {
    *value = unit.mode == Mode::step_failed;
    return fmi2OK;
  });
}

ABUT_FMI_EXPORT fmi2Status fmi2GetStatus(fmi2Component instance, const fmi2StatusKind, fmi2Status*) {
  return discard(instance, "fmi2GetStatus");
}
ABUT_FMI_EXPORT fmi2Status fmi2GetIntegerStatus(fmi2Component instance, const fmi2StatusKind, fmi2Integer*) {
  return discard(instance, "fmi2GetIntegerStatus");
}
ABUT_FMI_EXPORT fmi2Status fmi2GetStringStatus(fmi2Component instance, const fmi2StatusKind, fmi2String*) {
  return discard(instance, "fmi2GetStringStatus");
}

// Functions that have to be there and that this unit has no use for. Each says why, and fails.
#define ABUT_FMI2_ABSENT(function, why, ...)                                                                    \
  ABUT_FMI_EXPORT fmi2Status function(fmi2Component instance __VA_OPT__(, ) __VA_ARGS__) {                      \
    return call2(instance, #function, kAnyMode, [](Instance2& unit) { return unit.fail(#function ": " why); }); \
  }

ABUT_FMI2_ABSENT(fmi2GetDirectionalDerivative, "it offers no derivatives", const fmi2ValueReference[], std::size_t,
                 const fmi2ValueReference[], std::size_t, const fmi2Real[], fmi2Real[])
ABUT_FMI2_ABSENT(fmi2SetRealInputDerivatives, "it does not interpolate inputs", const fmi2ValueReference[], std::size_t,
                 const fmi2Integer[], const fmi2Real[])
ABUT_FMI2_ABSENT(fmi2GetRealOutputDerivatives, "it offers no derivatives", const fmi2ValueReference[], std::size_t,
                 const fmi2Integer[], fmi2Real[])
ABUT_FMI2_ABSENT(fmi2EnterEventMode, "it is for co-simulation only")
ABUT_FMI2_ABSENT(fmi2NewDiscreteStates, "it is for co-simulation only", fmi2EventInfo*)
ABUT_FMI2_ABSENT(fmi2EnterContinuousTimeMode, "it is for co-simulation only")
ABUT_FMI2_ABSENT(fmi2CompletedIntegratorStep, "it is for co-simulation only", fmi2Boolean, fmi2Boolean*, fmi2Boolean*)
ABUT_FMI2_ABSENT(fmi2SetTime, "it is for co-simulation only", fmi2Real)
ABUT_FMI2_ABSENT(fmi2SetContinuousStates, "it is for co-simulation only", const fmi2Real[], std::size_t)
ABUT_FMI2_ABSENT(fmi2GetDerivatives, "it is for co-simulation only", fmi2Real[], std::size_t)
ABUT_FMI2_ABSENT(fmi2GetEventIndicators, "it is for co-simulation only", fmi2Real[], std::size_t)
ABUT_FMI2_ABSENT(fmi2GetContinuousStates, "it is for co-simulation only", fmi2Real[], std::size_t)
ABUT_FMI2_ABSENT(fmi2GetNominalsOfContinuousStates, "it is for co-simulation only", fmi2Real[], std::size_t)
