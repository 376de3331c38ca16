#include "abut/sim/run_book.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "abut/geometry/volume/cell_layout.hpp"
#include "abut/sim/advice.hpp"

namespace abut {

namespace {

/// Stick and slip are reported in scenes a person can follow; a pile would drown in them.
constexpr std::size_t kMaxCollidersForSticking = 64;

bool has_several_points(const Model& model, const Patch& patch) {
  if (patch.is_perimeter) return false;
  const auto [a, b, point] = patch.key;
  if (patch.is_volume) {
    const CellJoining cells = model.rules[patch.rule].volume->cells;
    return count_volume_slots(make_volume_cells(model.colliders, a, cells),
                              make_volume_cells(model.colliders, b, cells)) > 1;
  }
  const auto pair = find_point_pair(model.colliders[a].shape, model.colliders[b].shape);
  return !pair || pair->num_points > 1;  // those without are manifolds
}

}  // namespace

RunBook::RunBook(Dynamics& dynamics, State& state, RecordSink& sink)
    : dynamics_(dynamics),
      state_(state),
      sink_(sink),
      joint_pairs_(dynamics.model()),
      interval_(dynamics.model().scene.run.record_interval_or_default()),
      reports_sticking_(dynamics.model().colliders.size() <= kMaxCollidersForSticking) {}

std::string RunBook::describe_patch(const Patch& patch) const {
  const Model& model = dynamics_.model();
  const Collider& a = model.colliders[patch.key.collider_a];
  const Collider& b = model.colliders[patch.key.collider_b];
  std::string name = fmt::format("{}-{}", model.body_name(a.link), model.body_name(b.link));
  if (has_several_points(model, patch)) name += fmt::format("#{}", patch.key.point);
  return name;
}

double* RunBook::friction_states(int place) {
  return state_.y.data() + dynamics_.friction_start() + dynamics_.stride() * place;
}

double* RunBook::patch_works(int place) { return state_.works.data() + kNumGlobalWorks + kNumPatchWorks * place; }

void RunBook::begin_patch(int place, double gap_rate, const PatchKin& kin) {
  const Model& model = dynamics_.model();
  const Patch& patch = state_.pool.patches[place];
  const ContactRule& rule = model.rules[patch.rule];
  state_.y.resize(dynamics_.size(), 0.0);
  state_.works.resize(dynamics_.num_quadratures(), 0.0);
  double* states = friction_states(place);
  std::fill(states, states + dynamics_.stride(), 0.0);
  // Bodies assembled at rest have had all the time in the world to stick; an impact has had none.   [spec 0, 2.3]
  if (dynamics_.stride() >= 4) states[3] = rule.initial_dwell.value_or(state_.time == 0.0 ? 1.0 : 0.0);
  double* works = patch_works(place);
  std::fill(works, works + kNumPatchWorks, 0.0);
  if (kin.place >= 0) share_out(place, kin);
  if (patch.is_volume && state_.time == 0.0) {
    PatchWork stored;
    stored.elastic = calc_initial_storage(place);
    stored.write(works);
  }

  const int link_a = model.colliders[patch.key.collider_a].link, link_b = model.colliders[patch.key.collider_b].link;
  ++state_.pairs[{link_a, link_b}].touches;
  sink_.event({state_.time, ContactEventKind::touch, model.body_of_link[link_a], model.body_of_link[link_b],
               patch.key.point, gap_rate});
}

/// What a volumetric spring holds that is pressed in from the start [J]: the work of pressing it in along its normal,
/// with the volume growing as it does near the touch. A constant of the ledger; the balance does not depend on it.
double RunBook::calc_initial_storage(int place) {
  const Patch& patch = state_.pool.patches[place];
  for (std::size_t i = 0; i < state_.pool.active.size(); ++i) {
    if (state_.pool.active[i] != place) continue;
    const VolumeContact* volume =
        dynamics_.contacts().volume_geometry(dynamics_.contacts().active_point(static_cast<int>(i)));
    if (volume == nullptr || !(volume->volume > 0.0) || !(volume->area > 0.0)) return 0.0;
    // V = c x^p with dV/dx = A: x = p V/A, and the integral of k_v V is k_v V x / (p + 1).
    const double p = patch.by_depth.exponent;
    return patch.normal.stiffness * volume->volume * volume->volume * p / (volume->area * (p + 1.0));
  }
  return 0.0;
}

void RunBook::end_patch(const Patch& patch, int place, double gap_rate, const PatchKin& kin) {
  const Model& model = dynamics_.model();
  if (kin.place >= 0) hand_over(patch, place, kin.place);
  double* works = patch_works(place);
  PatchWork work = PatchWork::read(works);
  std::fill(works, works + kNumPatchWorks, 0.0);
  if (patch.is_perimeter) {
    // What the springs still hold is lost with them.
    const PerimeterMemory& memory = state_.pool.perimeters[place];
    state_.works[static_cast<int>(GlobalWork::time_stepping)] += memory.calc_elastic_energy(work.elastic);
    work.elastic = 0.0;
  }
  state_.ended += work;
  const int link_a = model.colliders[patch.key.collider_a].link, link_b = model.colliders[patch.key.collider_b].link;
  PairHistory& history = state_.pairs[{link_a, link_b}];
  history.ended += work;
  if (patch.peak_force > history.peak_force) {
    history.peak_force = patch.peak_force;
    history.peak_time = patch.peak_time;
  }
  history.peak_depth = std::max(history.peak_depth, patch.peak_depth);
  history.last_patch = patch;
  sink_.event({state_.time, ContactEventKind::lift, model.body_of_link[link_a], model.body_of_link[link_b],
               patch.key.point, gap_rate});
}

void RunBook::observe(double t, const std::vector<PatchResponse>& responses) {
  const Model& model = dynamics_.model();
  for (std::size_t i = 0; i < responses.size(); ++i) {
    Patch& patch = state_.pool.patches[state_.pool.active[i]];
    const PatchResponse& response = responses[i];
    patch.note_peak(t, response);
    if (response.sticking == patch.sticking) continue;
    patch.sticking = response.sticking;
    const auto kind = patch.sticking ? ContactEventKind::stick : ContactEventKind::slip;
    sink_.event({t, kind, model.body_of_link[model.colliders[patch.key.collider_a].link],
                 model.body_of_link[model.colliders[patch.key.collider_b].link], patch.key.point,
                 -response.depth_rate});
  }
}

double RunBook::next_sample_time() const { return static_cast<double>(num_samples_) * interval_; }

void RunBook::fill_bodies(Sample& sample) const {
  const Model& model = dynamics_.model();
  const Kinematics& now = dynamics_.kinematics();
  sample.bodies.resize(model.scene.body.size());
  for (std::size_t body = 0; body < sample.bodies.size(); ++body) {
    const int link = model.link_of_body[body];
    BodySample& out = sample.bodies[body];
    out.position = now.X_WB[link].p;
    out.orientation = Quat(now.X_WB[link].R);
    // q and -q are the same rotation; w >= 0 makes records comparable.
    if (out.orientation.w() < 0.0) out.orientation.coeffs() *= -1.0;
    out.velocity = now.calc_point_velocity(link, out.position);
    out.angular_velocity = now.w_WB[link];
  }
}

/// Overwrites a sample of earlier, so that its memory is used again.
void RunBook::fill_contact(std::size_t index, const double* y, ContactSample& out) {
  const Model& model = dynamics_.model();
  const int place = state_.pool.active[index];
  const Patch& patch = state_.pool.patches[place];
  const PatchResponse& response = dynamics_.responses()[index];
  const double* states = y + dynamics_.friction_start() + dynamics_.stride() * place;
  auto curve = std::move(out.curve);
  curve.clear();
  out = ContactSample{};
  out.curve = std::move(curve);
  out.body_a = model.body_of_link[model.colliders[patch.key.collider_a].link];
  out.body_b = model.body_of_link[model.colliders[patch.key.collider_b].link];
  out.patch = patch.key.point;
  out.depth = -response.gap;
  out.depth_rate = response.depth_rate;
  out.point = response.point;
  out.normal = response.normal;
  out.force = response.force;
  out.normal_force = response.normal_force;
  out.slip_velocity = response.slip;
  if (dynamics_.stride() >= 3) out.bristle = tangential(Vec3(states[0], states[1], states[2]), response.normal);
  if (dynamics_.stride() >= 4) out.dwell = states[3];
  if (dynamics_.stride() >= 5 && patch.is_volume) out.twist = states[4];
  out.sticking = response.sticking;
  out.perimeter = response.perimeter;
  if (patch.is_perimeter) {
    curve_.clear();
    dynamics_.contacts().list_curve(dynamics_.contacts().active_point(static_cast<int>(index)), curve_);
    for (const auto& [start, end] : curve_) out.curve.push_back({start, end});
  }
  out.torque = response.torque;
  out.volume = response.volume;
  out.area = response.area;
  out.gyration_radius = response.gyration_radius;
  out.spin = response.spin;
  const Mat3& J = response.inertia;
  out.inertia = {J(0, 0), J(1, 1), J(2, 2), J(0, 1), J(0, 2), J(1, 2)};
}

/// Keeps the curves of contacts that are gone for those to come, so that nothing is allocated for them again.
void RunBook::resize_contacts(std::size_t count) {
  std::vector<ContactSample>& contacts = sample_.contacts;
  for (; contacts.size() > count; contacts.pop_back()) {
    if (contacts.back().curve.capacity() > 0) spare_curves_.push_back(std::move(contacts.back().curve));
  }
  while (contacts.size() < count) {
    contacts.emplace_back();
    if (spare_curves_.empty()) continue;
    contacts.back().curve = std::move(spare_curves_.back());
    spare_curves_.pop_back();
  }
}

void RunBook::sample(double t, const double* y, const double* works) {
  const Model& model = dynamics_.model();
  sample_.time = t;
  if (!model.joints.empty()) {
    rates_.resize(dynamics_.size());
    dynamics_.calc_rates(t, y, rates_.data(), nullptr);
    sample_.joint_force = dynamics_.joint_forces();
  }
  last_energy_ = dynamics_.calc_energy(t, y, works);
  sample_.q.assign(y, y + dynamics_.num_q());
  sample_.v.assign(y + dynamics_.num_q(), y + dynamics_.num_q() + dynamics_.num_v());
  fill_bodies(sample_);
  joint_pairs_.look(t, dynamics_.motion());
  resize_contacts(state_.pool.active.size());
  for (std::size_t i = 0; i < sample_.contacts.size(); ++i) fill_contact(i, y, sample_.contacts[i]);
  sample_.energy.assign(last_energy_.values.begin(), last_energy_.values.end());
  if (!has_start_) {
    energy_at_start_ = last_energy_.total();
    first_energy_ = last_energy_;
    has_start_ = true;
  }
  const double residual = last_energy_.total() - energy_at_start_;
  if (std::abs(residual) > std::abs(worst_residual_)) worst_residual_ = residual;
  kinetic_max_ = std::max(kinetic_max_, last_energy_[Energy::kinetic]);
  moved_max_ =
      std::max(moved_max_, last_energy_.sum(EnergyKind::dissipated) + std::abs(last_energy_.sum(EnergyKind::supplied)));
  sample_.energy.push_back(residual);
  sink_.sample(sample_);
  num_samples_ = std::max(num_samples_ + 1, static_cast<long>(std::floor(t / interval_ * (1.0 + 1e-12))) + 1);
}

bool RunBook::has_diverged() const {
  // What the motion can rightly draw on: what it began with, what the weights have given and what was put in.
  double rightful = std::abs(last_energy_[Energy::gravitational] - first_energy_[Energy::gravitational]);
  for (const Energy energy : {Energy::kinetic, Energy::elastic, Energy::bristle, Energy::spring}) {
    rightful += first_energy_[energy];
  }
  for (const Energy energy : {Energy::motor, Energy::prescribed_motion, Energy::applied_force, Energy::relaxation}) {
    rightful += std::abs(last_energy_[energy]);
  }
  constexpr double kMultiple = 10.0, kLeast = 1e-6;  // [1], [J]
  return energy_gained() > kMultiple * rightful + kLeast;
}

std::vector<PairSummary> RunBook::summarize_pairs() {
  const Model& model = dynamics_.model();
  std::map<std::pair<int, int>, PairSummary> summaries;
  for (const auto& [links, history] : state_.pairs) {
    PairSummary& out = summaries[links];
    out.body_a = model.body_name(links.first);
    out.body_b = model.body_name(links.second);
    const RuleMatch match = model.find_rule(links.first, links.second);
    if (match.rule >= 0) out.rule = model.rules[match.rule].name;
    out.is_volume = match.is_volume;
    out.is_perimeter = match.is_perimeter;
    out.touches = history.touches;
    out.peak_force = history.peak_force;
    out.peak_time = history.peak_time;
    out.peak_depth = history.peak_depth;
    out.damping = history.ended.damping;
    out.friction = history.ended.friction - history.ended.viscous;
    out.viscous = history.ended.viscous;
  }
  dynamics_.calc_responses(state_.time, state_.y.data());
  for (std::size_t i = 0; i < state_.pool.active.size(); ++i) {
    const int place = state_.pool.active[i];
    const Patch& patch = state_.pool.patches[place];
    PairSummary& out =
        summaries[{model.colliders[patch.key.collider_a].link, model.colliders[patch.key.collider_b].link}];
    const PatchWork work = PatchWork::read(state_.works.data() + kNumGlobalWorks + kNumPatchWorks * place);
    out.contact_since = out.in_contact ? std::min(out.contact_since, patch.touch_time) : patch.touch_time;
    out.in_contact = true;
    out.sticking = out.sticking || dynamics_.responses()[i].sticking;
    if (patch.peak_force > out.peak_force) {
      out.peak_force = patch.peak_force;
      out.peak_time = patch.peak_time;
    }
    out.peak_depth = std::max(out.peak_depth, patch.peak_depth);
    out.damping += work.damping;
    out.viscous += work.viscous;
    out.friction +=
        work.friction - work.viscous - dynamics_.calc_bristle_storage(place, dynamics_.responses()[i], state_.y.data());
  }
  std::vector<PairSummary> list;
  for (auto& [links, summary] : summaries) list.push_back(std::move(summary));
  return list;
}

/// Volumetric contact assumes bodies that interfere little; says where they did not.   [spec 0, 2.4, H2]
void RunBook::note_deep_volumes(const std::vector<PairSummary>& pairs, std::vector<std::string>& notes) const {
  constexpr std::size_t kMost = 5;
  constexpr double kDeep = 0.1;
  // V / A of a ball is 3 of its radii where all but 4 % of it are below a plane; the area vanishes where all of it is.
  constexpr double kSwallowed = 3.0;
  const Model& model = dynamics_.model();
  std::map<std::string, double> size;  // [m], smallest shape of each body, or group of shapes that count as one
  for (const Collider& collider : model.colliders) {
    if (collider.layout != nullptr && collider.layout->leader(collider.cell, CellJoining::joined) != collider.cell)
      continue;
    double& least = size.try_emplace(model.body_name(collider.link), HUGE_VAL).first->second;
    least = std::min(least, collider.bounding_radius);
  }
  for (const PairSummary& pair : pairs) {
    const double least = std::min(size.at(pair.body_a), size.at(pair.body_b));
    if (!pair.is_volume || pair.peak_depth <= kDeep * least || notes.size() == kMost) continue;
    if (pair.peak_depth > kSwallowed * least) {
      notes.push_back(
          fmt::format("{}-{}: one was all but wholly inside the other, where the volume they share tells no way out; "
                      "what happened since means nothing: let them start apart, or make the contact stiffer",
                      pair.body_a, pair.body_b));
      continue;
    }
    notes.push_back(
        fmt::format("{}-{}: mean depth {:.3g} mm in a body of size {:.3g} mm; volumetric contact assumes it "
                    "shallow",
                    pair.body_a, pair.body_b, 1e3 * pair.peak_depth, 1e3 * least));
  }
}

/// Hertz's law assumes a patch small against the bodies; says where and when it was not.
std::vector<std::string> RunBook::describe_large_patches(const std::vector<PairSummary>& pairs) const {
  constexpr std::size_t kMost = 5;
  const Model& model = dynamics_.model();
  if (!model.uses_normal_laws()) return {};
  std::map<std::string, double> radius;  // [m], smallest round shape of each body
  for (const Collider& collider : model.colliders) {
    double& least = radius.try_emplace(model.body_name(collider.link), HUGE_VAL).first->second;
    least = std::min(least, calc_curvature_radius(collider.shape));
  }
  std::vector<std::string> notes;
  for (const PairSummary& pair : pairs) {
    const double r = std::min(radius.at(pair.body_a), radius.at(pair.body_b));
    const double patch_radius = std::sqrt(r * std::max(0.0, pair.peak_depth));
    if (pair.is_volume || pair.is_perimeter || !std::isfinite(r) || patch_radius <= kPatchRatioWarning * r ||
        notes.size() == kMost)
      continue;
    notes.push_back(
        fmt::format("{}-{}: patch of radius {:.3g} mm on a radius of {:.3g} mm at {:.4g} s; Hertz assumes it small",
                    pair.body_a, pair.body_b, 1e3 * patch_radius, 1e3 * r, pair.peak_time));
  }
  return notes;
}

RunSummary RunBook::make_summary() {
  RunSummary summary;
  summary.time_reached = state_.time;
  summary.energy_at_start = energy_at_start_;
  summary.energy = last_energy_;
  summary.residual = last_energy_.total() - energy_at_start_;
  summary.worst_residual = worst_residual_;
  summary.energy_turnover = std::max(kinetic_max_, moved_max_);
  summary.pairs = summarize_pairs();
  summary.notes = describe_large_patches(summary.pairs);
  note_deep_volumes(summary.pairs, summary.notes);
  for (std::string& note : joint_pairs_.make_notes()) summary.notes.push_back(std::move(note));
  constexpr double kNoticeable = 0.01;
  const double drawn = -last_energy_[Energy::volume_hysteresis];
  const std::vector<ContactRule>& rules = dynamics_.model().rules;
  const bool has_principal_axes = std::any_of(rules.begin(), rules.end(), [](const ContactRule& rule) {
    return rule.volume && !rule.volume->is_normal_geometric;
  });
  if (drawn > kNoticeable * summary.energy_turnover) {
    summary.notes.push_back(fmt::format(
        "volumetric springs gave back {:.2g} J more than they took up, {:.3g} % of the energy turned over{}", drawn,
        100.0 * drawn / summary.energy_turnover,
        has_principal_axes ? ": principal axes lean at edges; volume_normal = \"geometric\" does not" : ""));
  }
  const double given = std::max(0.0, -last_energy_[Energy::damping]) +
                       std::max(0.0, -last_energy_[Energy::friction] - last_energy_[Energy::viscous_friction]);
  if (given > kNoticeable * summary.energy_turnover) {
    const bool is_unguarded = std::any_of(rules.begin(), rules.end(), [](const ContactRule& rule) {
      return rule.perimeter && !rule.perimeter->energy_guard;
    });
    summary.notes.push_back(fmt::format(
        "damping and friction in contacts gave {:.2g} J, {:.3g} % of the energy turned over, where they should take: "
        "the step is too long for some contact{}",
        given, 100.0 * given / summary.energy_turnover, is_unguarded ? "; energy_guard = true prevents it" : ""));
  }
  if (std::abs(worst_residual_) > kNoticeable * summary.energy_turnover) {
    summary.notes.push_back(fmt::format(
        "the energy balance misses by up to {:.3g} % of the energy turned over: the step is too long for some "
        "contact or its friction (abut check tells), or the tolerance too wide",
        100.0 * std::abs(worst_residual_) / std::max(summary.energy_turnover, 1e-300)));
  }
  return summary;
}

}  // namespace abut
