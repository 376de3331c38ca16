#pragma once

#include <vector>

#include "abut/geometry/mesh/closed_mesh.hpp"
#include "abut/geometry/shape.hpp"
#include "abut/math/types.hpp"

namespace abut {

/// A piece of the outline of a section, from p to q with the solid to its left, seen against the normal [m].
struct SectionSegment {
  Vec3 p = Vec3::Zero(), q = Vec3::Zero();
  int triangle = 0;
};

struct SectionScratch {
  std::vector<int> stack;
};

/// Outline of a solid cut by the plane normal . x = offset, in the frame of the mesh: directed segments that form
/// closed lines, without order. Vertices in the plane count as above it, so that every line is closed whatever the
/// position; each end is computed once for both triangles of its edge, to the same bits. `segments` is replaced.
void calc_cross_section(const ClosedMesh& mesh, const HalfSpace& plane, SectionScratch& scratch,
                        std::vector<SectionSegment>& segments);

/// Area of the section [m^2], by Green's theorem over its outline.
double calc_section_area(const HalfSpace& plane, const std::vector<SectionSegment>& segments);

}  // namespace abut
