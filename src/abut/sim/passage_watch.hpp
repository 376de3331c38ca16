#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "abut/geometry/distance/support_distance.hpp"
#include "abut/geometry/volume/solid_probe.hpp"
#include "abut/multibody/kinematics.hpp"
#include "abut/sim/model.hpp"

namespace abut {

/// Two colliders that met between the beginning and the end of a step, and were apart at both.
struct Passage {
  int collider_a = -1;
  int collider_b = -1;
  double travel = 0.0;  ///< of one past the other within the step, at most [m]
};

/// Looks between fixed steps where a body travels farther than it is thick: such a body may pass another without ever
/// being found inside it. Bounded solids are looked at; a half-space has no far side to come out of. Where one of the
/// two is not convex, the way of the smaller one's middle through the larger one counts.
class PassageWatch {
 public:
  explicit PassageWatch(const Model& model);

  /// Whether some collider may travel farther than it is thick within h [s].
  bool is_needed(const Kinematics& motion, double h) const;
  /// Keeps where everything is at the beginning of a step.
  void begin(const Kinematics& motion);
  /// The first pair, in the order of colliders, that met in between; bodies move from one pose to the other on a
  /// straight line, turning about one axis.
  std::optional<Passage> find(const Kinematics& end, double h) const;

 private:
  struct Solid {
    int collider = -1;
    double thickness = 0.0;               ///< half of its smallest extent, or of its wall [m]
    std::optional<SupportSolid> support;  ///< of convex ones
    Vec3 middle = Vec3::Zero();           ///< of its extents, in its own frame [m]
    std::shared_ptr<SolidProbe> probe;    ///< in its own frame; where some solid of the scene is not convex
  };

  /// What of a link is_needed() looks at, in every step.
  struct Mover {
    int link = -1;
    double thickness = 0.0;  ///< of its thinnest solid [m]
    double reach = 0.0;      ///< of its farthest point from the centre of mass, zero for balls about it [m]
  };

  void list_movers();
  double calc_speed(const Solid& solid, const Kinematics& motion) const;
  /// Whether calc_distance() knows the two: convex ones, and balls with rings and bowls.
  bool have_distance(const Solid& a, const Solid& b) const;
  /// Between the surfaces where both are at `part` of the step [m].
  double calc_distance(const Solid& a, const Solid& b, const Kinematics& end, double part,
                       SeparationMemory& memory) const;
  bool has_met(const Solid& a, const Solid& b, const Kinematics& end, double travel) const;
  bool has_crossed(const Solid& a, const Solid& b, const Kinematics& end, double travel) const;
  Pose calc_pose(const Solid& solid, const Kinematics& end, double part) const;

  const Model& model_;
  std::vector<Solid> solids_;
  std::vector<Mover> movers_;
  std::vector<Pose> poses_;    ///< of the links, at the beginning of the step
  std::vector<Vec3> centers_;  ///< of mass [m]
};

}  // namespace abut
