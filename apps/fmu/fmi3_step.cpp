// FMI 3.0: communication steps and events [Modelica Association 2022].
#include "fmi3_instance.hpp"

using namespace abut;
using namespace abut::fmi;

namespace {

/// Lets the importer look, and set inputs, after a step of the method. Answers when it wants the step to end.
std::optional<double> call_update(Instance3& unit, double time) {
  fmi3Boolean is_early_wanted = false;
  fmi3Float64 wanted_time = time;
  unit.mode = Mode::intermediate;
  unit.on_update(unit.environment, time, true, true, true, unit.may_return_early, &is_early_wanted, &wanted_time);
  if (unit.mode != Mode::intermediate) throw InputError("a call in an intermediate update went wrong");
  unit.mode = Mode::step;
  if (!is_early_wanted) return std::nullopt;
  if (!unit.may_return_early) throw InputError("an early return was asked for by an importer that does not allow any");
  return std::isfinite(wanted_time) ? wanted_time : time;
}

}  // namespace

ABUT_FMI_EXPORT fmi3Status fmi3EnterEventMode(fmi3Instance instance) {
  return call3(instance, "fmi3EnterEventMode", any_of(Mode::step), [](Instance3& unit) {
    if (!unit.uses_events) return unit.fail("fmi3EnterEventMode: the instance was made without event mode");
    unit.unit.latch();
    unit.mode = Mode::event;
    return fmi3OK;
  });
}

ABUT_FMI_EXPORT fmi3Status fmi3UpdateDiscreteStates(fmi3Instance instance, fmi3Boolean* needs_update,
                                                    fmi3Boolean* terminates, fmi3Boolean* nominals_changed,
                                                    fmi3Boolean* values_changed, fmi3Boolean* has_next_event,
                                                    fmi3Float64* next_event) {
  return call3(instance, "fmi3UpdateDiscreteStates", any_of(Mode::event), [&](Instance3&) {
    for (fmi3Boolean* answer : {needs_update, terminates, nominals_changed, values_changed, has_next_event}) {
      if (answer != nullptr) *answer = false;
    }
    if (next_event != nullptr) *next_event = 0.0;
    return fmi3OK;
  });
}

ABUT_FMI_EXPORT fmi3Status fmi3EnterStepMode(fmi3Instance instance) {
  return call3(instance, "fmi3EnterStepMode", any_of(Mode::event), [](Instance3& unit) {
    unit.mode = Mode::step;
    return fmi3OK;
  });
}

ABUT_FMI_EXPORT fmi3Status fmi3DoStep(fmi3Instance instance, fmi3Float64 from, fmi3Float64 step, fmi3Boolean,
                                      fmi3Boolean* needs_event, fmi3Boolean* terminates, fmi3Boolean* is_early,
                                      fmi3Float64* last_time) {
  return call3(instance, "fmi3DoStep", any_of(Mode::step), [&](Instance3& unit) {
    if (needs_event == nullptr || terminates == nullptr || is_early == nullptr || last_time == nullptr)
      throw InputError("there is no place for an answer");
    *last_time = unit.unit.time();
    *needs_event = *terminates = *is_early = false;
    if (const std::string mistake = find_step_mistake(unit, from, step); !mistake.empty()) throw InputError(mistake);
    FmuUnit::Hooks hooks;
    hooks.stops_at_events = unit.uses_events && unit.may_return_early;
    if (unit.on_update != nullptr) hooks.on_step = [&](double time) { return call_update(unit, time); };
    const FmuAdvance advance = unit.unit.advance(from + step, hooks);
    *last_time = unit.last_time = advance.time;
    if (!advance.message.empty()) return unit.fail(fmt::format("stopped at {} s: {}", advance.time, advance.message));
    *needs_event = unit.uses_events && advance.has_event;
    *is_early = advance.is_early;
    if (advance.has_event && unit.log.wants(LogCategory::event))
      unit.say(fmi3OK, LogCategory::event, fmt::format("a contact began or ended, up to {} s", advance.time));
    return fmi3OK;
  });
}
