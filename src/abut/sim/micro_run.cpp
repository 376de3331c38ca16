#include <algorithm>
#include <cmath>
#include <string>

#include <fmt/format.h>

#include "abut/sim/micro_stepper.hpp"
#include "abut/sim/run_notes.hpp"
#include "abut/sim/step_energy_notes.hpp"
#include "abut/sim/step_loop.hpp"
#include "abut/sim/step_passages.hpp"

namespace abut {

namespace {

class MicroRun final : public StepMethod {
 public:
  MicroRun(Dynamics& dynamics, State& state, RunBook& book)
      : dynamics_(dynamics),
        state_(state),
        book_(book),
        stepper_(dynamics, state),
        given_(dynamics.give_contacts()),
        passages_(dynamics.model()) {
    state_.works.resize(dynamics_.num_quadratures(), 0.0);
    dynamics_.contacts().set_step(dynamics.model().scene.run.step.value_or(0.0));
  }

  void prepare(bool) override {
    look();
    fill_given();
  }

  bool step(double t_next, RunEnd& end) override {
    const double h = t_next - state_.time, start = state_.time;
    passages_.begin(dynamics_, state_, h);
    const bool is_done = stepper_.step(h);
    ++steps_;
    const bool is_finite = std::all_of(state_.y.begin(), state_.y.end(), [](double y) { return std::isfinite(y); });
    if (!is_done || !is_finite) {
      end.status = RunStatus::failed;
      end.message =
          fmt::format("stopped at {:.6g} s: {}.", start, is_finite ? describe_culprit() : "the state is not finite");
      end.advice = "Try a shorter step, or method = \"adaptive\".";
      return false;
    }
    state_.time = t_next;
    take_events();
    given_.joint_forces = stepper_.joint_forces();
    if (dynamics_.has_sensors()) given_.link_forces = stepper_.link_forces();
    return passages_.end(dynamics_, state_, h, end);
  }

  void report(RunEnd& end) const override {
    const MicroStepper::Totals& totals = stepper_.totals();
    end.work.accepted = steps_;
    end.work.rejected = totals.halvings;
    end.work.rate_evaluations = totals.counts.sub_steps + totals.counts.flights;
    end.work.jacobians = totals.counts.iterations;
    if (totals.not_mended > 0 && totals.worst_share > kNoticeable) {
      end.notes.push_back(fmt::format(
          "{} parts of steps turned too far for frozen directions after {} halvings; the worst made or took {:.2g} of "
          "the energy that moves, at {:.6g} s. A shorter step mends it",
          totals.not_mended, dynamics_.model().scene.micro.max_halvings, totals.worst_share, totals.worst_time));
    }
  }

  void exchange(ByteWriter& archive) override { visit(archive); }
  void exchange(ByteReader& archive) override { visit(archive); }
  template <class Archive>
  void visit(Archive& archive) {
    archive(stepper_, passages_, steps_);
  }

 private:
  /// Of the energy that moves: a part of a step that made less needs no words.
  static constexpr double kNoticeable = 1e-4;

  double calc_mass(int a, int b, const Vec3& p, const Vec3& n) const {
    return dynamics_.calc_effective_mass(a, b, p, n);
  }

  /// Motion, candidates, geometry; at the start of a run also the contacts of bodies that overlap.
  void look() {
    dynamics_.calc_motion(state_.time, state_.y.data());
    ContactSet& contacts = dynamics_.contacts();
    const BodyMotion motion = dynamics_.motion();
    if (contacts.needs_refresh(motion)) contacts.refresh_candidates(motion, state_.pool);
    contacts.calc_geometry(motion, state_.pool);
    if (steps_ > 0 || state_.time > 0.0) return;
    for (int point = 0; point < contacts.num_points(); ++point) {
      if (contacts.patch_at(point) >= 0 || !(contacts.point_geometry(point).gap < 0.0)) continue;
      begin_patch(point, contacts.calc_gap_rate(point, motion));
    }
  }

  int begin_patch(int point, double gap_rate) {
    const auto mass = [this](int a, int b, const Vec3& p, const Vec3& n) { return calc_mass(a, b, p, n); };
    const int place = dynamics_.contacts().begin_patch(point, dynamics_.motion(), state_.time, true, mass, state_.pool);
    book_.begin_patch(place, gap_rate);
    if (static_cast<int>(state_.step_contacts.size()) <= place) state_.step_contacts.resize(place + 1);
    state_.step_contacts[place] = {};
    return place;
  }

