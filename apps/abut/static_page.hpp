#pragma once

#include <string>
#include <string_view>

namespace abut {

/// A page of text, tables and pictures, without script: head, style (light and dark) and the given body.
std::string make_static_page(const std::string& title, const std::string& body);

}  // namespace abut
