#pragma once

#include "abut/sim/dynamics.hpp"
#include "abut/sim/passage_watch.hpp"
#include "abut/sim/runs.hpp"
#include "abut/sim/state.hpp"

namespace abut {

/// The watch for passages around the steps of a method with fixed ones.
class StepPassages {
 public:
  /// `looks_back`: at the end of each step too, whether it was one to look at: hard contact makes bodies fast within a
  /// step, which the forces of the others do not.
  explicit StepPassages(const Model& model, bool looks_back = false) : watch_(model), looks_back_(looks_back) {}

  /// Before a step of h [s], at the motion of its beginning.
  void begin(const Dynamics& dynamics, const State& state, double h);
  /// After it, with the motion computed anew where the step was one to look at. False, with words, where two bodies
  /// have passed through each other unseen.
  bool end(Dynamics& dynamics, const State& state, double h, RunEnd& end);
  bool is_watching() const { return is_watching_; }

  template <class Archive>
  void visit(Archive& archive) {
    archive(watch_, is_watching_, is_fast_);
  }

 private:
  PassageWatch watch_;
  bool looks_back_;
  bool is_watching_ = false;
  bool is_fast_ = false;  ///< all pairs may have passed each other, and not only those that are followed
};

}  // namespace abut
