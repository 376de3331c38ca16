#include "abut/scene/scene_path.hpp"

#include <algorithm>
#include <charconv>

namespace abut {

std::vector<std::string> split_path(std::string_view path) {
  std::vector<std::string> parts;
  std::size_t i = 0;
  while (i < path.size()) {
    const bool opens = path[i] == '[', quoted = path[i] == '"';
    const char* stops = opens ? "]" : quoted ? "\"" : ".[";
    const std::size_t begin = opens || quoted ? i + 1 : i;
    const std::size_t end = std::min(path.find_first_of(stops, begin), path.size());
    if (end == begin || ((opens || quoted) && end == path.size())) return {};
    parts.emplace_back(path.substr(begin, end - begin));
    i = opens || quoted ? end + 1 : end;
    if (i < path.size() && path[i] == '.') {
      if (++i == path.size()) return {};
    } else if (i < path.size() && path[i] != '[') {
      return {};
    }
  }
  return parts;
}

std::optional<std::size_t> to_index(const std::string& part) {
  std::size_t index = 0;
  const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), index);
  if (error != std::errc() || end != part.data() + part.size()) return std::nullopt;
  return index;
}

}  // namespace abut
