#include "abut/sim/face_spin_watch.hpp"

#include <algorithm>
#include <cmath>
#include <variant>

#include <fmt/format.h>

namespace abut {

FaceSpinWatch::FaceSpinWatch(const Model& model) : model_(model), has_one_shape_(model.scene.body.size(), 0) {
  has_friction_ = std::any_of(model.rules.begin(), model.rules.end(), [](const ContactRule& rule) {
    return !std::holds_alternative<NoFriction>(rule.friction);
  });
  for (std::size_t body = 0; body < has_one_shape_.size(); ++body) {
    has_one_shape_[body] = model.scene.body[body].shape.size() == 1 ? 1 : 0;
  }
}

void FaceSpinWatch::look(const Sample& sample) {
  const double interval = sample.time - last_time_;
  last_time_ = sample.time;
  if (!has_friction_ || sample.contacts.size() < 2) return;
  faces_.clear();
  for (const ContactSample& contact : sample.contacts) {
    if (!(contact.normal_force > 0.0)) continue;
    if (has_one_shape_[contact.body_a] == 0 || has_one_shape_[contact.body_b] == 0) continue;
    const RuleMatch match = model_.find_rule(model_.link_of_body[contact.body_a], model_.link_of_body[contact.body_b]);
    if (!region_traits(match.region).takes_nearest_points) continue;
    FaceFriction& face = face_of({contact.body_a, contact.body_b});
    ++face.count;
    face.load += contact.normal_force;
    face.mean_slip += contact.normal_force * contact.slip_velocity;
    face.speed += contact.normal_force * contact.slip_velocity.norm();
    face.power += std::max(0.0, -contact.force.dot(contact.slip_velocity));
  }
  for (const FaceFriction& face : faces_) {
    // Points that slide together slide as fast as their mean; points that turn have a mean of nothing.
    if (face.count > 1 && face.mean_slip.norm() < 0.5 * face.speed) works_[face.pair] += face.power * interval;
  }
}

/// Points of a pair come one after the other.
FaceSpinWatch::FaceFriction& FaceSpinWatch::face_of(const Pair& pair) {
  if (faces_.empty() || faces_.back().pair != pair) faces_.push_back({.pair = pair});
  return faces_.back();
}

std::vector<std::string> FaceSpinWatch::make_notes(double scale) const {
  constexpr double kNoticeable = 0.05;
  constexpr std::size_t kMost = 5;
  std::vector<std::string> notes;
  for (const auto& [pair, work] : works_) {
    if (!(work > kNoticeable * scale) || notes.size() == kMost) continue;
    notes.push_back(fmt::format(
        "{}-{}: turned on a face, and lost {:.3g} J by it: contact is taken at the corners or the rim of the face, "
        "which "
        "brake its spin about 1.5 to 1.9 times as much as an even pressure does; region = \"volume\" or \"perimeter\" "
        "spreads the friction over the face",
        model_.scene.body[pair.first].name, model_.scene.body[pair.second].name, work));
  }
  return notes;
}

}  // namespace abut
