#include "abut/geometry/volume/clip_solid.hpp"

#include "abut/base/error.hpp"

namespace abut {

std::shared_ptr<const ConvexPolyhedron> make_clip_solid(const PolyhedronClip& clip) {
  try {
    return std::make_shared<const ConvexPolyhedron>(make_convex_hull(clip.vertices()));
  } catch (const InputError&) {
    return nullptr;  // thinner than rounding
  }
}

}  // namespace abut
