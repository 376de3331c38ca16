#pragma once

#include <string>

#include "abut/fmu/fmu_model.hpp"

namespace abut {

enum class FmiVersion { v2, v3 };

/// modelDescription.xml of a unit. `identifier`: name of its library.
std::string make_fmu_description(const FmuModel& fmu, const std::string& identifier, FmiVersion version);

/// documentation/index.html: what the unit shows, for people.
std::string make_fmu_page(const FmuModel& fmu, FmiVersion version);

}  // namespace abut
