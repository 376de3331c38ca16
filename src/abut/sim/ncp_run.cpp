#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "abut/sim/compile_parts.hpp"
#include "abut/sim/layer_step.hpp"
#include "abut/sim/lcp_stepper.hpp"
#include "abut/sim/runs.hpp"

namespace abut {

namespace {

/// The function of a shape that has one, for the method's own geometry.
std::optional<ImplicitSurface> find_implicit_surface(const Shape& shape) {
  if (const auto* sphere = std::get_if<Sphere>(&shape)) return ImplicitSurface(*sphere);
  if (const auto* ellipsoid = std::get_if<Ellipsoid>(&shape)) return ImplicitSurface(*ellipsoid);
  if (const auto* plane = std::get_if<HalfSpace>(&shape)) return ImplicitSurface(*plane);
  return std::nullopt;
}

class NcpRun {
 public:
  NcpRun(Dynamics& dynamics, State& state, RunBook& book, RunClock& clock)
      : dynamics_(dynamics),
        state_(state),
        book_(book),
        clock_(clock),
        model_(dynamics.model()),
        run_(model_.scene.run),
        spec_(model_.scene.ncp),
        step_(run_.step.value()),
        given_(dynamics.give_contacts()) {
    for (const Collider& collider : model_.colliders) surfaces_.push_back(find_implicit_surface(collider.shape));
    layer_.stiffness = spec_.stiffness.asDiagonal();
    layer_.damping = spec_.damping.value_or(Vec3::Zero()).asDiagonal();
    layer_.max_deflection = spec_.max_deflection;
  }

  RunEnd run() {
    const long num_steps = std::max(1L, std::lround(std::ceil(run_.duration / step_ * (1.0 - 1e-12))));
    state_.works.resize(dynamics_.num_quadratures(), 0.0);
    RunEnd end;
    for (long n = 0; n < num_steps; ++n) {
      prepare();
      if (book_.is_sample_due(state_.time * (1.0 + 1e-12))) {
        book_.sample(state_.time, state_.y.data(), state_.works.data());
        if (book_.has_diverged()) {
          end.status = RunStatus::failed;
          end.message = fmt::format("stopped at {:.6g} s: the motion has gained {:.3g} J from nowhere.", state_.time,
                                    book_.energy_gained());
          end.advice = "Try a shorter step.";
          return finish(end);
        }
      }
      if (clock_.is_stop_wanted()) {
        end.status = RunStatus::interrupted;
        break;
      }
      if (run_.max_steps && n >= *run_.max_steps) {
        end.status = RunStatus::failed;
        end.message =
            fmt::format("stopped at {:.6g} s: max_steps = {} steps were taken.", state_.time, *run_.max_steps);
        end.advice = "Raise run.max_steps, or leave it out.";
        break;
      }
      if (!take_step(n + 1 == num_steps ? run_.duration : static_cast<double>(n + 1) * step_, end)) break;
      clock_.tick(state_.time);
    }
    prepare();
    book_.sample(state_.time, state_.y.data(), state_.works.data());
    return finish(end);
  }

 private:
  void prepare() {
    dynamics_.calc_motion(state_.time, state_.y.data());
    ContactSet& contacts = dynamics_.contacts();
    const BodyMotion motion = dynamics_.motion();
    if (contacts.needs_refresh(motion)) contacts.refresh_candidates(motion, state_.pool);
    contacts.calc_geometry(motion, state_.pool);
    std::vector<PatchResponse> responses;
    for (const int place : state_.pool.active) responses.push_back(responses_[place]);
    given_.responses = std::move(responses);
    book_.observe(state_.time, given_.responses);
  }

  std::vector<LayerBody> gather_bodies() {
    const Kinematics& now = dynamics_.kinematics();
    const Tree& tree = model_.tree;
    rates_.resize(dynamics_.size());
    powers_.resize(dynamics_.num_quadratures());
    dynamics_.calc_rates(state_.time, state_.y.data(), rates_.data(), powers_.data());
    std::vector<LayerBody> bodies(tree.num_links());
    for (int i = 0; i < tree.num_links(); ++i) {
      LayerBody& body = bodies[i];
      body.R = now.X_WB[i].R;
      body.p = now.p_WCm[i];
      body.v = now.v_WCm[i];
      body.w = now.w_WB[i];
      const int leaf = tree.free_leaf_index(i);
      body.is_fixed = leaf < 0;
      if (leaf < 0) continue;
      const FreeLeaf& data = tree.free_leaf_data()[leaf];
      body.mass = data.mass;
      body.inertia_B = data.inertia;
      const double* vdot = rates_.data() + dynamics_.num_q() + data.v_start;
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
      const double reach =
          4.0 * h * ((bodies[a.link].v - bodies[b.link].v).norm() + bodies[a.link].w.norm() * a.bounding_radius) +
          spec_.max_deflection;
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
      contact.layer = layer_;
      if (spec_.soft == NcpSpec::Soft::both) contact.other = layer_;
      contact.mu = calc_friction_coefficients(set.rule(candidate.rule).friction).kinetic;
      contact.ellipsoid = spec_.ellipsoid;
      contact.is_tangent_acting = spec_.tangent == NcpSpec::Tangent::acting;
      if (memory != state_.layers.end()) contact.memory = memory->second;
      contacts_.push_back(contact);
      points_.push_back(point);
    }
  }

