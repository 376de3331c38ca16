#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include <toml++/toml.h>

#include "abut/math/types.hpp"
#include "abut/scene/body_spec.hpp"
#include "abut/scene/field.hpp"

namespace abut {

/// Place of a node in the scene `file`, or the override it came from.
SourceLocation locate(const toml::source_region& region, const std::string& file);

/// What was found, for messages: "the string \"two\"", "an array of 2".
std::string describe_node(const toml::node& node);

/// Conversions of single values; nothing when the node is of another kind.
std::optional<double> to_number(const toml::node& node);
std::optional<std::vector<double>> to_numbers(const toml::node& node);
std::optional<Vec3> to_vector(const toml::node& node);
std::optional<std::vector<Vec3>> to_vectors(const toml::node& node);
std::optional<Quat> to_quaternion(const toml::node& node);
std::optional<std::vector<std::string>> to_words(const toml::node& node);
std::optional<std::array<std::string, 2>> to_pair(const toml::node& node);
/// 3 or 6 numbers, or 3 rows of 3.
std::optional<InertiaSpec> to_inertia(const toml::node& node);

}  // namespace abut
