// The row of method micro.

#include <fmt/format.h>

#include "abut/sim/method_row.hpp"
#include "abut/sim/runs.hpp"

namespace abut {

namespace {

std::string describe_micro(const SceneSpec& scene) {
  return fmt::format("micro (contacts followed inside), step {:g} s", scene.run.step.value_or(0.0));
}

}  // namespace

constinit const MethodRow kMicroRow = {
    .kind = MethodKind::micro,
    .make = make_micro_method,
    .describe = describe_micro,
};

}  // namespace abut
