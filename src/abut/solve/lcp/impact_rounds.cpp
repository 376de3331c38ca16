#include "abut/solve/lcp/impact_rounds.hpp"

#include <algorithm>
#include <cmath>

#include "abut/base/error.hpp"
#include "abut/solve/lcp/friction_contact.hpp"

namespace abut {

namespace {

/// A round's contacts differ in speed by less than this part; a box that falls flat is to rebound flat.
constexpr double kTogether = 1e-3;

/// A gain of energy that is none, over that of the approach.
constexpr double kRounding = 1e-9;

class Rounds {
 public:
  Rounds(const ConstraintSystem& system, std::span<const ImpactContact> contacts,
         const FunctionView<double(int, double)>& restitution, std::vector<double>& v)
      : system_(system), contacts_(contacts), restitution_(restitution), v_(v) {
    const std::span<const RowGroup> groups = system.groups();
    VecX work = VecX::Zero(system.num_velocities());
    std::size_t g = 0;
    for (const ImpactContact& contact : contacts) {
      while (g < groups.size() && groups[g].row < contact.row) ++g;
      ABUT_REQUIRE(g < groups.size() && groups[g].row == contact.row && groups[g].num_rows == 3,
                   "row {} does not begin a group of three rows (contacts must be in order of rows)", contact.row);
      groups_.push_back(&groups[g]);
      matrices_.emplace_back(system.calc_group_matrix(groups[g], work));
      before_.push_back(std::max(0.0, calc_approach(groups_.size() - 1)));
      waits_.push_back(contact.arrival > 0.0);
    }
    result_.contacts.resize(contacts.size());
  }

  ImpactRounds run() {
    // Elastic rows of n balls need at most n (n - 1) / 2 rounds; with losses rounds die away below what is slow.
    const int most = 100 + 20 * static_cast<int>(contacts_.size());
    for (result_.rounds = 0; choose(); ++result_.rounds) {
      if (result_.rounds == most) {
        result_.is_finished = false;
        break;
      }
      take_round();
    }
    return std::move(result_);
  }

 private:
  Vec3 calc_velocity(std::size_t c) const {
    Vec3 u;
    system_.calc_group_velocity(*groups_[c], v_.data(), u.data());
    for (int k = 0; k < 3; ++k) u[k] += system_.offset[groups_[c]->row + k];
    return u;
  }
  double calc_approach(std::size_t c) const { return -calc_velocity(c)[0]; }

  /// The contacts of the next round; false where nothing is left to do.
  bool choose() {
    chosen_.clear();
    double fastest = 0.0;
    std::vector<double> approach(contacts_.size(), 0.0);
    for (std::size_t c = 0; c < contacts_.size(); ++c) {
      if (!(matrices_[c](0, 0) > 0.0)) continue;
      const double speed = calc_approach(c), least = waits_[c] ? 0.0 : before_[c] + contacts_[c].slow;
      if (!(speed > least)) continue;
      approach[c] = speed;
      fastest = std::max(fastest, speed);
    }
    for (std::size_t c = 0; c < contacts_.size(); ++c) {
      if (approach[c] > 0.0 && approach[c] >= (1.0 - kTogether) * fastest) chosen_.push_back(c);
    }
    return !chosen_.empty();
  }

  void take_round() {
    std::vector<Vec3> start;
    std::vector<double> from;  // speeds that rebounds count from
    for (const std::size_t c : chosen_) {
      start.push_back(calc_velocity(c));
      // What arrived counts with the speed of its arrival, less what the step added since; a blow that has reached the
      // contact in an earlier round counts in full.
      const double approach = -start.back()[0];
      const bool is_blow = approach > before_[c] + contacts_[c].slow;
      from.push_back(waits_[c] && !is_blow ? std::min(contacts_[c].arrival, approach) : approach);
    }
    const std::vector<double> v_start = v_;
    Trial best = attempt(v_start, start, from, 1.0, true);
    if (best.gained > kRounding * best.size) best = take_less(v_start, start, from);
    v_ = best.v;
    book(best, from);
  }

  /// A round in which all rebound with the same part of their restitution.
  struct Trial {
    std::vector<double> v, target;
    std::vector<Vec3> x, mean;        ///< impulses, and velocities amid the round
    double gained = 0.0, size = 0.0;  ///< energy, and the scale of its rounding
  };
  Trial attempt(const std::vector<double>& v_start, const std::vector<Vec3>& start, const std::vector<double>& from,
                double part, bool has_friction) {
    Trial trial;
    v_ = v_start;
    for (std::size_t i = 0; i < chosen_.size(); ++i) trial.target.push_back(part * from[i] * calc_part(i, from[i]));
    trial.x = solve(trial.target, has_friction);
    for (std::size_t i = 0; i < chosen_.size(); ++i) {
      trial.mean.push_back(0.5 * (start[i] + calc_velocity(chosen_[i])));
      trial.gained += trial.x[i].dot(trial.mean[i]);
      trial.size += trial.x[i][0] * -start[i][0];
    }
    trial.v = v_;
    return trial;
  }
  double calc_part(std::size_t i, double speed) const { return restitution_(static_cast<int>(chosen_[i]), speed); }

