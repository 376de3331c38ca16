#include "abut/sim/run_book.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "abut/contact/region/region_list.hpp"
#include "abut/sim/assumptions.hpp"

namespace abut {

namespace {

/// Stick and slip are reported in scenes a person can follow; a pile would drown in them.
constexpr std::size_t kMaxCollidersForSticking = 64;

bool has_several_points(const Model& model, const Patch& patch) {
  return with_region_type(patch.region, [&]<class R>() {
    return R::has_several_points(model.colliders, model.rules[patch.rule], patch.key);
  });
}

}  // namespace

RunBook::RunBook(Dynamics& dynamics, State& state, RecordSink& sink)
    : dynamics_(dynamics),
      state_(state),
      sink_(sink),
      joint_pairs_(dynamics.model()),
      uncovered_pairs_(dynamics.model()),
      face_spins_(dynamics.model()),
      sensors_(dynamics, state),
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

PatchNumbers RunBook::numbers() {
  return {state_.y.data() + dynamics_.friction_start(), dynamics_.stride(), state_.works.data() + kNumGlobalWorks};
}

void RunBook::begin_patch(int place, double gap_rate, const PatchKin& kin) {
  const Model& model = dynamics_.model();
  const Patch& patch = state_.pool.patches[place];
  const ContactRule& rule = model.rules[patch.rule];
  state_.y.resize(dynamics_.size(), 0.0);
  state_.works.resize(dynamics_.num_quadratures(), 0.0);
  double* states = numbers().states_of(place);
  std::fill(states, states + dynamics_.stride(), 0.0);
  // Bodies assembled at rest have had all the time in the world to stick; an impact has had none. [Gonthier
  // 2007, 5.1.2]
  if (dynamics_.stride() >= 4) states[3] = rule.initial_dwell.value_or(state_.time == 0.0 ? 1.0 : 0.0);
  double* works = numbers().works_of(place);
  std::fill(works, works + kNumPatchWorks, 0.0);
  const int point = dynamics_.contacts().find_active_point(place, state_.pool);
  dynamics_.contacts().with_region(patch.region, [&](const auto& region) {
    // Hard contacts and those with layers of their own have no bristles and no springs.
    if (model.uses_normal_laws() && point >= 0)
      region.begin_numbers(point, place, dynamics_.motion(), state_.time, state_.pool, numbers());
    if (kin.place >= 0) region.split(place, kin, dynamics_.motion(), state_.pool, numbers());
  });

  const int link_a = model.colliders[patch.key.collider_a].link, link_b = model.colliders[patch.key.collider_b].link;
  ++state_.pairs[{link_a, link_b}].touches;
  sink_.event({state_.time, ContactEventKind::touch, model.body_of_link[link_a], model.body_of_link[link_b],
               patch.key.point, gap_rate});
}

void RunBook::end_patch(const Patch& patch, int place, double gap_rate, const PatchKin& kin) {
  const Model& model = dynamics_.model();
  double* works = numbers().works_of(place);
  PatchWork work;
  dynamics_.contacts().with_region(patch.region, [&](const auto& region) {
    if (kin.place >= 0) region.merge(patch, place, kin.place, dynamics_.motion(), state_.pool, numbers());
    work = PatchWork::read(works);
    std::fill(works, works + kNumPatchWorks, 0.0);
    const double lost = region.end(place, state_.pool, work);
    if (lost != 0.0) state_.works[static_cast<int>(GlobalWork::time_stepping)] += lost;
    volume_made_ += region.calc_overdraft(work);
  });
  state_.ended += work;
  const int link_a = model.colliders[patch.key.collider_a].link, link_b = model.colliders[patch.key.collider_b].link;
  PairHistory& history = state_.pairs[{link_a, link_b}];
  history.ended += work;
  if (patch.peak_force > history.peak_force) {
    PairSummary& peak = ended_peaks_[{link_a, link_b}];
    take_peak(patch, place, true, peak);
    const PatchShape* shape = find_shape(patch, place);
    if (reports_sticking_ && peak.peak_duration > 0.0 && shape != nullptr) {
      wave_notes_[{link_a, link_b}] =
          judge_waves(model, dynamics_.motion(), link_a, link_b, shape->normal, peak.peak_duration).value_or("");
    }
    peak.peak_force = patch.peak_force;
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
    // Fixed steps have noted the peak already, where forces are computed.
    if (response.normal_force > 0.0 && response.normal_force >= patch.peak_force)
      note_shape(state_.pool.active[i], response);
    patch.note_peak(t, response);
    if (response.sticking == patch.sticking) continue;
    patch.sticking = response.sticking;
    const auto kind = patch.sticking ? ContactEventKind::stick : ContactEventKind::slip;
    sink_.event({t, kind, model.body_of_link[model.colliders[patch.key.collider_a].link],
                 model.body_of_link[model.colliders[patch.key.collider_b].link], patch.key.point,
                 -response.depth_rate});
  }
}

void RunBook::note_peak(int place, double time, const PatchResponse& response) {
  Patch& patch = state_.pool.patches[place];
  if (response.normal_force > patch.peak_force) note_shape(place, response);
  patch.note_peak(time, response);
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
void RunBook::fill_contact(double t, std::size_t index, const double* y, ContactSample& out) {
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
  if (dynamics_.stride() >= 5 && patch.traits().has_twist && response.gyration_radius > 0.0)
    out.twist = states[4] / response.gyration_radius;
  out.sticking = response.sticking;
  out.perimeter = response.perimeter;
  const int point = dynamics_.contacts().active_point(static_cast<int>(index));
  curve_.clear();
  dynamics_.contacts().with_region(patch.region, [&](const auto& region) {
    region.list_curve(point, curve_);
    if (!model.uses_normal_laws()) return;
    if (const auto hertz = region.find_hertz_ellipse(patch, dynamics_.motion(), response, t)) fill_patch(*hertz, out);
  });
  for (const auto& [start, end] : curve_) out.curve.push_back({start, end});
  out.torque = response.torque;
  out.volume = response.volume;
  out.area = response.area;
  out.gyration_radius = response.gyration_radius;
  out.spin = response.spin;
  const Mat3& J = response.inertia;
  out.inertia = {J(0, 0), J(1, 1), J(2, 2), J(0, 1), J(0, 2), J(1, 2)};
}

void RunBook::fill_patch(const HertzEllipse& hertz, ContactSample& out) {
  out.curvature = {hertz.site.curvature_1, hertz.site.curvature_2};
  out.half_axes = {hertz.size.short_axis, hertz.size.long_axis};
  out.mean_pressure = hertz.size.mean_pressure;
  out.peak_pressure = hertz.size.peak_pressure;
}

/// Keeps the curves of contacts that are gone for those to come, so that nothing is allocated for them again.
void RunBook::resize_contacts(std::size_t count, std::vector<ContactSample>& contacts) {
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

EnergyBalance RunBook::look(double t, const double* y, const double* works, Sample& out) {
  const Model& model = dynamics_.model();
  dynamics_.contacts().remember(memory_);
  out.time = t;
  if (!model.joints.empty()) {
    rates_.resize(dynamics_.size());
    dynamics_.calc_rates(t, y, rates_.data(), nullptr);
    out.joint_force = dynamics_.joint_forces();
  }
  const EnergyBalance energy = dynamics_.calc_energy(t, y, works);
  out.q.assign(y, y + dynamics_.num_q());
  out.v.assign(y + dynamics_.num_q(), y + dynamics_.num_q() + dynamics_.num_v());
  fill_bodies(out);
  resize_contacts(state_.pool.active.size(), out.contacts);
  for (std::size_t i = 0; i < out.contacts.size(); ++i) fill_contact(t, i, y, out.contacts[i]);
  out.energy.assign(energy.values.begin(), energy.values.end());
  out.energy.push_back(has_start_ ? energy.total() - energy_at_start_ : 0.0);
  dynamics_.contacts().recall(memory_);
  if (!sensors_.is_empty()) sensors_.read(t, y, out.sensors);
  return energy;
}

void RunBook::sample(double t, const double* y, const double* works) {
  last_energy_ = look(t, y, works, sample_);
  joint_pairs_.look(t, dynamics_.motion());
  uncovered_pairs_.look(t, dynamics_.motion());
  face_spins_.look(sample_);
  sensors_.note_peaks(t, sample_.sensors);
  if (!has_start_) {
    energy_at_start_ = last_energy_.total();
    first_energy_ = last_energy_;
    has_start_ = true;
    judge_start();
  }
  const double residual = last_energy_.total() - energy_at_start_;
  if (std::abs(residual) > std::abs(worst_residual_)) worst_residual_ = residual;
  kinetic_max_ = std::max(kinetic_max_, last_energy_[Energy::kinetic]);
  moved_max_ =
      std::max(moved_max_, last_energy_.sum(EnergyKind::dissipated) + std::abs(last_energy_.sum(EnergyKind::supplied)));
  num_gains_ = is_gaining() ? num_gains_ + 1 : 0;
  sink_.sample(sample_);
  num_samples_ = std::max(num_samples_ + 1, static_cast<long>(std::floor(t / interval_ * (1.0 + 1e-12))) + 1);
}

bool RunBook::is_gaining() const {
  // What the motion can rightly draw on: what it began with, what the weights have given and what was put in.
  double rightful = std::abs(last_energy_[Energy::gravitational] - first_energy_[Energy::gravitational]);
  for (const Energy energy : {Energy::kinetic, Energy::elastic, Energy::bristle, Energy::spring}) {
    rightful += first_energy_[energy];
  }
  for (const Energy energy : {Energy::motor, Energy::prescribed_motion, Energy::applied_force, Energy::relaxation}) {
    rightful += std::abs(last_energy_[energy]);
  }
  constexpr double kMultiple = 10.0, kLeast = 1e-6;  // [1], [J]
  if (!std::isfinite(energy_gained())) return true;  // no comparison would ever say so
  return energy_gained() > kMultiple * rightful + kLeast;
}

}  // namespace abut
