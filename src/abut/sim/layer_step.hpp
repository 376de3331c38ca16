#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "abut/geometry/implicit_surface.hpp"
#include "abut/math/pose.hpp"
#include "abut/solve/ncp/semismooth_newton.hpp"

namespace abut {

/// Compliant layer over a rigid core.   [Chakraborty et al. 2007 (10)-(13)]
/// Components (normal, first tangent, second tangent): force = K delta + C d(delta)/dt, normal deflection up to
/// max_deflection, where the core takes over.
struct Layer {
  Mat3 stiffness = Mat3::Zero();  ///< K [N/m], symmetric, positive definite
  Mat3 damping = Mat3::Zero();    ///< C [N s/m], positive semi-definite
  double max_deflection = 0.0;    ///< d_n^max [m], > 0
};

/// A body of one step. World axes; velocities of the centre of mass.
struct LayerBody {
  bool is_fixed = false;                             ///< moves as v and w say, whatever acts on it
  int link = -1;                                     ///< place in the mechanism's list; -1: a body by itself
  double mass = 1.0;                                 ///< [kg]
  Mat3 inertia_B = Mat3::Identity();                 ///< about the centre of mass, body axes [kg m^2]
  Mat3 R = Mat3::Identity();                         ///< of the body at the start of the step
  Vec3 p = Vec3::Zero();                             ///< centre of mass [m]
  Vec3 v = Vec3::Zero(), w = Vec3::Zero();           ///< [m/s], [rad/s]
  Vec3 force = Vec3::Zero(), torque = Vec3::Zero();  ///< applied, all but contacts and gyroscopic [N], [N m]
};

/// A load along one speed of a mechanism: the impulse clamp(impulse - weight v+, lower, upper), see JointRow.
struct LayerJointLoad {
  int speed = 0;                       ///< among the mechanism's
  double impulse = 0.0, weight = 0.0;  ///< [N s, N m s], [kg, kg m^2]; infinite: dry friction
  double lower = 0.0, upper = 0.0;
};

/// Bodies joined to each other, all of those of a step: their speeds take the place of the bodies' own, with
///   M (v+ - v_free) = sum of J' (impulse; angular impulse) + impulses of joint loads
/// with those of the contacts, M and J as they are at the start of the step.
struct LayerMechanism {
  MatX mass;                     ///< M, by speeds
  VecX free_speeds;              ///< at the end of the step without contacts
  std::vector<Mat6X> jacobians;  ///< J of each link's centre of mass (linear; angular), world axes
  std::vector<LayerJointLoad> loads;
  /// Sets R, p, v and w of its links at the end of a step with these speeds.
  std::function<void(const VecX& speeds, std::vector<LayerBody>& bodies)> move;
};

/// What a contact carries from step to step.
struct LayerMemory {
  double deflection = 0.0;         ///< normal, of the layer of body 2 [m]
  Vec3 tangential = Vec3::Zero();  ///< tangential, of the layer of body 2, world axes [m]
  double other_deflection = 0.0;   ///< normal, of the layer of body 1 [m]
  Vec3 reference = Vec3::UnitX();  ///< direction that the tangent basis follows
  Vec3 normal = Vec3::Zero();      ///< of the last step, out of 2 into 1; zero: none yet
  double normal_force = 0.0;       ///< [N]
};

/// A possible contact: f of body 1 against g of body 2, whose layer is compliant; body 1 may have one too.
struct LayerContact {
  int body_1 = -1, body_2 = -1;
  const ImplicitSurface* f = nullptr;
  const ImplicitSurface* g = nullptr;
  Pose X_B1, X_B2;             ///< of the surfaces in axes of the bodies, from their centres of mass
  Layer layer;                 ///< of body 2
  std::optional<Layer> other;  ///< of body 1
  double mu = 0.0;
  Vec3 ellipsoid = Vec3(1.0, 1.0, 0.0);  ///< e_t, e_o [1], e_r [m]
  /// Whether tangential deflection takes part in the slip; as printed it does not.   [Chakraborty et al. 2007 (14)]
  bool is_tangent_acting = true;
  LayerMemory memory;
};

/// What a contact did in the step.
struct LayerOutcome {
  Vec3 point = Vec3::Zero(), normal = Vec3::UnitZ();
  double gap = 0.0;           ///< between the undeformed surfaces at the end, < 0 overlapping [m]
  double normal_force = 0.0;  ///< spring, damper and core [N]
  double core_force = 0.0;    ///< the part of the rigid core of body 2 [N]
  double other_core_force = 0.0;
  Vec3 friction = Vec3::Zero();  ///< on body 1 [N]
  double torsion = 0.0;          ///< friction torque about the normal on body 1 [N m]
  double slip_speed = 0.0;       ///< sigma: sqrt(sum (e_k v_k)^2) [m/s]
  Vec3 slip = Vec3::Zero();      ///< tangential velocity of 1 relative to 2 [m/s]
  double deflection = 0.0;       ///< normal, of layer 2 [m]
  double elastic = 0.0;          ///< stored at the end [J]
  double friction_work = 0.0;    ///< dissipated by slip [J]
  double damping_work = 0.0;     ///< dissipated by the layers' dampers and by what the rigid cores stop [J]
  double work = 0.0;             ///< of all contact forces on both bodies, at mean velocities [J]
  LayerMemory memory;            ///< for the next step
};

struct LayerStepResult {
  NcpResult ncp;
  std::vector<LayerBody> bodies;  ///< at the end of the step
  VecX speeds;                    ///< of the mechanism
  std::vector<double> loads;      ///< impulses of its joint loads [N s, N m s]
  std::vector<LayerOutcome> contacts;
};

/// One geometrically implicit step: motion, closest points, layer deflection and friction of all contacts as one system
/// of equations at the end of the step.   [Chakraborty et al. 2007 (14), (15)]
///
/// Each contact has the unknowns a1, a2, p_n, p_t, p_o, p_r, d_t, d_o and for each layer dbar, d_n and the core's
/// force:
///   (a1 - a2) . t_k = 0,  n_f . t_k = 0,  f(a1) [+ dbar_1] = 0,  g(a2) + dbar = 0,  g(a2 + d n) = 0        (11), (12)
///   0 <= p_n _|_ (a1 - a2) . n >= 0,  0 <= p_core _|_ d_max - d >= 0                                      (13)
///   (p_n - p_core, p_t, p_o) = K delta + C (delta - delta_old) / h                                        E2
///   (p_t/e_t, p_o/e_o, p_r/e_r) = projection on the ball of radius mu p_n of itself less rho (e v)         (5)
/// Friction as a projection has the same solutions as the multiplier form (5) with sigma = |e v|, and is regular at p_n
/// = 0, where (5) is not. The normal n is that of g at a2; the tangents follow memory.reference. Bodies turn by the
/// midpoint rule in their own axes, I (W+ - W) = h (I Wm) x Wm + angular impulses, which keeps energy and the size of
/// the angular momentum in free flight ([Chakraborty et al. 2007] conserves angular momentum, and loses energy). Every
/// step begins cold: points opposed to each other at the motion without contacts.
LayerStepResult take_layer_step(const std::vector<LayerBody>& bodies, const std::vector<LayerContact>& contacts,
                                double h, double gravity, const NcpOptions& options = {},
                                const LayerMechanism* mechanism = nullptr);

/// Energy in a layer [J].
double calc_layer_energy(const Layer& layer, const Vec3& deflection);

/// R turned by the rotation vector (world axes).
Mat3 rotate_by(const Vec3& rotation, const Mat3& R);

}  // namespace abut
