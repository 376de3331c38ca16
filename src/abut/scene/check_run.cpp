#include <fmt/format.h>

#include "abut/scene/check_specs.hpp"

namespace abut {
namespace {

std::string list_integrators(RunSpec::Method method) {
  std::vector<std::string> names;
  for (const auto& entry : EnumNames<RunSpec::Integrator>::values) {
    if (is_integrator_of(method, entry.value)) names.emplace_back(entry.name);
  }
  return fmt::format("{} takes: {}.", enum_name(method), fmt::join(names, ", "));
}

/// A run of this many steps or samples would take weeks or fill any disk: a slip of the pen.
constexpr double kMostSteps = 1e12;
constexpr double kMostSamples = 1e8;

void refuse_count(const RunSpec& run, const char* key, const std::optional<double>& interval, double most,
                  const char* what, const std::string& label, ProblemList& problems) {
  if (!interval || run.is_unusable(key) || run.is_unusable("duration")) return;
  const double count = run.duration / *interval;
  if (!(count > most) || !(*interval > 0.0)) return;
  problems.add(run.location_of(key), fmt::format("duration {} s / {} {} s are {:.3g} {}, more than {:g}, in {}",
                                                 run.duration, key, *interval, count, what, most, label));
}

}  // namespace

void check_whole(const RunSpec& run, const std::string& label, ProblemList& problems) {
  if (run.is_unusable("method")) return;
  const std::string hint = list_integrators(run.method);
  if (!is_integrator_of(run.method, run.integrator)) {
    problems.add(run.location_of("integrator"),
                 fmt::format("integrator '{}' does not belong to method '{}' in {}", enum_name(run.integrator),
                             enum_name(run.method), label),
                 hint);
  }
  refuse_count(run, "step", run.step, kMostSteps, "steps", label, problems);
  refuse_count(run, "record_interval", run.record_interval, kMostSamples, "samples", label, problems);
  const bool has_step = is_given(run, "step", run.step);
  const char* method = enum_name(run.method);
  if (has_fixed_step(run.method)) {
    if (!has_step && method_traits(run.method).default_step == 0.0) {
      problems.add(run.location_of("method"), fmt::format("method '{}' needs a step [s] in {}", method, label));
    }
    if (run.max_step) {
      problems.add(run.location_of("max_step"),
                   fmt::format("max_step has no meaning with method '{}' in {}", method, label), "Give step [s].");
    }
  } else if (has_step) {
    problems.add(run.location_of("step"), fmt::format("step has no meaning with method '{}' in {}", method, label),
                 "Give tolerance, or max_step [s], or method = \"explicit\".");
  }
}

}  // namespace abut
