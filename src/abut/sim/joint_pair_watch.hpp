#pragma once

#include <string>
#include <vector>

#include "abut/contact/body_motion.hpp"
#include "abut/geometry/volume/shape_separation.hpp"
#include "abut/sim/model.hpp"

namespace abut {

/// Two links that a joint connects and that a contact entry would cover if it named both: they never touch.
struct JointPair {
  int child = -1;
  int parent = -1;
};

std::vector<JointPair> list_joint_pairs(const Model& model);

/// "joint 'hinge' keeps 'arm' and 'post' from touching; ..." for one of them.
std::string describe_joint_pair(const Model& model, const JointPair& pair);

/// Looks at samples whether bodies that a joint keeps from touching began apart and went into each other: what a user
/// who wrote a glob took for a contact. Bodies that overlap from the start, as most at a hinge do, say nothing.
class JointPairWatch {
 public:
  explicit JointPairWatch(const Model& model);

  void look(double t, const BodyMotion& motion);
  std::vector<std::string> make_notes() const;

  template <class Archive>
  void visit(Archive& archive) {
    archive(has_begun_);
    for (Watched& watched : watched_) archive(watched.time_through);
  }

 private:
  struct Shapes {
    int collider_a, collider_b;
    Separator separator;
  };
  struct Watched {
    JointPair pair;
    std::vector<Shapes> shapes;
    double time_through = -1.0;  ///< when they were first seen in each other [s]; negative: not yet
  };
  bool is_through(Watched& watched, const BodyMotion& motion) const;

  const Model& model_;
  std::vector<Watched> watched_;
  bool has_begun_ = false;
};

}  // namespace abut
