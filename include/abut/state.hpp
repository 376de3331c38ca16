#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "abut/api.hpp"

ABUT_DOOR_BEGIN

/// One instant of a world: everything that the steps to come depend on (coordinates, velocities, contacts with their
/// memory, what the method knows of its past, inputs that are held) and what has been booked so far. A value: copies
/// share it, and two are equal when their worlds go on to the same bits.
class ABUT_API State {
 public:
  /// Of bytes that bytes() gave, in whatever process on a machine of the same kind. InputError when they are no state.
  /// Whether it is one of the model at hand is found when a world takes it.
  static State from_bytes(std::span<const std::byte> bytes);
  std::span<const std::byte> bytes() const noexcept;

  double time() const noexcept;  ///< [s]
  std::size_t hash() const noexcept;
  ABUT_API friend bool operator==(const State& a, const State& b) noexcept;

 private:
  struct Parts;
  explicit State(std::shared_ptr<const Parts> parts);
  friend class Inside;  // of the library

  std::shared_ptr<const Parts> parts_;
};

ABUT_DOOR_END

template <>
struct std::hash<abut::v0::State> {
  std::size_t operator()(const abut::v0::State& state) const noexcept { return state.hash(); }
};
