#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "abut/contact/body_motion.hpp"
#include "abut/contact/collider.hpp"
#include "abut/contact/contact_rule.hpp"
#include "abut/contact/region/perimeter_curve.hpp"
#include "abut/contact/region/perimeter_memory.hpp"
#include "abut/contact/region/surface_ray.hpp"
#include "abut/geometry/mesh/mesh_crossing.hpp"
#include "abut/geometry/point_contact.hpp"

namespace abut {

/// What a step of perimeter contact is told.
struct PerimeterStep {
  double time = 0.0;            ///< at its beginning [s]
  double step = 0.0;            ///< [s]
  double effective_mass = 1.0;  ///< along the normal at touch [kg]
  double friction_work = 0.0;   ///< put into bristles and heat since the touch, without the viscous part [J]
  double elastic_work = 0.0;    ///< put into the springs since the touch [J]
};

/// Two colliders under the perimeter model: finds the curve in which their surfaces cross, and once a step the forces
/// that act until the next.   [Moisio 2013, 5; docs/theory/perimeter.md]
///
/// With continuous memory the curve is that of the middle of the step, as the present velocities predict it: held
/// forces are then those of the position Verlet rule, of second order and without a drift of energy. With faithful
/// memory it is that of the beginning.
class PerimeterSite {
 public:
  PerimeterSite(const Collider& a, const Collider& b, const ContactRule& rule);

  /// The curve; `step` [s] is the length of the coming step. The gap is negative where the surfaces cross, otherwise
  /// more than nothing; it is no distance.
  PointContact calc(const BodyMotion& motion, double step);

  /// Brings the memory to the curve found last, and finds the forces of the coming step. Once for each time: calls with
  /// the time the memory already has do nothing.
  void advance(const BodyMotion& motion, const PerimeterStep& step, PerimeterMemory& memory);

  /// Pieces of the curve found last, in the world [m].
  void list_curve(std::vector<std::array<Vec3, 2>>& out) const;

 private:
  /// One place, along one normal, in the course of a step.
  struct Point {
    Vec3 normal = Vec3::Zero();    ///< direction of the force on a
    Vec3 velocity = Vec3::Zero();  ///< of a relative to b [m/s]
    double length = 0.0;           ///< that it stands for [m]
    double rate = 0.0;             ///< of depth [m/s]
    double depth = 0.0;            ///< [m], >= 0
    double elastic = 0.0;          ///< [N]
    double damping = 0.0;          ///< coefficient of the law, per elastic force and rate [s/m]
    double damped_rate = 0.0;      ///< that it damps [m/s]
    double pressed = 0.0;          ///< elastic and damping force, >= 0 [N]
    double carried = 0.0;          ///< what its place deviated from its loop before [m]
    double keep = 1.0;             ///< part of that the step keeps where no probe tells it [1]
  };

  bool is_faithful() const { return std::get<PerimeterRule>(rule_->region).memory == PerimeterRule::Memory::faithful; }
  void calc_twist(const BodyMotion& motion);
  Vec3 calc_velocity(const Vec3& position) const { return velocity_ + spin_.cross(position); }
  bool has_patch_normals() const { return normals_ == PerimeterRule::Normals::patch; }
  void follow_endless(const Pose& X_WA, const Pose& X_WB);
  void move_memory(PerimeterMemory& memory) const;
  void list_places();
  void list_pairs(const PerimeterMemory& memory);
  void set_rates();
  // Memory by pair of triangles   [Moisio 2013, Algorithms 2 and 3]
  void advance_faithful(const PerimeterStep& step, const PerimeterMemory& memory);
  void inherit(const PerimeterMemory& memory, const PerimeterPair& pair);
  // Memory carried along the curve
  void advance_continuous(const PerimeterStep& step, PerimeterMemory& memory);
  void carry_places(const PerimeterStep& step, const PerimeterMemory& memory);
  void carry_loops(const PerimeterStep& step, const PerimeterMemory& memory);
  void sum_up_loops();
  void probe_tilts();
  std::optional<double> probe_depth(const CurveLoop& loop, const Vec3& place, std::size_t probe);
  void probe_tilt(std::size_t loop);
  std::array<Vec3, 2> calc_probe_arms(std::size_t loop) const;
  double calc_friction_reach(int loop) const;
  void set_deviations(const PerimeterStep& step);
  void advance_loops(const PerimeterStep& step);
  void set_damped_rates(double step);
  void balance(const PerimeterStep& step, PerimeterMemory& memory);
  void describe_springs(const PerimeterStep& step, PerimeterHold& hold) const;
  double calc_clearance(const Vec3& normal, double most);
  // Forces
  void push(const Vec3& center, double most_damping, PerimeterLoad& elastic, PerimeterLoad& damping);
  void apply_forces(const PerimeterStep& step, PerimeterMemory& memory);
  double calc_center(Vec3& center) const;
  double calc_bristle_energy(double stiffness_per_length) const;
  double calc_damping(double touch_speed, double effective_mass) const;
  Point& point(std::size_t place, int normal) { return points_[num_normals_ * place + normal]; }

