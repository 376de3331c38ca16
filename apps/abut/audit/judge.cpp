// What is wrong, in sentences. The limits stand in docs/audit.md.

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "audit/audit.hpp"
#include "text.hpp"

namespace abut {

namespace {

constexpr double kEnergy = 1e-3;       ///< of the turnover
constexpr double kRestitution = 0.03;  ///< apart from what the law gives
constexpr double kStays = 0.1;         ///< a restitution that one would see
constexpr double kDepth = 0.2;         ///< relative
constexpr double kForce = 0.05;        ///< relative
constexpr double kFriction = 0.05;     ///< relative
constexpr double kCreep = 1e-6;        ///< beyond twice what bristles yield [m]
constexpr long kFewForces = 5;

class Judge {
 public:
  explicit Judge(Audit& audit) : audit_(audit) {}

  void run() {
    const double least = std::max(kEnergy * audit_.turnover, 2.0 * audit_.energy_error);
    judge_made("bodies that nothing touches", audit_.made_in_flight, least);
    judge_made("bodies that are pushed while nothing touches them", audit_.made_apart, least);
    const double duration = audit_.end - audit_.start;
    if (audit_.time_apart > 0.01 * duration)
      find(
          "bodies are pushed for {} ({:.4g} N in the mean) though no shapes of the scene overlap: contact that keeps a "
          "gap "
          "or has no depth, which its laws do not see",
          format_duration(audit_.time_apart), audit_.impulse_apart / audit_.time_apart);
    judge_made("several contacts on one body at a time", audit_.made_together, least);
    for (const PairAudit& pair : audit_.pairs) {
      const std::string name = pair.body_a + "-" + pair.body_b;
      judge_made(name, pair.energy_made, least);
      if (!pair.is_comparable) continue;
      judge_impacts(name, pair);
      judge_rest(name, pair);
      judge_force(name + ": forces of the file", pair.given);
      if (pair.given.count == 0) judge_force(name + ": forces, from the motion", pair.inferred);
      judge_motion(name, pair.given_against_motion);
      judge_friction(name, pair);
    }
  }

 private:
  template <class... Args>
  void find(fmt::format_string<Args...> format, Args&&... args) {
    audit_.findings.push_back(fmt::format(format, std::forward<Args>(args)...));
  }

  void judge_made(const std::string& who, double made, double least) {
    if (made > least)
      find("{} make{} {:.4g} J, {:.2g} % of the turnover", who, who.find(' ') == std::string::npos ? "s" : "", made,
           100.0 * made / audit_.turnover);
  }

  void judge_impacts(const std::string& name, const PairAudit& pair) {
    long count = 0;
    const ImpactAudit* worst = nullptr;
    const auto law = [](const ImpactAudit& impact) { return impact.has_law ? impact.law_restitution : impact.asked; };
    const auto apart = [&](const ImpactAudit& impact) {
      const double off = std::abs(impact.restitution - law(impact));
      return std::isfinite(off) && impact.is_one_blow ? off : 0.0;
    };
    for (const ImpactAudit& impact : pair.impacts) {
      // Slow blows of bodies that come to rest part or not by little.
      if (!(apart(impact) > kRestitution) || impact.speed * apart(impact) < 2.0 * audit_error_speed()) continue;
      ++count;
      if (worst == nullptr || apart(impact) * impact.speed > apart(*worst) * worst->speed) worst = &impact;
    }
    if (worst != nullptr)
      find(
          "{}: parts at {:.4g} s with {:.3f} of its speed, the law with {:.3f} ({} of {} blows are off by more than "
          "{})",
          name, worst->time, worst->restitution, law(*worst), count, pair.impacts.size(), kRestitution);
    for (const ImpactAudit& impact : pair.impacts) {
      const bool law_parts = impact.has_law && impact.law_restitution > kStays;
      if (std::isfinite(impact.restitution) || !law_parts || impact.speed < 0.5 * fastest(pair)) continue;
      find("{}: stays together after the blow at {:.4g} s ({:.3g} m/s), under the law it parts with {:.3f} of that",
           name, impact.time, impact.speed, impact.law_restitution);
      break;
    }
    const ImpactAudit* deepest = nullptr;
    for (const ImpactAudit& impact : pair.impacts) {
      if (impact.is_resolved && impact.has_law && impact.law_depth > 0.0 &&
          (deepest == nullptr || impact.depth > deepest->depth))
        deepest = &impact;
    }
    if (deepest != nullptr && std::abs(deepest->depth / deepest->law_depth - 1.0) > kDepth)
      find("{}: the blow at {:.4g} s goes {} deep, under the law {}", name, deepest->time,
           format_length(deepest->depth), format_length(deepest->law_depth));
  }

  static double fastest(const PairAudit& pair) {
    double speed = 0.0;
    for (const ImpactAudit& impact : pair.impacts) speed = std::max(speed, impact.speed);
    return speed;
  }

  void judge_rest(const std::string& name, const PairAudit& pair) {
    if (!pair.rest || !pair.rest->law_depth) return;
    const double ratio = pair.rest->depth / *pair.rest->law_depth;
    if (std::abs(ratio - 1.0) > kDepth)
      find("{}: rests {} deep, under the law {} carry {:.4g} N", name, format_length(pair.rest->depth),
           format_length(*pair.rest->law_depth), pair.rest->load);
  }

  void judge_force(const std::string& name, const ForceAudit& force) {
    if (force.count < kFewForces || std::abs(force.ratio() - 1.0) <= kForce) return;
    find("{} are {:.4g} times those of the law along the same motion", name, force.ratio());
  }

  void judge_motion(const std::string& name, const ForceAudit& force) {
    if (force.count < kFewForces || std::abs(force.ratio() - 1.0) <= kForce) return;
    find("{}: forces of the file are {:.4g} times those that move the bodies", name, force.ratio());
  }

  void judge_friction(const std::string& name, const PairAudit& pair) {
    const double allowed = 2.0 * pair.creep.allowed + std::max(kCreep, 2.0 * audit_.speed_error * pair.creep.time);
    if (pair.creep.time > 0.0 && pair.creep.distance > allowed)
      find("{}: creeps {} in {} ({:.3g} m/s) where friction is not used up", name, format_length(pair.creep.distance),
           format_duration(pair.creep.time), pair.creep.distance / pair.creep.time);
    const bool slides_long = pair.time_sliding > 4.0 * audit_.interval;
    if (slides_long && pair.friction > (1.0 + kFriction) * std::max(pair.law_friction, pair.law_static_friction))
      find("{}: tangential force is {:.4g} of the normal force, the scene allows {:.4g}", name, pair.friction,
           std::max(pair.law_friction, pair.law_static_friction));
  }

  double audit_error_speed() const { return audit_.speed_error; }

  Audit& audit_;
};

}  // namespace

void judge(Audit& audit) {
  audit.findings.clear();
  Judge(audit).run();
}

}  // namespace abut
