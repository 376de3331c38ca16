#pragma once

#include <filesystem>

namespace abut {

/// What goes into every functional mock-up unit: the library that runs it, and the licences of all that is in it.
struct UnitLibrary {
  std::filesystem::path library, licences;
};

/// From where this program lies: beside it in a build, in lib/abut where it is installed. SystemError with the places
/// that were looked at.
UnitLibrary find_unit_library();

}  // namespace abut