  // What is computed does not depend on which collider is named first: a_ is the one that moves, or the smaller.
  bool is_reversed_;  ///< a_ is the pair's second collider
  const Collider* a_;
  const Collider* b_;
  const ContactRule* rule_;
  PerimeterRule::Normals normals_;  ///< as of a_ and b_
  int num_normals_;
  Vec3 shift_a_ = Vec3::Zero(), shift_b_ = Vec3::Zero();  ///< see calc_endless_shift, in the shapes' frames [m]
  MeshCrossing crossing_, probe_;
  std::span<const TriangleCrossing> segments_;
  PerimeterCurve curve_;
  Pose X_WA_, X_AB_;      ///< where the curve is
  Vec3 velocity_, spin_;  ///< of a relative to b, at a's origin and in a's frame [m/s], [rad/s]
  std::vector<PerimeterPair> pairs_;
  std::vector<PerimeterPlace> places_;
  std::vector<PerimeterLoop> loops_;
  std::vector<int> source_;  ///< of each pair, the same one in the memory, or -1
  std::vector<int> from_;    ///< of each place, the pair in the memory on whose segment it lies, or -1
  std::vector<Point> points_;
  std::vector<int> by_triangle_b_;  ///< pairs of the memory in that order
  struct Inflow {
    double weight = 0.0;
    double depth[2] = {0.0, 0.0}, peak_speed[2] = {0.0, 0.0};
    double age = 0.0;
  };
  std::vector<Inflow> inflows_;
  struct Mean {
    double length = 0.0, rate[2] = {0.0, 0.0}, deviation[2] = {0.0, 0.0};
    double force[2] = {0.0, 0.0}, power[2] = {0.0, 0.0};  ///< elastic [N], [W]
    double pressed_rate[2] = {0.0, 0.0};                  ///< mean weighted with the forces, where there are some [m/s]
    double damping[2] = {0.0, 0.0};                       ///< [s/m]
    double half_period = 0.0;                             ///< [s]
    bool has_tilt = false;
    Vec3 tilt = Vec3::Zero();   ///< gradient of depth along the patch [1]
    double center_depth = 0.0;  ///< at the centre of the patch [m]
    double flatness = 0.0;      ///< 1 where the depth changes linearly over the patch, 0 where it bulges [1]
  };
  std::vector<Mean> means_;
  struct Spread {
    Vec3 axis[2] = {Vec3::Zero(), Vec3::Zero()};  ///< across the loop's normal
    double xx = 0.0, xy = 0.0, yy = 0.0;          ///< second moments of the loop's line along them [m^3]
    double re = 0.0, im = 0.0, r4 = 0.0;          ///< of (x + i y)^4 and of its modulus [m^5]
  };
  std::vector<Spread> spreads_;
  std::vector<SurfaceRay> rays_;  ///< ten to a loop: five probes of two surfaces
};

}  // namespace abut