  /// Of the surface, from the link's centre of mass.
  Pose calc_surface_pose(const Collider& collider) const {
    return {collider.X_LS.R, Vec3(collider.X_LS.p - model_.tree.link(collider.link).mass.center_of_mass)};
  }

  bool take_step(double t_next, RunEnd& end) {
    const double h = t_next - state_.time;
    const std::vector<LayerBody> bodies = gather_bodies();
    gather_contacts(bodies, h);
    NcpOptions options;
    options.tolerance = spec_.tolerance;
    const LayerStepResult result = take_layer_step(bodies, contacts_, h, model_.scene.gravity.norm(), options);
    ++steps_;
    iterations_ += result.ncp.iterations;
    contact_evaluations_ += static_cast<long>(contacts_.size());
    worst_residual_ = std::max(worst_residual_, result.ncp.residual);
    if (!result.ncp.is_solved()) {
      ++unsolved_;
      // Far from a solution the step means nothing; a stall near rounding does not matter.
      if (!(result.ncp.residual <= 1e-3)) {
        end.status = RunStatus::failed;
        end.message =
            fmt::format("stopped at {:.6g} s: the step was not solved ({}).", state_.time, result.ncp.message);
        end.advice = "Try a shorter step, or a softer layer.";
        return false;
      }
    }
    for (int k = 0; k < kNumGlobalWorks; ++k) state_.works[k] += h * powers_[k];
    write_motion(bodies, result.bodies, h);
    state_.time = t_next;
    keep_contacts(result);
    return true;
  }

  void write_motion(const std::vector<LayerBody>& before, const std::vector<LayerBody>& after, double h) {
    const Tree& tree = model_.tree;
    const std::span<double> q = std::span(state_.y).first(dynamics_.num_q());
    double& loss = state_.works[static_cast<int>(GlobalWork::time_stepping)];
    for (const FreeLeaf& leaf : tree.free_leaf_data()) {
      const LayerBody& body = after[leaf.link];
      set_free_pose(tree, leaf.link, Pose(body.R, Vec3(body.p - body.R * leaf.p_BCm)), q);
      double* v = state_.y.data() + dynamics_.num_q() + leaf.v_start;
      Eigen::Map<Vec3>{v} = body.v;
      Eigen::Map<Vec3>{v + 3} = body.w;
      loss += 0.5 * h * leaf.mass * model_.scene.gravity.dot(body.v - before[leaf.link].v);
    }
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
        state_.ended.damping += stored_before - out.elastic;
        continue;
      }
      double* works = state_.works.data() + kNumGlobalWorks + kNumPatchWorks * place;
      PatchWork total = PatchWork::read(works);
      total.friction += out.friction_work;
      total.damping += -out.work - out.friction_work - (out.elastic - stored_before);
      total.write(works);
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

  int begin_patch(int point) {
    const auto mass = [this](int a, int b, const Vec3& p, const Vec3& n) {
      return dynamics_.calc_effective_mass(a, b, p, n);
    };
    ContactSet& set = dynamics_.contacts();
    const double rate = set.calc_gap_rate(point, dynamics_.motion());
    const int place = set.begin_patch(point, dynamics_.motion(), state_.time, true, mass, state_.pool);
    book_.begin_patch(place, rate);
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

  RunEnd finish(RunEnd end) const {
    end.work.accepted = steps_;
    end.work.rate_evaluations = steps_;
    end.work.jacobians = iterations_;
    end.work.contact_evaluations = contact_evaluations_;
    if (unsolved_ > 0) {
      end.notes.push_back(fmt::format("{} of {} steps missed ncp.tolerance; worst residual {:.2g} of the terms",
                                      unsolved_, steps_, worst_residual_));
    }
    return end;
  }

  Dynamics& dynamics_;
  State& state_;
  RunBook& book_;
  RunClock& clock_;
  const Model& model_;
  const RunSpec& run_;
  const NcpSpec& spec_;
  double step_;
  GivenContacts& given_;
  Layer layer_;
  std::vector<std::optional<ImplicitSurface>> surfaces_;  ///< by collider
  std::vector<LayerContact> contacts_;
  std::vector<int> points_;               ///< candidate point of each
  std::vector<PatchResponse> responses_;  ///< by place
  std::map<PatchKey, double> elastic_;    ///< [J]
  std::vector<double> rates_, powers_;
  long steps_ = 0, iterations_ = 0, contact_evaluations_ = 0, unsolved_ = 0;
  double worst_residual_ = 0.0;
};

}  // namespace

void check_ncp(const SceneSpec& scene, const Model& model) {
  if (!scene.joint.empty()) {
    fail_at(scene.joint[0].where,
            "method 'ncp' steps free and fixed bodies only; this scene has joints. Use method lcp.\nNothing was run.");
  }
  for (const Collider& collider : model.colliders) {
    if (find_implicit_surface(collider.shape)) continue;
    const BodySpec& body = scene.body[model.body_of_link[collider.link]];
    fail_at(body.where,
            fmt::format("method 'ncp' needs smooth convex shapes (sphere, ellipsoid, half-space); body '{}' "
                        "has a {}.\nNothing was run.",
                        body.name, shape_name(collider.shape)));
  }
}

RunEnd run_ncp(Dynamics& dynamics, State& state, RunBook& book, RunClock& clock) {
  return NcpRun(dynamics, state, book, clock).run();
}

}  // namespace abut
