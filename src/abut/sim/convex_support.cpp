#include "abut/sim/convex_support.hpp"

#include "abut/base/error.hpp"

namespace abut {

std::optional<SupportSolid> find_convex_support(const Shape& shape) {
  if (const auto* polyhedron = std::get_if<Polyhedron>(&shape)) return SupportSolid(*polyhedron->solid);
  try {
    return SupportSolid(shape);
  } catch (const InputError&) {
    return std::nullopt;
  }
}

}  // namespace abut
