#include "unit_library.hpp"

#include <string>
#include <system_error>

#include <fmt/format.h>

#include "abut/base/error.hpp"
#include "version.hpp"

namespace abut {

UnitLibrary find_unit_library() {
  std::error_code error;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error);
  if (error) throw SystemError(fmt::format("where this program lies cannot be found out: {}", error.message()));
  const std::filesystem::path folder = program.parent_path();
  std::string places;
  for (const std::filesystem::path& place : {folder / "../fmu", folder / ".." / kLibraryFolder / "abut"}) {
    const UnitLibrary found{place / "abut_unit.so", place / "abut_unit_licences.txt"};
    if (std::filesystem::exists(found.library, error) && std::filesystem::exists(found.licences, error)) return found;
    places += "\n  " + place.lexically_normal().string();
  }
  throw SystemError(fmt::format("the library for units, abut_unit.so, is in none of:{}", places));
}

}  // namespace abut
