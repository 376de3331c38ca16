#pragma once

namespace abut {

/// What a look at the geometry has to tell of points that are apart: how far (for locating a touch), or only that.
/// Events need the gaps alone: forces, and normals that depend on them, are left out then.
enum class Gaps { exact, sign, alone };

}  // namespace abut
