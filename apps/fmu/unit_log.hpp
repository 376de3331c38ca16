#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <string_view>

namespace abut::fmi {

/// Categories of messages, as the description of a unit declares them.
enum class LogCategory { event, warning, discard, error };

inline constexpr auto kLogCategories =
    std::to_array<const char*>({"logEvents", "logStatusWarning", "logStatusDiscard", "logStatusError"});

/// What an importer wants to hear.
class LogFilter {
 public:
  explicit LogFilter(bool is_on) { wanted_.fill(is_on); }

  bool wants(LogCategory category) const { return wanted_[static_cast<std::size_t>(category)]; }

  /// Those of the names, or all where there are none. False, and nothing has changed, where a name is unknown.
  bool set(bool is_on, std::size_t size, const char* const names[]) {
    std::array<bool, kLogCategories.size()> wanted = wanted_;
    if (size == 0) wanted.fill(is_on);
    for (std::size_t i = 0; i < size; ++i) {
      const auto known = std::find_if(kLogCategories.begin(), kLogCategories.end(), [&](const char* name) {
        return names[i] != nullptr && std::string_view(names[i]) == name;
      });
      if (known == kLogCategories.end()) return false;
      wanted[static_cast<std::size_t>(known - kLogCategories.begin())] = is_on;
    }
    wanted_ = wanted;
    return true;
  }

 private:
  std::array<bool, kLogCategories.size()> wanted_{};
};

/// Each of these characters twice: in messages # begins the name of a variable, and in those of FMI 2.0 % a format.
inline std::string double_characters(std::string_view text, std::string_view doubled) {
  std::string out;
  for (const char c : text) {
    out += c;
    if (doubled.find(c) != std::string_view::npos) out += c;
  }
  while (!out.empty() && out.back() == '\n') out.pop_back();
  return out;
}

}  // namespace abut::fmi
