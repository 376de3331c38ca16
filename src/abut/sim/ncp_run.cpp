#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "abut/contact/patch_response.hpp"
#include "abut/multibody/configuration.hpp"
#include "abut/sim/compile_parts.hpp"
#include "abut/sim/contact_layer.hpp"
#include "abut/sim/free_motion.hpp"
#include "abut/sim/joint_rows.hpp"
#include "abut/sim/layer_sharing.hpp"
#include "abut/sim/layer_step.hpp"
#include "abut/sim/lcp_stepper.hpp"
#include "abut/sim/method_advice.hpp"
#include "abut/sim/ncp_mechanism.hpp"
#include "abut/sim/step_energy_notes.hpp"
#include "abut/sim/step_loop.hpp"
#include "abut/sim/step_passages.hpp"
#include "abut/sim/step_works.hpp"

namespace abut {

namespace {

class NcpRun final : public StepMethod {
 public:
  NcpRun(Dynamics& dynamics, State& state, RunBook& book)
      : dynamics_(dynamics),
        state_(state),
        book_(book),
        model_(dynamics.model()),
        spec_(model_.scene.ncp),
        given_(dynamics.give_contacts()),
        passages_(dynamics.model(), true) {
    for (const Collider& collider : model_.colliders) surfaces_.push_back(find_implicit_surface(collider.shape));
    state_.works.resize(dynamics_.num_quadratures(), 0.0);
  }

  void prepare(bool) override {
    dynamics_.calc_motion(state_.time, state_.y.data());
    works_.book_stored_change(dynamics_, state_);
    ContactSet& contacts = dynamics_.contacts();
    const BodyMotion motion = dynamics_.motion();
    if (contacts.needs_refresh(motion)) contacts.refresh_candidates(motion, state_.pool);
    contacts.calc_geometry(motion, state_.pool);
    energy_.look(stepping());
    if (steps_ == 0) {
      start_notes_ = describe_start_overlaps(
          contacts, model_,
          [this](const Collider& a, const Collider& b, double depth) { return is_thrown_off(a, b, depth); },
          "deeper than its layer yields, a core throws the bodies apart. Begin with them apart or touching");
    }
    std::vector<PatchResponse> responses;
    for (const int place : state_.pool.active) responses.push_back(responses_[place]);
    given_.responses = std::move(responses);
    book_.observe(state_.time, given_.responses);
  }

  bool step(double t_next, RunEnd& end) override {
    const double h = t_next - state_.time;
    passages_.begin(dynamics_, state_, h);
    const std::vector<LayerBody> bodies = gather_bodies(h);
    gather_contacts(bodies, h);
    NcpOptions options;
    options.tolerance = spec_.tolerance;
    const LayerStepResult result =
        take_layer_step(bodies, contacts_, h, model_.scene.gravity.norm(), options, mechanism_.get());
    ++steps_;
    iterations_ += result.ncp.iterations;
    contact_evaluations_ += static_cast<long>(contacts_.size());
    worst_residual_ = std::max(worst_residual_, result.ncp.residual);
    if (!result.ncp.is_solved()) {
      ++unsolved_;
      // Far from a solution the step means nothing; a stall near rounding does not matter.
      if (!(result.ncp.residual <= 1e-3)) {
        end.status = RunStatus::failed;
        end.message = fmt::format("stopped at {:.6g} s: the step was not solved ({}){}.", state_.time,
                                  result.ncp.message, describe_deepest(dynamics_.contacts(), model_, points_));
        end.advice =
            steps_ == 1 && !start_notes_.empty()
                ? "Begin with the bodies apart or touching."
                : "Try a shorter step, or a softer layer; bodies that begin in one place have no direction to part in.";
        return false;
      }
    }
    mechanism_.write_loads(result, joints_);
    const std::vector<double> v_end = read_speeds(result);
    const bool is_finite = std::all_of(v_end.begin(), v_end.end(), [](double v) { return std::isfinite(v); });
    if (!is_finite) {
      end.status = RunStatus::failed;
      end.message = fmt::format("stopped at {:.6g} s: the state is not finite{}.", state_.time,
                                describe_deepest(dynamics_.contacts(), model_, points_));
      end.advice = "Try a shorter step.";
      return false;
    }
    const std::vector<double> v_start(state_.y.begin() + dynamics_.num_q(),
                                      state_.y.begin() + dynamics_.num_q() + dynamics_.num_v());
    works_.book(dynamics_, state_, free_, joints_, v_end, h);
    write_motion(result, h);
    state_.time = t_next;
    keep_contacts(result);
    given_.joint_forces.assign(dynamics_.num_v(), 0.0);
    joints_.add_forces(h, given_.joint_forces);
    if (dynamics_.has_sensors()) note_link_forces(result, v_start, v_end, h);
    return passages_.end(dynamics_, state_, h, end);
  }

