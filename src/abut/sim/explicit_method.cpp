// The row of method explicit.

#include <fmt/format.h>

#include "abut/sim/method_row.hpp"
#include "abut/sim/runs.hpp"

namespace abut {

namespace {

std::string describe_fixed_steps(const SceneSpec& scene) {
  const RunSpec& run = scene.run;
  const bool is_automatic = run.integrator == RunSpec::Integrator::automatic;
  const char* name = is_automatic ? method_traits(run.method).automatic : enum_name(run.integrator);
  return fmt::format("{}, step {:g} s", name, run.step.value_or(0.0));
}

}  // namespace

constinit const MethodRow kExplicitRow = {
    .kind = MethodKind::explicit_,
    .make = make_fixed_step_method,
    .describe = describe_fixed_steps,
    .way_out = MethodRow::WayOut{ContactDefaultSpec::Region::perimeter, false},
};

}  // namespace abut
