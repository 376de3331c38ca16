#pragma once

#include <string>
#include <vector>

#include "abut/sim/advice.hpp"
#include "abut/sim/method_advice.hpp"
#include "abut/sim/model.hpp"

namespace abut {

/// "impact 1.4 m/s at 0.14 s", or why there is none to tell.
std::string describe_forecast(const ContactAdvice& advice);

/// What `abut check` prints, as a page: every parameter with its origin, what to expect of each pair, warnings.
std::string make_check_page(const std::string& title, const Model& model, const std::vector<ContactAdvice>& advice,
                            const MethodAdvice& method);

}  // namespace abut
