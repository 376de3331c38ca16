#pragma once

#include <string_view>

namespace abut {

/// What web/build.mjs made, or one line that says why it could not be made. Defined by the build.
std::string_view embedded_page();

}  // namespace abut
