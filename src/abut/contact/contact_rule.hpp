#pragma once

#include <optional>
#include <string>
#include <vector>

#include "abut/contact/law/friction_law.hpp"
#include "abut/contact/law/hertz_stiffness.hpp"
#include "abut/contact/law/normal_law.hpp"
#include "abut/contact/law/resolved_value.hpp"
#include "abut/contact/region/region_traits.hpp"
#include "abut/geometry/volume/cell_joining.hpp"

namespace abut {

/// Where the force of a volumetric contact points, and whether it has a potential.
enum class VolumeNormal {
  field,      ///< minus the gradient of the energy that a depth field stores
  geometric,  ///< normal of the curve in which the surfaces cross; no potential beside half-spaces
  principal,  ///< principal axis of the volume, as in the source; no potential
};

/// Options of the volumetric model.
struct VolumeRule {
  double relative_error = 1e-6;  ///< of the volumes of curved pairs [1]
  double normal_memory = 0.95;  ///< r_n, weight of the previous normal in the choice of axis [1] [Gonthier 2007 (A.31)]
  VolumeNormal normal = VolumeNormal::field;
  bool exact_spin = false;  ///< Coulomb friction integrated over the pressure instead of the closure (4.211)
  int spin_detail = 4;      ///< fineness of that integral [1]
  double spin_scale = 1.0;  ///< factor of the friction torque about the normal; 1 is the theory [1]
  CellJoining cells = CellJoining::joined;
};

/// Options of perimeter contact.   [Moisio 2013; docs/theory/perimeter.md]
struct PerimeterRule {
  enum class Memory { continuous, faithful };
  enum class Normals { patch, both, a, b };
  Memory memory = Memory::continuous;
  Normals normals = Normals::patch;
  bool energy_guard = true;
};

/// Contact at points has no options.
struct PointRule {};

/// The region of a contact with its options; in the order of RegionKind.
using RegionRule = std::variant<PointRule, VolumeRule, PerimeterRule>;

/// One resolved [[contact]] entry: everything that is the same for all the pairs it covers.
struct ContactRule {
  std::string name;
  NormalLawParameters normal;
  /// Contact modulus E* [Pa] when the stiffness comes from material data; it is then computed from the curvature at
  /// each touch.
  std::optional<double> contact_modulus;
  FrictionParameters friction;
  RegionRule region;  ///< it also says of what the stiffness is one: of depth, volume [N/m^3] or area [N/m^2]
  double relaxation_time = 1.0;         ///< tau_r of the fixed-step relaxation [s]   [Gonthier 2007 (3.45)]
  std::optional<double> initial_dwell;  ///< stiction a new patch starts with; by default 1 at time zero, 0 afterwards
  std::vector<ResolvedValue> resolved;  ///< every parameter with its origin
  std::vector<std::string> notes;       ///< legal but worth a word

  RegionKind kind() const { return static_cast<RegionKind>(region.index()); }
  const RegionTraits& traits() const { return region_traits(kind()); }
};

/// Whether the force of its points grows with depth^1.5, as Hertz has it, so that their patch and pressure are known.
inline bool is_hertzian(const ContactRule& rule) {
  return rule.traits().is_law_of_depth && rule.normal.exponent == 1.5;
}

/// Continuous states a patch of this rule carries: bristle deflection (3), dwell (1), and twist (1) in a volume.
inline int num_friction_states(const ContactRule& rule) {
  if (rule.traits().has_own_bristles) return 0;
  const int count = num_friction_states(rule.friction);
  return count == 4 && rule.traits().has_twist ? 5 : count;
}

}  // namespace abut
