#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "abut/base/error.hpp"
#include "abut/fmu/fmu_unit.hpp"
#include "unit_log.hpp"

namespace abut::fmi {

/// Where an instance is on its way. FMI 2.0 has no event mode and no intermediate updates, FMI 3.0 no failed step, and
/// one state, terminated, for what went wrong and what was ended.
enum class Mode { instantiated, initialization, event, step, intermediate, step_failed, terminated, error };

inline const char* describe(Mode mode) {
  static constexpr const char* kNames[] = {
      "before initialization",     "in initialization mode",   "in event mode",           "between steps",
      "in an intermediate update", "after a step that failed", "after it was terminated", "after an error"};
  return kNames[static_cast<int>(mode)];
}

/// Sets of modes.
template <class... Modes>
constexpr unsigned any_of(Modes... modes) {
  return ((1u << static_cast<unsigned>(modes)) | ...);
}
inline constexpr unsigned kAnyMode = ~0u;

/// What instances of both versions are.
struct Instance {
  Instance(std::shared_ptr<const FmuModel> model, bool logs) : unit(std::move(model)), log(logs) {}

  bool is_in(unsigned modes) const { return (modes & any_of(mode)) != 0; }

  FmuUnit unit;
  Mode mode = Mode::instantiated;
  LogFilter log;
  std::optional<double> stop_time;  ///< [s]
  double last_time = 0.0;           ///< that a step reached [s]

  /// With what else the version keeps. A state that cannot be taken changes nothing.
  template <class... Ts>
  Bytes save_with(Ts&... others) {
    ByteWriter note;
    note(mode, stop_time, last_time, others...);
    return unit.save(note.take());
  }
  template <class... Ts>
  void load_with(std::span<const std::byte> bytes, Ts&... others) {
    FmuUnit fresh(unit.shared_model());
    const Bytes saved = fresh.load(bytes);
    ByteReader note(saved);
    note(mode, stop_time, last_time, others...);
    note.finish();
    unit = std::move(fresh);
  }
};

/// The state of a unit as importers hold it.
struct SavedState {
  Bytes bytes;
};

/// Words for an InputError of a step that is asked for in a way that it cannot be taken; empty where it can. Ends of
/// steps are computed by importers in many ways: a millionth of a step is rounding.
inline std::string find_step_mistake(const Instance& instance, double from, double step) {
  if (!std::isfinite(from) || !std::isfinite(step) || !(step > 0.0))
    return fmt::format("a step of {} s from {} s cannot be taken", step, from);
  const double rounding = 1e-6 * step + 1e-12 * std::abs(from);
  if (std::abs(from - instance.unit.time()) > rounding)
    return fmt::format("the step begins at {} s, but the unit is at {} s", from, instance.unit.time());
  if (instance.stop_time && from + step > *instance.stop_time + rounding + 1e-9 * std::abs(*instance.stop_time))
    return fmt::format("the step ends at {} s, after the stop time {} s", from + step, *instance.stop_time);
  return {};
}

/// Why an instance cannot be made: empty where it can.
inline std::string find_name_mistake(const char* name, const char* token) {
  if (name == nullptr || std::string_view(name).find_first_not_of(" \t\r\n") == std::string_view::npos)
    return "an instance needs a name";
  return token == nullptr ? "the token of the description is missing" : "";
}

/// The port that a value reference belongs to, and which of its numbers; nothing where there is none.
struct Place {
  std::size_t port = 0;
  std::size_t first = 0;
};
inline std::optional<Place> find_place(const FmuModel& model, unsigned reference) {
  const auto next = std::upper_bound(model.references.begin(), model.references.end(), reference);
  if (next == model.references.begin()) return std::nullopt;
  const auto port = static_cast<std::size_t>(next - model.references.begin()) - 1;
  const std::size_t first = reference - model.references[port];
  if (first >= model.ports[port].width) return std::nullopt;
  return Place{port, first};
}

/// What went wrong, in words; for `catch (...)`.
inline std::string describe_exception() noexcept {
  try {
    throw;
  } catch (const std::bad_alloc&) {
    return "not enough memory";
  } catch (const std::exception& error) {
    return error.what();
  } catch (...) {
    return "something unknown was thrown";
  }
}

}  // namespace abut::fmi
