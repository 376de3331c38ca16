#include "abut/io/detail/toml_text.hpp"

#include <fmt/format.h>

namespace abut {

std::string to_toml(double value) {
  std::string text = fmt::format("{}", value);
  // Without a point -0 would read back as the integer 0.
  if (text.find_first_of(".einf") == std::string::npos) text += ".0";
  return text;
}

std::string to_toml(const std::string& value) {
  std::string text = "\"";
  for (const char c : value) {
    const unsigned char byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      text += '\\';
      text += c;
    } else if (byte < 0x20 || byte == 0x7F) {
      text += fmt::format("\\u{:04X}", byte);
    } else {
      text += c;
    }
  }
  return text + "\"";
}

std::string to_toml(const Vec3& value) { return join_toml(std::array{value.x(), value.y(), value.z()}); }

std::string to_toml(const Quat& value) { return join_toml(std::array{value.w(), value.x(), value.y(), value.z()}); }

std::string to_toml(const InertiaSpec& value) {
  const std::vector<double>& n = value.numbers;
  if (n.size() != 9) return join_toml(n);
  return join_toml(std::vector<Vec3>{Vec3(n[0], n[1], n[2]), Vec3(n[3], n[4], n[5]), Vec3(n[6], n[7], n[8])});
}

}  // namespace abut
