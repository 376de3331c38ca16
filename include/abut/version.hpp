#pragma once

#include "abut/api.hpp"
#include "abut/version.h"

ABUT_DOOR_BEGIN

/// Of the library that it runs with: "0.1.0"; ABUT_VERSION is of the headers that a program was compiled with.
ABUT_API const char* library_version() noexcept;

ABUT_DOOR_END
