#pragma once

#include <vector>

#include "abut/contact/patch.hpp"
#include "abut/contact/region/perimeter_memory.hpp"

namespace abut {

/// Which patches exist, and their memory. Copyable: together with the integrator's vector it is the state of all
/// contacts. Patches sit in a pool with stable places, so that the continuous states of a patch keep their place in the
/// integrator's vector while others come and go.
struct PatchPool {
  std::vector<Patch> patches;               ///< some not in use
  std::vector<int> active;                  ///< places of those in use, in the order of the candidates' points
  std::vector<int> free_places;             ///< to be reused, last in first out
  std::vector<PerimeterMemory> perimeters;  ///< of the places of perimeter patches; empty where there are none

  /// Puts the active patches first, without gaps; returns the old place of each.
  std::vector<int> compact();
};

/// A patch that another one broke off from, and where both are now; or that another one was joined to.
struct PatchKin {
  int place = -1;                ///< of the kin, -1 where there is none
  double share = 0.0;            ///< of the kin's volume that broke off [1]
  double gyration_radius = 0.0;  ///< of the kin before [m]
  Vec3 arm = Vec3::Zero();       ///< from where the kin was to the part that broke off [m]
  Vec3 retreat = Vec3::Zero();   ///< from where the kin was to where it is now [m]
};

/// What the integrator keeps of patches.
struct PatchNumbers {
  double* friction_states = nullptr;  ///< `stride` numbers for each place of the pool: z, then dwell, then twist
  int stride = 0;
  double* works = nullptr;  ///< kNumPatchWorks for each place of the pool [J]

  double* states_of(int place) const { return friction_states + static_cast<std::ptrdiff_t>(stride) * place; }
  double* works_of(int place) const { return works + static_cast<std::ptrdiff_t>(kNumPatchWorks) * place; }
};

}  // namespace abut
