#include "abut/scene/contact_match.hpp"

#include <fmt/format.h>

namespace abut {

bool matches_glob(std::string_view pattern, std::string_view name) {
  std::size_t p = 0, n = 0;
  std::size_t star = std::string_view::npos, retry = 0;
  while (n < name.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      retry = n;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == name[n])) {
      ++p;
      ++n;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      n = ++retry;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

bool is_glob(std::string_view pattern) { return pattern.find_first_of("*?") != std::string_view::npos; }

std::optional<ContactMatch> find_contact(const SceneSpec& scene, std::string_view body_a, std::string_view body_b) {
  ContactMatch match;
  for (int i = static_cast<int>(scene.contact.size()) - 1; i >= 0 && match.settings == nullptr; --i) {
    const ContactSpec& entry = scene.contact[static_cast<std::size_t>(i)];
    const auto& [first, second] = entry.between;
    const bool straight = matches_glob(first, body_a) && matches_glob(second, body_b);
    const bool crossed = matches_glob(first, body_b) && matches_glob(second, body_a);
    if (!straight && !crossed) continue;
    match.settings = &entry;
    match.entry = i;
    match.swapped = !straight;
    match.by_name = !is_glob(first) && !is_glob(second);
  }
  const ContactDefaultSpec* fallback = scene.contact_default ? &*scene.contact_default : nullptr;
  if (match.settings == nullptr) match.settings = fallback;
  if (match.settings == nullptr) return std::nullopt;
  const auto choose = [&](auto member) {
    const auto& own = match.settings->*member;
    if (own) return &*own;
    return fallback != nullptr && fallback->*member ? &*(fallback->*member) : nullptr;
  };
  match.normal = choose(&ContactDefaultSpec::normal);
  match.friction = choose(&ContactDefaultSpec::friction);
  return match;
}

std::string make_contact_name(const SceneSpec& scene, const ContactMatch& match) {
  if (match.entry < 0) return "contact_default";
  const ContactSpec& entry = scene.contact[static_cast<std::size_t>(match.entry)];
  return entry.name.empty() ? fmt::format("{}-{}", entry.between[0], entry.between[1]) : entry.name;
}

}  // namespace abut
