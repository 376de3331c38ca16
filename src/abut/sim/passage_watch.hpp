#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "abut/base/function_view.hpp"
#include "abut/geometry/distance/support_distance.hpp"
#include "abut/geometry/mesh/surface_mesh.hpp"
#include "abut/geometry/volume/solid_probe.hpp"
#include "abut/multibody/kinematics.hpp"
#include "abut/sim/model.hpp"
#include "abut/sim/step_path.hpp"

namespace abut {

/// Two colliders of which one went through the other.
struct Passage {
  int collider_a = -1;
  int collider_b = -1;
  double travel = 0.0;  ///< of one past the other within a step, at most [m]
  int steps = 1;        ///< that it took
  bool is_dip = false;  ///< into a half-space and out of it again
};

/// Looks between fixed steps where a body travels farther than it is thick: such a body may pass another without ever
/// being found inside it, or turn into a half-space and out of it again. Where one of two solids is not convex, points
/// of their surfaces are looked for in each other; and what flies past a mesh without an inside is looked for on its
/// triangles. Solids are taken smaller by kGraze of their size, so that bodies that rest on each other have not met.
///
/// A step may also end inside: then the side on which the two met is kept, however slowly they go on, and the step in
/// which they part shows whether they left on that side.
class PassageWatch {
 public:
  static constexpr double kGraze = 0.02;
  static constexpr int kMostPlaces = 4096;  ///< looked at within one step, at most

  explicit PassageWatch(const Model& model);

  /// Whether some collider may travel farther than it is thick within h [s], from where it is and under its weight.
  bool is_needed(const Kinematics& motion, double h) const;
  /// Keeps where everything is at the beginning of a step.
  void begin(const Kinematics& motion, std::span<const double> q);
  /// Whether some pair is in each other since a step that was looked at: then all steps are, until it has parted.
  bool is_following() const { return !entries_.empty(); }
  enum class Pairs { all, followed };
  /// The first pair, in the order of colliders, that met in between, or that parts on the wrong side; see StepPath.
  std::optional<Passage> find(const Kinematics& end, std::span<const double> q, double h, Pairs pairs);

  template <class Archive>
  void visit(Archive& archive) {
    archive(entries_);
  }

 private:
  struct Solid {
    int collider = -1;
    double thickness = 0.0;  ///< half of its smallest extent, or of its wall; zero of what has no far side [m]
    std::optional<SupportSolid> support;  ///< of convex ones
    Vec3 middle = Vec3::Zero();           ///< of its extents, in its own frame [m]
    std::shared_ptr<SolidProbe> probe;    ///< in its own frame; where some solid of the scene is not convex
    std::vector<Vec3> points;             ///< likewise: of its surface taken smaller, in its own frame [m]
    const HalfSpace* half_space = nullptr;
    const SurfaceMesh* sheet = nullptr;  ///< triangles without an inside
  };

  /// What of a link is_needed() looks at, in every step.
  struct Mover {
    int link = -1;
    double thickness = 0.0;  ///< of its thinnest solid [m]
    double reach = 0.0;      ///< of its farthest point from the centre of mass, zero for balls about it [m]
  };

  /// How two colliders came into each other in a step so long that they may leave on the other side.
  struct Entry {
    Vec3 normal = Vec3::Zero();  ///< from b towards a before they met, or against the way of a into b
    int steps = 1;               ///< since then
    double travel = 0.0;         ///< past each other in the steps after the first two, at most [m]
    bool is_through = false;     ///< whether the middle of the smaller one has been in the larger one since
  };
  /// Of a pair at one end of the step.
  struct Place {
    bool is_apart = false;
    Vec3 normal = Vec3::Zero();  ///< from b towards a, where they are apart
  };

  void add_solid(int collider);
  void list_movers();
  /// How far two may travel past each other before one may be beyond the other unseen [m].
  static double calc_reach(const Solid& a, const Solid& b);
  bool are_near(const Solid& a, const Solid& b, double travel) const;
  double calc_speed(const Solid& solid, const Kinematics& motion) const;
  /// Whether calc_distance() knows the two: convex ones, and balls with rings and bowls.
  bool have_distance(const Solid& a, const Solid& b) const;
  /// Between the surfaces where both are at `part` of the step [m], and the way from b to a.
  double calc_distance(const Solid& a, const Solid& b, double part, SeparationMemory& memory,
                       Vec3* normal = nullptr) const;
  bool has_met(const Solid& a, const Solid& b, double travel) const;
  /// Whether a distance that no instant of the step changes faster than `travel` in the whole of it comes to zero.
  static bool comes_to_zero(const FunctionView<double(double part)>& distance_at, double travel, double least);
  bool has_crossed(const Solid& a, const Solid& b, double travel) const;
  double radius(const Solid& solid) const { return model_.colliders[solid.collider].bounding_radius; }
  /// Whether the middle of the smaller of two solids is inside the larger one, at `part` of the step.
  bool is_middle_inside(const Solid& a, const Solid& b, double part) const;
  /// ... or at any instant of it.
  bool has_middle_met(const Solid& a, const Solid& b, double travel) const;
  /// Whether a point of the surface of one is inside the other.
  bool are_points_inside(const Solid& a, const Solid& b, double part) const;
  /// Where the two are at the end of the step, and, with `part` 0, at its beginning.
  Place find_place(const Solid& a, const Solid& b, double part) const;
  /// Keeps the side on which the two come into each other; the steps since then if they leave on the other one.
  std::optional<int> follow(const Solid& a, const Solid& b, double travel);
  std::optional<Passage> look_at_pair(const std::pair<int, int>& solids, double h);
  /// The steps that a passage took, where there is one.
  std::optional<int> look_at(const Solid& a, const Solid& b, double travel);
  /// Whether a solid met triangles without an inside, at none of the two ends of the step, or its middle went through
  /// them. Of what is not convex points of the surfaces go for the whole.
  bool has_gone_through_sheet(const Solid& other, const Solid& sheet, double travel) const;
  bool has_met_sheet(const Solid& other, const Solid& sheet, double travel) const;
  bool have_surfaces_met(const Solid& other, const Solid& sheet, double travel) const;
  /// Whether points of a solid pass triangles on their way in the triangles' frame: any of them, or all, each more
  /// often the same way than the other.
  enum class Passing { any, all };
  bool do_points_pass(std::span<const Vec3> points, const Solid& solid, const SurfaceMesh& triangles,
                      const Solid& carrier, double travel, Passing passing) const;
  /// How far a solid is above a half-space [m]; nothing where that is not known.
  std::optional<double> calc_height(const Solid& solid, const Solid& ground, double part) const;
  bool has_dipped(const Solid& solid, const Solid& ground, double travel) const;
  Pose calc_pose(const Solid& solid, double part) const;

  const Model& model_;
  std::vector<Solid> solids_;
  std::vector<Mover> movers_;
  std::vector<double> speeds_;                    ///< of any point of each solid, at most [m/s]
  std::map<std::pair<int, int>, Entry> entries_;  ///< of pairs that are in each other, by solid
  StepPath path_;
};

}  // namespace abut
