#include "abut/version.hpp"

namespace abut::v0 {

const char* library_version() noexcept { return ABUT_VERSION; }

}  // namespace abut::v0
