#pragma once

#include <string>

#include "abut/scene/field.hpp"

namespace abut {

/// "must be > 0 kg, found -2" for a number outside the limits of its field, "must be finite, found nan", or empty.
std::string find_number_defect(double value, const FieldInfo& info);

/// "> 0", ">= 0.5, <= 5", or empty: the limits of a field.
std::string describe_range(const FieldInfo& info);

/// The rule, key or number that stands for a value that is not given, or empty.
std::string describe_otherwise(const FieldInfo& info);

}  // namespace abut
