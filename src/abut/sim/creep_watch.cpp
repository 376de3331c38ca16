#include "abut/sim/creep_watch.hpp"

#include <algorithm>
#include <variant>

#include <fmt/format.h>

namespace abut {

namespace {

/// Way worth a word, in parts of the smaller body's radius [1].
constexpr double kNoticeable = 5e-3;
/// A way is noted anew when it has grown by this factor [1].
constexpr double kGrowth = 1.1;
constexpr std::size_t kMostNotes = 3;

}  // namespace

CreepWatch::CreepWatch(const Model& model, double step)
    : model_(model),
      step_(step),
      has_coulomb_(std::any_of(model.rules.begin(), model.rules.end(), [](const ContactRule& rule) {
        return std::holds_alternative<CoulombParameters>(rule.friction);
      })) {}

void CreepWatch::note(const std::vector<PatchResponse>& responses, const BodyMotion& motion, const PatchPool& pool) {
  if (!has_coulomb_) return;
  for (std::size_t i = 0; i < responses.size(); ++i) {
    const int place = pool.active[i];
    const Patch& patch = pool.patches[place];
    const PatchResponse& response = responses[i];
    const auto* law = std::get_if<CoulombParameters>(&model_.rules[patch.rule].friction);
    if (law == nullptr || patch.traits().is_held_over_steps) continue;
    const CoulombParameters followed =
        calc_followed_coulomb(*law, {nullptr, 0.0, patch.effective_mass, step_}, response.normal_force);
    const double speed = response.slip.norm();
    // What rolls or rocks takes its slip with it.
    const double radius = std::min(model_.colliders[patch.key.collider_a].bounding_radius,
                                   model_.colliders[patch.key.collider_b].bounding_radius);
    const double turning = (motion.w_WB[response.link_a] - motion.w_WB[response.link_b]).norm() * radius;
    if (!(followed.v_eps > law->v_eps) || speed > followed.v_eps || turning > speed) continue;
    if (static_cast<int>(ways_.size()) <= place) ways_.resize(place + 1);
    Way& way = ways_[place];
    if (way.touch_time != patch.touch_time) way = {patch.touch_time};
    way.way += (1.0 - law->v_eps / followed.v_eps) * step_ * response.slip;
    const double length = way.way.norm();
    if (length < std::max(kNoticeable * radius, kGrowth * way.noted)) continue;
    way.noted = length;
    const std::string name = fmt::format("{}-{}", model_.body_name(response.link_a), model_.body_name(response.link_b));
    const auto [known, is_new] = worst_.try_emplace(name);
    if (length > known->second.way) known->second = {length, speed, followed.v_eps / law->v_eps};
  }
}

void CreepWatch::tell(std::vector<std::string>& notes) const {
  std::size_t count = 0;
  for (const auto& [name, creep] : worst_) {
    if (++count > kMostNotes) return;
    notes.push_back(fmt::format(
        "{}: creeps at {:.2g} m/s where coulomb friction should hold it, {:.2g} m so far: a step of {:.3g} s "
        "rounds its corner at rest {:.2g} times wider than v_eps. step <= {:.1g} follows v_eps; friction law "
        "\"bristle\" holds",
        name, creep.speed, creep.way, step_, creep.widening, step_ / creep.widening));
  }
}

}  // namespace abut
