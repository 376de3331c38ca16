#pragma once

#include <array>

#include "abut/scene/energy_list.hpp"

namespace abut {

enum class EnergyKind { stored, dissipated, supplied };

constexpr EnergyKind energy_kind(Energy energy) {
  if (energy <= Energy::spring) return EnergyKind::stored;
  return energy <= Energy::time_stepping ? EnergyKind::dissipated : EnergyKind::supplied;
}

struct EnergyBalance {
  std::array<double, kNumEnergies> values{};

  double& operator[](Energy energy) { return values[static_cast<std::size_t>(energy)]; }
  double operator[](Energy energy) const { return values[static_cast<std::size_t>(energy)]; }

  double sum(EnergyKind kind) const {
    double total = 0.0;
    for (int i = 0; i < kNumEnergies; ++i) {
      if (energy_kind(static_cast<Energy>(i)) == kind) total += values[static_cast<std::size_t>(i)];
    }
    return total;
  }
  /// What the ledger accounts for: equal to the stored energy at the start when nothing is lost [J].
  double total() const { return sum(EnergyKind::stored) + sum(EnergyKind::dissipated) - sum(EnergyKind::supplied); }
};

}  // namespace abut
