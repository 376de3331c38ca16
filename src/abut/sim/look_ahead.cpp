#include "abut/sim/look_ahead.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include "abut/math/bracketed_root.hpp"
#include "abut/sim/error_scales.hpp"
#include "abut/solve/ode/adaptive_stepper.hpp"

namespace abut {

namespace {

constexpr int kMostLinks = 200;      ///< larger scenes are piles, whose first touches tell little
constexpr int kMostSteps = 2000;     ///< a look ahead takes a fraction of a second
constexpr long kMostWork = 200'000;  ///< steps times links
constexpr double kLooks = 100.0;     ///< at least so many over the run
constexpr double kTolerance = 1e-3;  ///< of error_scales: a hundredth of a millimetre in flight
constexpr double kTouching = 1e-12;  ///< [m] gaps of this size are rounding
constexpr int kBisections = 40;

/// The dynamics with some links kept where they are.
class HeldDynamics final : public OdeSystem {
 public:
  HeldDynamics(Dynamics& dynamics, const std::vector<char>& held) : dynamics_(dynamics), held_(held) {}
  int size() const override { return dynamics_.size(); }
  bool calc_rates(double t, const double* y, double* ydot, double*) override {
    if (!dynamics_.calc_rates(t, y, ydot, nullptr)) return false;
    const Tree& tree = dynamics_.model().tree;
    for (int i = 0; i < tree.num_links(); ++i) {
      if (held_[i] == 0) continue;
      const Link& link = tree.link(i);
      std::fill_n(ydot + link.q_start, link.num_q, 0.0);
      std::fill_n(ydot + dynamics_.num_q() + link.v_start, link.num_v, 0.0);
    }
    return true;
  }
  void project(double t, double* y) override { dynamics_.project(t, y); }

