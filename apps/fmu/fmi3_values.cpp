// FMI 3.0: values of variables [Modelica Association 2022].
#include "fmi3_instance.hpp"

using namespace abut;
using namespace abut::fmi;

namespace {

constexpr unsigned kReading =
    any_of(Mode::instantiated, Mode::initialization, Mode::event, Mode::step, Mode::intermediate, Mode::terminated);
constexpr unsigned kWriting =
    any_of(Mode::instantiated, Mode::initialization, Mode::event, Mode::step, Mode::intermediate);

/// The port that a value reference names: of an array it names the whole. The time is none.
std::size_t find_port(const Instance3& unit, fmi3ValueReference reference, bool wants_flag) {
  const std::optional<Place> place = find_place(unit.unit.model(), reference);
  if (!place || place->first != 0 || unit.unit.model().ports[place->port].is_flag() != wants_flag)
    throw InputError(fmt::format("there is no variable #{}# of this type", reference));
  return place->port;
}

/// In an intermediate update only what was announced, of what the description marks.
void check_update(const Instance3& unit, fmi3ValueReference reference, const FmuPort* port) {
  if (unit.mode != Mode::intermediate) return;
  if (!unit.announced.contains(reference) || (port != nullptr && !port->is_continuous()))
    throw InputError(fmt::format("#{}# was not announced for intermediate updates", reference));
}

/// Calls act(index of the port, numbers done so far) for each reference; the numbers of all have to be those given.
template <class Act>
void for_each_port(const Instance3& unit, const fmi3ValueReference references[], std::size_t size,
                   std::size_t num_values, bool wants_flag, const Act& act) {
  std::size_t done = 0;
  for (std::size_t i = 0; i < size; ++i) {
    const bool is_time = references[i] == 0 && !wants_flag;
    const std::size_t port = is_time ? 0 : find_port(unit, references[i], wants_flag);
    const FmuPort* known = is_time ? nullptr : &unit.unit.model().ports[port];
    const std::size_t width = is_time ? 1 : known->width;
    check_update(unit, references[i], known);
    if (num_values < done + width) throw InputError("there are more numbers in these variables than values");
    act(known, port, done);
    done += width;
  }
  if (done != num_values) throw InputError(fmt::format("{} values for {} numbers", num_values, done));
}

template <class Value>
void check_arrays(const fmi3ValueReference references[], std::size_t size, const Value values[],
                  std::size_t num_values) {
  if ((size > 0 && references == nullptr) || (num_values > 0 && values == nullptr))
    throw InputError("an array is missing");
}

/// What may be written when: parameters until the start, inputs always.
void check_writable(const Instance3& unit, const FmuPort* port) {
  if (port == nullptr || port->role == FmuPort::Role::output)
    throw InputError(fmt::format("{} cannot be set", port == nullptr ? "time" : port->name));
  const bool is_before = unit.is_in(any_of(Mode::instantiated, Mode::initialization));
  if (port->role == FmuPort::Role::parameter && !is_before)
    throw InputError(fmt::format("{} is fixed once the unit runs", port->name));
}

/// This unit has no variables of such a type: no reference is right.
fmi3Status access_none(fmi3Instance instance, const char* function, unsigned modes, std::size_t size,
                       std::size_t num_values) {
  return call3(instance, function, modes, [&](Instance3& unit) {
    if (size == 0 && num_values == 0) return fmi3OK;
    return unit.fail(fmt::format("{}: there is no variable of this type", function));
  });
}

}  // namespace

ABUT_FMI_EXPORT fmi3Status fmi3GetFloat64(fmi3Instance instance, const fmi3ValueReference references[],
                                          std::size_t size, fmi3Float64 values[], std::size_t num_values) {
  return call3(instance, "fmi3GetFloat64", kReading, [&](Instance3& unit) {
    check_arrays(references, size, values, num_values);
    for_each_port(unit, references, size, num_values, false, [&](const FmuPort* port, std::size_t i, std::size_t done) {
      if (port == nullptr) {
        values[done] = unit.unit.time();
      } else {
        unit.unit.read(i, 0, {values + done, port->width});
      }
    });
    return fmi3OK;
  });
}

