// Memory carried along the curve.   [docs/theory/perimeter.md, "Continuous memory"]
//
// Each loop has a mean depth, the integral of the mean approach along it; each point what it deviates from that, the
// bristles, and a place. Facets do not matter: a point of the new curve takes over what the nearest place of the old
// one held. Means need no place, so nothing is lost when all triangles change at once, and a wheel that rolls on (one
// side approaches, the other leaves) gains no depth. What a point deviates is tied to the material: it fades as the
// curve moves over both surfaces.

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "abut/contact/region/perimeter_site.hpp"

namespace abut {

namespace {

/// Deviations fade while the curve moves by this part of a loop's length over both surfaces [1]. A ball that rolls
/// keeps a deviation of about kFade L a / R at its front, and so an arm of rolling resistance of 2 pi kFade a / 2.
constexpr double kFade = 1.0 / 100.0;
/// A loop goes on as an old one if that is nearer than this part of its length, and otherwise is a new touch [1].
constexpr double kSamePlace = 0.25;
/// Pairs of old and new points that are compared at most when looking for the nearest [1].
constexpr std::size_t kMostComparisons = 20000;
/// Bodies pressed together from the start overlap by no more than this part of their size; beyond, depth starts at that
/// [1].
constexpr double kDeepestStart = 0.1;
/// Where the probes are, in standard deviations of the loop's line [1]: inside of any convex patch.
constexpr double kProbe = 0.8;
/// Patches whose depth bulges by this part of it have none that could be read off; half of it, half [1]. A ball's is
/// 0.32.
constexpr double kFlatBulge = 0.1;
/// A closed loop that is narrower than this part of the depth that its centre tells encloses no patch but a sliver of a
/// wall, between two rims that all but coincide: the line meets the far sides of the bodies [1].
constexpr double kSliver = 0.1;
/// Impacts last about one half period of the mass on its spring; after this many the contact is one at rest, and its
/// damping is measured by the speeds of late [1].
constexpr double kHalfPeriodsOfImpact = 3.0;

/// 1 during an impact, fading to 0 within about a further half period.
double calc_impact_part(double age, double half_period) {
  return age < kHalfPeriodsOfImpact * half_period ? 1.0 : std::exp(kHalfPeriodsOfImpact - age / half_period);
}

/// How far a segment goes on beyond its two Gauss points, in parts of their distance: (sqrt(3) - 1) / 2 [1].
constexpr double kBeyond = 0.36602540378443864676;

/// A place on the old curve: on the segment of a pair, this part of the way from the first of its points to the second.
struct OldPlace {
  const PerimeterPlace *start = nullptr, *end = nullptr;
  double part = 0.0;  ///< no farther than the points themselves: what is carried on and on must not be extrapolated
  Vec3 position = Vec3::Zero();

