#include "method_choice.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "abut/base/error.hpp"
#include "abut/scene/run_spec.hpp"

namespace abut {

namespace {

/// Splits where `separator` stands outside of brackets and quotes.
std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts(1);
  int depth = 0;
  bool is_quoted = false;
  for (const char c : text) {
    if (c == '"') is_quoted = !is_quoted;
    if (!is_quoted && (c == '[' || c == '{')) ++depth;
    if (!is_quoted && (c == ']' || c == '}')) --depth;
    if (c == separator && depth == 0 && !is_quoted) {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

std::string complete_path(const std::string& key, const std::string& method) {
  if (key.find_first_of(".[") != std::string::npos) return key;
  const MethodTraits* traits = find_method(method);
  const bool has_table = traits != nullptr && traits->table[0] != '\0';
  return fmt::format("{}.{}", has_table && key != "step" ? traits->table : "run", key);
}

}  // namespace

MethodChoice parse_method_choice(const std::string& text) {
  const std::vector<std::string> parts = split(text, ':');
  MethodChoice choice;
  choice.label = text;
  choice.name = parts[0];
  for (std::size_t i = 1; i < parts.size(); ++i) {
    const std::size_t equals = parts[i].find('=');
    if (equals == std::string::npos || equals == 0) {
      throw InputError(fmt::format(
          "--method {}: '{}' is not key=value, as in lcp:step=0.001:friction=cone.\nNothing was run.", text, parts[i]));
    }
    const std::string path = complete_path(parts[i].substr(0, equals), choice.name);
    choice.has_step |= path == "run.step";
    choice.settings.push_back(path + parts[i].substr(equals));
  }
  return choice;
}

std::vector<std::string> split_choices(const std::vector<std::string>& texts) {
  std::vector<std::string> choices;
  for (const std::string& text : texts) {
    for (const std::string& part : split(text, ',')) choices.push_back(part);
  }
  return choices;
}

std::string take_step(std::vector<std::string>& settings) {
  constexpr std::string_view kKey = "run.step=";
  std::string value;
  for (const std::string& setting : settings) {
    if (setting.starts_with(kKey)) value = setting.substr(kKey.size());
  }
  std::erase_if(settings, [kKey](const std::string& setting) { return setting.starts_with(kKey); });
  return value;
}

bool takes_step(const std::string& name) {
  if (const MethodTraits* method = find_method(name)) return method->has_fixed_step;
  for (const IntegratorRow& row : kIntegrators) {
    if (name == row.name) return row.method && has_fixed_step(*row.method);
  }
  return false;
}

}  // namespace abut
