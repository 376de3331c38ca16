#pragma once

#include <string>
#include <string_view>

#include "abut/base/error.hpp"

namespace abut::fmi {

/// The folder that a location of resources names: file:///path, file:/path, file://localhost/path, with %XX for
/// characters [Berners-Lee, Fielding and Masinter 2005]; a plain path, which some importers give, is taken as it is.
/// InputError for anything else.
inline std::string path_of_uri(std::string_view uri) {
  if (uri.starts_with('/')) return std::string(uri);
  constexpr std::string_view kScheme = "file:";
  if (!uri.starts_with(kScheme)) throw InputError("the resources are not in a file: location: " + std::string(uri));
  std::string_view rest = uri.substr(kScheme.size());
  if (rest.starts_with("//")) {
    rest.remove_prefix(2);
    const std::string_view host = rest.substr(0, rest.find('/'));
    if (!host.empty() && host != "localhost")
      throw InputError("the resources are on another machine: " + std::string(uri));
    rest.remove_prefix(host.size());
  }
  if (!rest.starts_with('/'))
    throw InputError("the location of the resources has no absolute path: " + std::string(uri));
  const auto digit = [](char c) {
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
  };
  std::string path;
  for (std::size_t i = 0; i < rest.size(); ++i) {
    if (rest[i] != '%') {
      path += rest[i];
      continue;
    }
    const bool has_both = i + 2 < rest.size();
    const int high = has_both ? digit(rest[i + 1]) : -1, low = has_both ? digit(rest[i + 2]) : -1;
    if (high < 0 || low < 0)
      throw InputError("the location of the resources has a % without two digits: " + std::string(uri));
    path += static_cast<char>(16 * high + low);
    i += 2;
  }
  return path;
}

}  // namespace abut::fmi
