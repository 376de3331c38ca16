#pragma once

#include <cstdio>
#include <string>
#include <utility>

#include <fmt/format.h>

namespace abut {

/// To standard error; where nobody can be told (it is closed, or its disk is full) nothing else goes wrong for that.
template <class... Args>
void tell(fmt::format_string<Args...> format, Args&&... args) {
  const std::string text = fmt::format(format, std::forward<Args>(args)...);
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

}  // namespace abut
