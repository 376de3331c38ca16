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
///   both     does either,
///   guard    is as falling, and one that is undecided fires also when it comes below its noise without having been
///   above;
/// one that crosses zero in the direction it is not asked for changes its side silently. So a function that starts at
/// zero has to leave zero before it can fire, and rounding around zero cannot fire it twice.
///
/// Within a step the functions are sampled at the ends and at equidistant points in between. Two samples a and b of a
/// function that falls no faster than s, dt apart, leave room for a dip below zero only where g_a + g_b < s dt; there
/// the interval is halved until it leaves none, or until s dt is within the function's span, over which a parabola
/// describes it. A dip between two such samples is found when the parabola through three neighbouring samples dips to a
/// tenth of the smallest of them (for a ballistic gap the parabola is exact); its lowest point is then sampled, and
/// once more as long as the parabola through the new samples goes on falling. The first step after a restart is also
/// sampled at 1e-9 ... 1e-1 of its length while any side is undecided, so that a short hop right after a touchdown is
/// seen.
///
/// Functions that cannot reach zero between both ends of the step, by their values there and a bound on how fast they
/// fall, are settled: inside the step they are not evaluated.
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
  /// All values at one instant.
  struct Sample {
    double t = 0.0;  ///< [s]
    VecX g;
    VecX speeds;  ///< how fast each may fall, see OdeSystem::calc_event_speeds()
    VecX bounds;  ///< and OdeSystem::calc_event_bounds(); empty: nothing is known
  };
  /// What is wanted of a sample besides g.
  enum class Detail { values, speeds, bounds };
  /// Writes g at time sample->t inside the step, of all k or of those with wanted[k] != 0, and what else is wanted.
  using Evaluate = std::function<void(const std::vector<char>& wanted, Detail detail, Sample* sample)>;

  explicit EventWatch(const Options& options) : options_(options) {}

  /// What the functions are.
  struct Functions {
    std::vector<EventDirection> directions;
    std::vector<double> spans;
  };
  /// Begins anew with the values at the start; `fired` lists functions known to stand on zero whatever g says.
  void reset(Functions functions, Sample start, const std::vector<int>& fired);

  /// Looks through (t0, t1]. Sides are brought up to the end of the step, or to the sample before the crossing.
  std::optional<Crossing> scan(const Evaluate& evaluate, double t0, double t1);

  /// Continues from an event at which `fired` fired and all functions have the values g.
  void settle(const VecX& g, const std::vector<int>& fired);

  /// True when the value g means that function k, with the side it has now, has crossed in its direction.
  bool has_crossed(int k, double g) const;
  /// True when function k could still fire by a change of g with this slope.
  bool is_armed(int k, double slope) const;
  double noise(int k) const { return noise_[k]; }
  bool is_undecided(int k) const { return sides_[k] == 0; }
  int size() const { return static_cast<int>(sides_.size()); }
  /// Values at the end of the last step that was looked through, or at the start.
  const VecX& values() const { return start_.g; }

  template <class Archive>
  void visit(Archive& archive) {
    archive(directions_, spans_, sides_, noise_, is_fresh_, start_);
  }

 private:
  void take_sample(const Evaluate& evaluate, double t, Detail detail = Detail::speeds);
  bool find_wanted(const Sample& end);
  void take_samples(const Evaluate& evaluate, double t0, double t1);
  void take_over(Sample sample);
  bool are_calm() const;
  void insert_sample(const Evaluate& evaluate, size_t at, double t);
  bool is_open(size_t at) const;
  void halve(const Evaluate& evaluate, size_t at);
  std::optional<double> find_dip(size_t at) const;
  std::optional<double> find_vertex(size_t first, int k) const;
  std::optional<int> find_crossed(const VecX& g) const;
  void update_sides(const VecX& g);
  Crossing locate(const Evaluate& evaluate, Sample before, Sample after) const;
  void narrow(const Evaluate& evaluate, int k, Sample* before, Sample* after) const;

  Options options_;
  std::vector<EventDirection> directions_;
  std::vector<double> spans_;
  std::vector<int> sides_;  // +1 above, -1 below, 0 undecided
  std::vector<double> noise_;
  bool is_fresh_ = true;
  Sample start_;
  std::vector<Sample> samples_;  // capacity is kept from step to step
  size_t num_samples_ = 0;
  std::vector<char> wanted_;  // of each function, inside the step in hand: not settled
};

}  // namespace abut
