#include "abut/sim/step_energy_notes.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

namespace abut {

void StepEnergyWatch::look(double lost) {
  highest_ = std::max(highest_, lost);
  made_ = std::max(made_, highest_ - lost);
  last_ = lost;
}

std::vector<std::string> StepEnergyWatch::make_notes(double turnover, double least, double lifted) const {
  // Rest loses nothing, flight m (g h)^2 / 2 a step, piles what their small rebounds would have kept: a fifth is beyond
  // what a sound step loses.
  constexpr double kMade = 0.01, kLost = 0.2;
  std::vector<std::string> notes;
  const auto describe = [turnover](double energy) {
    if (energy > turnover) return fmt::format("{:.3g} J, more than the energy turned over", energy);
    return fmt::format("{:.3g} J, {:.3g} % of the energy turned over", energy, 100.0 * energy / turnover);
  };
  // What a later loss outweighs is no gain that is left.
  if (made_ > kMade * turnover && made_ > least && made_ > last_) {
    notes.push_back(fmt::format("time stepping made {}: the step is too long for this motion", describe(made_)));
  }
  if (last_ > kLost * turnover && last_ > least) {
    notes.push_back(fmt::format(
        "time stepping took {}: rebounds and swings are lower by that; a shorter step loses less", describe(last_)));
  }
  if (lifted > kMade * turnover && lifted > least) {
    notes.push_back(fmt::format("moving bodies out of overlaps put in {}", describe(lifted)));
  }
  return notes;
}

double calc_least_energy(const Model& model) {
  constexpr double kAtRest = 1e-6;  // [m/s]: what is slower moves by rounding
  const Tree& tree = model.tree;
  std::vector<char> has_shape(static_cast<std::size_t>(tree.num_links()), 0);
  double lift = 0.0, rest = 0.0;
  const double gravity = model.scene.gravity.norm();
  for (const Collider& collider : model.colliders) {
    has_shape[static_cast<std::size_t>(collider.link)] = 1;
    if (!std::isfinite(collider.bounding_radius)) continue;
    lift += tree.link(collider.link).mass.mass * gravity * collider.bounding_radius;
  }
  for (int i = 0; i < tree.num_links(); ++i) {
    if (tree.is_immovable(i)) continue;
    const MassProperties& mass = tree.link(i).mass;
    rest += 0.5 * mass.mass * kAtRest * kAtRest;
    if (has_shape[static_cast<std::size_t>(i)] != 0 || !(mass.mass > 0.0)) continue;
    lift += gravity * std::sqrt(mass.mass * mass.inertia.trace());  // by about its radius of gyration
  }
  return std::max(1e-3 * lift, rest);
}

std::vector<std::string> describe_start_overlaps(const ContactSet& contacts, const Model& model,
                                                 const OverlapMatters& matters, const std::string& what_happens) {
  constexpr std::size_t kMost = 5;
  std::map<std::pair<int, int>, double> deepest;
  for (int point = 0; point < contacts.num_points(); ++point) {
    const Candidate& candidate = contacts.candidate_of_point(point);
    const Collider &a = contacts.collider(candidate.collider_a), &b = contacts.collider(candidate.collider_b);
    const double depth = -contacts.point_geometry(point).gap;
    if (!(depth > 0.0) || !matters(a, b, depth)) continue;
    double& most = deepest[{a.link, b.link}];
    most = std::max(most, depth);
  }
  std::vector<std::string> notes;
  for (const auto& [links, depth] : deepest) {
    if (notes.size() == kMost) break;
    notes.push_back(fmt::format("'{}' and '{}' overlap by {:.3g} mm at the start: {}", model.body_name(links.first),
                                model.body_name(links.second), 1e3 * depth, what_happens));
  }
  return notes;
}

std::string describe_deepest(const ContactSet& contacts, const Model& model, std::span<const int> points) {
  int deepest = -1;
  for (const int point : points) {
    if (deepest < 0 || !(contacts.point_geometry(point).gap >= contacts.point_geometry(deepest).gap)) deepest = point;
  }
  if (deepest < 0) return "";
  const Candidate& candidate = contacts.candidate_of_point(deepest);
  return fmt::format(
      "; deepest contact: '{}' and '{}', {:.3g} m", model.body_name(contacts.collider(candidate.collider_a).link),
      model.body_name(contacts.collider(candidate.collider_b).link), -contacts.point_geometry(deepest).gap);
}

namespace {

/// What of a normal law would make bodies rebound, or an empty string.
std::string describe_rebound(const std::optional<NormalSpec>& normal, double fastest) {
  constexpr double kSetDown = 0.1;  // [m/s]
  if (!normal) return "";
  if (normal->restitution || normal->restitution_slope || normal->restitution_table) return "restitution";
  const NormalLawRow& law = normal_law_row(normal->law);
  if (!law.has_damping && fastest > kSetDown) return fmt::format("law {}, which returns all it takes,", law.text.name);
  return normal->damping ? "damping" : "";
}

}  // namespace

std::vector<std::string> describe_idle_restitution(const SceneSpec& scene, double fastest) {
  constexpr const char* kWords =
      "has no part in method ncp, whose layers rebound as ncp.stiffness and ncp.damping let them";
  for (const ContactSpec& contact : scene.contact) {
    const std::string what = describe_rebound(contact.normal, fastest);
    if (!what.empty())
      return {fmt::format("contact of '{}' and '{}': its {} {}", contact.between[0], contact.between[1], what, kWords)};
  }
  const std::string what = scene.contact_default ? describe_rebound(scene.contact_default->normal, fastest) : "";
  if (what.empty()) return {};
  return {fmt::format("[contact_default]: its {} {}", what, kWords)};
}

}  // namespace abut
