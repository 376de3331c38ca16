#include <algorithm>
#include <cmath>
#include <set>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "abut/sim/friction_form_watch.hpp"
#include "abut/sim/lcp_stepper.hpp"
#include "abut/sim/rebound_watch.hpp"
#include "abut/sim/step_energy_notes.hpp"
#include "abut/sim/step_loop.hpp"
#include "abut/sim/step_passages.hpp"

namespace abut {

namespace {

class LcpRun final : public StepMethod {
 public:
  LcpRun(Dynamics& dynamics, State& state, RunBook& book)
      : dynamics_(dynamics),
        state_(state),
        book_(book),
        spec_(dynamics.model().scene.lcp),
        stepper_(dynamics, state),
        given_(dynamics.give_contacts()),
        passages_(dynamics.model(), true),
        forms_(spec_) {
    state_.works.resize(dynamics_.num_quadratures(), 0.0);
    dynamics_.contacts().set_step(dynamics.model().scene.run.step.value_or(0.0));
  }

  /// Motion, geometry, and what records show of the contacts at this instant.
  void prepare(bool) override {
    dynamics_.calc_motion(state_.time, state_.y.data());
    stepper_.book_stored_change();
    ContactSet& contacts = dynamics_.contacts();
    const BodyMotion motion = dynamics_.motion();
    if (contacts.needs_refresh(motion)) {
      if (contacts.num_points() > 0) {
        contacts.calc_geometry(motion, state_.pool);
        end_distant_patches();
      }
      contacts.refresh_candidates(motion, state_.pool);
    }
    contacts.calc_geometry(motion, state_.pool);
    end_vacant_patches();
    if (steps_ == 0 && spec_.normal == LcpSpec::Normal::hard) {
      constexpr double kDeep = 0.01;
      const auto matters = [](const Collider& a, const Collider& b, double depth) {
        return depth > kDeep * std::min(a.bounding_radius, b.bounding_radius);
      };
      start_notes_ = describe_start_overlaps(contacts, dynamics_.model(), matters,
                                             "hard contact moved them apart. Begin with them apart or touching");
    }
    if (spec_.normal == LcpSpec::Normal::compliant) begin_overlapping();
    fill_given();
    energy_.look(stepping());
  }

  bool step(double t_next, RunEnd& end) override {
    const double h = t_next - state_.time;
    passages_.begin(dynamics_, state_, h);
    const SystemResult result = stepper_.step(h);
    count(result);
    if (stepper_.caught() != nullptr) {
      end.status = RunStatus::failed;
      end.message = describe_caught(*stepper_.caught(), state_.time);
      end.advice =
          "Hard bodies cannot give way: let one of them yield (lcp.normal = \"compliant\"), or move it by a motor "
          "with a force_limit.";
      return false;
    }
    state_.time = t_next;
    const bool is_finite = std::all_of(state_.y.begin(), state_.y.end(), [](double y) { return std::isfinite(y); });
    if (!is_finite) {
      end.status = RunStatus::failed;
      end.message = fmt::format("stopped at {:.6g} s: the state is not finite. {}", t_next - h, result.message);
      end.advice = "Try a shorter step.";
      return false;
    }
    given_.joint_forces = stepper_.calc_joint_forces(h);
    if (dynamics_.has_sensors()) given_.link_forces = stepper_.link_forces();
    keep_contacts(h);
    return passages_.end(dynamics_, state_, h, end);
  }

