#include "abut/sim/uncovered_pair_watch.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "abut/geometry/distance/shape_bounds.hpp"
#include "abut/scene/contact_match.hpp"

namespace abut {

namespace {

/// What a pair that overlaps from the start has for a time [s].
constexpr double kFromTheStart = -1.0;
/// Bodies laid on each other are in each other by rounding; through is what is deeper than this part of the size [1].
constexpr double kFlush = 1e-6;

}  // namespace

UncoveredPairWatch::UncoveredPairWatch(const Model& model) : model_(model) {
  std::vector<int> links;
  for (const Collider& collider : model.colliders) {
    is_static_.push_back(collider.is_static ? 1 : 0);
    if (links.empty() || links.back() != collider.link) links.push_back(collider.link);
  }
  boxes_.resize(model.colliders.size());
  // Classes, not links: there are few, and a pile of thousands is asked about once.
  std::vector<int> some_of_class(model.class_rules.size(), -1);
  for (const int link : links) some_of_class[model.body_class[link]] = link;
  for (const int link : links) {
    if (is_needed_) break;
    is_needed_ = std::any_of(some_of_class.begin(), some_of_class.end(), [&](int other) {
      return other >= 0 && model.class_rules[model.body_class[link]][model.body_class[other]].rule < 0;
    });
  }
}

bool UncoveredPairWatch::is_uncovered(int link_a, int link_b) const {
  const auto is_free = [this](int link) { return model_.tree.link(link).joint == JointType::free; };
  return link_a != link_b && (is_free(link_a) || is_free(link_b)) &&
         model_.class_rules[model_.body_class[link_a]][model_.body_class[link_b]].rule < 0;
}

bool UncoveredPairWatch::is_through(const Pair& pair, const BodyMotion& motion) {
  const Collider &a = model_.colliders[pair.first], &b = model_.colliders[pair.second];
  Separator& separator = separators_.try_emplace(pair, a.shape, b.shape).first->second;
  const Pose X_WA = calc_collider_pose(a, motion.X_WB[a.link]), X_WB = calc_collider_pose(b, motion.X_WB[b.link]);
  const double slack = kFlush * std::min(a.bounding_radius, b.bounding_radius);
  const SeparationBound bound = separator.calc(X_WA, X_WB);
  if (!bound.is_exact || bound.distance > 0.0) return false;
  if (bound.distance < 0.0) return bound.distance < -slack;
  // Convex solids that overlap tell no depth: those that only touch are apart when drawn a little to some side.
  for (int side = 0; side < 6; ++side) {
    Vec3 drawn = X_WA.p;
    drawn[side / 2] += side % 2 == 0 ? slack : -slack;
    if (separator.calc({X_WA.R, drawn}, X_WB).distance > 0.0) return false;
  }
  return true;
}

void UncoveredPairWatch::look(double t, const BodyMotion& motion) {
  if (!is_needed_) return;
  for (std::size_t i = 0; i < boxes_.size(); ++i) {
    const Collider& collider = model_.colliders[i];
    boxes_[i] = Aabb();                         // empty: overlaps nothing
    if (collider.surface != nullptr) continue;  // perhaps without an inside
    boxes_[i] = calc_aabb(collider.shape, calc_collider_pose(collider, motion.X_WB[collider.link]));
  }
  broad_phase_.find_pairs(boxes_, is_static_, near_);
  for (const Pair& pair : near_) {
    const Pair links = std::minmax(model_.colliders[pair.first].link, model_.colliders[pair.second].link);
    if (!is_uncovered(links.first, links.second) || through_.contains(links)) continue;
    if (find_contact(model_.scene, model_.body_name(links.first), model_.body_name(links.second)))
      continue;  // covered by an entry that is switched off: meant so
    if (is_through(pair, motion)) through_[links] = has_begun_ ? t : kFromTheStart;
  }
  has_begun_ = true;
}

std::vector<std::string> UncoveredPairWatch::make_notes() const {
  const auto is_note = [](const auto& entry) { return entry.second >= 0.0; };
  const auto count = std::count_if(through_.begin(), through_.end(), is_note);
  if (count == 0) return {};
  const auto first = std::min_element(through_.begin(), through_.end(), [&](const auto& x, const auto& y) {
    return is_note(x) != is_note(y) ? is_note(x) : x.second < y.second;
  });
  const std::string &a = model_.body_name(first->first.first), &b = model_.body_name(first->first.second);
  return {
      fmt::format("'{}' and '{}' pass through each other from {:.4g} s on{}: no [[contact]] covers them; "
                  "between = [\"{}\", \"{}\"] or a contact_default lets them touch",
                  a, b, first->second, count > 1 ? fmt::format(", and {} more pairs", count - 1) : "", a, b)};
}

}  // namespace abut
