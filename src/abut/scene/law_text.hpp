#pragma once

#include <string>

namespace abut {

/// What a person should know of a law before using it: printed by `abut models`, and part of its row.
struct LawText {
  const char* name;       ///< value of `law` in scenes
  const char* doc;        ///< one sentence: what it is for
  const char* equation;   ///< plain text
  const char* limits;     ///< where it ceases to be valid
  const char* source;     ///< with equation numbers (docs/sources.md)
  const char* page = "";  ///< of docs/theory; empty: the one of its own name
};

/// "theory/gonthier.md", below docs/.
inline std::string find_law_page(const LawText& text) {
  return std::string("theory/") + (text.page[0] == '\0' ? text.name : text.page) + ".md";
}

}  // namespace abut
