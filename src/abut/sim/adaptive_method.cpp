// The row of method adaptive.

#include <fmt/format.h>

#include "abut/sim/method_row.hpp"
#include "abut/sim/runs.hpp"

namespace abut {

namespace {

std::string describe_adaptive(const SceneSpec& scene) {
  const RunSpec& run = scene.run;
  const std::string with =
      run.integrator == RunSpec::Integrator::automatic ? "" : fmt::format(" ({})", enum_name(run.integrator));
  return fmt::format("adaptive{}, tolerance {:g}", with, run.tolerance);
}

}  // namespace

constinit const MethodRow kAdaptiveRow = {
    .kind = MethodKind::adaptive,
    .make = make_adaptive_method,
    .describe = describe_adaptive,
};

}  // namespace abut
