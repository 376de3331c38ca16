#pragma once

#include <utility>
#include <vector>

#include "abut/contact/patch.hpp"

namespace abut {

/// Counts how often each contact begins within one instant. Surfaces that touch and lift without end while time stands
/// still keep a run busy for ever: a distance that jumps where they meet does that, no physics.
class RepeatWatch {
 public:
  /// Times no further apart than `instant` are one [s].
  explicit RepeatWatch(double instant) : instant_(instant) {}

  /// How often `key` has begun in this instant, this time included.
  int count(const PatchKey& key, double time) {
    if (counts_.empty() || time - start_ > instant_) {
      counts_.clear();
      start_ = time;
    }
    for (auto& [known, times] : counts_) {
      if (known == key) return ++times;
    }
    counts_.emplace_back(key, 1);
    return 1;
  }

  template <class Archive>
  void visit(Archive& archive) {
    archive(start_, counts_);
  }

 private:
  double instant_;
  double start_ = 0.0;  ///< of the instant [s]
  std::vector<std::pair<PatchKey, int>> counts_;
};

}  // namespace abut