  /// Newton's restitution gains where contacts act together through each other, or where friction turns what the normal
  /// impulse does. Then all rebound with the largest part of it that gives back no more than e^2 of what their normals
  /// take where nothing rebounds, which is Stronge's restitution in sum; or with none, and without friction, which is a
  /// projection and always loses.
  Trial take_less(const std::vector<double>& v_start, const std::vector<Vec3>& start, const std::vector<double>& from) {
    constexpr int kHalvings = 30;
    Trial best = attempt(v_start, start, from, 0.0, true);
    if (best.gained > kRounding * best.size) return attempt(v_start, start, from, 0.0, false);
    double lost = 0.0;
    for (std::size_t i = 0; i < chosen_.size(); ++i) {
      const double e = calc_part(i, from[i]);
      lost += (1.0 - e * e) * std::max(0.0, -best.x[i][0] * best.mean[i][0]);
    }
    double least = 0.0, most = 1.0;
    for (int k = 0; k < kHalvings; ++k) {
      const double part = 0.5 * (least + most);
      Trial trial = attempt(v_start, start, from, part, true);
      const bool is_too_much = trial.gained > -lost + kRounding * trial.size;
      (is_too_much ? most : least) = part;
      if (!is_too_much) best = std::move(trial);
    }
    return best;
  }

  /// Impulses after which each contact leaves with its target, or faster; v_ follows.
  std::vector<Vec3> solve(const std::vector<double>& target, bool has_friction) {
    std::vector<Vec3> x(chosen_.size(), Vec3::Zero());
    constexpr int kMostSweeps = 1000;
    for (int sweep = 0; sweep < kMostSweeps; ++sweep) {
      double change = 0.0, largest = 0.0;
      for (std::size_t i = 0; i < chosen_.size(); ++i) {
        const std::size_t c = chosen_[i];
        Vec3 b = calc_velocity(c) - matrices_[c] * x[i];
        b[0] -= target[i];
        FrictionContact law;
        law.mu = has_friction ? contacts_[c].mu : 0.0;
        const Vec3 now = solve_single_contact(law, matrices_[c], b);
        if (!now.allFinite()) continue;
        const Vec3 step = now - x[i];
        system_.add_group_response(*groups_[c], step.data(), v_.data());
        x[i] = now;
        change = std::max(change, step.norm());
        largest = std::max(largest, now.norm());
      }
      if (chosen_.size() == 1 || change <= 1e-13 * largest) break;
    }
    return x;
  }

  void book(const Trial& round, const std::vector<double>& from) {
    for (std::size_t i = 0; i < chosen_.size(); ++i) {
      ImpactOutcomeOfContact& out = result_.contacts[chosen_[i]];
      const Vec3 &x = round.x[i], &mean = round.mean[i];
      double damping = 0.5 * x[0] * (from[i] - round.target[i]);
      double stepping = -x[0] * mean[0] - damping;
      double friction = -x.tail<2>().dot(mean.tail<2>());
      if (friction < 0.0) {
        // Slip that another contact of the round turned back: mean speeds tell the losses of all, not whose they are.
        // Friction gives nothing; the rest is the damper's as far as it goes.
        const double given = std::clamp(-friction, 0.0, std::max(0.0, damping));
        damping -= given;
        stepping += friction + given;
        friction = 0.0;
      }
      out.impulse += x;
      out.damping += damping;
      out.stepping += stepping;
      out.friction += friction;
      waits_[chosen_[i]] = 0;
      before_[chosen_[i]] = 0.0;  // it leaves now: what comes back is a new blow
    }
  }

  const ConstraintSystem& system_;
  std::span<const ImpactContact> contacts_;
  const FunctionView<double(int, double)>& restitution_;
  std::vector<double>& v_;
  std::vector<const RowGroup*> groups_;
  std::vector<Mat3> matrices_;
  std::vector<double> before_;  ///< speeds of approach before all impacts, not below zero; 0 once struck [m/s]
  std::vector<char> waits_;     ///< for the impact of its arrival
  std::vector<std::size_t> chosen_;
  ImpactRounds result_;
};

}  // namespace

ImpactRounds resolve_impacts(const ConstraintSystem& system, std::span<const ImpactContact> contacts,
                             const FunctionView<double(int, double)>& restitution, std::vector<double>& v) {
  return Rounds(system, contacts, restitution, v).run();
}

}  // namespace abut
