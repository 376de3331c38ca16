#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "abut/math/types.hpp"
#include "abut/solve/ode/ode_system.hpp"

namespace abut {

/// Watches the signs of event functions along a continuous motion and finds the earliest crossing.
///
/// Each function has a side: above zero, below zero, or undecided. It is undecided after it fired and when it is zero
/// at the start, and takes the side of the first sample at which |g| exceeds its noise. A function
///   falling  fires at the earliest instant at which it is <= 0 while its side is above,
///   rising   fires at the earliest instant at which it is >= 0 while its side is below,
///   both     does either;
/// one that crosses zero in the direction it is not asked for changes its side silently. So a function that starts at
/// zero has to leave zero before it can fire, and rounding around zero cannot fire it twice.
///
/// Within a step the functions are sampled at the ends and at equidistant points in between. A dip below zero and back
/// between two samples is found when the parabola through three neighbouring samples dips to a tenth of the smallest of
/// them (for a ballistic gap the parabola is exact); a shorter one is missed. The first step after a restart is also
/// sampled at 1e-9 ... 1e-1 of its length while any side is undecided, so that a short hop right after a touchdown is
/// seen.
class EventWatch {
 public:
  struct Options {
    int interior_samples = 3;
    double noise = 1e-15;  ///< |g| at or below this counts as zero when a side is decided [unit of g]
  };
  struct Crossing {
    double t;  ///< first instant known to be past the crossing, within rounding of it [s]
    int event;
  };
  /// Writes all g at time t inside the step.
  using Evaluate = std::function<void(double t, double* g)>;

  explicit EventWatch(const Options& options) : options_(options) {}

  /// Begins anew with the values g at the start; `fired` lists functions known to stand on zero whatever g says.
  void reset(std::vector<EventDirection> directions, const VecX& g, const std::vector<int>& fired);

  /// Looks through (t0, t1]. Sides are brought up to the end of the step, or to the sample before the crossing.
  std::optional<Crossing> scan(const Evaluate& evaluate, double t0, double t1);

  /// Continues from an event at which `fired` fired and all functions have the values g.
  void settle(const VecX& g, const std::vector<int>& fired);

  /// True when the value g means that function k, with the side it has now, has crossed in its direction.
  bool has_crossed(int k, double g) const;
  /// True when function k could still fire by a change of g with this slope.
  bool is_armed(int k, double slope) const;
  double noise(int k) const { return noise_[k]; }
  int size() const { return static_cast<int>(sides_.size()); }

 private:
  struct Sample {
    double t;
    VecX g;
  };

  void take_sample(const Evaluate& evaluate, double t);
  void take_samples(const Evaluate& evaluate, double t0, double t1);
  void add_vertices(const Evaluate& evaluate, size_t first);
  std::optional<double> find_vertex(size_t first, int k) const;
  std::optional<int> find_crossed(const VecX& g) const;
  void update_sides(const VecX& g);
  Crossing locate(const Evaluate& evaluate, Sample before, Sample after) const;
  void narrow(const Evaluate& evaluate, int k, Sample* before, Sample* after) const;

  Options options_;
  std::vector<EventDirection> directions_;
  std::vector<int> sides_;  // +1 above, -1 below, 0 undecided
  std::vector<double> noise_;
  bool is_fresh_ = true;
  VecX g_start_;
  std::vector<Sample> samples_;  // capacity is kept from step to step
  size_t num_samples_ = 0;
};

}  // namespace abut
