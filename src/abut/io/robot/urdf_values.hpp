#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "abut/io/robot/robot_model.hpp"
#include "abut/io/xml/xml_document.hpp"

namespace abut {

/// What reading one file of a robot shares.
struct UrdfContext {
  RobotModel& robot;
  ProblemList& problems;
};

/// What an element may have; other children and attributes are told by check_element().
struct UrdfElement {
  std::vector<std::string> children, attributes;
  /// Children that are known, but have no place in a scene.
  std::vector<std::string> left_out{};
};

/// A word near a known one is a slip and a mistake; other unknown ones belong to somebody else's program and are listed
/// as left out. So are the children named in `left_out` and everything with a namespace of its own.
void check_element(const XmlElement& element, const UrdfElement& form, UrdfContext& context);

/// Numbers in blanks, "0 1e-3 -.5"; the decimal sign is a point whatever the locale says. Reports what is none, and a
/// count that is not the expected one.
std::optional<std::vector<double>> read_numbers(const XmlElement& element, std::string_view key, std::size_t count,
                                                UrdfContext& context);
/// The number; `otherwise` when it is not given (required when there is none) or not readable.
double read_number(const XmlElement& element, std::string_view key, std::optional<double> otherwise,
                   UrdfContext& context);
Vec3 read_vector(const XmlElement& element, std::string_view key, const Vec3& otherwise, UrdfContext& context);

/// <origin xyz rpy>: turns about the fixed axes x, y, z in this order. Identity when there is none.
struct UrdfOrigin {
  Vec3 position = Vec3::Zero();
  Quat orientation = Quat::Identity();
};
UrdfOrigin read_origin(const XmlElement& parent, UrdfContext& context);

/// The value of a required attribute; empty after a report.
std::string read_word(const XmlElement& element, std::string_view key, UrdfContext& context);

/// "<link> 'arm'".
std::string label_of(const XmlElement& element);

}  // namespace abut