  void report(RunEnd& end) const override {
    end.work.accepted = steps_;
    end.work.rate_evaluations = steps_;
    end.work.jacobians = iterations_;
    end.work.contact_evaluations = contact_evaluations_;
    if (unsolved_ > 0) {
      end.notes.push_back(fmt::format("{} of {} steps missed ncp.tolerance; worst residual {:.2g} of the terms",
                                      unsolved_, steps_, worst_residual_));
    }
    end.notes.insert(end.notes.end(), start_notes_.begin(), start_notes_.end());
    for (std::string& note : energy_.make_notes(book_.energy_turnover(), calc_least_energy(model_))) {
      end.notes.push_back(std::move(note));
    }
    for (std::string& note : describe_idle_restitution(model_.scene, fastest_)) end.notes.push_back(std::move(note));
  }

  void exchange(ByteWriter& archive) override { visit(archive); }
  void exchange(ByteReader& archive) override { visit(archive); }
  template <class Archive>
  void visit(Archive& archive) {
    archive(passages_, responses_, elastic_, joints_, energy_, start_notes_, works_, steps_, iterations_,
            contact_evaluations_, unsolved_, worst_residual_, fastest_);
  }

 private:
  double& stepping() { return state_.works[static_cast<int>(GlobalWork::time_stepping)]; }

  std::vector<LayerBody> gather_bodies(double h) {
    const Kinematics& now = dynamics_.kinematics();
    const Tree& tree = model_.tree;
    dynamics_.span_step(state_.time, state_.time + h);
    joints_.calc(dynamics_, state_.time, state_.y.data(), h);
    free_.calc(dynamics_, state_.time, state_.y.data(), joints_.forces(), h);
    mechanism_.begin(free_, joints_, h);
    std::vector<LayerBody> bodies(tree.num_links());
    for (int i = 0; i < tree.num_links(); ++i) {
      LayerBody& body = bodies[i];
      body.R = now.X_WB[i].R;
      body.p = now.p_WCm[i];
      body.v = now.v_WCm[i];
      body.w = now.w_WB[i];
      const int leaf = tree.free_leaf_index(i);
      body.is_fixed = leaf < 0 && tree.is_immovable(i);
      if (leaf < 0) {
        if (!body.is_fixed) mechanism_.add_link(i, body);
        continue;
      }
      const FreeLeaf& data = tree.free_leaf_data()[leaf];
      body.mass = data.mass;
      body.inertia_B = data.inertia;
      const double* vdot = free_.rates().data() + dynamics_.num_q() + data.v_start;
      body.force = data.mass * Eigen::Map<const Vec3>(vdot);
      const Mat3 inertia = body.R * data.inertia * body.R.transpose();
      body.torque = inertia * Eigen::Map<const Vec3>(vdot + 3) + body.w.cross(inertia * body.w);
    }
    return bodies;
  }

  void gather_contacts(const std::vector<LayerBody>& bodies, double h) {
    const ContactSet& set = dynamics_.contacts();
    contacts_.clear();
    points_.clear();
    for (int point = 0; point < set.num_points(); ++point) {
      const Candidate& candidate = set.candidate_of_point(point);
      const Collider &a = set.collider(candidate.collider_a), &b = set.collider(candidate.collider_b);
      const PatchKey key{candidate.collider_a, candidate.collider_b, point - candidate.first_point};
      const Layer layer = make_layer(bodies, a, b);
      const double reach =
          4.0 * h * ((bodies[a.link].v - bodies[b.link].v).norm() + bodies[a.link].w.norm() * a.bounding_radius) +
          layer.max_deflection;
      const auto memory = state_.layers.find(key);
      const bool is_deflected = memory != state_.layers.end() && memory->second.deflection > 0.0;
      if (set.point_geometry(point).gap > reach && !is_deflected && set.patch_at(point) < 0) continue;
      LayerContact contact;
      contact.body_1 = a.link;
      contact.body_2 = b.link;
      contact.f = &*surfaces_[candidate.collider_a];
      contact.g = &*surfaces_[candidate.collider_b];
      contact.X_B1 = calc_surface_pose(a);
      contact.X_B2 = calc_surface_pose(b);
      contact.layer = layer;
      if (spec_.soft == NcpSpec::Soft::both) contact.other = layer;
      contact.mu = calc_mu(point, set.rule(candidate.rule), h);
      contact.ellipsoid = spec_.ellipsoid;
      contact.is_tangent_acting = spec_.tangent == NcpSpec::Tangent::acting;
      if (memory != state_.layers.end()) contact.memory = memory->second;
      contacts_.push_back(contact);
      points_.push_back(point);
    }
    share_layers(set, points_, contacts_);
  }

