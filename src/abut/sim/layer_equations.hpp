#pragma once

#include <span>
#include <vector>

#include "abut/sim/layer_step.hpp"

namespace abut {

/// Unknowns of one contact, as offsets.
enum LayerSlot {
  kA1 = 0,
  kA2 = 3,
  kPn = 6,
  kPt = 7,
  kPo = 8,
  kPr = 9,
  kDt = 10,
  kDo = 11,
  kBar = 12,
  kDn = 13,
  kCore = 14
};
inline constexpr int kOneLayer = 15, kTwoLayers = 18;  // the second layer's dbar, d_n, core follow at 15

/// Where a contact's geometry is at given poses.
struct LayerFrame {
  Pose X_1, X_2;  ///< of the surfaces
  Vec3 n, t, o;
};

/// The equations of one step, see take_layer_step(). Unknowns z: speeds of the mechanism, of each body by itself (v,
/// w), those of each contact, dry friction in joints.
class LayerEquations {
 public:
  /// All but h [s] and gravity [m/s^2] must outlive it.
  LayerEquations(const std::vector<LayerBody>& bodies, const std::vector<LayerContact>& contacts,
                 const LayerMechanism* mechanism, double h, double gravity);

  int size() const { return size_; }
  const VecX& unknown_scale() const { return unknown_scale_; }
  const VecX& equation_scale() const { return equation_scale_; }
  int contact_start(std::size_t c) const { return contact_start_[c]; }
  double force_scale(std::size_t c) const { return force_scale_[c]; }
  double length_scale(std::size_t c) const { return length_scale_[c]; }

  /// A start for everything: free motion, opposed points there, layers pressed in by the overlap.
  VecX make_start();
  /// What is left of each equation.
  void calc(const VecX& z, VecX& r) const;

  std::vector<LayerBody> move_all(const VecX& z) const;
  Vec3 point_1(std::size_t c, const VecX& z) const { return origin_[c].a1 + z.segment<3>(contact_start_[c] + kA1); }
  Vec3 point_2(std::size_t c, const VecX& z) const { return origin_[c].a2 + z.segment<3>(contact_start_[c] + kA2); }
  LayerFrame make_frame(const LayerContact& contact, const std::vector<LayerBody>& moved, const Vec3& a2) const;
  /// Slip along t and o and about n at the contact, without deflection.
  Vec3 calc_slip(const LayerContact& contact, const LayerFrame& frame, const std::vector<LayerBody>& moved,
                 const Vec3& point) const;
  /// Impulse of a joint load.
  double calc_joint_load(std::size_t k, const VecX& z) const;

 private:
  struct Origin {
    Vec3 a1, a2;
  };

  int num_speeds() const { return static_cast<int>(mechanism_->free_speeds.size()); }
  std::span<const LayerJointLoad> joint_loads() const {
    return mechanism_ != nullptr ? std::span<const LayerJointLoad>(mechanism_->loads)
                                 : std::span<const LayerJointLoad>();
  }
  LayerBody move(std::size_t b, const VecX& z) const;
  void start_contact(std::size_t c, const std::vector<LayerBody>& moved, VecX& z);
  void calc_contact(std::size_t c, const VecX& z, const std::vector<LayerBody>& moved, VecX& r) const;
  void add_joint_loads(const VecX& z, VecX& r) const;
  void add_friction(std::size_t c, const VecX& z, const std::vector<LayerBody>& moved, const LayerFrame& frame,
                    const Vec3& change, VecX& r) const;
  void add_loads(const LayerContact& contact, const LayerFrame& frame, const Vec3& point, const Vec3& impulse,
                 double twist, const std::vector<LayerBody>& moved, VecX& r) const;
  void set_scales(double gravity);
  void set_mechanism_scales();
  void set_contact_scales(std::size_t c, double gravity);

  const std::vector<LayerBody>& bodies_;
  const std::vector<LayerContact>& contacts_;
  const LayerMechanism* mechanism_;
  double h_;
  int size_ = 0;
  double speed_scale_ = 1.0;
  std::vector<int> body_start_, contact_start_, load_start_;
  std::vector<double> force_scale_, length_scale_;
  std::vector<Origin> origin_;
  VecX unknown_scale_, equation_scale_;
};

}  // namespace abut