  void report(RunEnd& end) const override {
    end.work.accepted = steps_;
    end.work.rate_evaluations = steps_;
    end.work.jacobians = factorizations_;
    end.work.contact_evaluations = contact_evaluations_;
    // Ten nanometres a second for a step of a millisecond: a millionth of what rest gains in it before contacts act.
    const double visible = 1e-6 * dynamics_.model().scene.run.step.value() * dynamics_.model().scene.gravity.norm();
    if (unsolved_ > 0 && !(worst_residual_ <= visible)) {
      end.notes.push_back(fmt::format(
          "the contact problem missed lcp.tolerance in {} of {} steps; worst residual {:.2g} m/s at {:.6g} s",
          unsolved_, steps_, worst_residual_, worst_time_));
    }
    end.notes.insert(end.notes.end(), start_notes_.begin(), start_notes_.end());
    if (stepper_.unfinished_impacts() > 0) {
      end.notes.push_back(
          fmt::format("simultaneous impacts did not come to an end in {} steps; what was left of them took "
                      "no part in the rebound",
                      stepper_.unfinished_impacts()));
    }
    for (std::string& note : rebounds_.make_notes(", or lcp.normal = \"hard\"")) end.notes.push_back(std::move(note));
    const double noticeable = 0.01 * book_.energy_turnover();
    if (auto note = forms_.make_note(std::max(noticeable, calc_least_energy(dynamics_.model()))))
      end.notes.push_back(std::move(*note));
    const double least = calc_least_energy(dynamics_.model()), turnover = book_.energy_turnover();
    for (std::string& note : energy_.make_notes(turnover, least, state_.ended.relaxation)) {
      end.notes.push_back(std::move(note));
    }
  }

  void exchange(ByteWriter& archive) override { visit(archive); }
  void exchange(ByteReader& archive) override { visit(archive); }
  template <class Archive>
  void visit(Archive& archive) {
    archive(stepper_, passages_, forms_, energy_, start_notes_, rebounds_, steps_, factorizations_,
            contact_evaluations_, unsolved_, worst_residual_, worst_time_);
  }

 private:
  int begin_patch(int point, double gap_rate) {
    const auto mass = [this](int a, int b, const Vec3& p, const Vec3& n) {
      return dynamics_.calc_effective_mass(a, b, p, n);
    };
    const int place = dynamics_.contacts().begin_patch(point, dynamics_.motion(), state_.time, true, mass, state_.pool);
    book_.begin_patch(place, gap_rate);
    if (spec_.normal == LcpSpec::Normal::compliant) {
      const Patch& patch = state_.pool.patches[place];
      rebounds_.look(book_.describe_patch(patch), patch, -gap_rate, dynamics_.model());
    }
    if (static_cast<int>(state_.step_contacts.size()) <= place) state_.step_contacts.resize(place + 1);
    state_.step_contacts[place] = {};
    return place;
  }

  /// A spring acts where it is compressed: its patch begins when bodies are found to overlap.
  void begin_overlapping() {
    const ContactSet& contacts = dynamics_.contacts();
    for (int point = 0; point < contacts.num_points(); ++point) {
      if (contacts.patch_at(point) >= 0 || !(contacts.point_geometry(point).gap < 0.0)) continue;
      begin_patch(point, contacts.calc_gap_rate(point, dynamics_.motion()));
    }
  }

  /// Patches that have come apart by more than any margin would not be found among new candidates. Those that touch
  /// go on: what rests keeps its forces, which the solver begins with, wherever other bodies move.
  void end_distant_patches() {
    const ContactSet& contacts = dynamics_.contacts();
    for (int point = 0; point < contacts.num_points(); ++point) {
      if (contacts.patch_at(point) >= 0 && contacts.point_geometry(point).gap > kLcpTouching) end_patch(point);
    }
  }

  /// Patches of corners that exist no longer, since faces have moved on each other.
  void end_vacant_patches() {
    const ContactSet& contacts = dynamics_.contacts();
    for (int point = 0; point < contacts.num_points(); ++point) {
      if (contacts.patch_at(point) >= 0 && is_vacant(contacts.point_geometry(point))) end_patch(point);
    }
  }

  void end_patch(int point) {
    ContactSet& contacts = dynamics_.contacts();
    const int place = contacts.patch_at(point);
    const Patch patch = state_.pool.patches[place];
    const double rate = contacts.calc_gap_rate(point, dynamics_.motion());
    // What its spring still holds is lost with it.
    stepping() += state_.step_contacts[place].elastic;
    contacts.end_patch(point, state_.pool);
    book_.end_patch(patch, place, rate);
    state_.step_contacts[place] = {};
  }

