#pragma once

#include <array>
#include <optional>

#include "abut/contact_pair.hpp"
#include "audit/bodies.hpp"

namespace abut {

/// How two bodies lie to each other at one instant, from their motions alone: all patches together.
struct PairLook {
  bool touches = false;
  double depth = 0.0;           ///< the largest [m]
  Vec3 point = Vec3::Zero();    ///< mean over patches by depth [m]
  Vec3 normal = Vec3::Zero();   ///< into the first body
  bool has_one_normal = false;  ///< that of every patch, as on a plane
  Vec3 slip = Vec3::Zero();     ///< of the first over the second there [m/s]
  double parting_speed = 0.0;   ///< rate of the gap there, < 0 approaching [m/s]
  double normal_force = 0.0;    ///< of the law, as if the bodies had met at rest at this instant [N]
};

/// What the law does along a stretch of the trajectory.
struct LawStretch {
  struct Sample {
    Vec3 force = Vec3::Zero();  ///< on the first body, at the instant [N]
    Vec3 mean = Vec3::Zero();   ///< the same over the interval that ends here [N]
    double stored = 0.0;        ///< elastic, and in bristles [J]
    double dissipated = 0.0;    ///< since the first sample [J]
    double deflection = 0.0;    ///< of bristles [m]
  };
  std::vector<Sample> samples;  ///< from the first sample to the last, both counted
};

/// Contact laws of one pair of bodies along motions that are given.
class PairProbe {
 public:
  /// `scene` holds laws that can be evaluated. InputError as ContactPair throws it.
  PairProbe(const v0::Scene& scene, const Bodies& bodies, int body_a, int body_b);

  int body_a() const { return bodies_[0]; }
  int body_b() const { return bodies_[1]; }

  PairLook look(const v0::Motion& a, const v0::Motion& b);
  PairLook look(std::size_t k);
  /// The instant at which the bodies meet if both fly on from sample k, `until` being later or, for where they parted,
  /// earlier [s]; none if they do not, or overlap already.
  struct Meeting {
    double time = 0.0;
    PairLook look;
  };
  std::optional<Meeting> find_meeting(std::size_t k, double until);
  /// The law from sample `first` to `last`: touches within are found, friction follows the path.
  LawStretch follow(std::size_t first, std::size_t last);
  /// Depth at which the law carries a load along the normal of a look, both bodies at rest where they are at sample k:
  /// the depth of that sample is changed by moving the first body along it [m].
  std::optional<double> find_depth_under(double load, std::size_t k);

 private:
  v0::PairForce evaluate(const v0::PairState& state, std::size_t k, double t, std::span<const double> numbers = {});
  /// Integrates the numbers of the pair along the path within interval k.
  void advance(v0::PairState& state, std::size_t k, double from, double to, Vec3& impulse);
  /// The same as a whole step, from its beginning to its end.
  void go(v0::PairState& state, std::size_t k, double from, double to, Vec3& impulse);
  /// Patches of a step that begins; whether there are new ones.
  bool begin(v0::PairState& state, std::size_t k, double t, double step);
  /// When the first new patch appears in the step that has begun at `from`; none where it is there only at its end.
  std::optional<double> find_cut(const v0::PairState& state, std::size_t k, double from, double to);

  const Bodies& book_;
  std::array<int, 2> bodies_;
  v0::ContactPair pair_;
  v0::PairState blank_;
};

}  // namespace abut