  /// What happened inside of the step, in order, and what lasts.
  void take_events() {
    const double end = state_.time;
    const ContactSet& contacts = dynamics_.contacts();
    events_ = stepper_.events();
    std::stable_sort(events_.begin(), events_.end(),
                     [](const MicroEvent& a, const MicroEvent& b) { return a.time < b.time; });
    for (const MicroEvent& event : events_) {
      const int point = stepper_.contacts()[event.contact].point;
      state_.time = event.time;
      const int place = contacts.patch_at(point);
      if (event.begins) {
        if (place < 0) begin_patch(point, event.speed);
      } else if (place >= 0) {
        write_patch(place, event.state);
        const Patch patch = state_.pool.patches[place];
        dynamics_.contacts().end_patch(point, state_.pool);
        book_.end_patch(patch, place, event.speed);
        state_.step_contacts[place] = {};
      }
    }
    state_.time = end;
    for (const MicroContact& c : stepper_.contacts()) {
      if (c.point < 0 || !c.touches) continue;
      const int place = contacts.patch_at(c.point);
      if (place >= 0) write_patch(place, c);
    }
  }

  /// What a contact has come to, into its patch, its bristles, its works and what the next step begins with.
  void write_patch(int place, const MicroContact& c) {
    Patch& patch = state_.pool.patches[place];
    patch.normal = patch.by_depth = c.normal;
    patch.blow = c.blow;
    patch.effective_mass = c.effective_mass;
    patch.touch_time = c.touch_time;
    patch.touch_speed = c.touch_speed;
    PatchResponse peak = make_response(place, c.point);
    peak.normal_force = c.peak_force;
    peak.gap = -c.peak_depth;
    book_.note_peak(place, c.peak_time, peak);
    double* states = state_.y.data() + dynamics_.friction_start() + dynamics_.stride() * place;
    if (dynamics_.stride() >= 3) Eigen::Map<Vec3>{states} = c.z_W;
    if (dynamics_.stride() >= 4) states[3] = c.dwell;
    StepContactMemory& memory = state_.step_contacts[place];
    memory.normal_force = c.force[0];
    memory.friction_force = c.friction_W;
    memory.slip = c.slip_W;
    memory.depth_rate = c.depth_rate;
    memory.is_sticking = c.sticks;
    double* works = state_.works.data() + kNumGlobalWorks + kNumPatchWorks * place;
    PatchWork total = PatchWork::read(works);
    total += c.work;
    total.write(works);
  }

  PatchResponse make_response(int place, int point) const {
    const ContactSet& contacts = dynamics_.contacts();
    const Patch& patch = state_.pool.patches[place];
    const PointContact& geometry = contacts.point_geometry(point);
    PatchResponse out;
    out.link_a = contacts.collider(patch.key.collider_a).link;
    out.link_b = contacts.collider(patch.key.collider_b).link;
    out.point = geometry.point;
    out.normal = geometry.normal;
    return out;
  }

  void fill_given() {
    const ContactSet& contacts = dynamics_.contacts();
    const std::size_t count = state_.pool.active.size();
    given_.responses.resize(count);
    given_.elastic = given_.bristle = 0.0;
    for (std::size_t i = 0; i < count; ++i) {
      const int place = state_.pool.active[i], point = contacts.active_point(static_cast<int>(i));
      const PointContact& geometry = contacts.point_geometry(point);
      const StepContactMemory& memory = state_.step_contacts[place];
      const Patch& patch = state_.pool.patches[place];
      PatchResponse& out = given_.responses[i];
      out = make_response(place, point);
      out.gap = geometry.gap;
      out.depth_rate = memory.depth_rate;
      out.slip = tangential(memory.slip, out.normal);
      out.normal_force = memory.normal_force;
      out.force = memory.normal_force * out.normal + memory.friction_force;
      out.sticking = memory.is_sticking;
      given_.elastic += calc_elastic_energy(patch.normal, std::max(0.0, -geometry.gap));
      const FrictionParameters& friction = dynamics_.model().rules[patch.rule].friction;
      const double* states = state_.y.data() + dynamics_.friction_start() + dynamics_.stride() * place;
      given_.bristle += calc_friction_energy(friction, read_friction_state(states, num_friction_states(friction)),
                                             out.normal, memory.normal_force);
    }
    if (book_.reports_sticking()) book_.observe(state_.time, given_.responses);
  }

  std::string describe_culprit() const {
    const int point = stepper_.culprit();
    if (point < 0) return "the forces of the step were not found";
    const Model& model = dynamics_.model();
    const Candidate& candidate = dynamics_.contacts().candidate_of_point(point);
    return fmt::format("no sub-step is short enough for the contact of '{}' and '{}'",
                       model.body_name(model.colliders[candidate.collider_a].link),
                       model.body_name(model.colliders[candidate.collider_b].link));
  }

  Dynamics& dynamics_;
  State& state_;
  RunBook& book_;
  MicroStepper stepper_;
  GivenContacts& given_;
  StepPassages passages_;
  std::vector<MicroEvent> events_;
  long steps_ = 0;
};

}  // namespace

std::unique_ptr<Method> make_micro_method(Dynamics& dynamics, State& state, RunBook& book, RunClock& clock) {
  return make_step_loop(std::make_unique<MicroRun>(dynamics, state, book), dynamics.model().scene.run, state, book,
                        clock);
}

}  // namespace abut