ABUT_FMI_EXPORT fmi3Status fmi3SetFloat64(fmi3Instance instance, const fmi3ValueReference references[],
                                          std::size_t size, const fmi3Float64 values[], std::size_t num_values) {
  return call3(instance, "fmi3SetFloat64", kWriting, [&](Instance3& unit) {
    check_arrays(references, size, values, num_values);
    const auto check = [&](const FmuPort* port, std::size_t, std::size_t) { check_writable(unit, port); };
    for_each_port(unit, references, size, num_values, false, check);
    for_each_port(unit, references, size, num_values, false, [&](const FmuPort* port, std::size_t i, std::size_t done) {
      unit.unit.write(i, 0, {values + done, port->width});
    });
    return fmi3OK;
  });
}

ABUT_FMI_EXPORT fmi3Status fmi3GetBoolean(fmi3Instance instance, const fmi3ValueReference references[],
                                          std::size_t size, fmi3Boolean values[], std::size_t num_values) {
  return call3(instance, "fmi3GetBoolean", kReading, [&](Instance3& unit) {
    check_arrays(references, size, values, num_values);
    for_each_port(unit, references, size, num_values, true, [&](const FmuPort*, std::size_t i, std::size_t done) {
      double value = 0.0;
      unit.unit.read(i, 0, {&value, 1});
      values[done] = value != 0.0;
    });
    return fmi3OK;
  });
}

#define ABUT_FMI3_NO_TYPE(Type)                                                                                 \
  ABUT_FMI_EXPORT fmi3Status fmi3Get##Type(fmi3Instance instance, const fmi3ValueReference[], std::size_t size, \
                                           fmi3##Type[], std::size_t num_values) {                              \
    return access_none(instance, "fmi3Get" #Type, kReading, size, num_values);                                  \
  }                                                                                                             \
  ABUT_FMI_EXPORT fmi3Status fmi3Set##Type(fmi3Instance instance, const fmi3ValueReference[], std::size_t size, \
                                           const fmi3##Type[], std::size_t num_values) {                        \
    return access_none(instance, "fmi3Set" #Type, kWriting, size, num_values);                                  \
  }

ABUT_FMI3_NO_TYPE(Float32)
ABUT_FMI3_NO_TYPE(Int8)
ABUT_FMI3_NO_TYPE(UInt8)
ABUT_FMI3_NO_TYPE(Int16)
ABUT_FMI3_NO_TYPE(UInt16)
ABUT_FMI3_NO_TYPE(Int32)
ABUT_FMI3_NO_TYPE(UInt32)
ABUT_FMI3_NO_TYPE(Int64)
ABUT_FMI3_NO_TYPE(UInt64)
ABUT_FMI3_NO_TYPE(String)

// Flags are outputs.
ABUT_FMI_EXPORT fmi3Status fmi3SetBoolean(fmi3Instance instance, const fmi3ValueReference[], std::size_t size,
                                          const fmi3Boolean[], std::size_t num_values) {
  return access_none(instance, "fmi3SetBoolean", kWriting, size, num_values);
}

ABUT_FMI_EXPORT fmi3Status fmi3GetBinary(fmi3Instance instance, const fmi3ValueReference[], std::size_t size,
                                         std::size_t[], fmi3Binary[], std::size_t num_values) {
  return access_none(instance, "fmi3GetBinary", kReading, size, num_values);
}

ABUT_FMI_EXPORT fmi3Status fmi3SetBinary(fmi3Instance instance, const fmi3ValueReference[], std::size_t size,
                                         const std::size_t[], const fmi3Binary[], std::size_t num_values) {
  return access_none(instance, "fmi3SetBinary", kWriting, size, num_values);
}
