#pragma once

#include <memory>
#include <span>
#include <string>

#include "abut/geometry/mesh/closed_mesh.hpp"
#include "abut/geometry/polyhedron/convex_polyhedron.hpp"
#include "abut/geometry/shape.hpp"

namespace abut {

/// The solid of all points x with normal . x <= offset for every plane, within a cube of half length `reach` [m] about
/// the origin, as a closed mesh: with it, meshes meet half-spaces, wedges and convex polyhedra given by planes as
/// exactly as other meshes. Make it once; the pose moves it. Planes that touch nothing are dropped. InputError naming
/// `name` if the planes leave no volume, or if a normal is not a unit vector.
ClosedMesh make_convex_mesh(std::span<const HalfSpace> planes, double reach, const std::string& name = "planes");

/// A convex polyhedron as a closed mesh, its vertices kept. InputError where rounding leaves slivers of faces that pass
/// through each other.
ClosedMesh make_convex_mesh(const ConvexPolyhedron& polyhedron);

/// A convex mesh as the polyhedron it is; null where it has dents, or more vertices than are worth a look.
std::shared_ptr<const ConvexPolyhedron> find_convex_polyhedron(const ClosedMesh& mesh);

}  // namespace abut
