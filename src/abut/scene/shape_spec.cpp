#include "abut/scene/shape_spec.hpp"

#include <algorithm>

namespace abut {

namespace {

struct Finiteness {
  bool operator()(const SphereSpec&) const { return true; }
  bool operator()(const BoxSpec&) const { return true; }
  bool operator()(const CapsuleSpec&) const { return true; }
  bool operator()(const EllipsoidSpec&) const { return true; }
  bool operator()(const SuperquadricSpec&) const { return true; }
  bool operator()(const IntersectionSpec&) const { return true; }
  bool operator()(const PolyhedronSpec&) const { return true; }
  bool operator()(const MeshSpec& s) const { return !s.surface; }
  bool operator()(const CylinderSpec& s) const { return s.length.has_value(); }
  bool operator()(const ConeSpec& s) const { return s.height.has_value(); }
  bool operator()(const HalfSpaceSpec&) const { return false; }
  bool operator()(const BoreSpec&) const { return false; }
  bool operator()(const WedgeSpec&) const { return false; }
  bool operator()(const TorusSpec&) const { return true; }
  bool operator()(const BowlSpec&) const { return true; }
  bool operator()(const CavitySpec&) const { return false; }
  bool operator()(const CellSpec& s) const {
    return std::any_of(s.part.begin(), s.part.end(), [](const CellPartSpec& part) {
      return !part.complement && std::visit(Finiteness{}, part.type);
    });
  }
};

}  // namespace

bool is_finite(const ShapeSpec& shape) { return std::visit(Finiteness{}, shape.type); }

}  // namespace abut
