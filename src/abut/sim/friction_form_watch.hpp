#pragma once

#include <optional>
#include <string>

#include "abut/scene/lcp_spec.hpp"
#include "abut/sim/lcp_contact.hpp"

namespace abut {

/// What friction on fixed axes takes from contacts that slide, beside the mu N of Coulomb's law: a box opposes each
/// component of the slip with its full force, up to sqrt(2) mu N where bodies slide across its axes; a polygon of n
/// corners at mu N has as little as cos(pi / n) mu N against slip between two corners.
class FrictionFormWatch {
 public:
  explicit FrictionFormWatch(const LcpSpec& spec) : spec_(spec) {}

  /// After each step, at each contact.
  void look(const StepContact& contact);
  /// A word where what was taken differs from the law by more than a few per cent, and by more than `least` [J].
  std::optional<std::string> make_note(double least) const;

  template <class Archive>
  void visit(Archive& archive) {
    archive(taken_, law_);
  }

 private:
  const LcpSpec& spec_;
  double taken_ = 0.0, law_ = 0.0;  ///< [J]
};

}  // namespace abut
