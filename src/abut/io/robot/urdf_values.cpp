#include "abut/io/robot/urdf_values.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "abut/base/spelling.hpp"

namespace abut {
namespace {

std::vector<std::string_view> split_words(std::string_view text) {
  std::vector<std::string_view> words;
  while (true) {
    const std::size_t begin = text.find_first_not_of(" \t\r\n");
    if (begin == std::string_view::npos) return words;
    text.remove_prefix(begin);
    const std::size_t end = std::min(text.find_first_of(" \t\r\n"), text.size());
    words.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
}

std::optional<double> to_double(std::string_view word) {
  if (word.starts_with('+')) word.remove_prefix(1);
  double value = 0.0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc() || end != word.data() + word.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

bool contains(const std::vector<std::string>& list, const std::string& word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

}  // namespace

std::string label_of(const XmlElement& element) {
  const std::string name = element.attribute("name");
  return name.empty() ? fmt::format("<{}>", element.name) : fmt::format("<{}> '{}'", element.name, name);
}

void check_element(const XmlElement& element, const UrdfElement& form, UrdfContext& context) {
  for (const XmlElement& child : element.children) {
    if (contains(form.children, child.name)) continue;
    const std::string nearest = nearest_spelling(child.name, form.children);
    const bool is_known = contains(form.left_out, child.name) || child.name.find(':') != std::string::npos;
    if (is_known || nearest.empty()) {
      context.robot.left_out.add(fmt::format("<{}> in <{}>", child.name, element.name), child.where.line);
      continue;
    }
    context.problems.add(
        child.where,
        fmt::format("unknown element <{}> in {}. Did you mean <{}>?", child.name, label_of(element), nearest), {},
        child.name, form.children);
  }
  for (const XmlAttribute& attribute : element.attributes) {
    if (contains(form.attributes, attribute.name) || attribute.name.starts_with("xmlns")) continue;
    const std::string nearest = nearest_spelling(attribute.name, form.attributes);
    if (nearest.empty() || attribute.name.find(':') != std::string::npos) {
      context.robot.left_out.add(fmt::format("{} of <{}>", attribute.name, element.name), attribute.where.line);
      continue;
    }
    context.problems.add(
        attribute.where,
        fmt::format("unknown attribute {} of {}. Did you mean {}?", attribute.name, label_of(element), nearest), {},
        attribute.name, form.attributes);
  }
}

std::optional<std::vector<double>> read_numbers(const XmlElement& element, std::string_view key, std::size_t count,
                                                UrdfContext& context) {
  const XmlAttribute* attribute = element.find_attribute(key);
  if (attribute == nullptr) return std::nullopt;
  std::vector<double> numbers;
  const std::vector<std::string_view> words = split_words(attribute->value);
  for (const std::string_view word : words) {
    const std::optional<double> number = to_double(word);
    if (!number) {
      context.problems.add(attribute->where,
                           fmt::format("{} of <{}> must be {}, found \"{}\"", key, element.name,
                                       count == 1 ? "a number" : fmt::format("{} numbers", count), attribute->value),
                           word.find(',') != std::string_view::npos
                               ? "The decimal sign is a point, and blanks stand between numbers."
                               : "",
                           attribute->value);
      return std::nullopt;
    }
    numbers.push_back(*number);
  }
  if (numbers.size() == count) return numbers;
  context.problems.add(attribute->where,
                       fmt::format("{} of <{}> has {} number{} in place of {}: \"{}\"", key, element.name,
                                   numbers.size(), numbers.size() == 1 ? "" : "s", count, attribute->value));
  return std::nullopt;
}

double read_number(const XmlElement& element, std::string_view key, std::optional<double> otherwise,
                   UrdfContext& context) {
  if (element.find_attribute(key) == nullptr && !otherwise)
    context.problems.add(element.where, fmt::format("attribute {} is missing in {}", key, label_of(element)));
  const auto numbers = read_numbers(element, key, 1, context);
  return numbers ? numbers->front() : otherwise.value_or(0.0);
}

Vec3 read_vector(const XmlElement& element, std::string_view key, const Vec3& otherwise, UrdfContext& context) {
  const auto numbers = read_numbers(element, key, 3, context);
  return numbers ? Vec3((*numbers)[0], (*numbers)[1], (*numbers)[2]) : otherwise;
}

UrdfOrigin read_origin(const XmlElement& parent, UrdfContext& context) {
  UrdfOrigin origin;
  const XmlElement* element = parent.find("origin");
  if (element == nullptr) return origin;
  check_element(*element, {{}, {"xyz", "rpy", "quat_xyzw"}}, context);
  origin.position = read_vector(*element, "xyz", Vec3::Zero(), context);
  if (const auto q = read_numbers(*element, "quat_xyzw", 4, context)) {
    const Quat given((*q)[3], (*q)[0], (*q)[1], (*q)[2]);
    if (!(given.norm() > 0.0)) {
      context.problems.add(element->find_attribute("quat_xyzw")->where, "quat_xyzw of <origin> is zero");
    } else {
      origin.orientation = given.normalized();
    }
    return origin;
  }
  const Vec3 rpy = read_vector(*element, "rpy", Vec3::Zero(), context);
  if (rpy.isZero(0.0)) return origin;
  origin.orientation = Eigen::AngleAxisd(rpy.z(), Vec3::UnitZ()) * Eigen::AngleAxisd(rpy.y(), Vec3::UnitY()) *
                       Eigen::AngleAxisd(rpy.x(), Vec3::UnitX());
  return origin;
}

std::string read_word(const XmlElement& element, std::string_view key, UrdfContext& context) {
  const XmlAttribute* attribute = element.find_attribute(key);
  if (attribute != nullptr && !attribute->value.empty()) return attribute->value;
  context.problems.add(
      attribute == nullptr ? element.where : attribute->where,
      fmt::format("attribute {} is {} in {}", key, attribute == nullptr ? "missing" : "empty", label_of(element)));
  return {};
}

}  // namespace abut
