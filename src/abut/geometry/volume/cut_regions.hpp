#pragma once

#include <memory>

#include "abut/geometry/volume/cell_faces.hpp"
#include "abut/geometry/volume/depth_field.hpp"

namespace abut {

/// Cuts a cell into regions in which one law each is its depth (cut_field.hpp), and sets laws and regions of `field`.
/// `box`: about the cell. `bend`: b of the planes [1/m]. `cap`: greatest depth C [m], or infinity. False where two laws
/// are equal on a surface that no kernel takes.
bool make_cut_regions(const CellFaces& faces, std::shared_ptr<const ConvexPolyhedron> box, double bend, double cap,
                      DepthField& field);

}  // namespace abut
