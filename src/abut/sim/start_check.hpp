#pragma once

#include <string>
#include <vector>

#include "abut/sim/dynamics.hpp"

namespace abut {

/// Pairs under perimeter contact of which one body lies wholly inside the other: no curve, and so no force, ever. By
/// the candidates and the motion computed last; in words, with the sizes, which tell of a mesh in other units.
std::vector<std::string> find_enclosed_bodies(Dynamics& dynamics, const char* verb = "starts");

/// Joints that start beyond one of their limits, whose spring would throw them back.
std::vector<std::string> find_joints_beyond_limits(const Model& model);

/// Bodies whose mass follows from shapes that overlap, so that what they share counts twice.
std::vector<std::string> find_overlapping_shapes(const Model& model);

}  // namespace abut