 private:
  Dynamics& dynamics_;
  const std::vector<char>& held_;
};

/// What has to be crossed to be beyond a body [m]; of a hollow one its wall.
double calc_extent(const Collider& collider) {
  if (const auto* bowl = std::get_if<Bowl>(&collider.shape)) return bowl->thickness;
  if (const auto* torus = std::get_if<Torus>(&collider.shape)) return 2.0 * torus->tube_radius;
  return collider.bounding_radius;
}

/// Time in which no body can go right through another, by their speeds and gravity; from shapes without a far side
/// there is no way out [s].
double calc_safe_interval(Dynamics& dynamics) {
  const Model& model = dynamics.model();
  const ContactSet& contacts = dynamics.contacts();
  const Kinematics& now = dynamics.kinematics();
  const double gravity = model.scene.gravity.norm();
  double least = std::numeric_limits<double>::infinity();
  for (int point = 0; point < contacts.num_points(); ++point) {
    if (contacts.patch_at(point) >= 0) continue;
    const Candidate& candidate = contacts.candidate_of_point(point);
    const Collider& a = model.colliders[candidate.collider_a];
    const Collider& b = model.colliders[candidate.collider_b];
    const auto has_far_side = [](const Collider& c) {
      return !std::holds_alternative<HalfSpace>(c.shape) && !std::holds_alternative<Bore>(c.shape) &&
             !std::holds_alternative<Cavity>(c.shape);
    };
    if (!has_far_side(a) || !has_far_side(b)) continue;
    const double size = std::min(calc_extent(a), calc_extent(b));
    double speed = (now.v_WCm[a.link] - now.v_WCm[b.link]).norm();
    for (const Collider* c : {&a, &b}) {
      if (std::isfinite(c->bounding_radius)) speed += now.w_WB[c->link].norm() * c->bounding_radius;
    }
    const double reach = std::max(0.0, contacts.point_geometry(point).gap) + size;
    // Bodies approach at most at speed + 2 g t: solve speed t + g t^2 = reach.
    const double time = 2.0 * reach / (speed + std::sqrt(speed * speed + 4.0 * gravity * reach) + 1e-300);
    least = std::min(least, time);
  }
  return least;
}

}  // namespace

void LookAhead::look(double t, const double* y) {
  dynamics_.calc_motion(t, y);
  dynamics_.contacts().refresh_candidates(dynamics_.motion(), state_.pool);
  dynamics_.contacts().calc_geometry(dynamics_.motion(), state_.pool);
}

std::vector<LookAhead::Met> LookAhead::find_met(const std::set<Pair>& wanted) const {
  std::vector<Met> met;
  const ContactSet& contacts = dynamics_.contacts();
  for (int c = 0; c < contacts.candidates().size(); ++c) {
    const Candidate& candidate = contacts.candidates()[c];
    const Pair pair(candidate.collider_a, candidate.collider_b);
    if (!wanted.contains(pair)) continue;
    int best = candidate.first_point;
    for (int k = 1; k < candidate.pair.num_points; ++k) {
      if (contacts.point_geometry(candidate.first_point + k).gap < contacts.point_geometry(best).gap)
        best = candidate.first_point + k;
    }
    if (contacts.point_geometry(best).gap <= kTouching) met.push_back({pair, best});
  }
  return met;
}

bool LookAhead::is_held(int link) const { return held_[link] != 0; }

/// With a body stay all that hang together with it; what is moved by prescription moves on.
void LookAhead::hold(const Pair& pair) {
  const Tree& tree = dynamics_.model().tree;
  for (const int collider : {pair.first, pair.second}) {
    const int own = dynamics_.model().colliders[collider].link;
    for (int i = 0; i < tree.num_links(); ++i) {
      const bool hangs_together = i == own || (tree.link(i).group >= 0 && tree.link(i).group == tree.link(own).group);
      if (!hangs_together || tree.is_immovable(i) || tree.link(i).prescribed) continue;
      held_[i] = 1;
      const Link& link = tree.link(i);
      std::fill_n(state_.y.begin() + dynamics_.num_q() + link.v_start, link.num_v, 0.0);
    }
  }
}

void LookAhead::run(std::set<Pair> wanted, const FunctionView<void(int point, double time)>& meet) {
  const Model& model = dynamics_.model();
  const double duration = model.scene.run.duration;
  held_.assign(model.tree.num_links(), 0);
  if (model.tree.num_links() > kMostLinks) return;
  look(state_.time, state_.y.data());
  for (const Met& met : find_met(wanted)) {
    met_.insert(met.pair);
    wanted.erase(met.pair);
    hold(met.pair);
  }
  HeldDynamics system(dynamics_, held_);
  const std::unique_ptr<AdaptiveStepper> stepper = make_adaptive_stepper(AdaptiveMethod::automatic, system);
  const auto restart = [&] {
    stepper->restart(state_.time, state_.y.data(), nullptr, make_error_weights(dynamics_, state_, {}, kTolerance));
  };
  restart();
  std::vector<double> y(state_.y.size());
  const int most = static_cast<int>(std::min<long>(kMostSteps, kMostWork / std::max(1, model.tree.num_links())));
  for (int n = 0; n < most && state_.time < duration && !wanted.empty(); ++n) {
    // Corners of tables would cost many small steps; the next look begins there.
    const auto corner = std::upper_bound(model.breakpoints.begin(), model.breakpoints.end(), state_.time);
    double limit = std::min({duration, state_.time + duration / kLooks, state_.time + calc_safe_interval(dynamics_)});
    if (corner != model.breakpoints.end()) limit = std::min(limit, *corner);
    limit = std::max(limit, std::nextafter(state_.time, HUGE_VAL));
    if (!stepper->step(limit).is_accepted()) return;
    const double before = stepper->step_start();
    double after = stepper->time();
    std::copy_n(stepper->state(), y.size(), y.begin());
    look(after, y.data());
    std::vector<Met> met = find_met(wanted);
    if (!met.empty()) {
      const auto is_apart = [&](double time) {
        stepper->interpolate(time, y.data(), nullptr);
        dynamics_.project(time, y.data());
        look(time, y.data());
        return find_met(wanted).empty();
      };
      after = bisect({before, after}, kBisections, 1e-15 * duration, is_apart).high;
      stepper->interpolate(after, y.data(), nullptr);
      dynamics_.project(after, y.data());
      look(after, y.data());
      met = find_met(wanted);
    }
    state_.time = after;
    state_.y = y;
    for (const Met& one : met) {
      meet(one.point, after);
      met_.insert(one.pair);
      wanted.erase(one.pair);
    }
    const bool is_corner = corner != model.breakpoints.end() && after == *corner;
    if (met.empty() && !is_corner) continue;
    for (const Met& one : met) hold(one.pair);
    look(after, state_.y.data());
    restart();
  }
  has_ended_ = state_.time >= duration;
}

LookedAhead LookAhead::outcome(const Pair& pair) const {
  if (met_.contains(pair)) return LookedAhead::touches;
  if (!has_ended_ || held_.empty()) return LookedAhead::unknown;
  const std::vector<Collider>& colliders = dynamics_.model().colliders;
  const bool is_free = !is_held(colliders[pair.first].link) && !is_held(colliders[pair.second].link);
  return is_free ? LookedAhead::apart : LookedAhead::unknown;
}

}  // namespace abut
