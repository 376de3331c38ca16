#include "abut/sim/method_advice.hpp"

#include <fmt/format.h>

#include "abut/sim/method_row.hpp"

namespace abut {

void warn_of_overlap(const ContactAdvice& contact, double depth, double h, const char* why, MethodAdvice& advice) {
  constexpr double kSlow = 0.1;  // [m/s]
  if (!(h > 0.0) || depth / h < kSlow) return;
  advice.warnings.push_back(fmt::format(
      "{}: the bodies overlap by {:.3g} m at the start, {}: in the first step they are thrown apart at up to "
      "{:.3g} m/s. Begin with them apart or touching",
      contact.contact, -contact.initial_gap, why, depth / h));
}

MethodAdvice make_method_advice(const Model& model, const std::vector<ContactAdvice>& contacts) {
  MethodAdvice advice;
  if (const auto advise = method_row(model.scene.run.method).advise) advise(model, contacts, advice);
  return advice;
}

}  // namespace abut
