#pragma once

namespace abut {

/// Which cells of a body count as one body in contact.
enum class CellJoining {
  joined,     ///< those that continue each other: they meet in a face, and not in a concave corner
  connected,  ///< all that meet in a face
  separate    ///< none
};

}  // namespace abut
