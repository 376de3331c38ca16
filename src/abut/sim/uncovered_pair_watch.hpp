#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "abut/contact/body_motion.hpp"
#include "abut/geometry/broad_phase.hpp"
#include "abut/geometry/volume/shape_separation.hpp"
#include "abut/sim/model.hpp"

namespace abut {

/// Looks at samples whether bodies that no contact entry covers began apart and went into each other: a ball that falls
/// through a floor because its name is missing in `between`. One of the two must fly freely: the links of mechanisms
/// are often drawn through each other on purpose.
class UncoveredPairWatch {
 public:
  explicit UncoveredPairWatch(const Model& model);

  void look(double t, const BodyMotion& motion);
  /// Nothing, or one note that names the first such pair.
  std::vector<std::string> make_notes() const;

  template <class Archive>
  void visit(Archive& archive) {
    archive(has_begun_, through_);
  }

 private:
  using Pair = std::pair<int, int>;  ///< colliders

  bool is_uncovered(int link_a, int link_b) const;
  bool is_through(const Pair& pair, const BodyMotion& motion);

  const Model& model_;
  bool is_needed_ = false;
  bool has_begun_ = false;
  std::vector<unsigned char> is_static_;  ///< of each collider
  std::vector<Aabb> boxes_;
  BroadPhase broad_phase_;
  BroadPhase::Pairs near_;
  std::map<Pair, Separator> separators_;
  std::map<Pair, double> through_;  ///< links, when first seen in each other [s]; negative: from the start
};

}  // namespace abut
