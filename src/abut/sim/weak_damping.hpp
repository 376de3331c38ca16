#pragma once

#include <map>
#include <string>
#include <vector>

#include "abut/contact/region/perimeter_memory.hpp"
#include "abut/sim/model.hpp"
#include "abut/sim/run_book.hpp"

namespace abut {

/// Contacts over a perimeter whose damping the step is too long for, and that ring on because of it: a heavy body on a
/// light one. Held forces follow a damping of about a tenth of effective mass / step (docs/theory/perimeter.md); the
/// effective mass is that of the light body, the load that of the heavy one, and what is left damps it hardly.
class WeakDamping {
 public:
  WeakDamping(const Model& model, const RunBook& book, double step) : model_(model), book_(book), step_(step) {}

  /// A patch with the forces that acted in the step that ends at `time` [s].
  void note(const Patch& patch, const PerimeterHold& hold, double time);
  void tell(std::vector<std::string>& notes) const;

  template <class Archive>
  void visit(Archive& archive) {
    archive(worst_);
  }

 private:
  struct Ring {
    double ratio = 0.0;  ///< damping over critical damping under the load [1]
    double speed = 0.0;  ///< at which it still moves [m/s]
  };
  bool is_weakened(const Patch& patch, double load, double speed, double damping) const;

  const Model& model_;
  const RunBook& book_;
  double step_;                        ///< [s]
  std::map<std::string, Ring> worst_;  ///< by pair
};

}  // namespace abut