  Vec3 calc_bristle(int k) const { return start->side[k].z + part * (end->side[k].z - start->side[k].z); }
  double calc_deviation(int k) const {
    return start->side[k].depth + part * (end->side[k].depth - start->side[k].depth);
  }
};

[[gnu::always_inline]] inline OldPlace find_place(const PerimeterMemory& memory, const PerimeterPair& pair,
                                                  const Vec3& position) {
  const PerimeterPlace &start = memory.places[pair.place[0]], &end = memory.places[pair.place[1]];
  const Vec3 way = end.position - start.position;
  const double square = way.squaredNorm();
  const double part =
      square > 0.0 ? std::clamp(way.dot(position - start.position) / square, -kBeyond, 1.0 + kBeyond) : 0.0;
  return {&start, &end, std::clamp(part, 0.0, 1.0), Vec3(start.position + part * way)};
}

/// Old places nearest to a new one; two where segments meet there, so that it does not matter which comes first.
struct NearestPlaces {
  OldPlace first, second;
  bool is_tied = false;
};

NearestPlaces find_nearest_places(const PerimeterMemory& memory, const Vec3& position, std::size_t stride) {
  constexpr double kTie = 1e-9;  // of the square of the distance
  NearestPlaces best;
  double nearest = std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < memory.pairs.size(); k += stride) {
    if (!(memory.loops[memory.places[memory.pairs[k].place[0]].loop].length > 0.0)) continue;  // seams carry nothing
    const OldPlace place = find_place(memory, memory.pairs[k], position);
    const double square = (place.position - position).squaredNorm();
    if (square > (1.0 + kTie) * nearest) continue;
    if (square < (1.0 - kTie) * nearest) {
      best.first = place;
      best.is_tied = false;
      nearest = square;
    } else if (!best.is_tied) {
      best.second = place;
      best.is_tied = true;
    }
  }
  return best;
}

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
void PerimeterSite::carry_places(const PerimeterStep& step, const PerimeterMemory& memory) {
  inflows_.assign(curve_.loops().size(), Inflow{});
  const std::size_t num_old = memory.pairs.size();
  if (num_old == 0) return;
  const std::size_t num_new = static_cast<std::size_t>(std::count(from_.begin(), from_.end(), -1));
  const std::size_t stride = 1 + num_old * num_new / kMostComparisons;
  double spacing = 0.0;  // between the old places that are looked at [m]
  if (stride > 1) {
    for (const PerimeterLoop& loop : memory.loops) spacing += loop.length;
    spacing *= static_cast<double>(stride) / static_cast<double>(num_old);
  }
  for (std::size_t i = 0; i < places_.size(); ++i) {
    PerimeterPlace& place = places_[i];
    const CurveLoop& loop = curve_.loops()[place.loop];
    const bool is_new = from_[i] < 0;
    NearestPlaces near;
    if (is_new) {
      near = find_nearest_places(memory, place.position, stride);
    } else {
      near.first = find_place(memory, memory.pairs[from_[i]], place.position);
    }
    const OldPlace& from = near.first;
    if (from.start == nullptr) continue;
    const double slack = is_new ? spacing : 0.0;
    // Old places have gone half the way of b's surface, which moves against the relative velocity.
    const Mean& mean = means_[place.loop];
    Point* points = &point(i, 0);
    const Vec3 over = place.position - from.position, half = 0.5 * step.step * points[0].velocity;
    const Vec3 over_a = over - half, over_b = over + half;
    if (is_new && std::sqrt(std::min(over_a.squaredNorm(), over_b.squaredNorm())) > kSamePlace * loop.length + slack)
      continue;
    double keep = 1.0;
    if (!mean.has_tilt) {
      // Sinking in is no travel.
      const double travel = std::sqrt(
          std::min(tangential(over_a, loop.normal).squaredNorm(), tangential(over_b, loop.normal).squaredNorm()));
      keep = std::max(0.0, 1.0 - std::max(0.0, travel - slack) / (kFade * loop.length));
    }
    const PerimeterLoop& old = memory.loops[from.start->loop];
    Inflow& inflow = inflows_[place.loop];
    const double weight = points[0].length + 1e-12 * loop.length;
    const double by_tilt = mean.tilt.dot(over);
    inflow.weight += weight;
    inflow.age += weight * old.age;
    for (int k = 0; k < num_normals_; ++k) {
      Point& p = points[k];
      place.side[k].z = from.calc_bristle(k);
      p.carried = from.calc_deviation(k);
      if (near.is_tied) {
        place.side[k].z = 0.5 * (place.side[k].z + near.second.calc_bristle(k));
        p.carried = 0.5 * (p.carried + near.second.calc_deviation(k));
      }
      p.keep = keep;
      // The depth of the place, and what the tilt makes of it where the curve has moved on.
      inflow.depth[k] += weight * (old.depth[k] + p.carried + by_tilt);
      inflow.peak_speed[k] += weight * old.peak_speed[k];
    }
  }
}

/// What the loops start the step with. A loop that comes from nowhere has touched since the last step:
/// it gets the depth that clears it, at most what it has travelled.
void PerimeterSite::carry_loops(const PerimeterStep& step, const PerimeterMemory& memory) {
  const bool is_start = step.time == 0.0;
  const double size = std::min(a_->surface->radius(), b_->surface->radius());
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

/// Depth at a place of the patch, from where a line along the normal meets both surfaces; empty where it does not.
std::optional<double> PerimeterSite::probe_depth(const CurveLoop& loop, const Vec3& place, std::size_t probe) {
  const double reach = 0.25 * loop.length;
  const auto hit_a = rays_[2 * probe].find(*a_->surface, place, Vec3(-loop.normal), reach);
  if (!hit_a) return std::nullopt;
  const Vec3 place_in_b = X_AB_.R.transpose() * (place - X_AB_.p), normal_in_b = X_AB_.R.transpose() * loop.normal;
  const auto hit_b = rays_[2 * probe + 1].find(*b_->surface, place_in_b, normal_in_b, reach);
  if (!hit_b) return std::nullopt;
  const double depth = hit_a->distance + hit_b->distance;
  return depth >= 0.0 ? std::optional(depth) : std::nullopt;
}

/// Lengths, rates and second moments of the loops.
void PerimeterSite::sum_up_loops() {
  means_.assign(curve_.loops().size(), Mean{});
  spreads_.assign(curve_.loops().size(), Spread{});
  for (std::size_t l = 0; l < curve_.loops().size(); ++l) {
    const Vec3& normal = curve_.loops()[l].normal;
    spreads_[l].axis[0] = any_perpendicular(normal);
    spreads_[l].axis[1] = normal.cross(spreads_[l].axis[0]);
  }
  const Point* p = points_.data();
  for (const PerimeterPlace& place : places_) {
    Mean& mean = means_[place.loop];
    Spread& spread = spreads_[place.loop];
    const Vec3 arm = place.position - curve_.loops()[place.loop].center;
    const double x = arm.dot(spread.axis[0]), y = arm.dot(spread.axis[1]), length = p->length;
    mean.length += length;
    spread.xx += length * x * x;
    spread.xy += length * x * y;
    spread.yy += length * y * y;
    const double u = x * x - y * y, v = 2.0 * x * y;  // (x + i y)^2
    spread.re += length * (u * u - v * v);
    spread.im += length * (2.0 * u * v);
    spread.r4 += length * (u * u + v * v);
    for (int k = 0; k < num_normals_; ++k, ++p) mean.rate[k] += p->length * p->rate;
  }
}

/// How the depth changes along each patch. It is a property of the pose: a box that rocks keeps its balance, a ball
/// that rolls feels nothing. Where a probe finds no surface (a ring, an open sheet) the deviations of the points are
/// integrated instead.
void PerimeterSite::probe_tilts() {
  if (rays_.size() < 10 * curve_.loops().size()) rays_.resize(10 * curve_.loops().size());
  for (std::size_t l = 0; l < curve_.loops().size(); ++l) {
    if (curve_.loops()[l].length > 0.0) probe_tilt(l);
  }
}

/// Two arms to probes within the patch: conjugate half diameters of the ellipse that the second moments C of its line
/// describe, C^(1/2) applied to a cross of two directions. The cross is that of the line itself, by its moments of the
/// fourth order, (x + i y)^4, and the square of those of the second: the axes of an oblong, the diagonals of a square.
/// It turns with the patch, looks the same from either side and in a mirror, and does not jump where a patch becomes
/// oblong. Zero for a line without extent.
std::array<Vec3, 2> PerimeterSite::calc_probe_arms(std::size_t l) const {
  const CurveLoop& loop = curve_.loops()[l];
  const Spread& spread = spreads_[l];
  // The square root of a matrix C of two rows is (C + s) / sqrt(tr C + 2 s) with s^2 = det C.
  const double s = std::sqrt(std::max(0.0, spread.xx * spread.yy - spread.xy * spread.xy));
  const double size = spread.xx + spread.yy, trace = size + 2.0 * s;
  if (!(trace > 1e-12 * loop.length * loop.length * loop.length)) return {Vec3(Vec3::Zero()), Vec3(Vec3::Zero())};
  const double scale = kProbe / std::sqrt(trace * loop.length);
  const double u = (spread.xx - spread.yy) / size, v = 2.0 * spread.xy / size;
  const double angle = 0.25 * std::atan2(2.0 * u * v + spread.im / spread.r4, u * u - v * v + spread.re / spread.r4);
  const double c = std::cos(angle), d = std::sin(angle);
  const auto make_arm = [&](double x, double y) {
    return Vec3((scale * ((spread.xx + s) * x + spread.xy * y)) * spread.axis[0] +
                (scale * (spread.xy * x + (spread.yy + s) * y)) * spread.axis[1]);
  };
  return {make_arm(c, d), make_arm(-d, c)};
}

void PerimeterSite::probe_tilt(std::size_t l) {
  const CurveLoop& loop = curve_.loops()[l];
  Mean& mean = means_[l];
  const auto center = probe_depth(loop, loop.center, 5 * l);
  if (!center || !(*center > 0.0)) return;
  if (loop.is_closed && loop.width < kSliver * *center) return;
  const std::array<Vec3, 2> arms = calc_probe_arms(l);
  const double square = arms[0].squaredNorm() + arms[1].squaredNorm();
  if (!(square > 0.0)) return;
  double change[2] = {0.0, 0.0}, bulge = 0.0;
  for (int k = 0; k < 2; ++k) {
    const auto ahead = probe_depth(loop, Vec3(loop.center + arms[k]), 5 * l + 1 + 2 * k);
    const auto behind = ahead ? probe_depth(loop, Vec3(loop.center - arms[k]), 5 * l + 2 + 2 * k) : std::nullopt;
    if (!behind) return;
    change[k] = 0.5 * (*ahead - *behind);
    bulge = std::max(bulge, std::abs(*center - 0.5 * (*ahead + *behind)));
  }
  mean.center_depth = *center;
  mean.flatness = std::max(0.0, 1.0 - bulge / (kFlatBulge * *center));
  mean.has_tilt = true;
  // Where a patch bulges its line is a level line of the depth and there is no tilt; what probes of facets say is
  // noise.
  for (double& c : change) c *= mean.flatness;
  // Across a patch that is a line there is nothing to tell.
  const Vec3 across = arms[0].cross(arms[1]);
  const double det = across.norm();
  if (det > 1e-6 * square) {
    const Vec3 normal = across / det;
    mean.tilt = (change[0] * arms[1].cross(normal) + change[1] * normal.cross(arms[0])) / det;
  } else {
    mean.tilt = (change[0] * arms[0] + change[1] * arms[1]) / square;
  }
}

/// What each point deviates from the depth of its loop.
void PerimeterSite::set_deviations(const PerimeterStep& step) {
  for (std::size_t i = 0; i < places_.size(); ++i) {
    PerimeterPlace& place = places_[i];
    Mean& mean = means_[place.loop];
    const double by_tilt = mean.tilt.dot(place.position - curve_.loops()[place.loop].center);
    for (int k = 0; k < num_normals_; ++k) {
      const Point& p = point(i, k);
      double& deviation = place.side[k].depth;
      deviation = mean.has_tilt ? by_tilt : p.keep * p.carried + step.step * (p.rate - mean.rate[k]);
      mean.deviation[k] += p.length * deviation;
    }
  }
}

/// Depths, elastic forces and damping of all points, from the means and what each deviates.
void PerimeterSite::advance_loops(const PerimeterStep& step) {
  const double h = step.step;
  const double stiffness = rule_->normal.stiffness.value();
  for (std::size_t l = 0; l < loops_.size(); ++l) {
    PerimeterLoop& loop = loops_[l];
    if (!(loop.length > 0.0)) continue;
    Mean& mean = means_[l];
    mean.half_period = std::numbers::pi * std::sqrt(step.effective_mass / (stiffness * loop.length));
    const double keep = loop.age > kHalfPeriodsOfImpact * mean.half_period ? std::exp(-h / mean.half_period) : 1.0;
    // Between flat faces the depth can be read off. What the integration has lost or gained against it fades.
    const double pull =
        mean.flatness > 0.0 ? mean.flatness * (1.0 - std::exp(-h * std::numbers::pi / mean.half_period)) : 0.0;
    for (int k = 0; k < num_normals_; ++k) {
      loop.depth[k] += pull * (mean.center_depth - loop.depth[k]);
      mean.deviation[k] /= loop.length;
      loop.peak_speed[k] = std::max(std::abs(mean.rate[k]), keep * loop.peak_speed[k]);
      mean.damping[k] = calc_damping(loop.peak_speed[k], step.effective_mass);
    }
  }
  for (std::size_t i = 0; i < places_.size(); ++i) {
    PerimeterPlace& place = places_[i];
    const PerimeterLoop& loop = loops_[place.loop];
    Mean& mean = means_[place.loop];
    for (int k = 0; k < num_normals_; ++k) {
      Point& p = point(i, k);
      double& deviation = place.side[k].depth;
      deviation -= mean.deviation[k];
      p.depth = std::max(0.0, loop.depth[k] + deviation);
      p.elastic = stiffness * p.length * p.depth;
      p.damping = mean.damping[k];
      mean.force[k] += p.elastic;
      mean.power[k] += p.elastic * p.rate;
    }
  }
  set_damped_rates(h);
}

/// What a point approaches faster than its loop is damped as far as that changes its deviation. About the mean weighted
/// with the forces the sum of both cannot put energy in.
void PerimeterSite::set_damped_rates(double step) {
  for (Mean& mean : means_) {
    for (int k = 0; k < num_normals_; ++k) mean.pressed_rate[k] = mean.power[k] / mean.force[k];
  }
  Point* p = points_.data();
  for (const PerimeterPlace& place : places_) {
    const Mean& mean = means_[place.loop];
    for (int k = 0; k < num_normals_; ++k, ++p) {
      const double rate = mean.force[k] > 0.0 ? mean.pressed_rate[k] : p->rate;
      const double change = (place.side[k].depth - p->carried) / step;
      const double excess = p->rate - rate;
      p->damped_rate = rate + (excess > 0.0 ? std::clamp(change, 0.0, excess) : std::clamp(change, excess, 0.0));
    }
  }
}

/// Springs give back what was put in, no less. Depth times length has no potential where bodies turn in contact: a cube
/// that hits with a corner and leaves turned would keep part of its energy in the spring. While the bodies are pressed
/// together, what the springs hold is compared with the sum of force times depth; that ratio is kept on the way out, by
/// the strength of the force, which does not exceed what it was. Where bodies come and go along one line the ratio is
/// constant by itself. Contacts that last have forgotten their impact: there the law alone holds.
void PerimeterSite::balance(const PerimeterStep& step, PerimeterMemory& memory) {
  double product = 0.0, power = 0.0, force = 0.0, in_impact = 0.0;
  for (std::size_t l = 0; l < loops_.size(); ++l) {
    if (!(loops_[l].length > 0.0)) continue;
    const double part = calc_impact_part(loops_[l].age, means_[l].half_period);
    for (int k = 0; k < num_normals_; ++k) {
      power += means_[l].power[k];
      force += means_[l].force[k];
      in_impact += part * means_[l].force[k];
    }
  }
  for (const Point& p : points_) product += p.elastic * p.depth;
  if (!(product > 0.0)) return;
  const double length = curve_.length();
  const double held = memory.calc_elastic_energy(step.elastic_work), change = 0.5 * step.step * power;
  if (power >= 0.0) {
    memory.fullness = std::max(0.0, held + change) / product;  // in the middle of the step
    memory.peak_force = std::max(memory.peak_force, force);
    memory.slenderness = product / (force * length);
    return;
  }
  if (!(memory.fullness > 0.0) || !(held > 0.0)) return;
  // Where the curve shrinks faster than the depth, the depth is that of a corner of the same shape.
  product = std::min(product, force * memory.slenderness * length);
  // held + strength change = strength fullness product, in the middle of the step.
  const double strength = std::min(held / (memory.fullness * product - change), memory.peak_force / force);
  const double factor = 1.0 + (strength - 1.0) * (in_impact / force);
  for (Point& p : points_) p.elastic *= factor;
}

/// What the guard has to know of springs that are not in an impact.
void PerimeterSite::describe_springs(const PerimeterStep& step, PerimeterHold& hold) const {
  double force = 0.0, in_impact = 0.0;
  for (std::size_t l = 0; l < loops_.size(); ++l) {
    if (!(loops_[l].length > 0.0)) continue;
    const double part = calc_impact_part(loops_[l].age, means_[l].half_period);
    for (int k = 0; k < num_normals_; ++k) {
      force += means_[l].force[k];
      in_impact += part * means_[l].force[k];
    }
  }
  hold.lasting = force > 0.0 ? 1.0 - in_impact / force : 0.0;
  hold.time_constant =
      std::sqrt(step.effective_mass / (rule_->normal.stiffness.value() * curve_.length() * num_normals_));
  hold.product = 0.0;
  for (const Point& p : points_) hold.product += p.elastic * p.depth;
}

void PerimeterSite::advance_continuous(const PerimeterStep& step, PerimeterMemory& memory) {
  const bool is_touch = memory.pairs.empty();
  sum_up_loops();
  if (has_patch_normals()) probe_tilts();
  carry_places(step, memory);
  carry_loops(step, memory);
  set_deviations(step);
  advance_loops(step);
  if (std::get<PerimeterRule>(rule_->region).energy_guard) balance(step, memory);
  describe_springs(step, memory.hold);
  if (!is_touch || step.time > 0.0) return;
  for (const Point& p : points_) memory.stored_at_touch += 0.5 * p.elastic * p.depth;
}

}  // namespace abut
