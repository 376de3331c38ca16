#pragma once

#include <memory>

#include "abut/controller.hpp"
#include "abut/sim/control/control_law.hpp"

namespace abut::v0 {

/// A controller of the door as the library's worlds ask it.
std::shared_ptr<ControlLaw> make_control_law(const abut::Model& model, const ControllerSetup& setup,
                                             std::shared_ptr<Controller> controller);

}  // namespace abut::v0
