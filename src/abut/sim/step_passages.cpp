#include "abut/sim/step_passages.hpp"

#include <optional>
#include <span>
#include <string>

#include <fmt/format.h>

namespace abut {

namespace {

std::span<const double> get_coordinates(const Dynamics& dynamics, const State& state) {
  return std::span<const double>(state.y).first(static_cast<std::size_t>(dynamics.num_q()));
}

std::string describe_passage(const Model& model, const Passage& passage, double time, double h) {
  return fmt::format(
      "stopped at {:.6g} s: {}-{} {} within {} of {:.3g} s, in which one travels {:.3g} m past the other.", time,
      model.body_name(model.colliders[passage.collider_a].link),
      model.body_name(model.colliders[passage.collider_b].link),
      passage.is_dip ? "came into each other and out again" : "went through each other",
      passage.steps == 1 ? "one step" : fmt::format("{} steps", passage.steps), h, passage.travel);
}

}  // namespace

void StepPassages::begin(const Dynamics& dynamics, const State& state, double h) {
  is_fast_ = watch_.is_needed(dynamics.kinematics(), h);
  is_watching_ = is_fast_ || looks_back_ || watch_.is_following();
  if (is_watching_) watch_.begin(dynamics.kinematics(), get_coordinates(dynamics, state));
}

bool StepPassages::end(Dynamics& dynamics, const State& state, double h, RunEnd& end) {
  if (!is_watching_) return true;
  dynamics.calc_motion(state.time, state.y.data());
  is_fast_ = is_fast_ || (looks_back_ && watch_.is_needed(dynamics.kinematics(), h));
  if (!is_fast_ && !watch_.is_following()) return true;
  const auto pairs = is_fast_ ? PassageWatch::Pairs::all : PassageWatch::Pairs::followed;
  const std::optional<Passage> passage = watch_.find(dynamics.kinematics(), get_coordinates(dynamics, state), h, pairs);
  if (!passage) return true;
  end.status = RunStatus::failed;
  end.message = describe_passage(dynamics.model(), *passage, state.time, h);
  const bool may_adapt =
      method_traits(dynamics.model().scene.run.method).follows_laws && !dynamics.contacts().holds_forces();
  end.advice = may_adapt ? "Try method = \"adaptive\", or a shorter step." : "Try a shorter step.";
  return false;
}

}  // namespace abut
