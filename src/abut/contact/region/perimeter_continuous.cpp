// Memory carried along the curve.   [docs/theory/perimeter.md, "Continuous memory"]
//
// Each loop has a mean depth, the integral of the mean approach along it; each point what it deviates from that, the
// bristles, and a place. Facets do not matter: a point of the new curve takes over what the nearest place of the old one
// held. Means need no place, so nothing is lost when all triangles change at once, and a wheel that rolls on (one side
// approaches, the other leaves) gains no depth. What a point deviates is tied to the material: it fades as the curve moves
// over both surfaces.

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "abut/contact/region/perimeter_site.hpp"

namespace abut {

namespace {

/// Deviations fade while the curve moves by this part of a loop's length over both surfaces [1]. A ball that rolls keeps a
/// deviation of about kFade L a / R at its front, and so an arm of rolling resistance of 2 pi kFade a / 2.
constexpr double kFade = 1.0 / 100.0;
/// A loop goes on as an old one if that is nearer than this part of its length, and otherwise is a new touch [1].
constexpr double kSamePlace = 0.25;
/// Pairs of old and new points that are compared at most when looking for the nearest [1].
constexpr std::size_t kMostComparisons = 20000;
/// Bodies pressed together from the start overlap by no more than this part of their size; beyond, depth starts at that [1].
constexpr double kDeepestStart = 0.1;
/// Impacts last about one half period of the mass on its spring; after this many the contact is one at rest, and its damping
/// is measured by the speeds of late [1].
constexpr double kHalfPeriodsOfImpact = 3.0;

}  // namespace

/// Depth by which b must be moved along -normal for the surfaces to come apart, at most `most` [m].
double PerimeterSite::calc_clearance(const Vec3& normal, double most) {
  const auto crosses = [&](double distance) {
    const Pose X_AB(X_AB_.R, Vec3(X_AB_.p - distance * normal));
    return !probe_.calc(*a_->surface, *b_->surface, X_AB).empty();
  };
  if (!(most > 0.0) || crosses(most)) return std::max(0.0, most);
  double low = 0.0, high = most;
  for (int i = 0; i < 20 && high - low > 1e-3 * high; ++i) {
    const double middle = 0.5 * (low + high);
    (crosses(middle) ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

/// Hands deviations, bristles and the means of loops on from the nearest old places.
void PerimeterSite::carry_pairs(const PerimeterStep& step, const PerimeterMemory& memory) {
  inflows_.assign(curve_.loops().size(), Inflow{});
  const std::size_t num_old = memory.pairs.size();
  if (num_old == 0) return;
  const std::size_t num_new = static_cast<std::size_t>(std::count(source_.begin(), source_.end(), -1));
  const std::size_t stride = 1 + num_old * num_new / kMostComparisons;
  double spacing = 0.0;  // between the old places that are looked at [m]
  if (stride > 1) {
    for (const PerimeterLoop& loop : memory.loops) spacing += loop.length;
    spacing *= static_cast<double>(stride) / static_cast<double>(num_old);
  }
  for (std::size_t i = 0; i < pairs_.size(); ++i) {
    PerimeterPair& pair = pairs_[i];
    const CurveLoop& loop = curve_.loops()[pair.loop];
    for (int end = 0; end < 2; ++end) {
      const Vec3& place = pair.position[end];
      const PerimeterPair* donor = source_[i] >= 0 ? &memory.pairs[source_[i]] : nullptr;
      int donor_end = end;
      double slack = 0.0;
      if (donor == nullptr) {
        double nearest = std::numeric_limits<double>::infinity();
        for (std::size_t k = 0; k < num_old; k += stride) {
          for (int e = 0; e < 2; ++e) {
            const double square = (memory.pairs[k].position[e] - place).squaredNorm();
            if (square >= nearest) continue;
            nearest = square;
            donor = &memory.pairs[k];
            donor_end = e;
          }
        }
        slack = spacing;
      }
      const Vec3 travel = place - donor->position[donor_end];
      // Over a's surface, which is at rest here, and over b's, which moves against the relative velocity.
      const double over_a = travel.norm(), over_b = (travel + step.step * calc_velocity(place)).norm();
      const double distance = std::min(over_a, over_b);
      if (source_[i] < 0 && distance > kSamePlace * loop.length + slack) continue;
      const double faded = std::max(0.0, distance - slack) / (kFade * loop.length);
      for (int k = 0; k < num_normals_; ++k) {
        pair.side[end][k].depth = donor->side[donor_end][k].depth * std::max(0.0, 1.0 - faded);
        pair.side[end][k].z = donor->side[donor_end][k].z;
      }
      const PerimeterLoop& old = memory.loops[donor->loop];
      Inflow& inflow = inflows_[pair.loop];
      const double weight = point(i, end, 0).length + 1e-12 * loop.length;
      inflow.weight += weight;
      inflow.age += weight * old.age;
      for (int k = 0; k < num_normals_; ++k) {
        inflow.depth[k] += weight * old.depth[k];
        inflow.peak_speed[k] += weight * old.peak_speed[k];
      }
    }
  }
}

/// Mean rates and what the loops start the step with. A loop that comes from nowhere has touched since the last step: it
/// gets the depth that clears it, at most what it has travelled.
void PerimeterSite::carry_loops(const PerimeterStep& step, const PerimeterMemory& memory) {
  const bool is_start = step.time == 0.0;
  const double size = std::min(a_->surface->radius(), b_->surface->radius());
  means_.assign(curve_.loops().size(), Mean{});
  for (std::size_t i = 0; i < pairs_.size(); ++i) {
    Mean& mean = means_[pairs_[i].loop];
    for (int end = 0; end < 2; ++end) {
      mean.length += point(i, end, 0).length;
      for (int k = 0; k < num_normals_; ++k) mean.rate[k] += point(i, end, k).length * point(i, end, k).rate;
    }
  }
  loops_.assign(curve_.loops().size(), PerimeterLoop{});
  for (std::size_t l = 0; l < loops_.size(); ++l) {
    PerimeterLoop& loop = loops_[l];
    Mean& mean = means_[l];
    const Inflow& inflow = inflows_[l];
    loop.length = mean.length;
    if (!(mean.length > 0.0)) continue;
    for (int k = 0; k < num_normals_; ++k) mean.rate[k] /= mean.length;
    if (inflow.weight > 0.0) {
      loop.age = inflow.age / inflow.weight + step.step;
      for (int k = 0; k < num_normals_; ++k) {
        loop.depth[k] = std::max(0.0, inflow.depth[k] / inflow.weight + step.step * mean.rate[k]);
        loop.peak_speed[k] = inflow.peak_speed[k] / inflow.weight;
      }
      continue;
    }
    const double approach = std::max(mean.rate[0], num_normals_ == 2 ? mean.rate[1] : 0.0);
    const double most = is_start ? kDeepestStart * size : step.step * std::max(0.0, approach);
    const double clearance = memory.pairs.empty() ? calc_clearance(curve_.loops()[l].normal, most) : 0.5 * most;
    for (int k = 0; k < num_normals_; ++k) {
      const double share = is_start || !(approach > 0.0) ? 1.0 : std::max(0.0, mean.rate[k] / approach);
      loop.depth[k] = share * clearance;
      loop.peak_speed[k] = std::max(0.0, mean.rate[k]);
    }
  }
}

/// Depths, elastic forces and damping of all points, from the means and what each deviates.
void PerimeterSite::advance_loops(const PerimeterStep& step) {
  const double h = step.step;
  const double stiffness = rule_->normal.stiffness.value();
  for (std::size_t i = 0; i < pairs_.size(); ++i) {
    Mean& mean = means_[pairs_[i].loop];
    for (int end = 0; end < 2; ++end) {
      for (int k = 0; k < num_normals_; ++k) {
        const Point& p = point(i, end, k);
        double& deviation = pairs_[i].side[end][k].depth;
        deviation += h * (p.rate - mean.rate[k]);
        mean.deviation[k] += p.length * deviation;
      }
    }
  }
  for (std::size_t l = 0; l < loops_.size(); ++l) {
    PerimeterLoop& loop = loops_[l];
    if (!(loop.length > 0.0)) continue;
    const double half_period = std::numbers::pi * std::sqrt(step.effective_mass / (stiffness * loop.length));
    const double keep = loop.age > kHalfPeriodsOfImpact * half_period ? std::exp(-h / half_period) : 1.0;
    for (int k = 0; k < num_normals_; ++k) {
      means_[l].deviation[k] /= loop.length;
      loop.peak_speed[k] = std::max(std::abs(means_[l].rate[k]), keep * loop.peak_speed[k]);
    }
  }
  for (std::size_t i = 0; i < pairs_.size(); ++i) {
    const PerimeterLoop& loop = loops_[pairs_[i].loop];
    const Mean& mean = means_[pairs_[i].loop];
    for (int k = 0; k < num_normals_; ++k) {
      const double damping = loop.depth[k] > 0.0 ? calc_damping(loop.peak_speed[k], step.effective_mass) : 0.0;
      for (int end = 0; end < 2; ++end) {
        Point& p = point(i, end, k);
        double& deviation = pairs_[i].side[end][k].depth;
        deviation -= mean.deviation[k];
        p.depth = std::max(0.0, loop.depth[k] + deviation);
        p.elastic = stiffness * p.length * p.depth;
        p.damping = damping;
      }
    }
  }
}

void PerimeterSite::advance_continuous(const PerimeterStep& step, PerimeterMemory& memory) {
  const bool is_touch = memory.pairs.empty();
  carry_pairs(step, memory);
  carry_loops(step, memory);
  advance_loops(step);
  if (!is_touch || step.time > 0.0) return;
  for (const Point& p : points_) memory.stored_at_touch += 0.5 * p.elastic * p.depth;
}

}  // namespace abut
