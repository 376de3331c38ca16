#pragma once

#include <string>

#include "abut/math/mesh_data.hpp"

namespace abut {

/// InputError naming `name` if there are no triangles, a triangle names a vertex that is not there, or a coordinate is
/// not finite or so large [m] that third powers of it would overflow.
void require_sound_mesh(const MeshData& data, const std::string& name);

/// Replaces a triangle whose corners lie on a line and its neighbour across the longest edge by the two triangles of
/// the other diagonal: the same surface without the flat triangle. Returns how many were replaced.
int flatten_needles(MeshData& data);

/// Drops triangles whose corners lie on a line, exactly or so nearly that they have no normal. Returns how many.
int drop_needles(MeshData& data);

/// Turns triangles over so that neighbours agree which side is outside, and returns how many. In each piece connected
/// over edges of two triangles the larger area keeps its side. Edges round which no choice agrees (a Moebius strip)
/// stay.
int orient_triangles(MeshData& data);

}  // namespace abut