  void fill_given() {
    const ContactSet& contacts = dynamics_.contacts();
    const std::size_t count = state_.pool.active.size();
    given_.responses.resize(count);
    given_.elastic = given_.bristle = 0.0;
    for (std::size_t i = 0; i < count; ++i) {
      const int place = state_.pool.active[i];
      const PointContact& geometry = contacts.point_geometry(contacts.active_point(static_cast<int>(i)));
      StepContactMemory& memory = state_.step_contacts[place];
      Patch& patch = state_.pool.patches[place];
      PatchResponse& out = given_.responses[i];
      out = {};
      out.link_a = contacts.collider(patch.key.collider_a).link;
      out.link_b = contacts.collider(patch.key.collider_b).link;
      out.gap = geometry.gap;
      out.point = geometry.point;
      out.normal = geometry.normal;
      // Velocities as the law saw them: of the end of the step, at the geometry of its start.
      out.depth_rate = memory.depth_rate;
      out.slip = tangential(memory.slip, out.normal);
      out.normal_force = memory.normal_force + std::max(0.0, memory.impact_force.dot(out.normal));
      out.force = memory.normal_force * out.normal + memory.friction_force + memory.impact_force;
      out.sticking = memory.is_sticking;
      if (spec_.normal == LcpSpec::Normal::compliant) {
        const double elastic = calc_elastic_energy(patch.normal, std::max(0.0, -geometry.gap));
        stepping() -= elastic - memory.elastic;
        memory.elastic = elastic;
        given_.elastic += elastic;
      }
      if (spec_.tangential_stiffness) {
        given_.bristle += 0.5 * memory.friction_force.squaredNorm() / *spec_.tangential_stiffness;
      }
    }
    if (book_.reports_sticking()) {
      book_.observe(state_.time, given_.responses);
      return;
    }
    for (std::size_t i = 0; i < count; ++i) {
      state_.pool.patches[state_.pool.active[i]].note_peak(state_.time, given_.responses[i]);
    }
  }

  double& stepping() { return state_.works[static_cast<int>(GlobalWork::time_stepping)]; }

  /// Two bodies that close on one another with it in between, as far as the contacts tell.
  std::string describe_caught(const StepContact& caught, double time) const {
    const Model& model = dynamics_.model();
    const auto name = [&](int link) { return "'" + model.body_name(link) + "'"; };
    const bool is_a = !model.tree.is_immovable(caught.link_a);
    const int body = is_a ? caught.link_a : caught.link_b;
    std::set<std::string> others;
    for (const StepContact& contact : stepper_.contacts()) {
      if (contact.impulse[0] <= 0.0) continue;
      if (contact.link_a == body) others.insert(name(contact.link_b));
      if (contact.link_b == body) others.insert(name(contact.link_a));
    }
    return fmt::format("stopped at {:.6g} s: body {} is caught between {}, which close on it; no force can prevent it.",
                       time, name(body), fmt::join(others, " and "));
  }

  void count(const SystemResult& result) {
    ++steps_;
    factorizations_ += result.iterations;
    contact_evaluations_ += static_cast<long>(stepper_.contacts().size());
    if (result.is_solved()) return;
    ++unsolved_;
    if (result.residual > worst_residual_ || !std::isfinite(result.residual)) {
      worst_residual_ = result.residual;
      worst_time_ = state_.time;
    }
  }

