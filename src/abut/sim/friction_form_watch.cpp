#include "abut/sim/friction_form_watch.hpp"

#include <cmath>

#include <fmt/format.h>

namespace abut {

void FrictionFormWatch::look(const StepContact& contact) {
  const bool is_round = spec_.friction == LcpSpec::Friction::regularised || spec_.friction == LcpSpec::Friction::cone;
  if (is_round || contact.friction.is_static || !(contact.impulse[0] > 0.0)) return;
  // No form has less than cos(pi / 4) of it where it slides: what has is about to stick.
  constexpr double kSliding = 0.7;
  if (contact.impulse.tail<2>().norm() < kSliding * contact.mu_kinetic * contact.impulse[0]) return;
  // The forms answer to the slip at the end of the step.
  const Vec2 slip = contact.end_velocity.tail<2>();
  taken_ -= contact.impulse.tail<2>().dot(slip);
  law_ += contact.mu_kinetic * contact.impulse[0] * slip.norm();
}

std::optional<std::string> FrictionFormWatch::make_note(double least) const {
  constexpr double kNoticeable = 0.03;  // finer than friction coefficients are known
  const double off = taken_ - law_;
  if (!(std::abs(off) > kNoticeable * law_) || !(std::abs(off) > least)) return std::nullopt;
  const bool is_box = spec_.friction == LcpSpec::Friction::box;
  return fmt::format(
      "{} friction took {:.3g} % {} than mu times the normal force from what slid: its form lies on fixed axes, and "
      "bodies slid across them; lcp.friction = \"regularised\" or \"cone\" opposes the slip whatever its direction",
      is_box ? "box" : "polygon", 100.0 * std::abs(off) / law_, off > 0.0 ? "more" : "less");
}

}  // namespace abut