  /// Whether the core of the layer, which takes what the layer does not yield in one step, gives the bodies an energy
  /// worth a word.
  bool is_thrown_off(const Collider& a, const Collider& b, double depth) const {
    const auto mass = [this](int link) {
      return model_.tree.is_immovable(link) ? HUGE_VAL : model_.tree.link(link).mass.mass;
    };
    const double reduced = calc_reduced_mass(mass(a.link), mass(b.link));
    const Layer layer = make_contact_layer(spec_, reduced, std::min(a.bounding_radius, b.bounding_radius));
    const double speed = std::max(0.0, depth - layer.max_deflection) / model_.scene.run.step.value();
    return std::isfinite(reduced) && 0.5 * reduced * speed * speed > calc_least_energy(model_);
  }

  Layer make_layer(const std::vector<LayerBody>& bodies, const Collider& a, const Collider& b) const {
    const auto mass = [&](int link) { return bodies[link].is_fixed ? HUGE_VAL : bodies[link].mass; };
    return make_contact_layer(spec_, calc_reduced_mass(mass(a.link), mass(b.link)),
                              std::min(a.bounding_radius, b.bounding_radius));
  }

  /// By the slip with which the step begins: up to what its accelerations make of rest a contact sticks.
  double calc_mu(int point, const ContactRule& rule, double h) const {
    const FrictionCoefficients mu = calc_friction_coefficients(rule.friction);
    const PointContact& geometry = dynamics_.contacts().point_geometry(point);
    const Candidate& candidate = dynamics_.contacts().candidate_of_point(point);
    const BodyMotion motion = dynamics_.motion();
    const Vec3 velocity =
        calc_point_velocity(motion, dynamics_.contacts().collider(candidate.collider_a).link, geometry.point) -
        calc_point_velocity(motion, dynamics_.contacts().collider(candidate.collider_b).link, geometry.point);
    const double slip = tangential(velocity, geometry.normal).norm();
    return slip <= calc_default_v_threshold(h, model_.scene.gravity.norm()) ? mu.statical : mu.kinetic;
  }

  /// Of the surface, from the link's centre of mass.
  Pose calc_surface_pose(const Collider& collider) const {
    return {collider.X_LS.R, Vec3(collider.X_LS.p - model_.tree.link(collider.link).mass.center_of_mass)};
  }

  std::vector<double> read_speeds(const LayerStepResult& result) const {
    std::vector<double> v(dynamics_.num_v());
    mechanism_.write_speeds(result, v);
    for (const FreeLeaf& leaf : model_.tree.free_leaf_data()) {
      Eigen::Map<Vec3>{v.data() + leaf.v_start} = result.bodies[leaf.link].v;
      Eigen::Map<Vec3>{v.data() + leaf.v_start + 3} = result.bodies[leaf.link].w;
    }
    return v;
  }

  void write_motion(const LayerStepResult& result, double h) {
    const std::span<double> q = std::span(state_.y).first(dynamics_.num_q());
    mechanism_.write_coordinates(result, h, q);
    for (const FreeLeaf& leaf : model_.tree.free_leaf_data()) {
      const LayerBody& body = result.bodies[leaf.link];
      set_free_pose(model_.tree, leaf.link, Pose(body.R, Vec3(body.p - body.R * leaf.p_BCm)), q);
    }
    const std::vector<double> v = read_speeds(result);
    std::copy(v.begin(), v.end(), state_.y.begin() + dynamics_.num_q());
  }

  void keep_contacts(const LayerStepResult& result) {
    ContactSet& set = dynamics_.contacts();
    given_.elastic = 0.0;
    std::vector<int> opened;
    for (std::size_t c = 0; c < contacts_.size(); ++c) {
      const LayerOutcome& out = result.contacts[c];
      const int point = points_[c];
      const Candidate& candidate = set.candidate_of_point(point);
      const PatchKey key{candidate.collider_a, candidate.collider_b, point - candidate.first_point};
      const double stored_before = elastic_[key];
      elastic_[key] = out.elastic;
      state_.layers[key] = out.memory;
      given_.elastic += out.elastic;
      int place = set.patch_at(point);
      if (place < 0 && out.normal_force > 0.0) place = begin_patch(point);
      if (place < 0) {
        // A layer that recovers without touching anything.
        state_.ended.damping += out.damping_work;
        stepping() += stored_before - out.elastic - out.damping_work;
        continue;
      }
      double* works = state_.works.data() + kNumGlobalWorks + kNumPatchWorks * place;
      PatchWork total = PatchWork::read(works);
      total.friction += out.friction_work;
      total.damping += out.damping_work;
      total.write(works);
      stepping() += -out.work - out.friction_work - out.damping_work - (out.elastic - stored_before);
      responses_[place] = make_response(contacts_[c], out);
      if (out.normal_force <= 0.0 && out.gap > 0.0) opened.push_back(point);
    }
    for (const int point : opened) end_patch(point);
  }