  /// Patches begin where an impulse acts and end where none does and the gap has opened; memory and works follow.
  void keep_contacts(double h) {
    ContactSet& set = dynamics_.contacts();
    const double gravity = dynamics_.model().scene.gravity.norm();
    // A resting contact may lose its load for a step; only one that opens faster than rounding has ended.
    const double open = 0.5 * h * h * gravity + 1e-9;
    listed_.assign(state_.pool.patches.size(), 0);
    for (const StepContact& contact : stepper_.contacts()) {
      int place = set.patch_at(contact.point);
      forms_.look(contact);
      const bool is_loaded = contact.impulse[0] > 0.0 || contact.impact.impulse[0] > 0.0 || contact.arrival > 0.0;
      const double gap = contact.gap + h * contact.end_velocity[0];
      if (place < 0) {
        if (!is_loaded) {
          // Limits found a moment before leave friction to a contact that turns out to carry nothing.
          const LcpStepper::ContactWork work = stepper_.calc_work(contact, h);
          state_.ended += work.patch;
          stepping() += work.stepping;
          continue;
        }
        place = begin_patch(contact.point, contact.normal.dot(contact.velocity));
        if (static_cast<int>(listed_.size()) <= place) listed_.resize(place + 1, 0);
      }
      listed_[place] = 1;
      remember(contact, place, h);
      if (!is_loaded && gap > open) listed_[place] = 2;
    }
    for (int point = 0; point < set.num_points(); ++point) {
      const int place = set.patch_at(point);
      if (place >= 0 && listed_[place] != 1) end_patch(point);
    }
    const LcpStepper::ContactWork unlisted = stepper_.calc_unlisted_work();
    state_.ended += unlisted.patch;
    stepping() += unlisted.stepping;
  }

  void remember(const StepContact& contact, int place, double h) {
    StepContactMemory& memory = state_.step_contacts[place];
    memory.arrival_speed = contact.arrival;
    memory.normal_force = contact.impulse[0] / h;
    memory.slip =
        contact.end_velocity[1] * contact.friction.axes[0] + contact.end_velocity[2] * contact.friction.axes[1];
    memory.depth_rate = -contact.end_velocity[0];
    memory.impact_force = contact.impact_impulse / h;
    memory.friction_force =
        (contact.impulse[1] * contact.friction.axes[0] + contact.impulse[2] * contact.friction.axes[1]) / h;
    const double most = std::max(std::abs(contact.impulse[1]), std::abs(contact.impulse[2]));
    const bool uses_bounds =
        spec_.friction == LcpSpec::Friction::regularised || spec_.friction == LcpSpec::Friction::box;
    const double slip = contact.end_velocity.tail<2>().norm();
    memory.is_sticking = contact.impulse[0] > 0.0 && contact.mu_kinetic > 0.0 &&
                         (uses_bounds ? contact.friction.is_static && most < contact.friction.bound * (1.0 - 1e-9)
                                      : slip <= 1e-9 + 1e-6 * contact.velocity.norm());
    double* works = state_.works.data() + kNumGlobalWorks + kNumPatchWorks * place;
    PatchWork total = PatchWork::read(works);
    const LcpStepper::ContactWork work = stepper_.calc_work(contact, h);
    total += work.patch;
    total.write(works);
    stepping() += work.stepping;
  }

  Dynamics& dynamics_;
  State& state_;
  RunBook& book_;
  const LcpSpec& spec_;
  LcpStepper stepper_;
  GivenContacts& given_;
  StepPassages passages_;
  StepEnergyWatch energy_;
  std::vector<std::string> start_notes_;
  ReboundWatch rebounds_;
  FrictionFormWatch forms_;
  std::vector<char> listed_;  ///< by place: 1 goes on, 2 has opened, 0 was not near
  long steps_ = 0, factorizations_ = 0, contact_evaluations_ = 0, unsolved_ = 0;
  double worst_residual_ = 0.0, worst_time_ = 0.0;
};

}  // namespace

std::unique_ptr<Method> make_lcp_method(Dynamics& dynamics, State& state, RunBook& book, RunClock& clock) {
  return make_step_loop(std::make_unique<LcpRun>(dynamics, state, book), dynamics.model().scene.run, state, book,
                        clock);
}

}  // namespace abut