  PatchResponse make_response(const LayerContact& contact, const LayerOutcome& out) const {
    PatchResponse response;
    response.link_a = contact.body_1;
    response.link_b = contact.body_2;
    response.point = out.point;
    response.normal = out.normal;
    response.gap = out.gap;
    response.normal_force = out.normal_force;
    response.force = out.normal_force * out.normal + out.friction;
    response.slip = out.slip;
    response.sticking = contact.mu > 0.0 && out.normal_force > 0.0 && out.slip_speed < 1e-9;
    return response;
  }

  /// What links felt in the mean of the step: contacts act at the end of it, inertia as at its start.
  void note_link_forces(const LayerStepResult& result, std::span<const double> v_start, std::span<const double> v_end,
                        double h) {
    LinkForces& forces = given_.link_forces;
    forces.at = dynamics_.kinematics();
    take_mechanisms(model_.tree, free_.mechanisms_at_mean(), forces.at);
    forces.contacts.assign(static_cast<std::size_t>(model_.tree.num_links()), {});
    for (std::size_t c = 0; c < contacts_.size(); ++c) {
      const LayerOutcome& out = result.contacts[c];
      const Vec3 force = out.normal_force * out.normal + out.friction;
      for (const auto& [body, sign] : {std::pair(contacts_[c].body_1, 1.0), std::pair(contacts_[c].body_2, -1.0)}) {
        Wrench& wrench = forces.contacts[static_cast<std::size_t>(body)];
        wrench.add_force(sign * force, out.point - result.bodies[static_cast<std::size_t>(body)].p);
        wrench.torque += sign * out.torsion * out.normal;
      }
    }
    std::vector<double> vdot(v_end.size());
    for (std::size_t i = 0; i < vdot.size(); ++i) vdot[i] = (v_end[i] - v_start[i]) / h;
    calc_link_forces(model_.tree, model_.scene.gravity, dynamics_.wrenches(), vdot, forces);
  }

  int begin_patch(int point) {
    const auto mass = [this](int a, int b, const Vec3& p, const Vec3& n) {
      return dynamics_.calc_effective_mass(a, b, p, n);
    };
    ContactSet& set = dynamics_.contacts();
    const double rate = set.calc_gap_rate(point, dynamics_.motion());
    const int place = set.begin_patch(point, dynamics_.motion(), state_.time, true, mass, state_.pool);
    book_.begin_patch(place, rate);
    fastest_ = std::max(fastest_, -rate);
    if (static_cast<int>(responses_.size()) <= place) responses_.resize(place + 1);
    return place;
  }

  void end_patch(int point) {
    ContactSet& set = dynamics_.contacts();
    const int place = set.patch_at(point);
    const Patch patch = state_.pool.patches[place];
    const double rate = set.calc_gap_rate(point, dynamics_.motion());
    set.end_patch(point, state_.pool);
    book_.end_patch(patch, place, rate);
  }

  Dynamics& dynamics_;
  State& state_;
  RunBook& book_;
  const Model& model_;
  const NcpSpec& spec_;
  GivenContacts& given_;
  StepPassages passages_;
  std::vector<std::optional<ImplicitSurface>> surfaces_;  ///< by collider
  std::vector<LayerContact> contacts_;
  std::vector<int> points_;               ///< candidate point of each
  std::vector<PatchResponse> responses_;  ///< by place
  std::map<PatchKey, double> elastic_;    ///< [J]
  FreeMotion free_;
  JointRows joints_{model_};
  StepEnergyWatch energy_;
  std::vector<std::string> start_notes_;
  NcpMechanism mechanism_{dynamics_, state_};
  StepWorks works_;
  long steps_ = 0, iterations_ = 0, contact_evaluations_ = 0, unsolved_ = 0;
  double worst_residual_ = 0.0;
  double fastest_ = 0.0;  ///< at any touch [m/s]
};

}  // namespace

std::unique_ptr<Method> make_ncp_method(Dynamics& dynamics, State& state, RunBook& book, RunClock& clock) {
  return make_step_loop(std::make_unique<NcpRun>(dynamics, state, book), dynamics.model().scene.run, state, book,
                        clock);
}

}  // namespace abut
